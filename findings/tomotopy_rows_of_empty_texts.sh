#!/bin/bash
# tomotopy 0.14.0, utils.Corpus and LDAModel with a text that is empty.
# Guess: an empty text keeps its place, so that row i of the results belongs to text i; and LDAModel.add_doc
#   returns the index of the text, as its documentation says.
# Behaviour: the empty text is left out and later rows move up by one, also in what infer() returns for a Corpus;
#   add_doc of LDAModel returns 1 for every text.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import tomotopy
from tomotopy.utils import Corpus

texts = ["cat dog".split(), "dog dog".split(), [], "bird bird cat".split()]
corpus = Corpus()
for text in texts:
    corpus.add_doc(text)
model = tomotopy.LDAModel(k=2, seed=1)
numbers = [model.add_doc(text) for text in texts if text]
model.train(10, workers=1)
new = Corpus()
for text in texts:
    new.add_doc(text)
inferred, _ = model.infer(new)
print("tomotopy", tomotopy.__version__, f"texts {len(texts)}, corpus {len(corpus)}, inferred {len(inferred)}, add_doc {numbers}")
assert len(corpus) == len(inferred) == 3 and numbers == [1, 1, 1]
PYTHON
# Seen: texts 4, corpus 3, inferred 3, add_doc [1, 1, 1]
