#!/bin/bash
# gensim 4.4.0, matutils.Sparse2Corpus(sparse)[i], "Retrieve a document vector or subset from the corpus by key".
# Guess: corpus[-1] is the last document, as it is in a list, in MmCorpus and in the other indexed corpora.
# Behaviour: corpus[-1] is an empty document, whatever the last one holds, and corpus[-2] is the last one. All
#   negative numbers are off by one. There is no error, and an empty bag of words is valid everywhere, so a model
#   gives the topics of its prior for it. The slice corpus[-1:] and the list corpus[[-1]] are right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import os
import tempfile

import gensim
import numpy as np
import scipy.sparse
from gensim.corpora import MmCorpus
from gensim.matutils import Sparse2Corpus
from gensim.models import LdaModel

counts = np.random.default_rng(0).poisson(1.0, (5, 8))
counts[:, 0] = np.arange(1, 6)
corpus = Sparse2Corpus(scipy.sparse.csr_array(counts), documents_columns=False)


def plain(bow):
    return [(int(w), int(n)) for w, n in bow]


documents = [plain(bow) for bow in corpus]
print("gensim", gensim.__version__)
print("last document   ", documents[-1])
for i in (-1, -2, -3):
    print(f"corpus[{i}]      ", plain(corpus[i]))
print("corpus[-1:]     ", [plain(bow) for bow in corpus[-1:]], "; corpus[[-1]]", [plain(bow) for bow in corpus[[-1]]])
assert plain(corpus[-1]) == [] and documents[-1] != []
assert [plain(corpus[-i]) for i in (2, 3, 4, 5)] == documents[:0:-1]
assert [plain(corpus[i]) for i in range(5)] == documents
assert [plain(bow) for bow in corpus[-1:]] == [plain(bow) for bow in corpus[[-1]]] == documents[-1:]
with tempfile.TemporaryDirectory() as folder:
    MmCorpus.serialize(os.path.join(folder, "corpus.mm"), corpus)
    print("MmCorpus[-1]    ", plain(MmCorpus(os.path.join(folder, "corpus.mm"))[-1]))
    assert plain(MmCorpus(os.path.join(folder, "corpus.mm"))[-1]) == documents[-1]
model = LdaModel(corpus, id2word={w: f"w{w}" for w in range(8)}, num_topics=2, passes=20, random_state=0)
topics = {name: [round(float(p), 3) for _, p in model.get_document_topics(bow, minimum_probability=0)]
          for name, bow in (("corpus[-1]", corpus[-1]), ("the last document", documents[-1]))}
print("topics", topics)
assert topics["corpus[-1]"] == [0.5, 0.5] and max(topics["the last document"]) > 0.8
PYTHON
# Seen: last document    [(0, 5), (2, 2), (3, 2), (4, 3), (5, 2), (6, 1), (7, 3)]
#       corpus[-1]       []
#       corpus[-2]       [(0, 5), (2, 2), (3, 2), (4, 3), (5, 2), (6, 1), (7, 3)]
#       corpus[-3]       [(0, 4), (1, 1), (4, 1), (6, 1), (7, 1)]
#       corpus[-1:]      [[(0, 5), (2, 2), (3, 2), (4, 3), (5, 2), (6, 1), (7, 3)]] ; corpus[[-1]] [[(0, 5), (2, 2), (3,
#         2), (4, 3), (5, 2), (6, 1), (7, 3)]]
#       MmCorpus[-1]     [(0, 5), (2, 2), (3, 2), (4, 3), (5, 2), (6, 1), (7, 3)]
#       topics {'corpus[-1]': [0.5, 0.5], 'the last document': [0.97, 0.03]}
