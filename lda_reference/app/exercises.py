"""The command `exercises`: copies the notebooks whose functions `lda_reference.oracle.grade` grades."""

import argparse
import shutil
from pathlib import Path

NOTEBOOKS = Path(__file__).parents[1] / "exercises"


def add_arguments(p: argparse.ArgumentParser) -> None:
    p.add_argument("folder", metavar="FOLDER", help="the folder to copy to; it is made if it does not exist")


def run(a: argparse.Namespace) -> None:
    """Copy the notebooks, if the folder has none of their names."""
    copies = {path: Path(a.folder, path.name) for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
    for copy in filter(Path.exists, copies.values()):
        raise ValueError(f"{copy}: exists already, expected a folder without the exercises")
    Path(a.folder).mkdir(parents=True, exist_ok=True)
    for path, copy in copies.items():
        shutil.copyfile(path, copy)
    print(f"{a.folder}: {len(copies)} notebooks; begin with {min(copies.values())}")
