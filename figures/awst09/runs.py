"""AWST09 §4: the perplexities of smoothed algorithms, by their priors, starts and schedules.

    python -m figures.awst09.runs [--quick] [--draw] [PART ...]

Perplexities are by completion, as in the paper: a run learns from training documents, theta of a test document is
folded in from half of its tokens, and the other half is predicted. A run ends where its bound stands still, which is
where it changes by less than 1e-5 nats per token and sweep, or after 200 sweeps (`nested`: 100; in other schedules at
alpha = eta = 0.1: 500). vb, cvb and cvb0 all stop by VB's bound TNW06 (2) at their gamma, which costs a thirtieth of
(12), map and ml by their objective. CGS has 100 sweeps and gives one sample. Most parts run on 400 documents of KOS,
because many runs of each algorithm are needed to tell the algorithm from its search; they have as many tokens as six
tenths of the paper's Cranfield. `whole` has some runs on all of KOS.

The parts, the most important ones first: `central`, the same prior for all and Minka's update, and VB from the ends of
CVB0; `eta`, alpha = 0.5 and a row of eta; `whole`, KOS; `modes`, averages over ends; `corpora`, Minka's update on other
corpora, with a ranking of 20 Newsgroups by class; `topics`, several K; `grid`, nine points of the paper's grid;
`samples`, averages over samples; `doubts`, runs that may overturn a verdict; `more`, other ways of smoothing VB and ML,
and the slow algorithms; `ranking`, 20 Newsgroups at the best points of a grid, also by CGS; `half`, half of Cranfield;
`eta-160`, 160 topics. `ranking` and `half` have to run twice, because the first seeds choose the point of the others.

awst09/runs.csv has a line for each run and estimate and, for Fig. 2, for some sweeps on the way; awst09/averages.csv
has the averages. Each part takes from some minutes to some hours of one core.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import lda_reference as lda
from figures.awst09.lines import GRID, at_prior, ends
from figures.awst09.pictures import draw
from figures.awst09.sweeps import AVERAGE_COLUMNS, MAIN, RUN_COLUMNS, K, averages, run
from figures.common import keyed, numbers, options, read, run_jobs, shifted, there

VB = (("vb", "corpus"), ("vb", "nested"))
CVB0 = (("cvb0", "corpus"), ("cvb0", "block"))
ETAS = (0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0)


def job(study_name, K, A_name, schedule, start_name, seed, setting="fixed", alpha=0.1, eta=0.1):
    """A run with the algorithm's offset added to a fixed prior. Minka's update begins at 0.5, 0.5 (AWST09 §4.1)."""
    if setting == "minka":
        alpha = eta = 0.5
    p = shifted(lda.ALGORITHMS[A_name], alpha, eta) if setting == "fixed" else lda.Prior(alpha, eta)
    return study_name, K, A_name, schedule, start_name, seed, setting, float(p.alpha), float(p.eta)


def both(study_name, K, A_schedule_pairs, start_name, seeds) -> Iterator[Any]:
    """The same prior for all, and Minka's update where there is one."""
    for setting in ("fixed", "minka"):
        for seed in seeds:
            for A_name, schedule in A_schedule_pairs:
                if setting == "fixed" or A_name not in ("map", "ml"):
                    yield job(study_name, K, A_name, schedule, start_name, seed, setting)


def central(study, K, seeds):
    slow_pairs = [VB[1], ("cvb", "corpus")]
    jobs_of_seeds = [[*both(study, K, [VB[0], CVB0[0], ("map", "corpus")], "dirichlet", [seed]),
             *both(study, K, VB[:1], "cvb0", [seed])] for seed in seeds]  # fmt: skip
    yield from (job_values for seed_jobs in jobs_of_seeds for job_values in seed_jobs if job_values[6] == "fixed")
    yield from (job_values for job_values in both(study, K, slow_pairs, "dirichlet", seeds) if job_values[6] == "fixed")
    yield from (job_values for seed_jobs in jobs_of_seeds for job_values in seed_jobs if job_values[6] == "minka")
    yield from both(study, K, slow_pairs, "dirichlet", seeds[:1])


