"""Where commands write: checks before their work that nothing of theirs is replaced, and writing text."""

import argparse
import re
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from ..arguments import path_of
from ..formats.files import check_writable, write_bytes
from . import corpora
from .models import in_unicode

COLUMNS = rb"share|rank|word_id|word|probability|own|what|other_topic|other_share|distance|(known_)?tokens|documents"
OUTPUT_START = re.compile(
    rb'(?:topic|document|group|year)(?:,(?:%b|topic_\d+))+\r?\n|\{\n "|<!doctype html><html lang=' % COLUMNS
)  # fmt: skip
INPUTS = {"model": "the model", "corpus": "--corpus", "vocab": "--vocab"}


def check_output(a: argparse.Namespace, option_name: str) -> None:
    """Raise an error if the file of an option cannot be written or is an input, before the work for it begins."""
    path_text = getattr(a, option_name)
    path = Path("-" if path_text is None else path_of(path_text, option_name))
    if str(path) == "-" or (path.exists() and not path.is_file() and not path.is_dir()):  # a device is written in place
        return
    if path.is_dir():
        raise ValueError(f"{path_text}: a folder, expected a file to write")
    check_apart(a, option_name)
    if not path.parent.is_dir():
        raise ValueError(f"{path_text}: its folder does not exist, expected a folder to write into")
    check_writable(path)
    if path.is_file() and not a.force:
        with open(path, "rb") as output_file:
            first_bytes = output_file.read(2**20)  # the names of the columns of thousands of topics
        if first_bytes and not OUTPUT_START.match(first_bytes):
            raise ValueError(f"{path_text}: no earlier output of a command, expected another name or --force")


def output_folder(a: argparse.Namespace, file_names: Sequence[str]) -> Path:
    """The folder `--out` for files of these names, which the caller makes; an error if they cannot be written."""
    folder = path_of(a.out, "out")
    check_apart(a, "out", file_names)
    if any(file_name.endswith(".png") for file_name in file_names) and find_spec("matplotlib") is None:
        raise ValueError('matplotlib is missing, expected pip install "lda_reference[plot]"')
    check_writable(folder / "x")
    return folder


def check_apart(a: argparse.Namespace, option_name: str, file_names: Sequence[str] = ()) -> None:
    """Raise a ValueError if an output is an input of the command or lies in one; `file_names` are written into it."""
    output_path = Path(getattr(a, option_name))
    path_and_parents = [path for path in (output_path.resolve(), *output_path.resolve().parents) if path.exists()]
    inputs = [(role, getattr(a, input_option, None)) for input_option, role in INPUTS.items()]
    inputs += [("--stop-words", path) for path in corpora.stop_lists(a)]
    for role, input_path in ((role, Path(path)) for role, path in inputs if path is not None and Path(path).exists()):
        if input_path.is_dir() and any(path.samefile(input_path) for path in path_and_parents):
            file_or_folder = "folder" if file_names else "file"
            raise ValueError(f"{option_name} is {output_path}, expected a {file_or_folder} outside of {input_path}")
        for path in [output_path / path for path in file_names] or [output_path]:
            if path.is_file() and path.samefile(input_path):
                expected_text = f"a folder whose {path.name} is not" if file_names else "another file than"
                raise ValueError(f"{option_name} is {output_path}, expected {expected_text} {role}")


def write(text: str, path: str) -> None:
    """Write a text to a file, or to stdout if the path is "-". A write that is interrupted leaves the old file."""
    if path == "-":
        sys.stdout.write(text)
    else:
        write_bytes(path, text.encode())
        print(f"Written: {in_unicode(path)}", file=sys.stderr)
