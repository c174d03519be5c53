#!/bin/bash
# tomotopy 0.14.0, coherence.Coherence(..., window_size=...), "a window size" for the sliding windows.
# Guess: a window of two tokens sees words that are neighbours, and a window of three those with one token between them.
# Behaviour: in a text that is as long as the window or longer, each window lacks its first token, so the window is one
#   token narrower than it is said to be. With window_size=2 no two words are ever together, and neighbours score as
#   badly as words that never meet. With the default of 10 the error is small. The number of windows is that of
#   window_size, so window_size + 1 gives about what is meant, not exactly.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from math import log

import tomotopy
from tomotopy.coherence import Coherence
from tomotopy.utils import Corpus

topic = ["ash", "bay"]
neighbours = ["oak"] * 10 + topic + ["oak"] * 10
apart = ["oak"] * 5 + ["ash"] + ["oak"] * 10 + ["bay"] + ["oak"] * 5
other_text = ["oak"] * 22


def by_tomotopy(texts, window_size):
    """c_npmi. Each word of the texts is a target, so that no window is left out."""
    corpus = Corpus()
    for text in texts:
        corpus.add_doc(text)
    targets = [*topic, "oak"]
    coherence = Coherence(corpus, coherence="c_npmi", window_size=window_size, targets=targets)
    return round(coherence.get_score(words=topic), 4)


def by_hand(texts, window_size, lacking):
    """c_npmi, of windows that lack some of their first tokens."""
    starts = range(len(other_text) - window_size + 1)
    windows = [set(text[j + lacking : j + window_size]) for text in texts for j in starts]
    p_ash, p_bay, p_both = (sum(x <= y for y in windows) / len(windows) for x in ({"ash"}, {"bay"}, set(topic)))
    return round(log((p_both + 1e-12) / (p_ash * p_bay)) / -log(p_both + 1e-12), 4)


texts = [neighbours] * 10 + [other_text] * 10
print("tomotopy", tomotopy.__version__, "c_npmi of neighbours by the size of the window")
for window_size in (2, 3, 10):
    seen = by_tomotopy(texts, window_size)
    right, narrow = (by_hand(texts, window_size, lacking) for lacking in (0, 1))
    print(window_size, "tomotopy", seen, "by hand", right, "by hand without the first token", narrow)
    assert abs(seen - narrow) < 2e-4 and right > 0.6
never_together = by_tomotopy([apart] * 10 + [other_text] * 10, 2)
print("words that are ten tokens apart, window of 2:", never_together)
assert by_tomotopy(texts, 2) == never_together < 0
PYTHON
# Seen: 2 tomotopy -0.7295 by hand 0.6291 by hand without the first token -0.7295
#       3 tomotopy 0.6242 by hand 0.7293 by hand without the first token 0.6242
#       10 tomotopy 0.8001 by hand 0.8014 by hand without the first token 0.8001
#       words that are ten tokens apart, window of 2: -0.7295
