"""Where algorithms get stuck: runs from several starts in several schedules, and each from the ends of the others.

    python -m figures.search.runs [--quick] [--draw] [runs] [cross] [chains]

The protocol is that of `lda_reference.evaluation.search`. (The runs in the CSV files that are kept here ended where
their bound, or their objective, stood still: where it changed by less than 1e-5 nats per token and sweep over ten
sweeps, on the real corpora over 20, or after 500 sweeps.) The priors are alpha = eta = 0.1 (map 1.1), and 10% of each
document's tokens are held out. search/runs.csv has a line for each run: its own training value per token (the bound,
for ml and map the objective), VB's bound TNW06 (2) and the collapsed bound (12) at its gamma, and the perplexity of
the held-out tokens by (19); the line `mean` after them has that of the mean probability over their ends.
search/cross.csv has, for each end of an algorithm, where other algorithms go from there.
search/chains.csv has several chains of collapsed Gibbs for each corpus. Hours on the real corpora.
"""

import numpy as np

import lda_reference as lda
from figures.common import Part, both_bounds, chained, held_out, log_joints, read, run_study, select, shifted, sweeps_of
from figures.style import COLOURS, MARKERS, panels, plt, save
from lda_reference.evaluation import chains, prediction, search
from lda_reference.fitting import sweep_rng

ALPHA = ETA = 0.1
PRIOR = lda.Prior(ALPHA, ETA)
STUDIES = {"bars": 10, "drawn": 8, "kos": 10, "r8": 8, "nips": 40}  # K
SMALL_STUDIES = ("bars", "drawn")
CHEAP_PAIRS = [("vb", "corpus"), ("cvb0", "corpus"), ("cvb0", "block"), ("map", "corpus"), ("ml", "corpus")]
MIDDLE_PAIRS = [("vb", "nested"), ("cvb", "corpus"), ("cvb", "block")]
EXACT_PAIRS = [("cvb_exact", "corpus"), ("cvb_exact", "block")]
TOKEN_PAIRS = [("cvb0", "token"), ("cvb", "token")]
RUN_COLUMNS = ["study", "algorithm", "schedule", "start", "group", "seed", "sweeps", "settled", "seconds", "value",
        "bound_2", "bound_12", "perplexity"]  # fmt: skip
CROSS_COLUMNS = ["study", "from", "from_schedule", "from_start", "seed", "to", "to_schedule", "sweeps", "settled",
         "value_before", "value_after", "bound_12_before", "bound_12_after", "perplexity_before",
         "perplexity_after"]  # fmt: skip
CHAIN_COLUMNS = ["study", "chains", "sweeps", "chain", "r_hat", "log_joint", "samples", "perplexity"]


def ended(study_name, A_name, schedule, start_name, seeds):
    """The ends of an algorithm from the starts of several seeds."""
    train, _ = held_out(study_name)
    A = lda.ALGORITHMS[A_name]
    p = shifted(A, ALPHA, ETA)
    start_states = search.started(A, train, STUDIES[study_name], p, start_name, seeds)
    return search.until_settled(A, start_states, train, p, schedule, every=10 if study_name in SMALL_STUDIES else 20)


def probability(A_name, s, c, test):
    A = lda.ALGORITHMS[A_name]
    return lda.token_probability(test, *A.estimate(s, c, shifted(A, ALPHA, ETA)))


def perplexity(A_name, s, c, test):
    return float(prediction.perplexity_of(test, probability(A_name, s, c, test)))


def runs(study_name, A_name, schedule, start, group, seeds):
    train, test = held_out(study_name)
    lines, p_sum = [], 0.0
    for seed, end in zip(seeds, ended(study_name, A_name, schedule, start, seeds), strict=True):
        p_end = probability(A_name, end.state, train, test)
        p_sum = p_sum + p_end
        lines.append([study_name, A_name, schedule, start, group, seed, end.sweeps, end.settled, end.seconds, end.value,
                      *both_bounds(end.state, train, PRIOR), float(prediction.perplexity_of(test, p_end))])  # fmt: skip
    mean_perplexity = float(prediction.perplexity_of(test, p_sum / len(seeds)))
    lines.append([study_name, A_name, schedule, start, group, "mean", "", "", "", "", "", "", mean_perplexity])
    return lines


