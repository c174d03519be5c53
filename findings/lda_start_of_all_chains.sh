#!/bin/bash
# lda 3.0.2, LDA(random_state): "The generator used for the initial topics."
# Guess: each token starts in a random topic, and two seeds give two starts, as the comparison of chains needs it.
# Behaviour: the generator isn't used for the initial topics. The tokens get the topics 0, 1, 2, ... in turn, in the
#   order of the matrix. All seeds start at the same state, with the same log likelihood, so it says little about
#   convergence that chains agree early. If each count is a multiple of the number of topics, all topics are equal at
#   the start.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet lda==3.0.2 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
import logging
from importlib.metadata import version

import lda
import numpy as np

logging.getLogger("lda").setLevel(logging.ERROR)

print("lda", version("lda"))
counts = np.random.default_rng(0).poisson(0.5, (60, 40))
starts = [lda.LDA(4, n_iter=0, random_state=seed).fit(counts) for seed in range(20)]
print("topics of the first text at the start:", [start.ndz_[0].tolist() for start in starts[:3]])
equal = [all((getattr(start, name) == getattr(starts[0], name)).all() for start in starts) for name in ("ndz_", "nzw_")]
print("20 seeds have equal counts of texts and topics, and of topics and words:", equal)
traces = [lda.LDA(4, n_iter=3, refresh=1, random_state=seed).fit(counts).loglikelihoods_ for seed in range(4)]
print("log likelihoods before the sweeps 1, 2 and 3:", [np.round(trace, 1).tolist() for trace in traces])
assert equal == [True, True]
assert len({trace[0] for trace in traces}) == 1 and len({trace[1] for trace in traces}) == 4
topics = lda.LDA(4, n_iter=0, random_state=1).fit(4 * counts).components_
gap = float(np.ptp(topics, axis=0).max())
print("counts that are multiples of 4, the largest difference between topics at the start:", gap)
assert gap == 0
PYTHON
# Seen: topics of the first text at the start: [[6, 6, 6, 6], [6, 6, 6, 6], [6, 6, 6, 6]]
#       20 seeds have equal counts of texts and topics, and of topics and words: [True, True]
#       log likelihoods before the sweeps 1, 2 and 3: [[-7101.5, -6550.8, -6046.3], [-7101.5, -6498.3, -6066.5],
#         [-7101.5, -6505.8, -6092.8], [-7101.5, -6545.9, -6175.1]]
#       counts that are multiples of 4, the largest difference between topics at the start: 0.0
