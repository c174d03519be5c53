#!/bin/bash
# infomeasure 0.6.3, kld(data_p, data_q, approach="discrete"), "The Kullback-Leibler Divergence", the sum over the
#   values x of P(x) log(P(x) / Q(x)), "a measure of the difference between two probability distributions".
# Guess: The divergence is never negative. It is 0 for equal distributions alone. It is infinite if P has a word that Q
#   does not have.
# Behaviour: The function computes the cross-entropy over the words that both texts have, and subtracts the whole
#   entropy of P. A word that P alone has thus adds P(x) log P(x), which is negative, and Q does not enter. Two texts
#   without a common word have minus the entropy of P. The less a text has in common with another, the "nearer" it is.
#   There is a warning only if no word is common. Here, of three texts, the one with the same words in other proportions
#   comes last, and the one without a common word comes first.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet infomeasure==0.6.3 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import logging
from importlib.metadata import version

import infomeasure as im
import numpy as np
from scipy.special import rel_entr

logging.disable(logging.CRITICAL)
print("infomeasure", version("infomeasure"))
text = "topic topic topic model model word word prior".split()
others = {
    "other proportions": "topic model word word word prior prior prior".split(),
    "two common words": "topic model model cell cell gene gene gene".split(),
    "no common word": "cell cell gene gene gene cells blood blood".split(),
}


def shares(tokens, words):
    return np.array([tokens.count(word) / len(tokens) for word in words])


entropy = float(im.entropy(text, approach="discrete", base="e"))
seen = {}
for name, other in others.items():
    words = sorted(set(text) | set(other))
    p, q = shares(text, words), shares(other, words)
    seen[name] = float(im.kld(text, other, approach="discrete", base="e"))
    both = (p > 0) & (q > 0)
    assert abs(seen[name] - (-(p[both] * np.log(q[both])).sum() - entropy)) < 1e-12
    print(f"{name}: kld {seen[name]:.3f}, from the sum in the help {rel_entr(p, q).sum():.3f}")
itself = im.kld(text, text, approach="discrete", base="e")
print(f"entropy of the text {entropy:.3f}, kld of the text from itself {abs(itself):.3f}")
assert seen["other proportions"] > 0 > seen["two common words"] > seen["no common word"]
assert abs(seen["no common word"] + entropy) < 1e-12

# Two samples of one distribution: the more words are rare, the more negative.
rng = np.random.default_rng(0)
for size in (10, 100, 1000, 10000):
    p = 1 / np.arange(1, size + 1)
    a, b = (rng.choice(size, 500, p=p / p.sum()) for _ in range(2))
    x = float(im.kld(a, b, approach="discrete", base="e"))
    print(f"two samples of 500 tokens, {size} words: kld {x:.3f}")
    assert size < 100 or x < 0
assert x < -1
PYTHON
# Seen: other proportions: kld 0.347, from the sum in the help 0.347
#       two common words: kld -0.195, from the sum in the help inf
#       no common word: kld -1.321, from the sum in the help inf
#       entropy of the text 1.321, kld of the text from itself 0.000
#       two samples of 500 tokens, 10 words: kld 0.023
#       two samples of 500 tokens, 100 words: kld -0.334
#       two samples of 500 tokens, 1000 words: kld -1.768
#       two samples of 500 tokens, 10000 words: kld -2.996
