"""The bounds of VB and CVB against the exact evidence from 10 to 1,000 tokens, and against an interval for it on KOS.

    python -m figures.evidence.runs [--quick] [--draw] [gaps] [kos]

A sum over tables of counts (`lda_reference/truth/tables.py`) gives log p(x) of corpora that enumeration cannot reach.
They are drawn from the model with two topics and two words, and grow in two ways: by longer documents (ten of them), or
by more documents (of ten tokens). For each corpus every algorithm has ten starts, a run ends by the rule of
`lda_reference.evaluation.search`, and the highest training bound counts. (The runs in the CSV files that are kept here
ended where their bound stood still: where it changed by less than 1e-5 nats per token and sweep.) The gap is log p(x)
minus that bound: VB's TNW06 (2) for vb, and the collapsed bound (12) for all. A bound is for one numbering of the
topics, so each gap has a part of log 2 where the posterior has two equal modes far apart.

evidence/gaps.csv has a line for each corpus and algorithm; evidence/gaps.png is the picture. It takes an hour.

Part `estimates` has what is no bound for the same corpora: the mean weight of annealed importance sampling, and the
evidence of expectation propagation from three starts (evidence/estimates.csv and .png).

Part `kos` has K = 10 and priors of 0.1, for the first 60 documents and for all. evidence/kos.csv has the best bound of
five runs for each algorithm, schedule and start: of vb its own, TNW06 (2), of all others (12) at their gamma, which
is a bound at any gamma. (`map` has priors of 1.1, whose modes have counts + 0.1.) A sampler has no bound; its lines
are the intervals of annealed importance sampling (`lda_reference/truth/annealed.py`) for log p(x). They hold with 95%
if the chains at which the backward runs begin have converged. These begin at the ends of the forward runs and take 50
sweeps of collapsed Gibbs sampling. Expectation propagation and exact CVB are left out: the first keeps M W K numbers,
the second takes more than 100 times as long. All of KOS takes some hours.
"""

import numpy as np

import lda_reference as lda
from figures.common import COLOURS, corpus, options, read, run_jobs, there
from figures.style import plt
from lda_reference.algorithms import ep_evidence
from lda_reference.evaluation import search
from lda_reference.fitting import sweep_rng
from lda_reference.truth import annealed, weights

K = W = 2
SIZES, QUICK_SIZES = (10, 20, 50, 100, 200, 500, 1000), (10, 50)
PRIORS = (0.1, 0.5, 1.0)
CORPORA, STARTS = 5, 10
ALGORITHMS = (("vb", "corpus"), ("vb", "nested"), ("cvb", "token"), ("cvb_exact", "token"), ("cvb0", "token"))
GAPS = ["growth", "tokens", "prior", "corpus", "algorithm", "schedule", "log_evidence", "bound_2", "bound_12"]


