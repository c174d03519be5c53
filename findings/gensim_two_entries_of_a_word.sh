#!/bin/bash
# gensim 4.4.0, LdaModel of documents in which a word has two entries, as in a Matrix Market file with a line for each token.
# Guess: the entries of one word are added up, as scipy's readers and scikit-learn do.
# Behaviour: only one of them counts. A document (0, 1), (0, 1) adds one token to the topics, and nothing is said.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
import numpy as np
from gensim.models import LdaModel


def tokens(document):
    """The tokens that 100 copies of a document add to the topics."""
    model = LdaModel([document] * 100, 2, {0: "a", 1: "b"}, random_state=0, dtype=np.float64)
    return model.state.get_lambda().sum() - 2 * 2 * 0.5  # eta is 1 / K


added, entries = tokens([(0, 2), (1, 1)]), tokens([(0, 1), (0, 1), (1, 1)])
print("gensim", gensim.__version__, f"tokens of 100 documents a a b: {added:.0f}; with two entries of a: {entries:.0f}")
assert np.isclose(added, 300) and np.isclose(entries, 200)
PYTHON
# Seen: tokens of 100 documents a a b: 300; with two entries of a: 200
