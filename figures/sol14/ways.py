"""SOL14: its two problems, the ways in which an algorithm can run, and the criteria of §3.1. For `sol14/runs.py`."""

import time
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from scipy.special import digamma

import lda_reference as lda
from figures.common import BOUND_STANDS_STILL, part, r8
from lda_reference.engine import State
from lda_reference.engine.counts import sum_rows
from lda_reference.evaluation import labels, matching, prediction, search, validation
from lda_reference.fitting import sweep_rng, value_to_stop_by
from lda_reference.model import normalised

P = lda.Prior(0.1, 0.1)
VB, ML, CVB0, GIBBS = (lda.ALGORITHMS[name] for name in ("vb", "ml", "cvb0", "gibbs"))
SWEEP_LIMIT, FOLD_SWEEPS, SMALLEST_P = 300, 40, 1e-50
SIZES = {"synthetic": (3000, 2000), "small": (210, 300)}  # documents and words of §3.2's corpora
MARKS = ["ll", "ll_same", "completion", "accuracy", "accuracy_same", "mse", "mse_labels"]


class End(NamedTuple):
    """Where a run ended; `settled` says that its bound stood still, and not that its gamma did."""

    state: State
    value: float
    sweeps: int
    settled: bool
    seconds: float


class Problem(NamedTuple):
    """Training and test documents with their classes, halves of the test documents, and, if known, the truth."""

    train: lda.Corpus
    labels: Any
    test: lda.Corpus
    test_labels: Any
    halves: Any
    K: int
    true: Any = None  # phi_wk, and theta_jk of the test documents


