#!/bin/bash
# turftopic 0.28.0, feature_importance.npmi, the choice feature_importance="npmi" of ClusteringTopicModel, "Uses
#   normalized pointwise mutual information between clusters and terms to calculate term importance scores".
# Guess: log(p(w, t) / (p(w) p(t))) / -log p(w, t), a number from -1 to 1, with the typical words of a topic on top.
# Behaviour: the denominator is -log(p(w | t) / p(t)) in place of -log(p(w | t) p(t)). It is 0 where a word is as
#   frequent in the topic as the topic is among the texts, and negative above. So the numbers have no bounds, and a word
#   that is frequent in a small topic and nowhere else comes out last. Here "goal" is a third of the tokens of the topic
#   and rare elsewhere. It has the highest normalized information of all words of the topic, and its rank is the last.
#   The file of the function is run alone, as the whole package needs torch.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1
"$folder/venv/bin/pip" install --quiet --no-deps turftopic==0.28.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import distribution
from runpy import run_path

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

package = distribution("turftopic")
print("turftopic", package.version)
npmi = run_path(package.locate_file("turftopic/feature_importance.py"))["npmi"]
rng = np.random.default_rng(0)
kinds = np.repeat(range(4), [60, 60, 60, 12])
texts = [" ".join([f"{'abcd'[kind]}{w:02d}" for w in rng.integers(0, 20, 16)] +
                  ["goal"] * (8 if kind == 3 else d % 20 == 0))
         for d, kind in enumerate(kinds)]
vectorizer = CountVectorizer()
counts, theta = vectorizer.fit_transform(texts), np.eye(4)[kinds]
words = vectorizer.get_feature_names_out()
p_w = np.asarray(counts.sum(0)).ravel() + 5
p_t = theta.sum(0) + 5
p_wt = theta.T @ counts.toarray() + 5
p_w, p_t, p_wt = p_w / p_w.sum(), p_t / p_t.sum(), p_wt / p_wt.sum(1, keepdims=True)
expected = np.log(p_wt / p_w) / -np.log(p_wt * p_t[:, None])
seen = npmi(theta, counts)
for name, scores in (("npmi", seen), ("by the definition", expected)):
    order = np.argsort(-scores[3])
    first, last = ([f"{words[w]} ({scores[3, w]:.2f})" for w in places] for places in (order[:3], order[-1:]))
    print(f"{name}: from {scores.min():.2f} to {scores.max():.2f}; the small topic:", *first, "...", *last)
goal = words.tolist().index("goal")
assert expected[3].argmax() == goal and seen[3].argmin() == goal and abs(expected).max() < 1 < abs(seen).max()
assert np.allclose(seen, np.log(p_wt / p_w) / -np.log(p_wt / p_t[:, None]))
PYTHON
# Seen: npmi: from -2.61 to 1.69; the small topic: d13 (1.69) d19 (1.69) d11 (1.53) ... goal (-2.61)
#       by the definition: from -0.26 to 0.35; the small topic: goal (0.35) d19 (0.27) d13 (0.27) ... c16 (-0.12)
