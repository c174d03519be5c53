#!/bin/bash
# bertopic 0.17.4, OnlineCountVectorizer(decay), "A value between [0, 1] to weight the percentage of frequencies the
#   previous bag-of-words should be decreased. For example, a value of .1 will decrease the frequencies in the
#   bag-of-words matrix with 10% at each iteration". The help of BERTopic.partial_fit uses decay=.01.
# Guess: with a decay of 0.01 the topics still know 99 percent of the counts of the step before.
# Behaviour: with any decay the counts of all earlier steps become shares that add up to 1 in each topic. The decay
#   makes the matrix one of floats, and ClassTfidfTransformer.transform then normalizes the vectorizer's own matrix and
#   not a copy. So at the next step everything seen before weighs as much as one single word. Here the words of the
#   first four steps fall out of the topics in one step, though they were 80 percent of the tokens. Without decay they
#   stay at the top. A smaller decay does not help, not even one of 1e-6.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1 pandas==3.1.1 tqdm==4.70.1 \
    PyYAML==6.0.4 packaging==26.4
"$folder/venv/bin/pip" install --quiet --no-deps bertopic==0.17.4
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import bertopic
import numpy as np
from bertopic import BERTopic
from bertopic.vectorizers import OnlineCountVectorizer
from sklearn.cluster import MiniBatchKMeans
from sklearn.decomposition import IncrementalPCA

print("bertopic", bertopic.__version__)
seen, tokens = {}, {}
for decay in (None, 1e-6, 0.01, 0.1):
    rng = np.random.default_rng(0)
    vectorizer = OnlineCountVectorizer(decay=decay)
    model = BERTopic(embedding_model=None, umap_model=IncrementalPCA(2), vectorizer_model=vectorizer,
                     hdbscan_model=MiniBatchKMeans(2, random_state=0, n_init=3))
    tokens[decay] = []
    for step in range(5):
        kinds = np.arange(100) % 2
        start = 0 if step < 4 else 20
        texts = [" ".join(f"{'ab'[kind]}{w}" for w in rng.integers(start, start + 20, 20)) for kind in kinds]
        model.partial_fit(texts, embeddings=3 * np.eye(2)[kinds] + rng.normal(0, 0.1, (100, 2)))
        tokens[decay].append(np.asarray(vectorizer.X_.sum(1)).ravel().round(3).tolist())
    words = [word for word, _ in model.get_topic(0)]
    seen[decay] = sum(int(word[1:]) < 20 for word in words)
    print("decay", decay, "; words in the matrix of each topic after a step", tokens[decay])
    print("    words of the first four steps among the ten of topic 0:", seen[decay])
assert seen == {None: 10, 1e-6: 0, 0.01: 0, 0.1: 0}
assert tokens[None] == [[1000.0 * n] * 2 for n in range(1, 6)]
assert all(tokens[decay] == [[1000.0] * 2] + [[1.0] * 2] * 4 for decay in (1e-6, 0.01, 0.1))
PYTHON
# Seen: decay None ; words in the matrix of each topic after a step [[1000, 1000], [2000, 2000], [3000, 3000], ...
#       words of the first four steps among the ten of topic 0: 10
#       decay 0.01 ; words in the matrix of each topic after a step [[1000, 1000], [1.0, 1.0], [1.0, 1.0], ...
#       words of the first four steps among the ten of topic 0: 0
