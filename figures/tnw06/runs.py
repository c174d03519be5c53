"""TNW06 §4 again: VB, CVB and collapsed Gibbs from many starts, by sweeps (Fig. 1) and by documents (Fig. 2).

    python -m figures.tnw06.runs [--quick] [--draw] [fig1] [fig2] [exact] [taylor] [nips]

As in the paper alpha = beta = 0.1, K = 8 for KOS and 40 for NIPS, and 10% of the words of each document are held out.
The paper gives neither the schedules nor the rule that ends a run. Here VB runs in `corpus` and `nested` order, CVB in
`corpus`, `block` and `token` order (the last is the paper's: one row after the other). A run ends by the rule of
`lda_reference.evaluation.search`, or after 1,000 sweeps. Each run of CVB is also the start of a run of VB. In
tnw06/fig1.csv the starts 0 to 4 ended where the bound changed by less than 1e-5 nats, or after 500 sweeps.

tnw06/fig1.csv has the bounds and the log probabilities of test words by sweep, tnw06/fig2.csv the ends for subsets of
KOS. `fig1` is KOS, `nips` the right column of Fig. 1; `exact` and `taylor` are in tnw06/exact.py. A day in all.
"""

import numpy as np

import lda_reference as lda
from figures.common import both_bounds, held_out, log_joints, options, part, run_jobs, there
from figures.tnw06 import exact as tnw06_exact
from figures.tnw06 import pictures as tnw06_draw
from lda_reference.evaluation import prediction, search
from lda_reference.fitting import sweep_rng

PRIOR = lda.Prior(0.1, 0.1)
TOPICS = {"kos": 8, "nips": 40, "bars": 10}
JOB_STARTS = {"kos": 5, "nips": 1, "bars": 3}  # starts of a job
TOKEN_STARTS = {"kos": 10, "nips": 2, "bars": 3}  # in `token` order, where ten runs cost little more than one
CHAINS = {"kos": (5, 100), "nips": (2, 100), "bars": (3, 60)}  # chains of a job, sweeps
SIZES, QUICK_SIZES = (50, 150, 500, 1500), (10, 30)
VB, CVB = [("vb", "corpus"), ("vb", "nested")], [("cvb", "corpus"), ("cvb", "block")]
FROM_CVB = "end of cvb corpus"
FIG1_HEAD = ["corpus", "algorithm", "schedule", "start", "first", "seed", "sweep", "bound", "test", "averaged",
        "settled", "bound_2", "bound_12"]  # fmt: skip
FIG2_HEAD = ["corpus", "documents", "algorithm", "schedule", "start", "order", "seed", "sweeps", "settled", "bound_2",
        "bound_12", "test"]  # fmt: skip


def probabilities(A, s, train, test):
    """The probability of a word of each test row, for each run (M, R): TNW06 (19)."""
    theta_jk, phi_wk = A.estimate(s, train, PRIOR)
    R = s.gamma.shape[1]
    return np.stack([lda.token_probability(test, theta_jk[:, r], phi_wk[:, r]) for r in range(R)], 1)


def log_probability(test, probability):
    return -float(np.log(prediction.perplexity_of(test, probability)))


def noted(t):
    """Whether the log probability of test words after sweep t is written."""
    return t <= 20 or t % 5 == 0


def follow(A, states, train, test, schedule, check_every, sweep_limit=1000):
    """Sweep runs together until each has settled, by the rule of `search.until_settled`, and note the way.

    Yields, for each run and noted sweep, the run's number, the sweep, its bound (if computed), the probability of the
    test rows and, at its end, whether it has settled and its last gamma.
    """
    open_runs, last_states, t = list(range(len(states))), [lda.State(np.stack([state.gamma for state in states], 1))], 0
    while open_runs:
        last_states, t = [*last_states[-2:], A.sweep(last_states[-1], train, PRIOR, schedule=schedule)], t + 1
        is_check = t % check_every == 0 or t == sweep_limit
        if not (is_check or noted(t)):
            continue
        s = last_states[-1]
        bounds = np.asarray(A.bound(s, train, PRIOR)) / train.N if is_check or t in (1, 2, 5, 10) else None
        period_of_run = np.zeros(len(open_runs))
        if is_check and t >= search.LEAST:
            period_of_run = search.period(*last_states, train)
        p_of_runs, is_over = probabilities(A, s, train, test), (period_of_run > 0) | (t == sweep_limit)
        for i, r in enumerate(open_runs):
            settled_and_gamma = (bool(period_of_run[i] == 1), s.gamma[:, i]) if is_over[i] else None
            yield r, t, "" if bounds is None else float(bounds[i]), p_of_runs[:, i], settled_and_gamma
        open_runs = [r for r, has_ended in zip(open_runs, is_over, strict=True) if not has_ended]
        last_states = [lda.State(state.gamma[:, ~is_over]) for state in last_states]


