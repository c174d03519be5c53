#!/bin/bash
# lda 3.0.2, LDA.transform, "Transform the data X according to previously fitted model", of a text without a known
#   word.
# Guess: its topics are those of the prior, each 1/K, as doc_topic_ of the fit has them for such a text.
# Behaviour: each is alpha itself, here 0.1, so the row adds up to 0.2. All other rows add up to 1. A mean over texts
#   counts such a text at a fifth of the others, and with alpha = 5 at ten times the others.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet lda==3.0.2 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import logging
from importlib.metadata import version

import lda
import numpy as np

logging.disable()
counts = np.array([[9, 9, 0, 0], [0, 0, 9, 9]] * 20 + [[0, 0, 0, 0]])


def rows(**settings):
    """Of the empty text, by the fit and by transform, and the sums of the other rows."""
    model = lda.LDA(2, n_iter=100, random_state=1, **settings).fit(counts)
    theta_jk = model.transform(counts)
    return model.doc_topic_[-1].tolist(), theta_jk[-1].tolist(), theta_jk[:-1].sum(1)


by_fit, by_transform, sums = rows()
large = rows(alpha=5.0)[1]
print("lda", version("lda"), "by the fit", by_fit, "by transform", by_transform, "with alpha=5", large)
assert by_fit == [0.5, 0.5] and np.allclose(sums, 1)
assert by_transform == [0.1, 0.1]
assert large == [5, 5]
PYTHON
# Seen: by the fit [0.5, 0.5] by transform [0.1, 0.1] with alpha=5 [5.0, 5.0]
