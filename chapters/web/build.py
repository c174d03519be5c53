"""Building the site: stage its source, run Sphinx with warnings as errors, and check what was built."""

import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

from .links import faults
from .stage import stage

HERE = Path(__file__).parent


def build(folder: Path, work: Path, chapters: list[Path], modules: list[str] | None = None) -> None:
    """Write the site to a folder, which changes only if the build succeeds; `work` holds the source of the site.

    Only the chapters and modules that are given become pages; without modules, all of the package.

    Raises
    ------
    SystemExit
        If the folder holds something other than a site, Sphinx warns of anything, or the built pages have a fault; the
        message lists them.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / "index.html").exists():
        sys.exit(f"{folder} has files and no index.html, so it is not a site that can be built again")
    html_folder = work / "html"
    shutil.rmtree(work, ignore_errors=True)  # pages of an earlier build would stay
    stage(work / "source", chapters, modules)
    options = ["-q", "-W", "--keep-going", "-b", "html", "-c", str(HERE), "-d", str(work / "doctrees")]
    if build_main([*options, str(work / "source"), str(html_folder)]):
        sys.exit("the site was not built without warnings")
    if fault_lines := faults(html_folder.resolve()):
        sys.exit("\n".join(fault_lines))
    shutil.rmtree(folder, ignore_errors=True)
    shutil.move(html_folder, folder)