def more_ways(study_name, K, seeds):
    """More seeds; CVB0 in blocks; VB learned at 0.6, used at 0.1 (AWST09 §3.2); tempered ML; what is slow."""
    yield from both(study_name, K, [("cvb", "corpus"), VB[1]], "dirichlet", seeds)
    yield from both(study_name, K, CVB0[1:], "dirichlet", seeds)
    for seed in seeds:
        yield study_name, K, "vb", "corpus", "dirichlet", seed, "raised", 0.6, 0.6
        yield study_name, K, "vb", "corpus", "cvb0", seed, "raised", 0.6, 0.6
        yield study_name, K, *VB[1], "dirichlet", seed, "raised", 0.6, 0.6
        for power in (0.7, 0.8, 0.9, 1.0):
            yield study_name, K, "ml", "corpus", "dirichlet", seed, "fixed", power, 0.1
    for seed in seeds:
        yield job(study_name, K, "cgs", "token", "one-hot", seed, "minka")
        yield from grid_row(study_name, K, [seed], 0.5, ETAS, [VB[1], ("cvb", "corpus")])


def grid_row(study_name, K, seeds, alpha, etas, A_schedule_pairs=(VB[0], CVB0[0], ("map", "corpus"))):
    """A row of the grid: alpha is fixed."""
    for seed in seeds:
        for eta in etas:
            for A_name, schedule in A_schedule_pairs:
                yield job(study_name, K, A_name, schedule, "dirichlet", seed, "fixed", alpha, eta)


def doubts(study_name, K, seeds):
    """Other starts, schedules and K, priors beyond the grid, and Minka's update from another prior."""
    for seed in seeds:
        for alpha, eta in ((0.75, 0.5), (1.0, 0.5), (0.5, 0.75), (0.75, 0.75), (0.25, 1.0)):  # where (16) is best
            yield job(study_name, K, *VB[0], "dirichlet", seed, "fixed", alpha, eta)
        for alpha, eta in ((0.1, 0.01), (0.01, 0.1)):  # where CVB0 is best
            for A_and_schedule in (VB[0], CVB0[0], ("map", "corpus")):
                yield job(study_name, K, *A_and_schedule, "dirichlet", seed, "fixed", alpha, eta)
        yield job(study_name, K, "cvb", "corpus", "dirichlet", seed, "fixed", 0.1, 0.01)
        yield job(study_name, K, "cvb", "corpus", "cvb0", seed)
        for A_and_schedule in (VB[0], CVB0[0], VB[1], ("cvb", "corpus")):
            yield study_name, K, *A_and_schedule, "dirichlet", seed, "minka", 0.1, 0.1
        for n_topics in (2 * K, 4 * K):
            yield job(study_name, n_topics, "cvb0", "corpus", "dirichlet", seed, "minka alpha", 0.5, 0.13)
        yield from grid_row(study_name, K, [seed], 0.5, ETAS, VB[1:])
    for seed in seeds[:2]:
        for alpha, eta in ((0.1, 0.1), (0.5, 0.1), (0.1, 0.5)):
            for A_and_schedule in (VB[0], CVB0[0], ("cvb", "corpus")):
                yield job("20news-1500", 10, *A_and_schedule, "dirichlet", seed, "fixed", alpha, eta)
    for seed in seeds:
        yield from both(study_name, K, [("cvb0", "token")], "dirichlet", [seed])


def corpora(seeds, A_schedule_pairs):
    for seed in seeds:
        for study_name in ("cranfield", "20news-1500", "nips-200"):
            for A_and_schedule in A_schedule_pairs:
                yield job(study_name, K, *A_and_schedule, "dirichlet", seed, "minka")


def of_whole(study, seeds):
    for setting in ("fixed", "minka"):
        for seed in seeds:
            jobs = [*both(study, K, [CVB0[0], VB[0]], "dirichlet", [seed]), *both(study, K, VB[:1], "cvb0", [seed]),
                    *both(study, K, [("map", "corpus")], "dirichlet", [seed])]  # fmt: skip
            yield from (job_values for job_values in jobs if job_values[6] == setting)


