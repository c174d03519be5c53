"""MALLET's state files, as `mallet train-topics --output-state` writes them: the topic of each token."""

import re

import numpy as np

from ..arguments import path_of
from ..corpus import Corpus
from ..model import Prior
from .files import Source, lines_of, read_text, refuse

LINE = re.compile(r"(\d+) (\S.*|) ?(\d+) (\d+) (\S+) (\d+)")  # the source may have spaces


def read_state(path: Source) -> tuple[Corpus, list[int], Prior]:
    """The corpus of a state, with a row for each token, the topics z of the tokens, and the prior.

    Parameters
    ----------
    path : path of a state file, gzipped or not

    Returns
    -------
    c : Corpus
        Tokens, in the order of the file; the vocabulary is that of MALLET, of which words may not occur.
    z : list of N ints
    p : Prior
        MALLET's beta is eta.

    Raises
    ------
    ValueError
        If the file is no state; the message names the line.
    """
    lines = lines_of(read_text(path_of(path, "path")))
    priors = [
        re.fullmatch(rf"#{name} : ([\d.eE+\- ]+)", line.strip())
        for name, line in zip(("alpha", "beta"), lines[1:3], strict=False)
    ]
    if len(priors) < 2 or not all(priors):
        refuse(path, 2, "no line `#alpha : ...` and `#beta : ...`", "a state file of MALLET")
    alpha, eta = ([float(x) for x in found[1].split()] for found in priors if found)
    rows, words = [], dict[int, str]()
    for number, line in enumerate(lines[3:], 4):
        found = LINE.fullmatch(line) or refuse(
            path, number, repr(line[:60]), "document source position type word topic"
        )
        j, _, _, w, word, k = found.groups()
        rows.append((int(j), int(w), int(k)))
        if words.setdefault(int(w), word) != word:
            refuse(path, number, f"type {w} is {word!r}", f"{words[int(w)]!r}, as before")
        if int(k) >= len(alpha):
            refuse(path, number, f"topic {k}", f"a topic below {len(alpha)}")
    j, w, z = np.array(rows, np.int64).reshape(-1, 3).T
    W = int(w.max(initial=-1)) + 1
    vocab = tuple(words.get(i, f"type {i}") for i in range(W))
    c = Corpus(j, w, np.ones(len(j), np.int64), int(j.max(initial=-1)) + 1, W, vocab)
    return c, z.tolist(), Prior(alpha, eta[0])
