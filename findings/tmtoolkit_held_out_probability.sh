#!/bin/bash
# tmtoolkit 0.12.0, topicmod.evaluate.metric_held_out_documents_wallach09, the "estimation of the probability of
#   held-out documents" by importance sampling, after Wallach and others (2009).
# Guess: each token of a document has a topic of its own, and the documents' log probabilities are added.
# Behaviour: each document has a single topic for all its tokens, and the documents share one vector of proportions. The
#   number is that of another model. For documents whose tokens share no topic it is far too low: here
#   by 4.4 nats for four tokens.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tmtoolkit==0.12.0 gmpy2 "setuptools<80"
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version
from itertools import product

import numpy as np
from scipy.special import gammaln
from tmtoolkit.topicmod.evaluate import metric_held_out_documents_wallach09

phi_kw = np.array([[0.98, 0.02], [0.02, 0.98]])
counts = np.array([[1, 1], [1, 1]])
alpha, K = 1.0, 2


def log_p_of_topics(z):
    n_k = np.bincount(z, minlength=K)
    return gammaln(n_k + alpha).sum() - gammaln(len(z) + K * alpha) + gammaln(K * alpha) - K * gammaln(alpha)


def log_p_of_document(words):
    """By the sum over the topics of all tokens."""
    return np.log(sum(np.exp(log_p_of_topics(z) + sum(np.log(phi_kw[k, w]) for k, w in zip(z, words)))
                      for z in product(range(K), repeat=len(words))))


right = 2 * log_p_of_document([0, 1])
one_topic_each = np.log(sum(np.exp(log_p_of_topics(z) + sum(counts[d] @ np.log(phi_kw[k]) for d, k in enumerate(z)))
                            for z in product(range(K), repeat=2)))
np.random.seed(0)
seen = metric_held_out_documents_wallach09(counts, np.full((2, K), 0.5), phi_kw, alpha, n_samples=20000)
print("tmtoolkit", version("tmtoolkit"), f"{seen:.3f}, one topic a document {one_topic_each:.3f}, by tokens {right:.3f}")
assert abs(seen - one_topic_each) < 0.05
assert right - seen > 4
PYTHON
# Seen: -7.865, one topic a document -7.864, by tokens -3.507
