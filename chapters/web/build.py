"""Building the site: stage its source, run Sphinx with warnings as errors, and check what was built."""

import sys
from pathlib import Path

from sphinx.cmd.build import build_main

from .links import faults
from .stage import stage

HERE = Path(__file__).parent


def build(folder: Path, work: Path, chapters: list[Path], modules: list[str] | None = None) -> None:
    """Write the site to a folder; `work` holds its source and what Sphinx keeps from one build to the next.

    Only the chapters and modules that are given become pages; without modules, all of the package.

    Raises
    ------
    SystemExit
        If Sphinx warns of anything, or the built pages have a fault; the message lists them.
    """
    stage(work / "source", chapters, modules)
    options = ["-q", "-W", "--keep-going", "-b", "html", "-c", str(HERE), "-d", str(work / "doctrees")]
    if build_main([*options, str(work / "source"), str(folder)]):
        sys.exit("the site was not built without warnings")
    if wrong := faults(folder.resolve()):
        sys.exit("\n".join(wrong))
