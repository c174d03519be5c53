"""Is it search? The experiment of search/protocol.md: objectives crossed with searches, at equal CPU time.

    python -m figures.search.experiment [--quick] [corpora ...]

search/experiment.csv has a line for each run. `arm` is where the run came from, `sweeps` the number of sweeps of the
objective after it, and `cpu` the CPU time of both, in seconds. `value` is the objective's own bound, `bound_2` VB's and
`bound_12` the collapsed one at the same gamma, in nats per token. `moved` is the mean total variation of gamma in the
last sweep. The token probabilities go to search/ends/, which is not kept; a line with the seed `mean` has the
perplexity of their average over the seeds. search/priors.csv has the validated priors. Many hours.
"""

import time
from collections.abc import Callable
from functools import cache
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np

import lda_reference as lda
from figures.awst09 import data as awst09_data
from figures.common import HERE, both_bounds, corpus, options, read, run_jobs, select, shifted, there, with_words, write
from lda_reference.engine import soft, starts
from lda_reference.evaluation import prediction
from lda_reference.fitting import sweep_rng

PRIOR = lda.Prior(0.1, 0.1)
COLUMNS = ["corpus", "K", "split", "seed", "group", "objective", "schedule", "arm", "sweeps", "cpu", "value", "bound_2",
           "bound_12", "moved", "perplexity"]  # fmt: skip
N_KEYS = 5
PRIOR_COLUMNS = ["corpus", "K", "objective", "alpha", "eta", "perplexity"]
GRID = list(product((0.02, 0.1, 0.3, 1.0), repeat=2))  # alpha and eta, from which the validated priors are chosen


class Study(NamedTuple):
    K: int
    splits: int
    seeds: int


STUDIES = {
    "r8": Study(8, 5, 5), "cranfield": Study(10, 5, 5), "20news-1500": Study(20, 5, 5), "kos": Study(10, 5, 2),
    "reuters-2500": Study(20, 5, 2), "nips": Study(40, 5, 2), "bars": Study(10, 2, 2),
}  # fmt: skip
WITH_CVB = ("kos", "r8", "cranfield", "bars")
ANNEAL_SWEEPS, LAST_SWEEPS = 300, 20  # sweeps in `corpus` order with falling priors; in the order of the objective
TOP_P, LONGER_SWEEPS = 2.0, 800  # the prior numbers at first; sweeps of the longer search
WIDE = lda.Prior(1.0, 0.5)
SAMPLED_SWEEPS, FALLING_SWEEPS = 150, 60  # sweeps with drawn topics; soft sweeps with falling priors
SCHEDULES = {"vb": "nested", "cvb0": "block", "cvb": "block"}


@cache
def documents(study: str) -> lda.Corpus:
    """The documents of a study, before tokens are held out."""
    if study == "cranfield":
        return awst09_data.all_documents(study)
    if study == "20news-1500":
        return lda.split(awst09_data.all_documents("20news"), "documents", 1500 / 11269, sweep_rng(0, 3))[1].types()
    if study == "reuters-2500":
        c = corpus("reuters")
        return lda.split(with_words(c, awst09_data.kept_w(c, 10)), "documents", 0.5, sweep_rng(0, 3))[1]
    return corpus(study)


@cache
def held_out(study: str, split: int) -> tuple[lda.Corpus, lda.Corpus]:
    return lda.split(documents(study), "tokens", 0.1, sweep_rng(split, 0))


# Searches: each gives a first state of an algorithm, and may take CPU time until `half` -------------------------------

Search = Callable[[lda.Algorithm, lda.Corpus, int, lda.Prior, int, float], lda.State]


def started(start_name: str | None) -> Search:
    """From a start by its name."""
    return lambda A, c, K, p, seed, cpu_deadline: A.init(c, K, p, sweep_rng(seed, 0), start=start_name)


def from_end_of(A_name: str, schedule: str) -> Search:
    """From where another algorithm has gone from random rows."""

    def search(A: lda.Algorithm, c: lda.Corpus, K: int, p: lda.Prior, seed: int, cpu_deadline: float) -> lda.State:
        source_A = lda.ALGORITHMS[A_name]
        source_prior = shifted(source_A, p.alpha, p.eta)
        s = source_A.init(c, K, source_prior, sweep_rng(seed, 0))
        while time.process_time() < cpu_deadline:
            s = source_A.sweep(s, c, source_prior, schedule)
        return A.init(c, K, p, gamma=s.gamma)

    return search


