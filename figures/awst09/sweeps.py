"""The runs of awst09/runs.py: sweeps until the bound stands still, perplexities, and averages over samples and ends."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score

import lda_reference as lda
from figures.awst09.data import Documents, corpus_of, documents_of, labelled
from figures.common import BOUND_STANDS_STILL, log_joints
from lda_reference.algorithms import ml
from lda_reference.evaluation import chains, prediction, search, validation
from lda_reference.evaluation.labels import class_probability, classify
from lda_reference.fitting import sweep_rng
from lda_reference.priors import learners

MAIN, K = "kos-400", 40
BOUND_EVERY, FOLD_SWEEPS = 10, 50  # sweeps: between two bounds, of folding in
CENTRAL_P = (0.1, 0.1)  # the prior at which all algorithms are compared
CGS_SWEEPS, CGS_FOLD_SWEEPS = 100, 15
LEARNS_AFTER = 15  # sweeps, AWST09 §4.1
WATCH_AT = (1, 2, 5, 10, 20, 50, 100, 200, 400)  # sweeps at which perplexities are written, because each costs several
RUN_COLUMNS = ["study", "K", "algorithm", "schedule", "start", "seed", "setting", "alpha", "eta", "at", "settled",
        "seconds", "last_alpha", "last_eta", "bound_2", "bound_12", "estimator", "fold", "perplexity", "validation",
        "auc", "precision"]  # fmt: skip
AVERAGE_COLUMNS = ["study", "K", "algorithm", "schedule", "runs", "estimator", "samples", "of", "perplexity", "r_hat"]
LAST_CVB0_END: dict[Any, Any] = {}  # the last end of CVB0, from which VB may start
LEARNERS = {"minka": ("symmetric", "symmetric"), "minka alpha": ("symmetric", None)}


class End(NamedTuple):
    """Where a run ended; `settled` says that its bound stood still, and not that its gamma did."""

    state: lda.engine.State
    prior: lda.Prior
    sweeps: int
    settled: bool
    seconds: float


def algorithm_of(A_name: str, alpha: float) -> lda.Algorithm:
    """The algorithm of a name; that of ml is tempered, with alpha as its power."""
    return ml.tempered(alpha) if A_name == "ml" else lda.ALGORITHMS[A_name]


def swept(
    A: lda.Algorithm, s: Any, c: lda.Corpus, p: lda.Prior, schedule: str, setting: str, seed: int,
    watch: Callable[[Any, lda.Prior, int], None] = lambda s, p, t: None,
) -> End:  # fmt: skip
    """Sweep, and learn the prior if the setting says so, until the bound stands still."""
    learn_prior = learners.evidence(*LEARNERS[setting]) if setting in LEARNERS else None
    is_sampler = A.assignment == "sample"
    objective_of = A.objective if A.name.startswith(("ml", "map")) else lda.ALGORITHMS["vb"].bound
    limit = CGS_SWEEPS if is_sampler else 100 if schedule == "nested" else 500 if (p.alpha, p.eta) == CENTRAL_P else 200
    last_bound, t, seconds = -np.inf, 0, 0.0
    while True:
        start_time = time.perf_counter()
        s, t = A.sweep(s, c, p, schedule=schedule, rng=sweep_rng(seed, t + 1) if is_sampler else None), t + 1
        if learn_prior and t > LEARNS_AFTER:
            p = learn_prior(s, c, p)
        seconds += time.perf_counter() - start_time
        if t in WATCH_AT:
            watch(s, p, t)
        if t % BOUND_EVERY == 0 and not is_sampler:
            bound = float(objective_of(s, c, p)) / c.N
            if abs(bound - last_bound) < BOUND_STANDS_STILL * BOUND_EVERY and t >= search.LEAST:
                return End(s, p, t, True, seconds)
            last_bound = bound
        if t == limit:
            return End(s, p, t, False, seconds)


def ended(study, K, A_name, schedule, start_name, seed, setting, alpha, eta, watch=lambda s, p, t: None) -> End:
    """The end of a run; with the start "cvb0" it begins at an end of CVB0, with the prior that CVB0 has there."""
    train, p, A = documents_of(study).train, lda.Prior(alpha, eta), algorithm_of(A_name, alpha)
    key = study, K, seed, setting, alpha, eta
    if start_name == "cvb0":
        cvb0_end = LAST_CVB0_END.get(key) or ended(study, K, "cvb0", "corpus", "dirichlet", seed, setting, alpha, eta)
        s, p = A.init(train, K, cvb0_end.prior, gamma=cvb0_end.state.gamma), cvb0_end.prior
    else:
        s = A.init(train, K, p, sweep_rng(seed, 0), start=start_name)
    end = swept(A, s, train, p, schedule, setting, seed, watch)
    if (A_name, schedule, start_name) == ("cvb0", "corpus", "dirichlet"):
        LAST_CVB0_END.clear()
        LAST_CVB0_END[key] = end
    return end


def estimates_of(A_name: str, setting: str, schedule: str, n_fold_schedules: int = 1) -> list[tuple[str, str]]:
    """The estimators of a run, each with the schedule of folding in, the run's own or also the other; (15) is first."""
    if A_name != "vb":
        return [("own", "token" if A_name == "cgs" else "corpus")]
    estimators = ["mean", "digamma", *(["lowered"] if setting == "raised" else [])]
    other_schedule = "corpus" if schedule == "nested" else "nested"
    return [(estimator, fold) for fold in (schedule, other_schedule)[:n_fold_schedules] for estimator in estimators]