@cache
def problem(corpus_name):
    if corpus_name == "r8":
        (train, classes), (test, test_classes) = r8()
        return assembled(train, classes, test, test_classes, 8)
    corpus_kind, seed = corpus_name.split("-")
    rng = np.random.default_rng(int(seed))
    drawn_corpus, dominant_topic = lda.synthetic.dominant(rng, *SIZES[corpus_kind])
    is_test = np.zeros(drawn_corpus.corpus.D, bool)
    for k in range(drawn_corpus.theta_jk.shape[1]):
        is_test[rng.permutation(np.flatnonzero(dominant_topic == k))[: np.sum(dominant_topic == k) // 3]] = True
    corpora = [part(drawn_corpus.corpus, np.flatnonzero(is_in_part)).types() for is_in_part in (~is_test, is_test)]
    true_parameters = drawn_corpus.phi_wk, drawn_corpus.theta_jk[is_test]
    return assembled(corpora[0], dominant_topic[~is_test], corpora[1], dominant_topic[is_test], 10, true_parameters)


def assembled(train, classes, test, test_classes, K, true_model=None):
    """A problem without the test tokens of words that training has not seen: ML gives them probability 0."""
    seen_rows = np.flatnonzero(np.bincount(train.w, minlength=train.W)[test.w])
    test = test.with_rows(test.j[seen_rows], test.w[seen_rows], test.n[seen_rows])
    return Problem(train, classes, test, test_classes, validation.halves(test, np.random.default_rng(0)), K, true_model)


# The algorithms ---------------------------------------------------------------------------------------------------


def topics_of(gamma, c, with_counts, as_point=False):
    """What stands for phi in VB's update of documents: exp E[log phi], or phi itself, from gamma.

    Without `with_counts` the topic statistic takes each word of a document once, as the published code does.
    """
    N_wk = sum_rows(gamma, (c.n if with_counts else np.ones(c.M)).astype(float), c.w, c.W)
    if as_point:
        return np.maximum(normalised(N_wk, 0), SMALLEST_P)
    return np.exp(digamma(N_wk + P.eta) - digamma(N_wk.sum(0) + c.W * P.eta))


def vb_step(s, t, c, schedule="nested", counted=True, inner=None, points=0, warm=0):
    """A sweep of VB with its topics held. `warm` inner steps go on from the gamma of the sweep before."""
    topics_wk = topics_of(s.gamma, c, counted, t <= points)
    for _ in range(warm):
        s = VB.sweep(s, c, P, schedule="corpus", held_topics=topics_wk)
    return s if warm else VB.sweep(s, c, P, schedule=schedule, inner=inner, held_topics=topics_wk)


def plain_step(s, t, c, A):
    return A.sweep(s, c, P, schedule="corpus")


WAYS = {  # how a run goes: its algorithm and its step
    "vb nested": (VB, vb_step),
    "vb corpus": (VB, partial(vb_step, schedule="corpus")),
    "vb nested, 1 step": (VB, partial(vb_step, inner=1)),
    "vb nested, 10 steps": (VB, partial(vb_step, inner=10)),
    "vb warm, 10 steps": (VB, partial(vb_step, warm=10)),
    "vb nested, no counts": (VB, partial(vb_step, counted=False)),
    "vb corpus, no counts": (VB, partial(vb_step, schedule="corpus", counted=False)),
    "vb nested, points first": (VB, partial(vb_step, points=10)),
    "vb published": (VB, partial(vb_step, counted=False, points=10)),
    "vb published, with counts": (VB, partial(vb_step, points=10)),
    "ml": (ML, partial(plain_step, A=ML)),
    "cvb0": (CVB0, partial(plain_step, A=CVB0)),
}


def start_of(start_name, c, K, seed):
    """The first state. `20 documents` is that of the published code: one nested sweep from the words of 20 a topic."""
    rng = sweep_rng(seed, 0)
    if start_name != "20 documents":
        return VB.init(c, K, P, rng, start=start_name)
    topic_of_j = np.full(c.D, K)
    n_per_topic = min(20, c.D // K)
    topic_of_j[rng.permutation(c.D)[: n_per_topic * K]] = np.repeat(np.arange(K), n_per_topic)
    N_wk = sum_rows(np.eye(K + 1)[topic_of_j[c.j]][:, :K], c.n.astype(float), c.w, c.W)
    uniform_state = State(np.full((c.M, K), 1 / K))
    return VB.sweep(uniform_state, c, P, schedule="nested", held_topics=normalised(N_wk + P.eta, 0))


def ended(way_name, s, c, sweep_limit=SWEEP_LIMIT):
    """The end of a run, where its bound stands still; `vb published` ends where it changes by less than 1 in 10,000."""
    A, step = WAYS[way_name]
    objective_of, is_published = value_to_stop_by(A), way_name.startswith("vb published")
    check_interval, least_sweeps = (1, 11) if is_published else (search.EVERY, search.LEAST)
    last_value, seconds = objective_of(s, c, P) / c.N, 0.0
    for t in range(1, sweep_limit + 1):
        start_time = time.perf_counter()
        s = step(s, t, c)
        seconds += time.perf_counter() - start_time
        if t % check_interval and t < sweep_limit:
            continue
        new_value = objective_of(s, c, P) / c.N
        tolerance = 1e-4 * abs(last_value) if is_published else BOUND_STANDS_STILL * check_interval
        settled = abs(new_value - last_value) < tolerance and t >= least_sweeps
        if settled or (is_published and t == 100):
            break
        last_value = new_value
    return End(s, new_value, t, bool(settled), seconds)


def estimated(way_name, s, c):
    """theta_jk and phi_wk. Without counts, phi comes from the statistic without counts."""
    A, step = WAYS[way_name]
    theta_jk, phi_wk = A.estimate(s, c, P)
    if isinstance(step, partial) and step.keywords.get("counted") is False:
        phi_wk = normalised(sum_rows(s.gamma, np.ones(c.M), c.w, c.W) + P.eta, 0)
    return theta_jk, phi_wk


def tomotopy_estimates(c, K, sweeps, seed):
    """theta_jk and phi_wk of tomotopy's collapsed Gibbs sampler: their means over 50 samples of the second half."""
    import tomotopy  # the other runs do without

    model, row_order = tomotopy.LDAModel(k=K, alpha=P.alpha, eta=P.eta, seed=seed), np.argsort(c.j, kind="stable")
    j, w = (np.repeat(column[row_order], c.n[row_order]) for column in (c.j, c.w))
    for document_words in np.split(w, np.flatnonzero(np.diff(j)) + 1):
        model.add_doc(map(str, document_words))
    model.optim_interval = 0  # alpha is held
    model.train(sweeps // 2, workers=1)
    word_of_token = np.array(model.used_vocabs, int)[np.concatenate([document.words for document in model.docs])]
    theta_phi_samples = []
    for _ in range(50):
        model.train(sweeps // 100, workers=1)
        z = np.eye(K)[np.concatenate([document.topics for document in model.docs])]
        N_jk, N_wk = (sum_rows(z, np.ones(c.N), index, n_rows) for index, n_rows in ((j, c.D), (word_of_token, c.W)))
        theta_phi_samples.append((normalised(N_jk + P.alpha, 1), normalised(N_wk + P.eta, 0)))
    return tuple(sum(sample_arrays) / len(sample_arrays) for sample_arrays in zip(*theta_phi_samples, strict=True))


# The criteria of §3.1 -----------------------------------------------------------------------------------------------


def folded(A, c, phi_wk, seed):
    """theta of new documents by an algorithm's own update; VB's as in Algorithm 1, with phi at its posterior mean."""
    if A is VB:
        s = State(np.full((c.M, phi_wk.shape[1]), 1 / phi_wk.shape[1]))
        return VB.estimate(VB.sweep(s, c, P, schedule="nested", held_topics=phi_wk), c, P)[0]
    return lda.fold_in(A, c, phi_wk, P, sweep_rng(seed, 1), FOLD_SWEEPS * (3 if A is ML else 1), schedule="corpus")


class Evidence(NamedTuple):
    """What is averaged over runs or samples. The own folding in may be left out, because a sampler's is slow."""

    same: Any  # probabilities of the test tokens, theta by CVB0
    heldout: Any  # of the second halves
    scores_same: Any  # of the classes
    own: Any = None  # as `same` and `scores_same`, theta by the algorithm's own update
    scores: Any = None
    theta: Any = None  # its theta, in the order of the true topics
    by_label: Any = None  # in the order of the classes that the topics stand for, as in the published code


def evidence(A, phi_wk, theta_jk, q, seed):
    """`A` folds in; without it, only CVB0 does."""
    cvb0_jk, half = folded(CVB0, q.test, phi_wk, seed), folded(CVB0, q.halves.known, phi_wk, seed)
    p_kc = labels.class_probability(theta_jk, q.labels, int(q.labels.max()) + 1)
    e = Evidence(lda.token_probability(q.test, cvb0_jk, phi_wk), lda.token_probability(q.halves.heldout, half, phi_wk),
                 labels.classify(cvb0_jk, p_kc))  # fmt: skip
    if A is None:
        return e
    A_jk = folded(A, q.test, phi_wk, seed)
    k_order = np.arange(q.K) if q.true is None else matching.match_topics(phi_wk, q.true[0])[0]
    theta_by_label = A_jk[:, np.argsort(p_kc.argmax(1), kind="stable")]
    return Evidence(*e[:3], lda.token_probability(q.test, A_jk, phi_wk), labels.classify(A_jk, p_kc), A_jk[:, k_order],
                    theta_by_label)  # fmt: skip


def average(evidences):
    """The mean of each kind of evidence that all of them have."""
    return Evidence(*(None if any(member is None for member in kind_members) else sum(kind_members) / len(kind_members)
                      for kind_members in zip(*evidences, strict=True)))  # fmt: skip


def marks(evid, q):
    log_p, log_p_same = ("" if x is None else float(q.test.n @ np.log(x)) for x in (evid.own, evid.same))
    accuracies = ["" if x is None else labels.accuracy(x, q.test_labels) for x in (evid.scores, evid.scores_same)]
    mses = [
        "" if q.true is None or x is None else float(np.mean((x - q.true[1]) ** 2)) for x in (evid.theta, evid.by_label)
    ]
    return [log_p, log_p_same, float(prediction.perplexity_of(q.halves.heldout, evid.heldout)), *accuracies, *mses]
