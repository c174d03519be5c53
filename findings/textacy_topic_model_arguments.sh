#!/bin/bash
# textacy 0.13.0, tm.TopicModel(model, n_topics, **kwargs), "**kwargs: variety of parameters used to initialize the
#   model; see individual sklearn pages for full details".
# Guess: the parameters of the pages of scikit-learn are used, and a misspelt one is an error.
# Behaviour: a few are used. All others are dropped without a word. TopicModel("lda") drops both priors,
#   doc_topic_prior and topic_word_prior, and also learning_decay and evaluate_every. TopicModel("nmf") drops solver,
#   beta_loss, init and tol, so NMF with the Kullback-Leibler loss is NMF with squared errors. A misspelt name is
#   dropped too. TopicModel(LatentDirichletAllocation(...)) uses what is given to it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet textacy==0.13.0 numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
import scipy.sparse
from sklearn.decomposition import LatentDirichletAllocation
from textacy.tm import TopicModel

rng = np.random.default_rng(0)
counts = scipy.sparse.csr_matrix(rng.poisson(rng.dirichlet([0.1] * 3, 60) @ rng.dirichlet([0.1] * 40, 3) * 50))
print("textacy", version("textacy"), "scikit-learn", version("scikit-learn"))
priors = {"doc_topic_prior": 0.9, "topic_word_prior": 0.9}  # the defaults are 1 / 3


def topics(model):
    model.fit(counts)
    return model.model.components_


default = topics(TopicModel("lda", n_topics=3, random_state=0))
given = topics(TopicModel("lda", n_topics=3, random_state=0, **priors))
sklearn = topics(TopicModel(LatentDirichletAllocation(3, learning_method="online", random_state=0, **priors)))
print("largest difference to the default topics: TopicModel('lda', priors)", float(abs(given - default).max()),
      "TopicModel(LatentDirichletAllocation(priors))", round(float(abs(sklearn - default).max()), 1))
assert np.array_equal(given, default) and abs(sklearn - default).max() > 0.3

asked = {"lda": {**priors, "learning_decay": 0.9, "evaluate_every": 1, "max_iter": 7, "n_job": 2},
         "nmf": {"solver": "mu", "beta_loss": "kullback-leibler", "init": "random", "tol": 0.1, "max_iter": 7}}
for name, arguments in asked.items():
    used = TopicModel(name, n_topics=3, **arguments).model.get_params()
    lost = [key for key, value in arguments.items() if used.get(key) != value]
    print(name, "asked for", arguments, "dropped", lost)
    assert lost == [key for key in arguments if key != "max_iter"]
    if name == "nmf":
        assert used["beta_loss"] == "frobenius" and used["solver"] == "cd"
PYTHON
# Seen: textacy 0.13.0 scikit-learn 1.9.1
#       largest difference to the default topics: TopicModel('lda', priors) 0.0
#         TopicModel(LatentDirichletAllocation(priors)) 10.1
#       lda asked for {'doc_topic_prior': 0.9, 'topic_word_prior': 0.9, 'learning_decay': 0.9, 'evaluate_every': 1,
#         'max_iter': 7, 'n_job': 2} dropped ['doc_topic_prior', 'topic_word_prior', 'learning_decay',
#         'evaluate_every', 'n_job']
#       nmf asked for {'solver': 'mu', 'beta_loss': 'kullback-leibler', 'init': 'random', 'tol': 0.1, 'max_iter': 7}
#         dropped ['solver', 'beta_loss', 'init', 'tol']
