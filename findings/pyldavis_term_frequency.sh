#!/bin/bash
# pyLDAvis 3.4.1, prepare(..., term_frequency=...), "the count of each particular term over the entire corpus".
# Guess: these counts are the overall frequencies that the picture draws (the blue bars, `Freq` of "Default").
# Behaviour: the bars are those that the model expects, from topics' shares and words' probabilities. Of the
#   counts that are given only the length is used. A word whose count is 0 has a bar of 80.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pyLDAvis==3.4.1 "setuptools<80"
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
import pyLDAvis

phi_kw = np.array([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.2, 0.2, 0.6]])
theta_jk = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])
counts = [0, 200, 100]


def table(counts):
    return pyLDAvis.prepare(phi_kw, theta_jk, [100, 100, 100], ["ash", "bay", "fig"], counts, R=3).topic_info


info = table(counts)
bars = info[info.Category == "Default"].set_index("Term").Freq
print("pyLDAvis", version("pyLDAvis"), "counts", counts, "bars", bars[["ash", "bay", "fig"]].tolist())
expected = 100 * phi_kw.sum(0)
assert np.allclose(bars[["ash", "bay", "fig"]], np.floor(expected), atol=1)
assert bars["ash"] > 70 and info.equals(table([9, 1, 5]))
PYTHON
# Seen: counts [0, 200, 100] bars [80.0, 110.0, 110.0]
