"""The evidence of KOS: the best bounds of the algorithms, and an interval for log p(x).

    python -m figures.evidence.runs [--quick]

K is 10, all priors are 0.1, and the corpora are the first 60 documents of KOS and all of them. kos.csv has the best
bound of five runs for each algorithm, schedule and start: of vb its own, TNW06 (2), of all others (12) at their gamma,
which is a bound at any gamma. (`map` has priors of 1.1, whose modes have counts + 0.1.) The runs that are kept ended
where their bound stood still: where it changed by less than 1e-5 nats per token and sweep. Chapter 14 shows the file.

A sampler has no bound; its lines are the intervals of annealed importance sampling (`lda_reference/truth/annealed.py`)
for log p(x). They hold with 95% if the chains at which the backward runs begin have converged. These begin at the ends
of the forward runs and take 50 sweeps of collapsed Gibbs sampling. Expectation propagation and exact CVB are left out:
the first keeps M W K numbers, the second takes more than 100 times as long. All of KOS takes some hours.
"""

import numpy as np

import lda_reference as lda
from figures.common import Part, corpus, part, run_study
from lda_reference.evaluation import search
from lda_reference.fitting import sweep_rng
from lda_reference.truth import annealed, weights

KOS_COLUMNS = ["corpus", "documents", "what", "schedule", "start", "tokens", "lower", "upper", "of"]
KOS_RUNS = (("vb", "corpus", "dirichlet"), ("vb", "nested", "dirichlet"), ("vb", "corpus", "growing"),
            ("vb", "nested", "growing"), ("cvb", "corpus", "dirichlet"), ("cvb", "block", "growing"),
            ("cvb0", "corpus", "dirichlet"), ("cvb0", "block", "growing"), ("tcvb0", "corpus", "dirichlet"),
            ("cvb1d", "corpus", "dirichlet"), ("map", "corpus", "dirichlet"), ("ml", "corpus", "dirichlet"),
            ("vem", "corpus", "dirichlet"), ("vb", "corpus", "ends of cvb0"))  # fmt: skip
PATHS = {"cgs": annealed.COLLAPSED, "gibbs": annealed.UNCOLLAPSED}


def kos(corpus_name, n_documents, method, schedule, start):
    """A line: the best bound of an algorithm, or the interval of annealed importance sampling along a path."""
    c, p, K = corpus(corpus_name), lda.Prior(0.1, 0.1), 10
    c = part(c, np.arange(n_documents))
    key_columns = [corpus_name, n_documents, method, schedule, start, c.N]
    if method.startswith("annealed"):
        ais_path, n_steps, sweeps = PATHS[method.split()[1]], int(schedule.split()[0]), int(start.split()[0])
        b, n_runs = np.arange(n_steps + 1) / n_steps, 4 if c.N < 100_000 else 2
        forward_runs = annealed.forwards(c, K, p, b, sweep_rng(0, 0), n_runs, ais_path)
        cgs_algorithm, rng = lda.ALGORITHMS["cgs"], sweep_rng(0, 1)
        s = cgs_algorithm.init(c, K, p, z=forward_runs.z)
        for _ in range(sweeps):
            s = cgs_algorithm.sweep(s, c, p, rng=rng)
        interval = weights.interval(forward_runs, annealed.backwards(c, K, p, b, sweep_rng(0, 2), s.z, path=ais_path))
        return [[*key_columns, interval.lower, interval.upper, n_runs]]
    A, bound = lda.ALGORITHMS[method], lda.ALGORITHMS["cvb" if method in ("ml", "map", "vem") else method].bound
    prior = p if method != "map" else lda.Prior(1.1, 1.1)  # its modes are those of counts + 0.1
    if start == "ends of cvb0":
        start_states = []
        for _, schedule_of_cvb0, start_of_cvb0 in (kos_run for kos_run in KOS_RUNS if kos_run[0] == "cvb0"):
            states = search.started(lda.ALGORITHMS["cvb0"], c, K, p, start_of_cvb0, range(5))
            ends = search.until_settled(lda.ALGORITHMS["cvb0"], states, c, p, schedule_of_cvb0)
            start_states += [A.init(c, K, p, gamma=end.state.gamma) for end in ends]
    else:
        start_states = search.started(A, c, K, prior, start, range(5))
    best_bound = max(float(bound(end.state, c, p)) for end in search.until_settled(A, start_states, c, prior, schedule))
    return [[*key_columns, best_bound, "", len(start_states)]]


def kos_jobs(quick):
    if quick:
        yield from (("drawn", 20, f"annealed {path}", "20 temperatures", "10 sweeps") for path in PATHS)
        yield from (("drawn", 20, *kos_run) for kos_run in KOS_RUNS[-1:])
        return
    annealings_of_size = {3430: (("gibbs", 1000),), 60: (("cgs", 240), ("gibbs", 2000))}
    for n_documents, paths in annealings_of_size.items():
        yield from (("kos", n_documents, f"annealed {path}", f"{T} temperatures", "50 sweeps") for path, T in paths)
        yield from (("kos", n_documents, *kos_run) for kos_run in KOS_RUNS)


PARTS = {"kos": Part("evidence/kos.csv", KOS_COLUMNS, kos_jobs, kos, 5)}

if __name__ == "__main__":
    run_study(__doc__, PARTS)