def tempered(A: lda.Algorithm, c: lda.Corpus, K: int, p: lda.Prior, seed: int, cpu_deadline: float) -> lda.State:
    """Deterministic annealing (Ueda and Nakano 1998): the update to a power that rises from 0.5 to 1."""
    s = A.init(c, K, p, sweep_rng(seed, 0))
    for sweeps_left in range(ANNEAL_SWEEPS // 2, 0, -1):
        power = 0.5 ** (2 * sweeps_left / ANNEAL_SWEEPS)
        s = A.sweep(s, c, p, "corpus", assignment=lambda gamma_terms, power=power: soft(gamma_terms**power))
    return s


def sampled(A: lda.Algorithm, c: lda.Corpus, K: int, p: lda.Prior, seed: int, cpu_deadline: float) -> lda.State:
    """Sweeps that draw the topics with the prior WIDE, then soft sweeps with priors that fall to p."""
    rng = sweep_rng(seed, 0)
    s = A.init(c, K, WIDE, z=rng.integers(K, size=c.N))
    for _ in range(SAMPLED_SWEEPS):
        s = A.sweep(s, c, WIDE, "corpus", "sample", rng=rng)
    falling_priors = np.geomspace(WIDE.alpha, p.alpha, FALLING_SWEEPS), np.geomspace(WIDE.eta, p.eta, FALLING_SWEEPS)
    return A.annealed(lda.State(s.gamma), c, map(lda.Prior, *falling_priors), "corpus")


def grown(A: lda.Algorithm, c: lda.Corpus, K: int, p: lda.Prior, seed: int, cpu_deadline: float) -> lda.State:
    """As the start `growing`, by the algorithm's own update: ten sweeps of each part in `corpus` order."""
    rng = sweep_rng(seed, 0)
    document_order = rng.permutation(np.flatnonzero(np.bincount(c.j.astype(np.intp))))
    rank_of_j, part_sizes = np.full(c.D, len(document_order)), starts.sizes_of_parts(len(document_order))
    rank_of_j[document_order] = np.arange(len(document_order))
    part_rows = np.flatnonzero((rank_of_j < part_sizes[0]).take(c.j))
    gamma = np.empty((c.M, K))
    gamma[part_rows] = starts.from_dirichlet(starts.corpus_of_rows(part_rows, c), K, p, rng)
    for part_size, next_part_size in pairwise(part_sizes):
        part_rows = np.flatnonzero((rank_of_j < part_size).take(c.j))
        part_corpus = starts.corpus_of_rows(part_rows, c)
        s = A.init(part_corpus, K, p, gamma=gamma[part_rows])
        for _ in range(10):
            s = A.sweep(s, part_corpus, p, "corpus")
        gamma[part_rows] = s.gamma
        phi_wk = A.estimate(s, part_corpus, p)[1]
        part_rows = np.flatnonzero(((part_size <= rank_of_j) & (rank_of_j < next_part_size)).take(c.j))
        gamma[part_rows] = starts.gamma_of_words(phi_wk).take(c.w[part_rows], 0)
    return A.init(c, K, p, gamma=gamma)


ANNEAL = f"anneal:{TOP_P:g}:{ANNEAL_SWEEPS}"
VB_ARMS = {
    "annealed": started(ANNEAL), "random": started(None), "cvb0": from_end_of("cvb0", "block"),
    "tempered": tempered, "own growth": grown, "growing": started("growing"),
    "ml": from_end_of("ml", "corpus"), "map": from_end_of("map", "corpus"),
}  # fmt: skip
CVB0_ARMS = {
    "annealed": started(ANNEAL), "random": started(None), "vb": from_end_of("vb", "nested"),
    "tempered": tempered, "own growth": grown,
}  # fmt: skip
CVB_ARMS = {"annealed": started(f"anneal:{TOP_P:g}:100"), "random": started(None), "cvb0": from_end_of("cvb0", "block")}
TWO_ARMS = {arm: VB_ARMS[arm] for arm in ("annealed", "random")}
GROUPS = {
    "main": [("vb", VB_ARMS), ("cvb0", CVB0_ARMS)],
    "cvb": [("cvb", CVB_ARMS)],
    "sampled": [("vb", {"sampled": sampled})],
    "longer": [("vb", {"longer": started(f"anneal:{TOP_P:g}:{LONGER_SWEEPS}"), "random longer": started(None)})],
    "validated": [("vb", TWO_ARMS), ("cvb0", TWO_ARMS)],
}
ARMS = {"annealed", "random", "cvb0", "vb", "sampled", "longer", "random longer"}  # the other arms are controls
CONTROL_SEEDS = 2  # seeds, on the smaller corpora


def tried(study: str, K: int, objective: str, alpha: float, eta: float) -> list[list[Any]]:
    """The perplexity of validation tokens: a tenth of the training tokens of the first split."""
    c, validation_tokens = lda.split(held_out(study, 0)[0], "tokens", 0.1, sweep_rng(0, 1))
    A, p = lda.ALGORITHMS[objective], lda.Prior(alpha, eta)
    s = A.init(c, K, p, sweep_rng(0, 0))
    for _ in range(LAST_SWEEPS if SCHEDULES[objective] == "nested" else 5 * LAST_SWEEPS):
        s = A.sweep(s, c, p, SCHEDULES[objective])
    return [[study, K, objective, alpha, eta, lda.perplexity(validation_tokens, *A.estimate(s, c, p))]]


@cache
def validated(study: str, objective: str) -> lda.Prior:
    """The prior of the grid with the lowest validation perplexity."""
    prior_lines = select(read(HERE / "search/priors.csv"), corpus=study, objective=objective)
    best_line = min(prior_lines, key=lambda line: float(line["perplexity"]))
    return lda.Prior(float(best_line["alpha"]), float(best_line["eta"]))


def job(study: str, K: int, split: int, seed: int, group: str) -> list[list[Any]]:
    """All runs of a group from one seed. The first makes a fixed number of sweeps, and the others get its CPU time."""
    c, test = held_out(study, split)
    lines, p_of_arm, cpu_budget = [], {}, 0.0
    for objective, searches in GROUPS[group]:
        A, schedule = lda.ALGORITHMS[objective], SCHEDULES[objective]
        p = validated(study, objective) if group == "validated" else PRIOR
        for arm, search in searches.items():
            if arm not in ARMS and (seed >= CONTROL_SEEDS or study in ("reuters-2500", "nips")):
                continue
            start_time = time.process_time()
            s, t = search(A, c, K, p, seed, start_time + cpu_budget / 2), 0
            is_first_run = not cpu_budget  # the first run of a group
            while t < LAST_SWEEPS if is_first_run else t == 0 or time.process_time() - start_time < cpu_budget:
                s_before, s, t = s, A.sweep(s, c, p, schedule), t + 1
            cpu = time.process_time() - start_time
            cpu_budget = cpu if is_first_run else cpu_budget
            moved = float((np.abs(s.gamma - s_before.gamma).sum(-1) / 2 * c.n).sum() / c.N)
            bounds = both_bounds(s, c, p)
            bound = bounds[0 if objective == "vb" else 1]
            p_of_arm[f"{objective} {arm}"] = token_p = lda.token_probability(test, *A.estimate(s, c, p))
            score = float(prediction.perplexity_of(test, token_p))
            lines.append([study, K, split, seed, group, objective, schedule, arm, t, cpu, bound, *bounds, moved, score])
    ends_folder = HERE / "search/ends"
    ends_folder.mkdir(parents=True, exist_ok=True)
    np.savez(ends_folder / f"{study}-{K}-{split}-{seed}-{group}.npz", **p_of_arm)
    return lines


def means(study: str, K: int, split: int, n_seeds: int, group: str) -> list[list[Any]]:
    """The perplexity of the mean probability over the runs of all seeds; none if a run is missing."""
    npz_paths = [HERE / "search/ends" / f"{study}-{K}-{split}-{seed}-{group}.npz" for seed in range(n_seeds)]
    if not all(path.exists() for path in npz_paths):
        return []
    archives = [np.load(path) for path in npz_paths]
    mean_lines = []
    for objective_and_arm in archives[0]:
        objective, arm = objective_and_arm.split(" ", 1)
        mean_p = np.mean([run[objective_and_arm] for run in archives if objective_and_arm in run], axis=0)
        perplexity = float(prediction.perplexity_of(held_out(study, split)[1], mean_p))
        mean_lines.append([study, K, split, "mean", group, objective, SCHEDULES[objective], arm, *[""] * 6, perplexity])
    return mean_lines


def seeds_of(study: str, group: str) -> int:
    """How many seeds a group has on each split; none if it has no runs on a corpus."""
    if group == "main":
        return STUDIES[study].seeds
    if group == "cvb":
        return STUDIES[study].seeds if study in WITH_CVB else 0
    return 0 if study == "bars" else CONTROL_SEEDS


def main() -> None:
    opts = options(__doc__ or "", list(STUDIES))
    studies = ["bars"] if opts.quick else [study for study in opts.names if study != "bars" and there(study)]
    csv_path = opts.out / "search/experiment.csv"
    for groups in (("main", "cvb"), ("sampled",), ("longer",), ("validated",)):
        jobs = []
        for study in studies:
            split_seed_groups = product(range(STUDIES[study].splits), range(STUDIES[study].seeds), groups)
            jobs += [(study, STUDIES[study].K, *x) for x in split_seed_groups if x[1] < seeds_of(study, x[2])]
        if groups == ("validated",) and jobs:
            prior_jobs = [(study, STUDIES[study].K, x, *p) for study in studies for x in ("vb", "cvb0") for p in GRID]
            run_jobs(opts.out / "search/priors.csv", PRIOR_COLUMNS, prior_jobs, tried, opts.processes, 5)
        run_jobs(csv_path, COLUMNS, jobs, job, opts.processes, N_KEYS)
        done_keys = {tuple(row[column] for column in COLUMNS[:N_KEYS]) for row in read(csv_path)}
        for study, K, split, _, group in dict.fromkeys((*key[:3], "mean", key[4]) for key in jobs):
            if (study, str(K), str(split), "mean", group) not in done_keys:
                write(csv_path, COLUMNS, means(study, K, split, seeds_of(study, group), group))


if __name__ == "__main__":
    main()