def topics(study, K_list, seeds, csv_path):
    """Fig. 4, and CVB0 with the largest K at the eta that it learns with half as many topics."""
    for seed in seeds:
        for n_topics in K_list:
            for A_name, schedule in (VB[0], CVB0[0]):
                yield job(study, n_topics, A_name, schedule, "dirichlet", seed, "minka")
    learned_etas = [float(x["last_eta"]) for x in read(csv_path) if x["study"] == study and x["algorithm"] == "cvb0" and
               x["setting"] == "minka" and int(x["K"]) == K_list[-1] // 2 and x["at"].startswith("end")]  # fmt: skip
    if learned_etas:
        for seed in seeds:
            eta = round(float(np.median(learned_etas)), 2)
            yield job(study, K_list[-1], "cvb0", "corpus", "dirichlet", seed, "minka alpha", 0.5, eta)


def chosen(study, K, pair, start_name, grid_points, csv_path, estimators=("mean", "own")):
    """Two seeds at each point of a grid, and then six more where their mean validation perplexity is least."""
    for prior in grid_points:
        yield from (job(study, K, *pair, start_name, seed, "fixed", *prior) for seed in range(2))
    where = {"study": study, "K": K, "algorithm": pair[0], "schedule": pair[1], "setting": "fixed", "start": start_name}
    lines_of_two_seeds = ends(csv_path, **where, estimator=estimators, seed=("0", "1"))
    groups = keyed(lines_of_two_seeds, lambda x: (at_prior(x), x["estimator"]))
    if {prior for prior, _ in groups} == set(grid_points) and all(len(lines) == 2 for lines in groups.values()):
        best_prior, _ = min(groups, key=lambda x: numbers(groups[x], "validation").mean())
        yield from (job(study, K, *pair, start_name, seed, "fixed", *best_prior) for seed in range(2, 8))


def eta_160(study):
    """CVB0 with many topics, with the eta that it learns and with 0.13."""
    for seed in range(8):
        yield from (job(study, k, "cvb0", "corpus", "dirichlet", seed, "minka") for k in (160, 80))
        yield from (job(study, k, "cvb0", "corpus", "dirichlet", seed, "minka alpha", 0.5, 0.13) for k in (160, 80))


def jobs_of(part_name, is_quick, csv_path) -> Iterator[Any]:
    study_name, k, seeds = ("drawn", 8, range(2)) if is_quick else (MAIN, K, range(8))
    if part_name == "central":
        yield from central(study_name, k, seeds)
    if part_name == "eta":
        yield from grid_row(study_name, k, seeds, 0.5, (0.05, 0.25, 1.0) if is_quick else ETAS)
    if part_name == "topics":
        yield from topics(study_name, (4, 8) if is_quick else (10, 80, 160), seeds if is_quick else range(1), csv_path)
    if part_name == "more":
        yield from more_ways(study_name, k, seeds)
    if part_name == "grid" and not is_quick:
        for alpha in GRID:
            yield from grid_row(study_name, k, seeds, alpha, GRID, [*VB, CVB0[0], ("map", "corpus"), ("cvb", "corpus")])
    if part_name == "doubts" and not is_quick:
        yield from doubts(study_name, k, seeds[:3])
    if part_name == "corpora" and not is_quick:
        yield from corpora(range(1), [VB[0], CVB0[0]])
    if part_name == "ranking" and not is_quick:
        for pair in (VB[0], CVB0[0], ("cgs", "interleaved"), ("cvb", "corpus")):
            start_name = "one-hot" if pair[0] == "cgs" else "dirichlet"
            yield from chosen("20news-1500", 10, pair, start_name, [(0.1, 0.1), (0.1, 0.5), (0.5, 0.1)], csv_path)
    if part_name == "half" and not is_quick:
        for pair in (VB[0], ("cvb", "corpus")):
            grid_points = [(alpha, eta) for alpha in GRID for eta in GRID]
            yield from chosen("cranfield-490", K, pair, "dirichlet", grid_points, csv_path, ("mean", "digamma", "own"))
    if part_name == "eta-160" and not is_quick:
        yield from eta_160(study_name)
    if part_name == "whole" and not is_quick:
        yield from of_whole("kos", range(1))


AVERAGED = {"modes": [CVB0[0], VB[0]], "samples": [("cgs", "token")]}


def main():
    parts = ["central", "eta", "whole", "modes", "corpora", "topics", "grid", "samples", "doubts", "more", "ranking",
             "half", "eta-160"]  # fmt: skip
    opts = options(__doc__, parts)
    csv_path = opts.out / "awst09/runs.csv"
    for part_name in [] if opts.draw else opts.names:
        if part_name in AVERAGED:
            study, k, n_runs = ("drawn", 8, 3) if opts.quick else (MAIN, K, 10)
            todo_jobs = [(study, k, *A_and_schedule, n_runs) for A_and_schedule in AVERAGED[part_name] if there(study)]
            run_jobs(opts.out / "awst09/averages.csv", AVERAGE_COLUMNS, todo_jobs, averages, opts.processes, keys=5)
        else:
            todo_jobs = [job_values for job_values in jobs_of(part_name, opts.quick, csv_path) if there(job_values[0])]
            run_jobs(csv_path, RUN_COLUMNS, todo_jobs, run, opts.processes, keys=9)
    draw(opts.out)


if __name__ == "__main__":
    main()