def probability(A_name, s, c, p, halves: validation.Halves, seed, estimator, fold_schedule):
    """The probability of a token of each row of the second halves, with theta folded in from the first."""
    A = lda.ALGORITHMS[A_name]
    lowered_p = lda.Prior(p.alpha - 0.5, p.eta - 0.5) if estimator == "lowered" else p  # AWST09 §3.2
    kind = None if estimator == "own" else "digamma" if estimator == "digamma" else "mean"
    phi_wk = A.estimate(s, c, p)[1] if kind is None else prediction.estimates(s, c, lowered_p, kind)[1]
    if A.assignment == "sample":
        theta_jk = sampled_theta(A, halves.known, phi_wk, p, seed)
    else:
        sweeps = 1 if fold_schedule == "nested" else FOLD_SWEEPS  # one nested sweep takes a document to its end
        theta_jk = lda.fold_in(A, halves.known, phi_wk, p, sweep_rng(seed, 1), sweeps, kind, fold_schedule, lowered_p)
    return lda.token_probability(halves.heldout, theta_jk, phi_wk)


def sampled_theta(A, c, phi_wk, p, seed):
    """theta from the last state of a chain with held topics, or of as many chains as phi has samples."""
    R = phi_wk.shape[1] if phi_wk.ndim == 3 else None
    s = A.init(c, phi_wk.shape[-1], p, sweep_rng(seed, 0), replicates=R)
    for t in range(1, CGS_FOLD_SWEEPS + 1):
        s = A.sweep(s, c, p, rng=sweep_rng(seed, t), held_topics=phi_wk)
    return A.estimate(s, c, p)[0]


def perplexity(A_name, s, c, p, halves, seed, estimator, fold) -> float:
    if A_name == "ml":  # some words have probability 0
        return validation.completion(algorithm_of("ml", p.alpha), halves, lda.ALGORITHMS["ml"].estimate(s, c, p)[1], p,
                                     seed, FOLD_SWEEPS)  # fmt: skip
    return float(prediction.perplexity_of(halves.heldout, probability(A_name, s, c, p, halves, seed, estimator, fold)))


def run(study, K, A_name, schedule, start, seed, setting, alpha, eta):
    """The lines of a run: its end by each estimate and, with Minka's update from random rows, the way there."""
    job, d = [study, K, A_name, schedule, start, seed, setting, alpha, eta], documents_of(study)
    estimates = estimates_of(A_name, setting, schedule, 2 if (alpha, eta) == CENTRAL_P else 1)
    lines: list[list[Any]] = []

    def watch(s, p, t):
        score = perplexity(A_name, s, d.train, p, d.test, seed, *estimates[0])
        lines.append([*job, t, "", "", float(p.alpha), float(p.eta), "", "", *estimates[0], score, "", "", ""])

    is_watched = setting == "minka" and start in ("dirichlet", "one-hot") and (study, K) in ((MAIN, 40), ("drawn", 8))
    end = ended(*job, watch) if is_watched else ended(*job)
    return lines + [[*job, f"end {end.sweeps}", end.settled, end.seconds, float(end.prior.alpha), float(end.prior.eta),
                   *bounds(end, d, job), *x, *scores(end, d, A_name, seed, x, setting), *ranking(end, study, A_name, x)]
                  for x in estimates]  # fmt: skip


def scores(end: End, d: Documents, A_name, seed, estimate, setting) -> list[Any]:
    """The perplexities of test documents and, where the prior is to be chosen, of validation documents."""
    scored_parts = (d.test, d.valid) if setting == "fixed" else (d.test,)
    return [*(perplexity(A_name, end.state, d.train, end.prior, h, seed, *estimate) for h in scored_parts), ""][:2]


