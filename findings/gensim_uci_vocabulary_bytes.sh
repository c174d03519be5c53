#!/bin/bash
# gensim 4.4.0, UciCorpus, which writes a corpus with its words and reads it again.
# Guess: the words that come back are those that were written, str.
# Behaviour: they are bytes. Nothing fails: the dictionary of the corpus has no word of a new text, so doc2bow gives an
#   empty document, for which a model gives its prior. Counts are cut to whole numbers, and what is below 1 is left
#   out.
# BleiCorpus, LowCorpus and MalletCorpus give str.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0
"$folder/venv/bin/python" -W ignore - "$folder" <<'PYTHON'
import sys

import gensim
from gensim.corpora import BleiCorpus, Dictionary, UciCorpus

folder = sys.argv[1]
dictionary = Dictionary([["ash", "bay"]])
bows = [[(0, 2.7), (1, 0.9)], [(1, 3)]]
for form in (UciCorpus, BleiCorpus):
    form.serialize(f"{folder}/{form.__name__}", bows, id2word=dictionary)
uci, blei = (form(f"{folder}/{form.__name__}") for form in (UciCorpus, BleiCorpus))
bow = uci.create_dictionary().doc2bow(["ash", "ash", "bay"])
print("gensim", gensim.__version__, dict(uci.id2word), dict(blei.id2word), "a new text", bow, "counts", list(uci))
assert dict(uci.id2word) == {0: b"ash", 1: b"bay"} and dict(blei.id2word) == {0: "ash", 1: "bay"}
assert bow == [] and dictionary.doc2bow(["ash", "ash", "bay"]) == [(0, 2), (1, 1)]
assert list(uci) == [[(0, 2)], [(1, 3)]] and list(blei) == bows
PYTHON
# Seen: {0: b'ash', 1: b'bay'} {0: 'ash', 1: 'bay'} a new text [] counts [[(0, 2.0)], [(1, 3.0)]]
