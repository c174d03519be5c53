"""SOL14: variational Bayes against Gibbs sampling, on Reuters R8 and on the synthetic corpora of §3.2.

    python -m figures.sol14.runs [--quick] [--draw] [--processes N] [r8] [r8-chains] [long] ...

K = 8 on R8 and 10 on synthetic corpora, alpha = nu = 0.1. VB runs with Algorithm 1 as printed (`nested`: each document
from the uniform distribution to convergence), in `corpus` order, and in variants that change one thing at a time: no
re-initialisation, a fixed number of inner steps, the topic statistic of the paper's published code, which leaves out
how often a word occurs in a document. The published code's run as a whole, with its start from 20 documents a topic,
its first ten sweeps with phi as a point and its stopping rule, is the way `vb published`.

A run ends where its bound stands still: where it changes by less than 1e-5 nats per token and sweep. The log-likelihood
of test documents is that of §3.1: theta is estimated from the same tokens that are scored. `ll` folds in with the
algorithm's own update (VB as in Algorithm 1, from the uniform distribution), `ll_same` with CVB0's for all algorithms,
`ll_rows` with VB in `corpus` order from Dirichlet rows. `completion` is the perplexity of half of each test document,
with theta from the other half by CVB0.

sol14/runs.csv has a line for each run, sol14/chains.csv several chains of each sampler, sol14/fits.csv single chains,
sol14/bootstrap.csv the parametric bootstrap of §3.3. sol14/long.csv has chains of tomotopy as long as the longest in
print.
Hours on one processor.
"""

import time
from functools import cache

import numpy as np

import lda_reference as lda
from figures.common import Part, log_joints, run_study, sweeps_of, there
from figures.peers import systems
from figures.sol14 import jobs as jobs_of
from figures.sol14 import ways
from figures.sol14.picture import picture
from figures.sol14.ways import GIBBS, MARKS, VB, WAYS, P, ended, estimated, evidence, marks, problem
from lda_reference.evaluation import chains, labels, matching, repetition
from lda_reference.fitting import sweep_rng

RUNS = ["data", "way", "start", "group", "seed", "sweeps", "settled", "seconds", "value", "bound_2", "ll_rows", *MARKS]
CHAINS = ["data", "sampler", "chains", "sweeps", "chain", "kind", "samples", "r_hat", "log_joint_half", "log_joint",
          "seconds", *MARKS]  # fmt: skip
FIT_COLUMNS = ["data", "sampler", "sweeps", "seed", "ll", "accuracy", "mse", "seconds"]
CORPUS_COLUMNS = ["data", "documents", "words", "pairs", "tokens", "test_tokens"]
LONG_COLUMNS = ["data", "chain", "sweep", "log_joint", "log_tokens", "seconds"]
BOOTSTRAP_COLUMNS = ["truth", "draw", "way", "tokens", "ll_truth", "ll", "accuracy_truth", "accuracy", "mse"]


def sizes(corpus_name):
    corpus_problem = problem(corpus_name)
    c = corpus_problem.train.types()
    return [[corpus_name, c.D, c.W, c.M, c.N, corpus_problem.test.N]]


def runs(corpus, way, start, group, seeds):
    q, A, lines, evidences = problem(corpus), WAYS[way][0], [], []
    for seed in seeds:
        end = ended(way, ways.start_of(start, q.train, q.K, seed), q.train)
        theta_jk, phi_wk = estimated(way, end.state, q.train)
        run_evidence = evidence(A, phi_wk, theta_jk, q, seed)
        ll_rows = ""
        if A is VB:
            test_theta_jk = lda.fold_in(VB, q.test, phi_wk, P, sweep_rng(seed, 1), 50, schedule="corpus")
            ll_rows = float(q.test.n @ np.log(lda.token_probability(q.test, test_theta_jk, phi_wk)))
        evidences.append(run_evidence)
        bound_2 = float(VB.bound(end.state, q.train, P)) / q.train.N
        lines.append([corpus, way, start, group, seed, end.sweeps, end.settled, end.seconds, float(end.value), bound_2,
                      ll_rows, *marks(run_evidence, q)])  # fmt: skip
    if len(lines) > 1:
        lines.append([corpus, way, start, group, "mean", "", "", "", "", "", "", *marks(ways.average(evidences), q)])
    return lines


