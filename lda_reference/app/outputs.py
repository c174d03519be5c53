"""Where commands write: checks before their work that nothing of theirs is replaced, and writing text."""

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from ..arguments import path_of
from ..formats.files import check_writable, write_bytes
from . import corpora
from .models import in_unicode

KINDS = (b"document", b"group", b"year")
THETA = tuple(start % kind for kind in KINDS for start in (b"%s,", b'{"%ss"', b'{\n "%ss"'))
OURS = {  # how files begin that a command writes
    "documents": THETA, "infer": THETA, "topics": (b"topic,share,", b'{"topics"', b'{\n "topics"'),
    "stability": (b'{"prediction"', b'{\n "prediction"'), "compare": (b"topic,what,", b'{\n "pairs"'),
    "report": (b'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>',),
}  # fmt: skip
INPUTS = {"model": "the model", "corpus": "--corpus", "vocab": "--vocab", "stop_words": "--stop-words"}


def check_output(a: argparse.Namespace, option: str) -> None:
    """Raise an error if the file of an option cannot be written or is an input, before the work for it begins."""
    given = getattr(a, option)
    if given is None or given == "-":
        return
    path = path_of(given, option)
    if path.is_dir():
        raise ValueError(f"{given}: a folder, expected a file to write")
    if path.exists() and not path.is_file():  # a device or a pipe is written in place
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return
    check_apart(a, option)
    parent = Path(os.path.realpath(path)).parent
    if not parent.is_dir():
        raise ValueError(f"{given}: its folder does not exist, expected a folder to write into")
    check_writable(path.parent if not path.is_symlink() else parent)
    if path.is_file() and not getattr(a, "force", True):
        with open(path, "rb") as file:
            start = file.read(80)
        if start and not start.startswith(OURS[a.command]):
            raise ValueError(f"{given}: no earlier output of {a.command}, expected another name or --force")


def output_folder(a: argparse.Namespace, names: Sequence[str]) -> Path:
    """The folder `--out` for files of these names, which the caller makes; an error if they cannot be written."""
    folder = path_of(a.out, "out")
    check_apart(a, "out", names)
    if any(name.endswith(".png") for name in names) and find_spec("matplotlib") is None:
        raise ValueError('matplotlib is missing, expected pip install "lda_reference[plot]"')
    check_writable(folder / "x")
    return folder


def check_apart(a: argparse.Namespace, option: str, names: Sequence[str] = ()) -> None:
    """Raise a ValueError if an output is an input of the command or lies in one; `names` are files written into it."""
    output = getattr(a, option)
    real = Path(os.path.realpath(output))  # it need not exist, and links may lead there
    inputs = [(name, getattr(a, name, None)) for name in INPUTS if name != "stop_words"]
    inputs += [("stop_words", path) for path in corpora.stop_lists(a)]
    for name, source in ((name, Path(x)) for name, x in inputs if x is not None and Path(x).exists()):
        if source.is_dir() and any(x.exists() and x.samefile(source) for x in (real, *real.parents)):
            folder = f"the model in {source}" if name == "model" else f"the texts in {source}"
            raise ValueError(f"{option} is {output}, expected a {'folder' if names else 'file'} outside of {folder}")
        for path in [Path(output, x) for x in names] or [Path(output)]:
            if path.is_file() and path.samefile(source):
                expected = f"a folder whose {path.name} is not" if names else "another file than"
                raise ValueError(f"{option} is {output}, expected {expected} {INPUTS[name]}")


def write(text: str, path: str) -> None:
    """Write a text to a file, or to stdout if the path is "-". A write that is interrupted leaves the old file."""
    if path == "-":
        sys.stdout.write(text)
    else:
        try:
            write_bytes(path, text.encode())
        except OSError as error:  # a device that is full names no file
            raise OSError(error.errno, error.strerror, path) from error
        print(f"Written: {in_unicode(path)}", file=sys.stderr)
