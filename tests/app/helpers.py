"""What several tests of the command line need."""

import csv
import io

import numpy as np

import lda_reference as lda
from lda_reference.app import command_line

from ..helpers import write_corpus


def run(*arguments):
    """The exit status of a command."""
    try:
        return command_line.main([str(argument) for argument in arguments])
    except SystemExit as system_exit:
        return system_exit.code


def printed(capsys, *arguments):
    """What a command printed that ended with status 0: `out` and `err`."""
    assert run(*arguments) == 0
    return capsys.readouterr()


def refusal(capsys, *arguments):
    """The line on stderr of a command that ends with status 2."""
    exit_status, stderr_text = run(*arguments), capsys.readouterr().err
    assert (exit_status, stderr_text.count("\n")) == (2, 1)
    return stderr_text


def inputs(folder):
    return ("--corpus", folder / "docword.txt", "--vocab", folder / "vocab.txt")


def write_bars(folder, D=40, length=20, file_names=("docword.txt", "vocab.txt")):
    """Write a corpus of bars and its words as files of these names, and return it."""
    c = lda.synthetic.bars(np.random.default_rng(0), side=3, D=D, length=length).corpus.types()
    write_corpus(c, folder / file_names[0], vocab=folder / file_names[1])
    return c


def contents(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def rows_of(csv_text):
    return list(csv.DictReader(io.StringIO(csv_text)))
