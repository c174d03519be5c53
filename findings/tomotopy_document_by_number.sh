#!/bin/bash
# tomotopy 0.14.0, LDAModel.docs, "a list-like interface of Document in the model instance", and utils.Corpus.
# Guess: docs[1] is the second text and docs[-1] the last one.
# Behaviour: docs[0] is the first text, and each other number is an IndexError, though len(docs) is 20. A loop over docs
#   gives all texts, so list(docs)[1] is the second one. It is the same for a corpus, for a slice and for all kinds of
#   models. (The test of the limits compares signed with unsigned numbers.)
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0 numpy==2.4.6 scipy==1.17.1 tqdm==4.70.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import tomotopy as tp

print("tomotopy", tp.__version__)


def readable(texts):
    numbers = []
    for number in range(-len(texts), len(texts)):
        try:
            texts[number].words
            numbers.append(number)
        except IndexError:
            pass
    return numbers


corpus = tp.utils.Corpus()
for d in range(20):
    corpus.add_doc(["a", "b"] + ["c"] * d)
print("corpus", len(corpus), "texts, numbers that work:", readable(corpus))
assert readable(corpus) == [0]
for kind in (tp.LDAModel, tp.HDPModel, tp.CTModel, tp.PAModel):
    model = kind(seed=1, corpus=corpus)
    model.train(10, workers=1)
    print(kind.__name__, len(model.docs), "texts, numbers that work:", readable(model.docs), "of the slice 3:6",
          readable(model.docs[3:6]), "lengths in a loop", [len(document.words) for document in model.docs][:4], "...")
    assert len(model.docs) == 20 and readable(model.docs) == [0] and readable(model.docs[3:6]) == [0]
    assert len(list(model.docs)[1].words) == 3
PYTHON
# Seen: corpus 20 texts, numbers that work: [0]
#       LDAModel 20 texts, numbers that work: [0] of the slice 3:6 [0] lengths in a loop [2, 3, 4, 5] ...
#       HDPModel 20 texts, numbers that work: [0] of the slice 3:6 [0] lengths in a loop [2, 3, 4, 5] ...
#       CTModel 20 texts, numbers that work: [0] of the slice 3:6 [0] lengths in a loop [2, 3, 4, 5] ...
#       PAModel 20 texts, numbers that work: [0] of the slice 3:6 [0] lengths in a loop [2, 3, 4, 5] ...
