"""Run the tour, and keep its table in chapters/pages/commands.md, and its numbers and its picture in figures/pages.

The seconds are those of the processor, which do not depend on what else the machine does.
"""

import contextlib
import io
import re
import shutil
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

from lda_reference import fitting
from lda_reference.app.command_line import main

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "chapters" / "pages" / "commands.md"

if __name__ == "__main__":
    fitting.time = SimpleNamespace(perf_counter=time.process_time)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as stdout:
        with contextlib.chdir(folder):
            main(["tour", "--quiet"])
        for name in ("tour.csv", "tour.png"):
            shutil.copy(Path(folder, "tour", name), ROOT / "figures" / "pages")
    table = stdout.getvalue()[stdout.getvalue().index("bars, the embedded") :]
    text = re.sub(r"^```\nbars, .*?^```$", lambda _: f"```\n{table}```", PAGE.read_text("utf-8"), flags=re.S | re.M)
    PAGE.write_text(text, "utf-8", newline="\n")