def several_chains(corpus, sampler, n_chains, sweeps):
    """Chains at once: R-hat of log p(x, z) in the second half; 1, 10 and more samples of that half, averaged.

    `probabilities` averages the probabilities over samples, each with its own theta; `estimates` averages theta and phi
    over the samples of a chain, as the paper does.
    """
    q, A = problem(corpus), lda.ALGORITHMS[sampler]
    s = A.init(q.train, q.K, P, sweep_rng(100, 0), replicates=n_chains)
    mid_t, log_joint_trace, seconds = sweeps // 2, [], 0.0
    largest_S = 100 if mid_t >= 100 and n_chains > 3 else 10
    sweeps_of_S = sweeps_of(sweeps, (1, 10, largest_S))
    evidences = {S: [[] for _ in range(n_chains)] for S in sweeps_of_S}
    estimates = []
    for t in range(1, sweeps + 1):
        start_time = time.perf_counter()
        s = A.sweep(s, q.train, P, rng=sweep_rng(100, t))
        seconds += time.perf_counter() - start_time
        log_joint_trace.append(log_joints(s, q.train, q.K, P))
        S_here = [S for S in sweeps_of_S if t in sweeps_of_S[S]]
        if not S_here:
            continue
        estimates.append(A.estimate(s, q.train, P))
        for r in range(n_chains):
            evid = evidence(GIBBS if min(S_here) <= 10 else None, estimates[-1][1][:, r], estimates[-1][0][:, r], q, t)
            for S in S_here:
                evidences[S][r].append(evid)
    log_joint_trace = np.array(log_joint_trace) / q.train.N
    r_hat, lines = float(chains.r_hat(log_joint_trace[mid_t:])), []
    theta_jk, phi_wk = (sum(chain_samples) / len(chain_samples) for chain_samples in zip(*estimates, strict=True))
    for r in range(n_chains):
        end_columns = [r_hat, float(log_joint_trace[mid_t - 1, r]), float(log_joint_trace[-1, r]), seconds / n_chains]
        key_columns = [corpus, sampler, n_chains, sweeps, r]
        for S, chain_evidences in evidences.items():
            lines.append([*key_columns, "probabilities", S, *end_columns, *marks(ways.average(chain_evidences[r]), q)])
        evid = evidence(GIBBS, phi_wk[:, r], theta_jk[:, r], q, 0)
        lines.append([*key_columns, "estimates", len(estimates), *end_columns, *marks(evid, q)])
    for S, chain_evidences in evidences.items():
        evid = ways.average([evidence_of_one for chain in chain_evidences for evidence_of_one in chain])
        lines.append([corpus, sampler, n_chains, sweeps, "all", "probabilities", S, r_hat, "", "", "", *marks(evid, q)])
    return lines


def fits(corpus_name, sampler, sweeps, seed):
    """One chain: theta and phi averaged over its second half, with 50 sweeps of folding in."""
    q, A, start_time = problem(corpus_name), lda.ALGORITHMS[sampler.removesuffix(" tomotopy")], time.perf_counter()
    theta_jk, phi_wk = averaged_chain(sampler, q.train, q.K, sweeps, seed)
    seconds = time.perf_counter() - start_time
    fold_schedule = "interleaved" if sampler == "cgs tomotopy" else None
    test_theta_jk = lda.fold_in(A, q.test, phi_wk, P, sweep_rng(seed, 1), 50, schedule=fold_schedule)
    p_kc = labels.class_probability(theta_jk, q.labels, int(q.labels.max()) + 1)
    log_likelihood = float(q.test.n @ np.log(lda.token_probability(q.test, test_theta_jk, phi_wk)))
    mse = "" if q.true is None else matching.mse_theta(test_theta_jk, q.true[1], lda.match_topics(phi_wk, q.true[0])[0])
    class_accuracy = labels.accuracy(labels.classify(test_theta_jk, p_kc), q.test_labels)
    return [[corpus_name, sampler, sweeps, seed, log_likelihood, class_accuracy, mse, seconds]]


def averaged_chain(sampler, c, K, sweeps, seed):
    if sampler == "cgs tomotopy":
        return ways.tomotopy_estimates(c, K, sweeps, seed)
    chain_fit = lda.fit(c, K, sampler, P, sweeps, seed=seed)
    return chain_fit.theta_jk, chain_fit.phi_wk


