#!/bin/bash
# tomotopy 0.14.0, save (full) and load of LDAModel, LLDAModel and PLDAModel.
# Guess: a loaded model has the alpha that the saved one has learnt, and the same perplexity.
# Behaviour: LDAModel does. LLDAModel and PLDAModel come back with the alpha that they were made with, here 0.1 where
#   the learnt one is 0.005. Their perplexity is another one, and a new text has other topics: the smaller share is
#   fifteen times as large.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - "$folder/model" <<'PYTHON'
import sys

import numpy as np
import tomotopy

path = sys.argv[1]
rng = np.random.default_rng(0)
texts = [[f"w{x}" for x in rng.integers(0, 10, 30) + 10 * (j % 2)] for j in range(60)]


def numbers(model, text):
    """The least alpha, the perplexity, and the smaller share of a new text's topics."""
    theta_k, _ = model.infer(model.make_doc(text), workers=1)
    return [round(float(x), 4) for x in (np.min(model.alpha), model.perplexity, min(theta_k))]


def saved_and_loaded(form, labelled, **settings):
    model = form(seed=1, **settings)
    for j, text in enumerate(texts):
        model.add_doc(text, **({"labels": [f"label {j % 2}"]} if labelled else {}))
    model.train(60, workers=1)
    model.save(path)
    return [numbers(x, texts[0]) for x in (model, form.load(path))]


lda = saved_and_loaded(tomotopy.LDAModel, False, k=2)
llda, plda = (saved_and_loaded(form, True) for form in (tomotopy.LLDAModel, tomotopy.PLDAModel))
print("tomotopy", tomotopy.__version__, "alpha, perplexity, share: LDA", lda, "LLDA", llda, "PLDA", plda)
assert lda[0] == lda[1] and lda[0][0] < 0.02
assert llda[0][0] < 0.02 and llda[1][0] == 0.1 and llda[1][1] > llda[0][1] + 0.05
assert plda[0][0] < 0.02 and plda[1][0] == 0.1 and plda[1][1] > plda[0][1] + 0.05
assert llda[1][2] > 5 * llda[0][2]
PYTHON
# Seen: LDA [[0.0053, 10.8735, 0.0002], [0.0053, 10.8735, 0.0002]]
#       LLDA [[0.0053, 10.8735, 0.0002], [0.1, 11.001, 0.0033]] PLDA [[0.0053, 10.8735, 0.0002], [0.1, 11.001, 0.0033]]
