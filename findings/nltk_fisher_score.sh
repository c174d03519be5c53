#!/bin/bash
# nltk 3.10.4, BigramAssocMeasures.fisher, "Scores bigrams using Fisher's Exact Test", for
#   BigramCollocationFinder.nbest.
# Guess: the p-value of the test for association: small for a collocation. Or a score with the best collocation first.
# Behaviour: it is the p-value of the opposite one-sided test, that the two words stand together less often than by
#   chance. A collocation has a number near 1, and words that avoid each other have a small one. Sorted, the
#   collocations come first, but all strong ones have exactly 1.0, so nbest lists them in alphabetical order. Here
#   eight pairs, which stand together 10 to 360 times, are equal, while their p-values for association range from
#   1e-33 to below 1e-300.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet nltk==3.10.4 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import nltk
import numpy as np
from nltk.collocations import BigramAssocMeasures, BigramCollocationFinder
from scipy.stats import fisher_exact

rng = np.random.default_rng(0)
pairs = {"h": 360, "g": 240, "f": 160, "e": 100, "d": 60, "c": 40, "b": 20, "a": 10}
units = [[f"{x}1", f"{x}2"] for x, n in pairs.items() for _ in range(n)]
units += [[f"word{rng.integers(50)}"] for _ in range(6000)]
words = [word for i in rng.permutation(len(units)) for word in units[i]]
finder = BigramCollocationFinder.from_words(words)
scores = dict(finder.score_ngrams(BigramAssocMeasures.fisher))
print("nltk", nltk.__version__)


def p_value(pair, alternative):
    both, first, second = finder.ngram_fd[pair], finder.word_fd[pair[0]], finder.word_fd[pair[1]]
    rest = finder.N - first - second + both
    return float(fisher_exact([[both, first - both], [second - both, rest]], alternative=alternative)[1])


strong = [(f"{x}1", f"{x}2") for x in pairs]
for pair in strong:
    print(pair, "together", finder.ngram_fd[pair], "; fisher", scores[pair], "; p-value for association",
          f"{p_value(pair, 'greater'):.1e}")
assert all(scores[pair] == 1.0 for pair in strong)
weak = min(scores, key=scores.get)
print("smallest number:", weak, "together", finder.ngram_fd[weak], "; fisher", round(float(scores[weak]), 4),
      "; p-value for association", round(p_value(weak, "greater"), 4))
assert all(np.isclose(scores[pair], p_value(pair, "less")) for pair in [*strong, weak])
measures = {name: getattr(BigramAssocMeasures, name) for name in ("fisher", "likelihood_ratio")}
top = {name: [pair[0][0] for pair in finder.nbest(measure, 8)] for name, measure in measures.items()}
print("nbest by fisher", top["fisher"], "; by likelihood_ratio", top["likelihood_ratio"])
assert top["fisher"] == sorted(pairs) and top["likelihood_ratio"] == list(pairs)
PYTHON
# Seen: ('h1', 'h2') together 360 ; fisher 1.0 ; p-value for association 0.0e+00
#       ('g1', 'g2') together 240 ; fisher 1.0 ; p-value for association 0.0e+00
#       ('f1', 'f2') together 160 ; fisher 1.0 ; p-value for association 0.0e+00
#       ('e1', 'e2') together 100 ; fisher 1.0 ; p-value for association 1.1e-232
#       ('d1', 'd2') together 60 ; fisher 1.0 ; p-value for association 7.9e-153
#       ('c1', 'c2') together 40 ; fisher 1.0 ; p-value for association 7.5e-109
#       ('b1', 'b2') together 20 ; fisher 1.0 ; p-value for association 2.3e-60
#       ('a1', 'a2') together 10 ; fisher 1.0 ; p-value for association 3.5e-33
#       smallest number: ('word45', 'h1') together 1 ; fisher 0.02 ; p-value for association 0.9972
#       nbest by fisher ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] ; by likelihood_ratio ['h', 'g', 'f', 'e', 'd', 'c',
#         'b', 'a']