def fig1(corpus_name, A_name, schedule, start, first_seed):
    """The lines of some runs: the way of each, its end, where VB goes from CVB's end, and the mean over the ends."""
    if A_name == "cgs":
        return gibbs(corpus_name, start, first_seed)
    train, test = held_out(corpus_name)
    A, K = lda.ALGORITHMS[A_name], TOPICS[corpus_name]
    is_token_order = schedule == "token"
    seeds = range(first_seed, first_seed + (TOKEN_STARTS if is_token_order else JOB_STARTS)[corpus_name])
    start_states = search.started(A, train, K, PRIOR, start, seeds)
    index_groups = [list(range(len(seeds)))] if is_token_order else [[i] for i in range(len(seeds))]
    job_columns, csv_lines, gamma_of_run, p_of_run = [corpus_name, A_name, schedule, start, first_seed], [], {}, {}
    for run_group in index_groups:
        for r, t, bound, probability, run_end in follow(
            A, [start_states[i] for i in run_group], train, test, schedule, 10 if is_token_order else 20
        ):
            log_p_test = log_probability(test, probability)
            end_columns = [run_end[0], *both_bounds(lda.State(run_end[1]), train, PRIOR)] if run_end else ["", "", ""]
            csv_lines.append([*job_columns, seeds[run_group[r]], t, bound, log_p_test, "", *end_columns])
            if run_end:
                gamma_of_run[run_group[r]], p_of_run[run_group[r]] = run_end[1], probability
    mean_p = sum(p_of_run.values()) / len(seeds)
    csv_lines.append([*job_columns, "mean", "", "", "", log_probability(test, mean_p), "", "", ""])
    if A_name == "cvb":
        vb_init = tnw06_draw.from_ends_of(schedule, start)
        csv_lines += vb_from(corpus_name, vb_init, first_seed, [(seeds[i], gamma_of_run[i]) for i in range(len(seeds))])
    return csv_lines


def vb_from(corpus_name, start, first_seed, seeds_and_gammas):
    """The ends of VB in `corpus` order from given gamma. They stand under another start than any job has."""
    train, test = held_out(corpus_name)
    A, csv_lines = lda.ALGORITHMS["vb"], []
    for seed, gamma in seeds_and_gammas:
        end = search.until_settled(A, [lda.State(gamma)], train, PRIOR, "corpus", every=20)[0]
        log_p_test = log_probability(test, lda.token_probability(test, *A.estimate(end.state, train, PRIOR)))
        csv_lines.append([corpus_name, "vb", "corpus", start, first_seed, seed, end.sweeps, end.value, log_p_test, "",
                      end.settled, *both_bounds(end.state, train, PRIOR)])  # fmt: skip
    return csv_lines


