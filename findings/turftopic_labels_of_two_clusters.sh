#!/bin/bash
# turftopic 0.28.0, ClusteringTopicModel.fit_predict(texts, embeddings=...), "Fits model and predicts cluster labels for
#   all given documents".
# Guess: label k means topic k: the words of topic k are those of the texts with the label k.
# Behaviour: not if there are two clusters and no outliers. The indicators of the labels 0 and 1 are then stacked in the
#   wrong order. So labels_, and what fit_predict returns, are the other way round than components_, topic_names and
#   document_topic_matrix. A text about cats has the label of the topic about law. With three clusters all agree.
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
        raise AssertionError("the vectors are given")


def fit(names, seed):
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, len(names), 80)
    texts = [" ".join(f"{names[kind]}{w}" for w in rng.integers(0, 20, 20)) for kind in kinds]
    vectors = np.eye(len(names))[kinds] + rng.normal(0, 0.02, (80, len(names)))
    model = turftopic.ClusteringTopicModel(
        encoder=Encoder(), clustering=KMeans(len(names), random_state=seed, n_init=3),
        dimensionality_reduction=PCA(2), feature_importance="c-tf-idf")
    with contextlib.redirect_stdout(io.StringIO()):
        labels = model.fit_predict(texts, embeddings=vectors)
    words = [topic[0].rstrip("0123456789") for topic in model.get_top_words()]
    return texts, words, labels, model


print("turftopic", version("turftopic"))
for names in (["cat", "law"], ["cat", "law", "sea"]):
    for seed in range(3):
        texts, words, labels, model = fit(names, seed)
        same = [np.mean([text.startswith(words[k]) for text, k in zip(texts, of)])
                for of in (labels, model.labels_, model.document_topic_matrix.argmax(1))]
        print(len(names), "clusters, seed", seed, "; texts with the words of their topic, by fit_predict", same[0],
              "by labels_", same[1], "by document_topic_matrix", same[2])
        assert same == ([0, 0, 1] if len(names) == 2 else [1, 1, 1])
PYTHON
# Seen: 2 clusters, seed 0 ; texts with the words of their topic, by fit_predict 0.0 by labels_ 0.0 by
#       document_topic_matrix 1.0
#       3 clusters, seed 0 ; texts with the words of their topic, by fit_predict 1.0 by labels_ 1.0 by
#       document_topic_matrix 1.0
