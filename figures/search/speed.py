"""How soon each algorithm is near its end, in sweeps and CPU seconds: for claims of TNW06, AWST09 and SOL14.

    OMP_NUM_THREADS=1 python -m figures.search.speed [--quick]

In a unit all systems run on one corpus. `kos`, `r8` and `20news` are parts of these corpora that share no document, so
that units are independent; `synthetic` is a new corpus of SOL14 §3.2 for each unit. A tenth of each document's tokens
is held out. alpha = eta = 0.1, and K is 8 (`synthetic`: 10). Systems with the name of a schedule are this package's, in
NumPy; tomotopy (C++) is collapsed Gibbs sampling, scikit-learn (Cython) is VB in the schedule of SOL14's Algorithm 1.

The end of a run is the mean log probability of a held-out token over its last quarter; that of a sampler is given one
sample, and its noise is four standard deviations over that quarter. search/speed.csv has the first noted sweep from
which on a run remains at a level, and the CPU seconds until then:

- `within 1%`, `within 5%`: within 0.01 and 0.05 nats, and the noise, of the run's own end;
- `common`: not farther than 0.01 nats, and the noise, below the lowest end of all systems of the unit;
- `rule`: SOL14's own rules. VB stops when its bound changes by less than one part in 10,000 a sweep. The samplers need
  250 sweeps or more, because the published code waits for five batches of 50.

Soft algorithms start from random rows (`dirichlet`), samplers from one topic for each token (`one-hot`). In a first
version soft algorithms started where this package recommends, against the rule, and a run had come to a level at the
first sweep above it. Its 19 units, of the seeds below 8, are not used.
"""

import time
from typing import Any

import numpy as np

import lda_reference as lda
from figures.common import Part, disjoint_part, run_study
from figures.peers import systems
from figures.sol14.ways import problem
from figures.tnw06.runs import noted
from lda_reference.fitting import sweep_rng

PRIOR, SEEDS, SAMPLERS_LEAST = lda.Prior(0.1, 0.1), range(8, 16), 250
PART_SIZES = {"kos": 150, "r8": 300, "20news": 100}
SWEEPS = {"vb corpus": 200, "cvb corpus": 200, "cvb0 corpus": 200, "scikit-learn": 60, "cgs interleaved": 300,
          "tomotopy": 1000, "gibbs corpus": 300}  # fmt: skip
SYNTHETIC_SWEEPS = {"vb corpus": 200, "scikit-learn": 30, "cgs interleaved": 100, "tomotopy": 600, "gibbs corpus": 200}
COLUMNS = ["corpus", "seed", "system", "tokens", "last", "end", "level", "sweeps", "seconds"]


def prepared(system: str, c: lda.Corpus, K: int, seed: int) -> systems.Run:
    if system == "tomotopy":
        return systems.tomotopy(c, K, PRIOR, seed, workers=1)
    if system == "scikit-learn":
        return systems.scikit_learn(c, K, PRIOR, seed)
    algorithm, schedule = system.split()
    start_name = "one-hot" if lda.ALGORITHMS[algorithm].is_sampler else "dirichlet"
    return systems.this_package(c, K, PRIOR, seed, algorithm, schedule=schedule, start=start_name)


def way(system: str, train: lda.Corpus, test: lda.Corpus, K: int, seed: int, sweeps: int) -> Any:
    """The noted sweeps, the CPU seconds until each, the log probability of a held-out token, and VB's bound."""
    run_sweeps, noted_rows, seconds = prepared(system, train, K, seed), [], 0.0
    is_vb, start_time = system in ("vb corpus", "scikit-learn"), time.process_time()

    def step(t: int, read_model: Any) -> None:
        nonlocal start_time, seconds
        seconds += time.process_time() - start_time
        if t and noted(t):
            model_reading = read_model()
            heldout_log_p = -np.log(lda.perplexity(test, model_reading.theta_jk, model_reading.phi_wk))
            vb_bound = lda.ALGORITHMS["vb"].bound(lda.State(model_reading.gamma), train, PRIOR) if is_vb else np.nan
            noted_rows.append([t, seconds, heldout_log_p, vb_bound])
        start_time = time.process_time()

    run_sweeps(sweeps, step)
    return np.array(noted_rows).T


def arrival(way_of_run: Any, low_level: float, high_level: float) -> list[Any]:
    """The first noted sweep from which on a run remains between two levels, and its seconds; empty if there is none."""
    sweeps, cpu_seconds, heldout_log_p, _ = way_of_run
    first_index = max(np.flatnonzero((heldout_log_p < low_level) | (heldout_log_p > high_level)), default=-1) + 1
    return [float(sweeps[first_index]), float(cpu_seconds[first_index])] if first_index < len(sweeps) else ["", ""]


def stopped(way_of_run: Any) -> list[Any]:
    """Sweeps and seconds until SOL14's own rule stops a run, of a sampler the least; empty if VB has not stopped."""
    noted_sweeps, cpu_seconds, _, vb_bounds = way_of_run
    if np.isnan(vb_bounds).all():
        return [SAMPLERS_LEAST, float(cpu_seconds[-1] * SAMPLERS_LEAST / noted_sweeps[-1])]
    still_index = np.flatnonzero(np.abs(np.diff(vb_bounds)) / np.diff(noted_sweeps) < 1e-4 * np.abs(vb_bounds[:-1])) + 1
    return [float(noted_sweeps[still_index[0]]), float(cpu_seconds[still_index[0]])] if len(still_index) else ["", ""]


def unit(corpus: str, seed: int) -> list[list[Any]]:
    is_drawn = corpus == "synthetic"
    c = problem(f"synthetic-{seed}").train if is_drawn else disjoint_part(corpus, PART_SIZES[corpus], seed)
    train, test = lda.split(c, "tokens", 0.1, sweep_rng(seed, 0))
    sweeps = SYNTHETIC_SWEEPS if is_drawn else SWEEPS | ({"cvb token": 100} if corpus == "kos" else {})
    ways_of = {system: way(system, train, test, 10 if is_drawn else 8, seed, t_max) for system, t_max in sweeps.items()}
    last_quarter = {system: heldout_log_p[t > 0.75 * t[-1]] for system, (t, _, heldout_log_p, _) in ways_of.items()}
    lowest_end, rows = min(float(heldout_log_p.mean()) for heldout_log_p in last_quarter.values()), []
    for system, heldout_log_p in last_quarter.items():
        end, noise = float(heldout_log_p.mean()), 4 * float(heldout_log_p.std())
        limits_of_level = {f"within {pct}%": (end - pct / 100 - noise, end + pct / 100 + noise) for pct in (1, 5)}
        limits_of_level["common"] = (lowest_end - 0.01 - noise, np.inf)
        arrivals = {level: arrival(ways_of[system], *limits) for level, limits in limits_of_level.items()}
        if not system.startswith("cvb"):
            arrivals["rule"] = stopped(ways_of[system])
        rows += [[corpus, seed, system, train.N, sweeps[system], end, level, *when] for level, when in arrivals.items()]
    return rows


def jobs(quick: bool) -> list[tuple[str, int]]:
    return [(corpus, seed) for corpus in (*PART_SIZES, "synthetic") for seed in SEEDS[: 1 if quick else None]]


if __name__ == "__main__":
    run_study(__doc__ or "", {"speed": Part("search/speed.csv", COLUMNS, jobs, unit, 2)})