def long_chain(corpus_name, chain_seed, sweeps=2900):
    """A chain of tomotopy from uniform z; every 20th sweep, log p(x, z) and the log probability of the training tokens.

    Both are in nats a token, and do not depend on how the topics are numbered.
    """
    c, K, csv_lines = problem(corpus_name).train, problem(corpus_name).K, []
    start_time = time.process_time()

    def step(t, read_model):
        if t and t % 20 == 0:
            seconds, (theta_jk, phi_wk, _) = time.process_time() - start_time, read_model()
            N_jk = np.rint(theta_jk * (c.by_document(c.n) + K * P.alpha)[:, None] - P.alpha)
            N_wk = np.rint(phi_wk * (N_jk.sum(0) + c.W * P.eta) - P.eta)
            log_p_train = c.n @ np.log(lda.token_probability(c, theta_jk, phi_wk))
            log_joint = float(lda.log_joint_collapsed(N_jk, N_wk, P))
            csv_lines.append([corpus_name, chain_seed, t, log_joint / c.N, log_p_train / c.N, seconds])

    systems.tomotopy(c, K, P, chain_seed, workers=1)(sweeps, step)
    return csv_lines


# Bootstrap ----------------------------------------------------------------------------------------------------------


@cache
def truth(way_name):
    """theta of training and test documents and phi, as an algorithm estimates them on R8."""
    r8_problem = problem("r8")
    s = ended(way_name, ways.start_of("20 documents", r8_problem.train, r8_problem.K, 0), r8_problem.train).state
    theta_jk, phi_wk = estimated(way_name, s, r8_problem.train)
    return theta_jk, phi_wk, ways.folded(WAYS[way_name][0], r8_problem.test, phi_wk, 0)


def bootstrapped(true_way, draw_seed, way):
    """A corpus drawn from an algorithm's estimates, and how the truth itself and another algorithm score on it."""
    theta_jk, phi_wk, test_theta_jk = truth(true_way)
    r8_problem, rng = problem("r8"), np.random.default_rng(draw_seed)
    train, test = (repetition.bootstrap(c, true_theta_jk, phi_wk, rng).corpus.types() for c, true_theta_jk in
                   ((r8_problem.train, theta_jk), (r8_problem.test, test_theta_jk)))  # fmt: skip
    b = ways.assembled(train, r8_problem.labels, test, r8_problem.test_labels, r8_problem.K, (phi_wk, test_theta_jk))
    p_kc = labels.class_probability(theta_jk, r8_problem.labels, int(r8_problem.labels.max()) + 1)
    ll_truth = float(b.test.n @ np.log(lda.token_probability(b.test, test_theta_jk, phi_wk)))
    accuracy_truth = labels.accuracy(labels.classify(test_theta_jk, p_kc), r8_problem.test_labels)
    if way == "cgs tomotopy":
        A, theta_and_phi = GIBBS, ways.tomotopy_estimates(b.train, b.K, 1000, draw_seed)
    else:
        A, end = WAYS[way][0], ended(way, ways.start_of("20 documents", b.train, b.K, draw_seed), b.train)
        theta_and_phi = estimated(way, end.state, b.train)
    way_marks = marks(evidence(A, theta_and_phi[1], theta_and_phi[0], b, draw_seed), b)
    return [[true_way, draw_seed, way, b.test.N, ll_truth, way_marks[0], accuracy_truth, way_marks[3], way_marks[5]]]


def bootstraps(is_quick):
    return jobs_of.bootstrap_list(is_quick) if there("r8") else []


def part(file_name, columns, list_jobs, job_function, n_keys):
    return Part(f"sol14/{file_name}.csv", columns, list_jobs, job_function, n_keys)


PARTS = {
    "corpora": part("corpora", CORPUS_COLUMNS, jobs_of.corpora_list, sizes, 1),
    "r8": part("runs", RUNS, jobs_of.r8_runs, runs, 4),
    "r8-chains": part("chains", CHAINS, jobs_of.r8_chains, several_chains, 4),
    "fits": part("fits", FIT_COLUMNS, jobs_of.fit_list, fits, 4),
    "bootstrap": part("bootstrap", BOOTSTRAP_COLUMNS, bootstraps, bootstrapped, 3),
    "long": part("long", LONG_COLUMNS, lambda quick: [("r8", i) for i in range(8)], long_chain, 2),
    "synthetic": part("runs", RUNS, jobs_of.synthetic_runs, runs, 4),
    "synthetic-chains": part("chains", CHAINS, jobs_of.synthetic_chains, several_chains, 4),
    "more": part("runs", RUNS, jobs_of.more_runs, runs, 4),
}

if __name__ == "__main__":
    run_study(__doc__, PARTS, picture)
