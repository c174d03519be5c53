"""Exact CVB beside its Gaussian approximation, and the error of that approximation: parts of tnw06/runs.py.

TNW06 §4: "We have also applied the exact but much slower version of CVB without the Gaussian approximation, and found
that it gave identical results to the one proposed here (not shown)." tnw06/exact.csv has both algorithms after each of
20 sweeps in `token` order from the same five starts at once, on KOS with K = 8: the largest and the mean difference of
gamma, the perplexities and, for some sweeps, the bound (12). It took about an hour and is not computed again if it is
there.

tnw06/taylor.csv has the error of the approximation (17) of E[log(a + n)] for sums n of N independent Bernoulli
variables of probability g, and the error of CVB0, which takes log(a + E[n]).
"""

import numpy as np

import lda_reference as lda
from figures.common import corpus, grouped, numbers, read, there, write
from figures.style import plt, save
from lda_reference import bernoulli
from lda_reference.algorithms.cvb import mean_and_variance, second_order_log

K, PRIOR = {"kos": 8, "bars": 10}, lda.Prior(0.1, 0.1)
EXACT_COLUMNS = ["sweep", "seed", "largest", "mean", "perplexity_cvb", "perplexity_exact", "bound_cvb", "bound_exact"]
TAYLOR_COLUMNS = ["N", "g", "a", "error_second_order", "error_zeroth_order"]
COUNTS = np.unique(np.geomspace(1, 10_000, 60).astype(int))
PROBABILITIES, PRIOR_NUMBERS = (0.01, 0.1, 0.3, 0.9), (0.01, 0.1, 1.0, 10.0)


def in_turn(out_folder, corpus_name, n_seeds=5):
    """Both algorithms from equal starts in `token` order; a line for each sweep and start."""
    csv_path = out_folder / "tnw06/exact.csv"
    if csv_path.exists() or not there(corpus_name):
        return
    sweeps = 20 if corpus_name == "kos" else 5
    train, test = lda.split(corpus(corpus_name), "tokens", 0.1, np.random.default_rng(0))
    A, exact_A = lda.ALGORITHMS["cvb"], lda.ALGORITHMS["cvb_exact"]
    cvb_s = exact_s = A.init(train, K[corpus_name], PRIOR, rng=np.random.default_rng(1), replicates=n_seeds)
    csv_lines = []
    for t in range(1, sweeps + 1):
        cvb_s, exact_s = A.sweep(cvb_s, train, PRIOR), exact_A.sweep(exact_s, train, PRIOR)
        bounds = [A.bound(s, train, PRIOR) / train.N for s in (cvb_s, exact_s)] if t in (1, 10, sweeps) else None
        estimates = [A.estimate(s, train, PRIOR) for s in (cvb_s, exact_s)]
        for r in range(n_seeds):
            gamma_gap = np.abs(cvb_s.gamma[:, r] - exact_s.gamma[:, r])
            perplexities = [lda.perplexity(test, theta[:, r], phi[:, r]) for theta, phi in estimates]
            bound_pair = ["", ""] if bounds is None else [float(bound[r]) for bound in bounds]
            csv_lines.append([t, r, float(gamma_gap.max()), float(gamma_gap.mean()), *perplexities, *bound_pair])
    write(csv_path, EXACT_COLUMNS, csv_lines)


def errors(N, g, a):
    """The errors to second order (cvb) and to zeroth order (cvb0), in nats."""
    gamma = np.array([g])
    exact_log = bernoulli.mean_log(np.asarray(a), N * bernoulli.statistic(gamma))[0]
    return second_order_log(a, N * mean_and_variance(gamma))[0] - exact_log, np.log(a + N * g) - exact_log


def taylor(out_folder):
    csv_path = out_folder / "tnw06/taylor.csv"
    csv_path.unlink(missing_ok=True)
    g_and_a = [(g, 0.1) for g in PROBABILITIES] + [(0.3, a) for a in PRIOR_NUMBERS if a != 0.1]
    write(csv_path, TAYLOR_COLUMNS, [[N, g, a, *map(float, errors(N, g, a))] for g, a in g_and_a for N in COUNTS])


def picture(out_folder):
    csv_rows = read(out_folder / "tnw06/exact.csv")
    if not csv_rows:
        return
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4))
    rows_of_seed = grouped(csv_rows, "seed")
    for (seed,), seed_rows in rows_of_seed.items():
        sweeps = numbers(seed_rows, "sweep")
        for column, colour, dash in (("mean", "#0072B2", "-"), ("largest", "#D55E00", "--")):
            label_option = {"label": column} if seed == "0" else {}
            axes[0].plot(sweeps, numbers(seed_rows, column), color=colour, linestyle=dash, **label_option)
        percent_above = 100 * (numbers(seed_rows, "perplexity_exact") / numbers(seed_rows, "perplexity_cvb") - 1)
        axes[1].plot(sweeps, percent_above, color="#0072B2")
    axes[0].set(xlabel="sweeps", ylabel="difference of gamma", yscale="log")
    axes[0].legend()
    axes[1].axhline(0, color="black", linewidth=0.8)
    axes[1].set(xlabel="sweeps", ylabel="perplexity: exact above Gaussian, %")
    figure.suptitle(f"Exact and Gaussian CVB in token order from {len(rows_of_seed)} equal starts", fontsize="medium")
    save(figure, out_folder / "tnw06/exact.svg")
