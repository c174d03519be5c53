#!/bin/bash
# turftopic 0.28.0, ClusteringTopicModel.transform(raw_documents, embeddings). It has no help. In the other models of
#   the package transform "Infers topic importances for new documents based on a fitted model".
# Guess: a row of topic importances for each of the given texts.
# Behaviour: with feature_importance "npmi", "fighting-words" or "linear" the given texts are not read. The result is
#   the matrix of the texts to which the model was fitted, with as many rows as there were texts. If there are as many
#   new texts as old ones, nothing shows it. With the other three choices the rows are those of the given texts.
#   Empty modules stand in for torch and sentence-transformers, which are not used, as the vectors are given.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1 pandas==3.1.1 rich==13.9.4 \
    pillow==13.0.0 huggingface_hub==2.4.0 igraph==1.0.0
"$folder/venv/bin/pip" install --quiet --no-deps turftopic==0.28.0 sentence-transformers==6.2.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import contextlib
import io
import sys
import types
from importlib.metadata import version

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA


class Unused(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return sys.modules.get(f"{self.__name__}.{name}") or type(name, (), {"__init__": lambda self, *_, **__: None})


for name in ("torch", "torch.nn", "torch.nn.functional", "transformers", "sentence_transformers",
             "sentence_transformers.base", "sentence_transformers.base.modality"):
    sys.modules[name] = Unused(name)
import turftopic  # noqa: E402


class Encoder:
    def encode(self, texts, **options):
        return np.ones((len(texts), 3))


names = ["cat", "law", "sea"]


def corpus(kinds):
    rng = np.random.default_rng(0)
    texts = [" ".join(f"{names[kind]}{w}" for w in rng.integers(0, 20, 20)) for kind in kinds]
    return texts, np.eye(3)[kinds] + rng.normal(0, 0.02, (len(kinds), 3))


old, new = np.arange(90) % 3, (np.arange(90) + 1) % 3
right, rows = {}, {}
print("turftopic", version("turftopic"))
for choice in ("c-tf-idf", "soft-c-tf-idf", "centroid", "npmi", "fighting-words", "linear"):
    texts, vectors = corpus(old)
    model = turftopic.ClusteringTopicModel(encoder=Encoder(), clustering=KMeans(3, random_state=0, n_init=3),
                                           dimensionality_reduction=PCA(2), feature_importance=choice)
    with contextlib.redirect_stdout(io.StringIO()):
        model.fit_predict(texts, embeddings=vectors)
    topic_of = dict(zip(old.tolist(), model.labels_.tolist()))
    texts, vectors = corpus(new)
    theta = model.transform(texts, embeddings=vectors)
    right[choice] = np.mean(theta.argmax(1) == [topic_of[kind] for kind in new])
    rows[choice] = len(model.transform(texts[:2], embeddings=vectors[:2]))
    print(choice, "; 90 new texts in the topic of their kind", right[choice], "; rows for 2 new texts", rows[choice])
assert list(right.values()) == [1, 1, 1, 0, 0, 0] and list(rows.values()) == [2, 2, 2, 90, 90, 90]
PYTHON
# Seen: c-tf-idf ; 90 new texts in the topic of their kind 1.0 ; rows for 2 new texts 2
#       npmi ; 90 new texts in the topic of their kind 0.0 ; rows for 2 new texts 90
#       fighting-words ; 90 new texts in the topic of their kind 0.0 ; rows for 2 new texts 90
#       linear ; 90 new texts in the topic of their kind 0.0 ; rows for 2 new texts 90