def bounds(end: End, d: Documents, job_cells) -> list[Any]:
    """TNW06 (2) per token and, at the central point of a small corpus, (12); map and ml have other priors."""
    if job_cells[2] in ("map", "ml", "cgs"):
        return ["", ""]
    bound_names = ("vb", "cvb0") if d.train.N < 2e5 and job_cells[6:] == ["fixed", 0.1, 0.1] else ("vb",)
    per_token = [float(lda.ALGORITHMS[bound].bound(end.state, d.train, end.prior)) / d.train.N for bound in bound_names]
    return [*per_token, ""][:2]


def ranking(end: End, study_name, name, estimator_and_fold) -> list[Any]:
    """AWST09 §4.2: the mean area under the ROC curve, and the mean average precision, of 20 Newsgroups."""
    if corpus_of(study_name) != "20news" or estimator_and_fold[0] not in ("own", "mean"):
        return ["", ""]
    train, (train_classes, c, test_classes) = documents_of(study_name).train, labelled(study_name)
    theta_jk, phi_wk = lda.ALGORITHMS[name].estimate(end.state, train, end.prior)
    sweeps, schedule = 1 if estimator_and_fold[1] == "nested" else FOLD_SWEEPS, estimator_and_fold[1]
    if name == "cgs":  # Gibbs sampling has the same posterior of theta given phi, and is faster
        name, schedule = "gibbs", "corpus"
    test_theta_jk = lda.fold_in(lda.ALGORITHMS[name], c, phi_wk, end.prior, sweep_rng(0, 1), sweeps, schedule=schedule)
    p_jc = classify(test_theta_jk, class_probability(theta_jk, train_classes, 20))
    classes = np.unique(test_classes)
    metrics = roc_auc_score, average_precision_score
    return [float(np.mean([metric(test_classes == label, p_jc[:, label]) for label in classes])) for metric in metrics]


def averages(study, K, name, schedule, runs):
    """The perplexity of each run of an algorithm at alpha = eta = 0.1, and of the mean of their probabilities."""
    if name == "cgs":
        return sampled(study, K, runs)
    d, lines = documents_of(study), []
    ends = [ended(study, K, name, schedule, "dirichlet", seed, "fixed", 0.1, 0.1) for seed in range(runs)]
    for estimate in estimates_of(name, "fixed", schedule):
        x = [probability(name, end.state, d.train, end.prior, d.test, seed, *estimate) for seed, end in enumerate(ends)]
        lines += averaged([study, K, name, schedule, runs, estimate[0]], d.test.heldout, np.stack(x, 1)[..., None], "")
    return lines


def averaged(job_cells, c: lda.Corpus, p_mrs, r_hat) -> list[Any]:
    """The lines of probabilities (M, R, S) of R runs with S samples: of single ones, of each run's mean, and of all."""

    def line(n_samples, run_or_all, probability):
        return [*job_cells, n_samples, run_or_all, float(prediction.perplexity_of(c, probability)), r_hat]

    S = p_mrs.shape[2]
    lines = [line(1, r, p_mrs[:, r, -1]) for r in range(p_mrs.shape[1])] + [line(1, "all", p_mrs[:, :, -1].mean(1))]
    if S > 1:
        lines += [line(S, r, p_mrs[:, r].mean(1)) for r in range(p_mrs.shape[1])] + [line(S, "all", p_mrs.mean((1, 2)))]
    return lines


def sampled(study, K, n_runs):
    """Chains of collapsed Gibbs at once: ten samples of each, evenly from the second half of its sweeps."""
    documents, A, p = documents_of(study), lda.ALGORITHMS["cgs"], lda.Prior(0.1, 0.1)
    s = A.init(documents.train, K, p, sweep_rng(100, 0), replicates=n_runs)
    log_joint_trace, p_samples = [], []
    for t in range(1, CGS_SWEEPS + 1):
        s = A.sweep(s, documents.train, p, rng=sweep_rng(100, t))
        log_joint_trace.append(log_joints(s, documents.train, K, p))
        if t > CGS_SWEEPS // 2 and t % (CGS_SWEEPS // 20) == 0:
            phi_wk = A.estimate(s, documents.train, p)[1]
            theta_jk = sampled_theta(A, documents.test.known, phi_wk, p, 100 + t)
            p_samples.append(np.stack([lda.token_probability(documents.test.heldout, theta_jk[:, r], phi_wk[:, r])
                               for r in range(n_runs)], 1))  # fmt: skip
    r_hat = float(chains.r_hat(np.array(log_joint_trace)[CGS_SWEEPS // 2 :]))
    return averaged([study, K, "cgs", "token", n_runs, "own"], documents.test.heldout, np.stack(p_samples, 2), r_hat)