def run_list(is_quick):
    """The jobs, each of a group of seeds: the small corpora first, then by their price."""
    initial_starts = ["dirichlet", "topics", "documents", "incremental", "growing"]
    for study in ("bars",) if is_quick else SMALL_STUDIES:
        for A_name, schedule in CHEAP_PAIRS + MIDDLE_PAIRS + TOKEN_PAIRS:
            for start in initial_starts[:2] if is_quick else initial_starts:
                yield study, A_name, schedule, start, "0", range(3 if is_quick else 20)
    if is_quick:
        return
    for study in SMALL_STUDIES:
        for A_name, schedule in CHEAP_PAIRS + MIDDLE_PAIRS:
            for start in ("collapsed", "anneal"):
                if A_name != "ml":  # it has no prior to lower
                    yield study, A_name, schedule, start, "0", range(20)
    starts_2 = ["dirichlet", "growing"]
    real_plan = [
        ("kos", [("vb", "corpus"), ("vb", "nested"), ("cvb0", "corpus"), ("cvb0", "block")], starts_2, 5),
        ("kos", [("map", "corpus"), ("ml", "corpus"), ("cvb", "corpus")], ["dirichlet"], 5),
        ("kos", [("cvb0", "token")], ["dirichlet"], 5), ("kos", [("vb", "corpus"), ("cvb0", "corpus")], ["topics"], 5),
        ("kos", [("vb", "corpus"), ("cvb0", "block")], starts_2, (5, 20)),
        ("kos", [("cvb", "block")], ["dirichlet"], 5), ("kos", [("cvb", "corpus")], ["growing"], 5),
        ("nips", [("vb", "corpus"), ("vb", "nested"), ("cvb0", "block")], starts_2, 5),
        ("r8", [*CHEAP_PAIRS, ("vb", "nested"), ("cvb", "corpus")], starts_2, 5), ("kos", EXACT_PAIRS, ["growing"], 2),
        ("kos", [("cvb", "token")], ["dirichlet"], 5),
    ]  # fmt: skip
    for study, A_schedule_pairs, start_names, seeds in real_plan:
        for A_name, schedule in A_schedule_pairs:
            for start in start_names:
                is_range = isinstance(seeds, tuple)
                yield study, A_name, schedule, start, str(int(is_range)), range(*seeds) if is_range else range(seeds)
    for A_name, schedule in [*EXACT_PAIRS, ("cvb_exact", "token")]:
        for study in SMALL_STUDIES:
            for start in initial_starts:
                yield study, A_name, schedule, start, "0", range(20)


def cross(study, A_name, schedule, start_name, seed, target_pairs):
    """From one end, where every target goes."""
    train, test = held_out(study)
    if A_name == "cgs":
        s = chained(train, STUDIES[study], PRIOR, seed, 200)
    else:
        s = ended(study, A_name, schedule, start_name, [seed])[0].state
    lines = []
    for target_A_name, target_order in [pair for pair in target_pairs if pair != (A_name, schedule)]:
        A = lda.ALGORITHMS[target_A_name]
        p = shifted(A, ALPHA, ETA)
        s_before = A.init(train, s.gamma.shape[-1], p, gamma=s.gamma)
        objective = A.bound if not isinstance(A.bound_of, str) else A.objective
        end = search.until_settled(A, [s_before], train, p, target_order, every=10 if study in SMALL_STUDIES else 20)[0]
        lines.append([study, A_name, schedule, start_name, seed, target_A_name, target_order, end.sweeps, end.settled,
                      float(objective(s_before, train, p)) / train.N, end.value, both_bounds(s_before, train, PRIOR)[1],
                      both_bounds(end.state, train, PRIOR)[1], perplexity(target_A_name, s_before, train, test),
                      perplexity(target_A_name, end.state, train, test)])  # fmt: skip
    return lines


def cross_list(quick):
    target_pairs = [("vb", "corpus"), ("vb", "nested"), ("cvb", "corpus"), ("cvb0", "corpus"), ("map", "corpus")]
    source_pairs = [*target_pairs, ("cvb0", "block"), ("ml", "corpus"), ("cgs", "token")]
    for study_name in ("bars",) if quick else SMALL_STUDIES:
        for seed in range(1 if quick else 20):
            for A_name, schedule in source_pairs[: 3 if quick else None] + ([] if quick else [("cvb_exact", "corpus")]):
                added_targets = [] if quick else [("cvb_exact", "corpus"), ("cvb0", "block"), ("ml", "corpus")]
                yield study_name, A_name, schedule, "dirichlet", seed, target_pairs + added_targets
    if quick:
        return
    for study_name, n_seeds in (("kos", 3), ("r8", 2), ("nips", 1)):
        for seed in range(n_seeds):
            for A_name, schedule in source_pairs:
                yield study_name, A_name, schedule, "dirichlet", seed, target_pairs


