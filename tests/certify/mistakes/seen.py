"""Where known mistakes were seen in public code: a repository, a commit or a version of it, a file and its line.

`figures/WILD.md` says what these programs compute, and which of their answers are right.
"""

from __future__ import annotations

CVBLDA = "davidandrzej/cvbLDA eba3c7e"
SIDETOPICS = "budgefeeney/sidetopics fd25e0c"
COSASHA97 = "cosasha97/collapsed-VB-inference-LDA f67447d"
MCCLURE = "davidmcclure/lda 17234d3"
LDA_SCVB0 = "sayanghosh/LDA-SCVB0 4a6bda4"
PYCISTOPIC = "aertslab/pycisTopic 787ce42"

SEEN_IN = {
    "all-copies-excluded": f"{CVBLDA}, cvbLDA.c:316",
    "variance-not-excluded": f"{SIDETOPICS}, sidetopics/model/lda_cvb_fast.pyx:587",
    "variance-drifts": f"{SIDETOPICS}, sidetopics/model/lda_cvb_fast.pyx:504",
    "topic-total-of-document": f"{COSASHA97}, collapsed_VB.py:81",
    "document-counts-normalised": "apache/mahout mahout-0.13.0, TopicModel.java:303",
    "eta-for-W-eta": f"{MCCLURE}, lda.py:163",
    "alpha-forgotten": f"{COSASHA97}, Gibbs.py:99",
    "probability-of-topic-before": f"{MCCLURE}, utils.py:32",
    "one-draw-for-row": "slycoder/R-lda 29f298d, src/gibbs.c:986",
    "estimates-without-prior": f"{SIDETOPICS}, sidetopics/model/lda_cvb0.py:186",
    "entropy-subtracted": f"{SIDETOPICS}, sidetopics/model/lda_cvb.py:465",
    "constants-without-K": f"{COSASHA97}, vb.py:39",
    "digamma-of-sum-left-out": f"{COSASHA97}, vb.py:128",
    "document-term-constant": f"{SIDETOPICS}, sidetopics/model/lda_vb_fast.pyx:677",
    "stale-topics": "kzhai/PyLDA 9b6899e, variational_bayes.py:224",
    "sum-overwritten": f"{PYCISTOPIC}, src/pycisTopic/utils.py:145",
    "zero-counts-left-out": f"{PYCISTOPIC}, src/pycisTopic/utils.py:144",
    "K-eta-in-totals": "mimno/Mallet 2de54cb, src/main/java/cc/mallet/topics/LabeledLDA.java:494",
    "documents-for-tokens": "y-mitsui/py_scvb0 9bf9376, lda_scvb0.c:285",
    "rows-for-tokens-in-estimate": f"{LDA_SCVB0}, fastLDA.cpp:252",
    "priors-accumulate": f"{LDA_SCVB0}, fastLDA.cpp:275",
    "K-eta-for-W-eta": "hncuong/topicmodel-lib a14b065, tmlib/lda/Online_CVB0.py:41",
    "gamma-of-length-one": "apple/turicreate 9e8cba6, src/toolkits/text/scvb.hpp:110",
}


def with_place(name: str, text: str) -> str:
    """The sentence of a mistake, and where it was seen."""
    return f"{text}; as in {SEEN_IN[name]}" if name in SEEN_IN else text
