"""The command `exercises`: copies the notebooks whose functions `lda_reference.oracle.grade` grades."""

import argparse
import shutil
from pathlib import Path

NOTEBOOKS = Path(__file__).parents[1] / "exercises"


def add_arguments(p: argparse.ArgumentParser) -> None:
    p.add_argument("folder", metavar="FOLDER", help="the folder to copy to; it is made if it does not exist")


def run(a: argparse.Namespace) -> None:
    """Copy the notebooks, if the folder has none of their names."""
    copy_of_notebook = {notebook: Path(a.folder, notebook.name) for notebook in sorted(NOTEBOOKS.glob("*.ipynb"))}
    for copy_path in filter(Path.exists, copy_of_notebook.values()):
        raise ValueError(f"{copy_path}: exists already, expected a folder without the exercises")
    Path(a.folder).mkdir(parents=True, exist_ok=True)
    for notebook, copy_path in copy_of_notebook.items():
        shutil.copyfile(notebook, copy_path)
    print(f"{a.folder}: {len(copy_of_notebook)} notebooks; begin with {min(copy_of_notebook.values())}")