def several_chains(study, n_chains, sweeps):
    """Chains at once: R-hat of log p(x, z) in the second half, and perplexities by (20) with 1, 10 and 100 samples.

    The samples are spread evenly over the second half, and "all" takes as many from every chain.
    """
    train, test = held_out(study)
    A, p, K = lda.ALGORITHMS["cgs"], PRIOR, STUDIES[study]
    s = A.init(train, K, p, sweep_rng(100, 0), replicates=n_chains)
    trace, sweeps_of_S = [], sweeps_of(sweeps, (1, 10, 100))
    p_sums = {S: np.zeros((test.M, n_chains)) for S in sweeps_of_S}
    for t in range(1, sweeps + 1):
        s = A.sweep(s, train, p, rng=sweep_rng(100, t))
        trace.append(log_joints(s, train, K, p))
        if any(t in kept_ts for kept_ts in sweeps_of_S.values()):
            theta_jk, phi_wk = A.estimate(s, train, p)
            token_p = np.stack([lda.token_probability(test, theta_jk[:, r], phi_wk[:, r]) for r in range(n_chains)], 1)
            for S, kept_ts in sweeps_of_S.items():
                if t in kept_ts:
                    p_sums[S] += token_p
    trace = np.array(trace)
    r_hat, lines = float(chains.r_hat(trace[sweeps // 2 :])), []
    for S, kept_ts in sweeps_of_S.items():
        for r in range(n_chains):
            score = float(prediction.perplexity_of(test, p_sums[S][:, r] / len(kept_ts)))
            lines.append([study, n_chains, sweeps, r, r_hat, float(trace[-1, r]) / train.N, len(kept_ts), score])
        score = float(prediction.perplexity_of(test, p_sums[S].mean(1) / len(kept_ts)))
        lines.append([study, n_chains, sweeps, "all", r_hat, float(trace[-1].mean()) / train.N, len(kept_ts), score])
    return lines


def chain_list(is_quick):
    if is_quick:
        return [("bars", 2, 40)]
    return [("bars", 20, 1000), ("drawn", 20, 1000), ("kos", 5, 400), ("r8", 5, 400)]


def picture(folder):
    """Perplexity of held-out tokens against the training bound (12): a dot for each run, arrows for cross-starts."""
    lines = [line for line in read(folder / "search/runs.csv") if line["seed"] != "mean" and line["algorithm"] != "ml"]
    arrow_lines = select(read(folder / "search/cross.csv"), seed="0", to="vb", to_schedule="corpus")
    study_names = [A_name for A_name in ("kos", "drawn", "bars") if select(lines, study=A_name)][:2]
    if not study_names:
        return
    figure, axes = panels(len(study_names), 4.2, 4.8)
    for axis, study in zip(axes, study_names, strict=True):
        run_lines = [x for x in select(lines, study=study) if x["start"] != "incremental"]  # VB's are far outside
        for line in run_lines:
            axis.plot(float(line["bound_12"]), float(line["perplexity"]), MARKERS[line["schedule"]], markersize=5,
                      color=COLOURS[line["algorithm"]], alpha=0.7, markeredgewidth=0)  # fmt: skip
        for line in select(arrow_lines, **{"study": study, "from": ("cvb0", "cgs", "cvb")}):
            arrow_ends = [(float(line[f"bound_12_{y}"]), float(line[f"perplexity_{y}"])) for y in ("before", "after")]
            axis.annotate("", arrow_ends[1], arrow_ends[0], arrowprops={"arrowstyle": "->", "color": COLOURS["vb"]})
        axis.set(xlabel="training bound TNW06 (12), nats per token", ylabel="perplexity of held-out tokens")
        axis.set_title(f"{study}, K = {STUDIES[study]}")
        axis.locator_params(axis="x", nbins=5)
    lines = select(lines, study=tuple(study_names))
    A_names = [algorithm for algorithm in COLOURS if select(lines, algorithm=algorithm)]
    orders = [order for order in MARKERS if select(lines, schedule=order)]
    handles = [plt.Line2D([], [], marker="o", linestyle="", color=COLOURS[A_name], label=A_name) for A_name in A_names]
    handles += [plt.Line2D([], [], marker=MARKERS[x], linestyle="", color="grey", label=f"{x} order") for x in orders]
    figure.legend(handles=handles, loc="outside lower center", ncols=4)
    save(figure, folder / "search/runs.svg")


PARTS = {
    "runs": Part("search/runs.csv", RUN_COLUMNS, run_list, runs, 5),
    "cross": Part("search/cross.csv", CROSS_COLUMNS, cross_list, cross, 5),
    "chains": Part("search/chains.csv", CHAIN_COLUMNS, chain_list, several_chains, 3),
}

if __name__ == "__main__":
    run_study(__doc__, PARTS, picture)