def gibbs(corpus_name, start_name, first_seed):
    """Chains of collapsed Gibbs. `test` is of one sample, `averaged` of all in the second half so far, by (20).

    `bound` is log p(x, z) per token, from which R-hat is computed. The seed `all` averages over the chains too.
    """
    train, test = held_out(corpus_name)
    A, (n_chains, sweeps) = lda.ALGORITHMS["cgs"], CHAINS[corpus_name]
    s = A.init(train, TOPICS[corpus_name], PRIOR, sweep_rng(100 + first_seed, 0), replicates=n_chains, start=start_name)
    job, csv_lines, p_sum = [corpus_name, "cgs", "token", start_name, first_seed], [], np.zeros((test.M, n_chains))
    for t in range(1, sweeps + 1):
        s = A.sweep(s, train, PRIOR, rng=sweep_rng(100 + first_seed, t))
        p_sample, log_p_mean = probabilities(A, s, train, test), [""] * (n_chains + 1)
        if t > sweeps // 2:
            p_sum += p_sample
            p_mean = p_sum / (t - sweeps // 2)
            log_p_mean = [log_probability(test, p_w) for p_w in (*p_mean.T, p_mean.mean(1))]
        for r, log_joint in enumerate(log_joints(s, train, TOPICS[corpus_name], PRIOR)):
            score = log_probability(test, p_sample[:, r])
            csv_lines.append([*job, first_seed + r, t, float(log_joint) / train.N, score, log_p_mean[r], "", "", ""])
    csv_lines.append([*job, "all", sweeps, "", "", log_p_mean[-1], "", "", ""])
    return csv_lines


def fig2(corpus_name, D, A_name, schedule, start_name, order_seed):
    """The ends of 5 starts on the first documents in a random order; the subsets of an order are nested."""
    chosen_j = sweep_rng(order_seed, 2).permutation(held_out(corpus_name)[0].D)[:D]
    train, test = (part(c, chosen_j) for c in held_out(corpus_name))
    A, seeds, csv_lines = lda.ALGORITHMS[A_name], range(JOB_STARTS[corpus_name]), []
    start_states = search.started(A, train, TOPICS[corpus_name], PRIOR, "dirichlet", seeds)
    if start_name == FROM_CVB:
        cvb_ends = search.until_settled(lda.ALGORITHMS["cvb"], start_states, train, PRIOR, "corpus", every=20)
        start_states = [A.init(train, TOPICS[corpus_name], PRIOR, gamma=end.state.gamma) for end in cvb_ends]
    for seed, end in zip(seeds, search.until_settled(A, start_states, train, PRIOR, schedule, every=20), strict=True):
        log_p_test = log_probability(test, lda.token_probability(test, *A.estimate(end.state, train, PRIOR)))
        csv_lines.append([corpus_name, D, A_name, schedule, start_name, order_seed, seed, end.sweeps, end.settled,
                      *both_bounds(end.state, train, PRIOR), log_p_test])  # fmt: skip
    return csv_lines


def fig1_jobs(corpus_name, A_schedule_pairs, first_seeds, start_name="dirichlet"):
    return [(corpus_name, *pair, start_name, first_seed) for first_seed in first_seeds for pair in A_schedule_pairs]


def fig2_jobs(corpus_name, part_sizes, order_seeds):
    pairs = [(*pair, "dirichlet") for pair in (*VB, ("cvb", "corpus"), ("cvb0", "corpus"), ("cvb", "token"))]
    pairs.insert(3, ("vb", "corpus", FROM_CVB))
    size_and_pairs = [(size, *pair) for size in part_sizes for pair in pairs if pair[1] != "token" or size <= 150]
    return [(corpus_name, *size_and_pair, order_seed) for order_seed in order_seeds for size_and_pair in size_and_pairs]


def stages(is_quick):
    """Parts, tables and jobs, in the order in which they run: what matters most and costs least comes first."""
    token_pairs, order_and_start = [("cvb", "token")], ("token", "one-hot")
    if is_quick:
        yield "fig1", "fig1", [*fig1_jobs("bars", VB + CVB + token_pairs, [0]), ("bars", "cgs", *order_and_start, 0)]
        yield "fig2", "fig2", fig2_jobs("bars", QUICK_SIZES, [0])
        return
    yield "fig1", "fig1", fig1_jobs("kos", VB + CVB[:1], [0])
    yield "fig2", "fig2", [job for size in SIZES[:3] for job in fig2_jobs("kos", [size], range(8))]
    yield "fig1", "fig1", [("kos", "cgs", *order_and_start, 0)]
    yield "fig2", "fig2", fig2_jobs("kos", SIZES[3:], [0])
    yield "fig1", "fig1", fig1_jobs("kos", token_pairs, [0])
    yield "fig1", "fig1", fig1_jobs("kos", VB + CVB, [0, 5]) + fig1_jobs("kos", VB + CVB[:1], [0], "growing")
    yield "nips", "fig1", [*fig1_jobs("nips", CVB[:1] + VB, range(5)), ("nips", "cgs", *order_and_start, 0)]


TABLES = {"fig1": (FIG1_HEAD, fig1, 5), "fig2": (FIG2_HEAD, fig2, 6)}


def main():
    opts = options(__doc__, ["fig1", "fig2", "exact", "taylor", "nips"])
    if not opts.draw:
        if "taylor" in opts.names:
            tnw06_exact.taylor(opts.out)
        for part_name, table_name, jobs in stages(opts.quick):
            columns, job_function, n_keys = TABLES[table_name]
            todo_jobs = [job for job in jobs if part_name in opts.names and there(job[0])]
            run_jobs(opts.out / f"tnw06/{table_name}.csv", columns, todo_jobs, job_function, opts.processes, n_keys)
        if "exact" in opts.names:
            tnw06_exact.in_turn(opts.out, "bars" if opts.quick else "kos")
    tnw06_draw.figure_1(opts.out)
    tnw06_draw.figure_2(opts.out)
    tnw06_exact.picture(opts.out)


if __name__ == "__main__":
    main()
