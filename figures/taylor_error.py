"""The error of the Gaussian and Taylor approximation of E[log(a + n)], TNW06 (17), against the exact value.

n is a sum of N independent Bernoulli variables of probability g. The left panel shows the error against N for some g at
a = 0.1, the right panel for some priors a at g = 0.3. Paler lines show the error of CVB0, which takes log(a + E[n]).
The script writes taylor_error.csv and taylor_error.png.
"""

import csv
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from lda_reference import bernoulli
from lda_reference.algorithms.cvb import mean_and_variance, second_order_log

HERE = Path(__file__).parent
SIZES = np.unique(np.geomspace(1, 10_000, 60).astype(int))
PROBABILITIES, PRIORS = (0.01, 0.1, 0.3, 0.9), (0.01, 0.1, 1.0, 10.0)
COLOURS, STYLES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7"), ("-", "--", "-.", ":")


def errors(N, g, a):
    """The errors to second order (cvb) and to zeroth order (cvb0), in nats."""
    one = np.array([g])
    exact = bernoulli.mean_log(np.asarray(a), N * bernoulli.statistic(one))[0]
    return second_order_log(a, N * mean_and_variance(one, None))[0] - exact, np.log(a + N * g) - exact


def main():
    rows = []
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True, layout="constrained")
    left, right = [(g, 0.1) for g in PROBABILITIES], [(0.3, a) for a in PRIORS]
    for axis, cases, label in ((axes[0], left, "g = {0:g}"), (axes[1], right, "a = {1:g}")):
        for (g, a), colour, style in zip(cases, COLOURS, STYLES, strict=True):
            both = np.array([errors(N, g, a) for N in SIZES])
            axis.plot(SIZES, np.abs(both[:, 0]), color=colour, linestyle=style, label=label.format(g, a))
            axis.plot(SIZES, np.abs(both[:, 1]), color=colour, linestyle=style, alpha=0.35, linewidth=1)
            rows += [[N, g, a, f"{x:.6g}", f"{y:.6g}"] for N, (x, y) in zip(SIZES, both, strict=True)]
        axis.set(xscale="log", yscale="log", xlabel="number of terms N", ylim=(1e-12, 1e3))
        axis.grid(alpha=0.3)
        axis.legend(frameon=False)
    axes[0].set(ylabel="error of E log(a + n), nats", title="a = 0.1")
    axes[1].set(title="g = 0.3")
    figure.suptitle("Second order, TNW06 (17), and, pale, zeroth order, AWST09 (13)")
    figure.savefig(HERE / "taylor_error.png", dpi=130)
    with open(HERE / "taylor_error.csv", "w", newline="") as out:
        table = csv.writer(out)
        table.writerow(["N", "g", "a", "error_second_order", "error_zeroth_order"])
        table.writerows(rows)


if __name__ == "__main__":
    main()
