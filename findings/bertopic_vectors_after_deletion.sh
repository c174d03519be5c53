#!/bin/bash
# bertopic 0.17.4, BERTopic.delete_topics(topics_to_delete), "Core topic attributes like topic embeddings and c-TF-IDF
#   will be automatically updated".
# Guess: the vectors of the deleted topics are removed.
# Behaviour: topic_embeddings_ and c_tf_idf_ lose the row that has the number of the deleted topic. Row 0 belongs to the
#   outliers there, so it is the row of the topic before. The lists of words are those of the right topics. Here topic 2
#   is deleted. Topic 1 keeps its words and gets the vectors of topic 2, its own are lost, and reduce_outliers puts the
#   texts of the deleted topic into it. If topic 0 is deleted, the outliers lose their row and have its vectors.
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
from bertopic.cluster import BaseCluster
from bertopic.dimensionality import BaseDimensionalityReduction

print("bertopic", bertopic.__version__)
names = ["art", "law", "sea", "war", "any"]
kinds = np.repeat([0, 1, 2, 3, -1], [60, 50, 40, 30, 20])
rng = np.random.default_rng(0)
texts = [" ".join(f"{names[kind]}{w}" for w in rng.integers(0, 20, 20)) for kind in kinds]
vectors = np.eye(5)[kinds] + rng.normal(0, 0.02, (200, 5))


def vectors_of(model):
    vocabulary = model.vectorizer_model.get_feature_names_out()
    for topic in sorted(set(model.topics_)):
        weights, vector = model.c_tf_idf_.toarray()[topic + 1], model.topic_embeddings_[topic + 1]
        yield topic, model.get_topic(topic)[0][0][:3], vocabulary[weights.argmax()][:3], names[vector.argmax()]


seen, put = {}, {}
for deleted in (2, 0):
    model = BERTopic(embedding_model=None, umap_model=BaseDimensionalityReduction(), hdbscan_model=BaseCluster())
    model.fit(texts, embeddings=vectors, y=kinds)
    assert model.topics_ == kinds.tolist() and all(len({*of}) == 1 for _, *of in vectors_of(model))
    model.delete_topics([deleted])
    print("topic", deleted, "with the words of", names[deleted], "is deleted")
    seen[deleted] = list(vectors_of(model))
    for topic, words, weights, vector in seen[deleted]:
        print("    topic", topic, "has the words of", words, "; the c-TF-IDF of", weights, "; the vector of", vector)
    after = np.array(model.reduce_outliers(texts, model.topics_, strategy="embeddings", embeddings=vectors))
    put[deleted] = sorted({model.get_topic(topic)[0][0][:3] for topic in after[kinds == deleted]})
    print("    reduce_outliers puts the deleted texts into the topic with the words of", *put[deleted])
assert [of for _, *of in seen[2]] == [["any"] * 3, ["art"] * 3, ["law", "sea", "sea"], ["war"] * 3]
assert put[2] == ["law"]
assert [of for _, *of in seen[0]] == [["any", "art", "art"], ["law"] * 3, ["sea"] * 3, ["war"] * 3]
PYTHON
# Seen: topic 2 with the words of sea is deleted
#       topic 0 has the words of art ; the c-TF-IDF of art ; the vector of art
#       topic 1 has the words of law ; the c-TF-IDF of sea ; the vector of sea
#       topic 2 has the words of war ; the c-TF-IDF of war ; the vector of war
#       reduce_outliers puts the deleted texts into the topic with the words of law