def drawn(growth, tokens, prior, seed):
    lengths = [tokens // 10] * 10 if growth == "longer documents" else [10] * (tokens // 10)
    rng = np.random.default_rng([seed, tokens, int(100 * prior)])
    return lda.synthetic.draw(rng, lengths, K, W, lda.Prior(prior, prior)).corpus.types()


def gaps(growth, tokens, prior, seed):
    """The evidence of a corpus, and the best bounds of each algorithm from ten Dirichlet starts."""
    c, p = drawn(growth, tokens, prior, seed), lda.Prior(prior, prior)
    exact, lines = lda.exact.log_evidence(c, K, p), []
    for name, schedule in ALGORITHMS:
        A = lda.ALGORITHMS[name]
        states = search.started(A, c, K, p, "dirichlet", range(STARTS))
        ends = [end.state for end in search.until_settled(A, states, c, p, schedule)]
        best = [max(float(lda.ALGORITHMS[x].bound(s, c, p)) for s in ends) for x in ("vb", "cvb")]
        lines.append([growth, tokens, prior, seed, name, schedule, exact, *best])
    return lines


ESTIMATES = [*GAPS[:4], "what", "run", "log_evidence", "estimate"]
TEMPERATURES, RUNS, EP_SWEEPS = 100, 8, 100


def estimates(growth, tokens, prior, seed):
    """Estimates that are no bounds: annealed importance sampling, and three runs of EP ("" where it has none)."""
    c, p = drawn(growth, tokens, prior, seed), lda.Prior(prior, prior)
    job = [growth, tokens, prior, seed]
    exact = lda.exact.log_evidence(c, K, p)
    runs = annealed.forwards(c, K, p, np.arange(TEMPERATURES + 1) / TEMPERATURES, sweep_rng(seed, 0), RUNS)
    lines = [[*job, "annealed", "all", exact, weights.log_mean(runs.log_w)[0]]]
    EP = lda.ALGORITHMS["ep"]
    for run in range(3):
        s = EP.init(c, K, p, rng=sweep_rng(seed, run + 1))
        for _ in range(EP_SWEEPS):
            s = EP.sweep(s, c, p)
        try:
            found = float(ep_evidence.log_evidence(s, c, p))
        except ValueError:  # a cavity is improper, and EP has no evidence
            found = ""
        lines.append([*job, "ep", run, exact, found])
    return lines


KOS = ["corpus", "documents", "what", "schedule", "start", "tokens", "lower", "upper", "of"]
KOS_RUNS = (("vb", "corpus", "dirichlet"), ("vb", "nested", "dirichlet"), ("vb", "corpus", "growing"),
            ("vb", "nested", "growing"), ("cvb", "corpus", "dirichlet"), ("cvb", "block", "growing"),
            ("cvb0", "corpus", "dirichlet"), ("cvb0", "block", "growing"), ("tcvb0", "corpus", "dirichlet"),
            ("cvb1d", "corpus", "dirichlet"), ("map", "corpus", "dirichlet"), ("ml", "corpus", "dirichlet"),
            ("vem", "corpus", "dirichlet"), ("vb", "corpus", "ends of cvb0"))  # fmt: skip
PATHS = {"cgs": annealed.COLLAPSED, "gibbs": annealed.UNCOLLAPSED}


def kos(name, documents, what, schedule, start):
    """A line: the best bound of an algorithm, or the interval of annealed importance sampling along a path."""
    c, p, number = corpus(name), lda.Prior(0.1, 0.1), 10
    rows = c.j < documents
    c = lda.Corpus(c.j[rows], c.w[rows], c.n[rows], documents, c.W)
    line = [name, documents, what, schedule, start, c.N]
    if what.startswith("annealed"):
        path, steps, sweeps = PATHS[what.split()[1]], int(schedule.split()[0]), int(start.split()[0])
        b, runs = np.arange(steps + 1) / steps, 4 if c.N < 100_000 else 2
        down = annealed.forwards(c, number, p, b, sweep_rng(0, 0), runs, path)
        cgs, rng = lda.ALGORITHMS["cgs"], sweep_rng(0, 1)
        s = cgs.init(c, number, p, z=down.z)
        for _ in range(sweeps):
            s = cgs.sweep(s, c, p, rng=rng)
        found = weights.interval(down, annealed.backwards(c, number, p, b, sweep_rng(0, 2), s.z, path=path))
        return [[*line, found.lower, found.upper, runs]]
    A, of = lda.ALGORITHMS[what], lda.ALGORITHMS["cvb" if what in ("ml", "map", "vem") else what].bound
    prior = p if what != "map" else lda.Prior(1.1, 1.1)  # its modes are those of counts + 0.1
    if start == "ends of cvb0":
        runs = [(x, order, first) for x, order, first in KOS_RUNS if x == "cvb0"]
        begun = [A.init(c, number, p, gamma=s.gamma) for x in runs for s in ends(*x, c, number, p)]
    else:
        begun = search.started(A, c, number, prior, start, range(5))
    best = max(float(of(x.state, c, p)) for x in search.until_settled(A, begun, c, prior, schedule))
    return [[*line, best, "", len(begun)]]


def ends(name, schedule, start, c, number, p):
    """The states in which five runs end."""
    A = lda.ALGORITHMS[name]
    return [x.state for x in search.until_settled(A, search.started(A, c, number, p, start, range(5)), c, p, schedule)]


def kos_jobs(quick):
    if quick:
        yield from (("drawn", 20, f"annealed {x}", "20 temperatures", "10 sweeps") for x in PATHS)
        yield from (("drawn", 20, *x) for x in KOS_RUNS[-1:])
        return
    annealing = {3430: (("gibbs", 1000),), 60: (("cgs", 240), ("gibbs", 2000))}
    for documents, paths in annealing.items():
        yield from (("kos", documents, f"annealed {x}", f"{T} temperatures", "50 sweeps") for x, T in paths)
        yield from (("kos", documents, *x) for x in KOS_RUNS)


def jobs(quick):
    for tokens in QUICK_SIZES if quick else SIZES:
        for growth in ("longer documents", "more documents"):
            for prior in PRIORS[1:2] if quick else PRIORS:
                yield from ((growth, tokens, prior, seed) for seed in range(2 if quick else CORPORA))


def mean_gaps(lines, growth, prior, name, schedule, bound):
    """The mean gap over corpora by the number of tokens: two lists."""
    found: dict[int, list[float]] = {}
    for x in lines:
        if (x["growth"], x["prior"], x["algorithm"], x["schedule"]) == (growth, prior, name, schedule):
            found.setdefault(int(x["tokens"]), []).append(float(x["log_evidence"]) - float(x[bound]))
    return sorted(found), [float(np.mean(found[n])) for n in sorted(found)]


def growth_of_gaps(lines):
    """How the gaps grow from 50 tokens on: by a factor of ten of the tokens, and by a hundred tokens."""
    print("from 50 tokens on, gap in nats: for ten times the tokens in ten documents; for 100 tokens in more documents")
    for prior in sorted({x["prior"] for x in lines}):
        for name, schedule, bound, _ in KINDS:
            slopes = []
            for growth, scale in (("longer documents", np.log10), ("more documents", lambda n: n / 100)):
                sizes, gap = mean_gaps(lines, growth, prior, name, schedule, bound)
                large = np.array(sizes) >= 50
                x, y = scale(np.array(sizes, float)[large]), np.array(gap)[large]
                slopes.append(np.polyfit(x, y, 1)[0] if large.sum() > 1 else np.nan)
            print(f"priors {prior:4} {name:10}{schedule:7}{bound:9}{slopes[0]:8.2f}{slopes[1]:8.2f}")


KINDS = [("vb", "corpus", "bound_2", ":"), ("vb", "nested", "bound_2", "-"), ("vb", "nested", "bound_12", "--"),
         ("cvb", "token", "bound_12", "-"), ("cvb_exact", "token", "bound_12", "-"),
         ("cvb0", "token", "bound_12", "-")]  # fmt: skip


def picture_of_estimates(out):
    """log p(x) minus each estimate. A run of EP without an estimate is left out, and counted in print."""
    lines = read(out / "evidence/estimates.csv")
    if not lines:
        return
    growths, priors = (sorted({x[name] for x in lines}) for name in ("growth", "prior"))
    figure, axes = plt.subplots(len(growths), len(priors), figsize=(3.2 * len(priors) + 1.4, 2.9 * len(growths)),
                                sharex=True, layout="constrained", squeeze=False)  # fmt: skip
    print("estimates: the mean of log p(x) minus the estimate, and the largest, from 10 tokens to the most")
    for row, growth in zip(axes, growths, strict=True):
        for axis, prior in zip(row, priors, strict=True):
            for what, mark, shift in (("annealed", "o", 0.93), ("ep", "x", 1.07)):
                mine = [x for x in lines if (x["growth"], x["prior"], x["what"]) == (growth, prior, what)]
                found = [x for x in mine if x["estimate"]]
                n = np.array([float(x["tokens"]) for x in found])
                off = np.array([float(x["log_evidence"]) - float(x["estimate"]) for x in found])
                axis.plot(shift * n, off, mark, markersize=4, alpha=0.6, label=what, fillstyle="none")
                means = ", ".join(f"{size:.0f}: {off[n == size].mean():.2f}" for size in np.unique(n))
                largest, without = np.abs(off).max(), len(mine) - len(found)
                print(f"{growth}, priors {prior:4} {what:9} {means}; largest {largest:.1f}; {without} without")
            axis.axhline(np.log(2), color="black", linewidth=0.6)
            axis.set(xscale="log", title=f"{growth}, priors {prior}")
    figure.supxlabel("tokens")
    figure.supylabel("log p(x) minus the estimate, nats (line: log 2)")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", frameon=False)
    figure.savefig(out / "evidence/estimates.png", dpi=130)
    plt.close(figure)


def picture(out):
    lines = read(out / "evidence/gaps.csv")
    if not lines:
        return
    growth_of_gaps(lines)
    growths, priors = (sorted({x[name] for x in lines}) for name in ("growth", "prior"))
    figure, axes = plt.subplots(len(growths), len(priors), figsize=(3.4 * len(priors) + 1.4, 3.1 * len(growths)),
                                sharex=True, layout="constrained", squeeze=False)  # fmt: skip
    for row, growth in zip(axes, growths, strict=True):
        for axis, prior in zip(row, priors, strict=True):
            for name, schedule, bound, style in KINDS:
                label = f"{name} {schedule}, {'(2)' if bound == 'bound_2' else '(12)'}"
                axis.plot(*mean_gaps(lines, growth, prior, name, schedule, bound), style, marker="o", markersize=3,
                          color=COLOURS[name], label=label)  # fmt: skip
            axis.axhline(np.log(2), color="black", linewidth=0.6)
            axis.set(xscale="log", title=f"{growth}, priors {prior}")
            axis.grid(alpha=0.3)
    figure.supxlabel("tokens")
    figure.supylabel("log p(x) minus the best bound, nats")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", frameon=False)
    figure.savefig(out / "evidence/gaps.png", dpi=130)


def table_of_kos(out):
    """Every bound in nats a token, highest first, and at most how far log p(x) is above it."""
    lines = read(out / "evidence/kos.csv")
    for documents in sorted({int(x["documents"]) for x in lines}):
        mine = [x for x in lines if int(x["documents"]) == documents]
        uppers = [float(x["upper"]) for x in mine if x["upper"]]
        if not uppers:
            continue
        tokens, upper = int(mine[0]["tokens"]), min(uppers)
        size = f"{mine[0]['corpus']}, {documents} documents, {tokens} tokens, K = 10"
        print(f"{size}: log p(x) is below {upper / tokens:.4f} a token")
        for x in sorted(mine, key=lambda x: -float(x["lower"])):
            bound = float(x["lower"]) / tokens
            name = f"{x['what']:15}  {x['schedule']:17}  {x['start']:12}"
            print(f"{name}  above {bound:8.4f}, by at most {upper / tokens - bound:.4f}")


def main():
    chosen = options(__doc__, ["gaps", "estimates", "kos"])
    if "gaps" in chosen.names and not chosen.draw:
        run_jobs(chosen.out / "evidence/gaps.csv", GAPS, jobs(chosen.quick), gaps, chosen.processes, keys=4)
    if "estimates" in chosen.names and not chosen.draw:
        todo = jobs(chosen.quick)
        run_jobs(chosen.out / "evidence/estimates.csv", ESTIMATES, todo, estimates, chosen.processes, keys=4)
    if "kos" in chosen.names and not chosen.draw:
        todo = [job for job in kos_jobs(chosen.quick) if there(job[0])]
        run_jobs(chosen.out / "evidence/kos.csv", KOS, todo, kos, chosen.processes, keys=5)
    picture(chosen.out)
    picture_of_estimates(chosen.out)
    table_of_kos(chosen.out)


if __name__ == "__main__":
    main()
