"""The jobs of `sol14/runs.py`: lists of arguments, the most important first."""

FIRST = ("vb nested", "vb corpus", "vb published", "ml", "cvb0", "vb nested, no counts", "vb published, with counts")
CHANGED_WAYS = ("vb warm, 10 steps", "vb nested, 10 steps", "vb nested, 1 step", "vb nested, points first",
           "vb corpus, no counts")  # fmt: skip


def start_for(way_name):
    return "20 documents" if way_name.startswith("vb published") else "dirichlet"


def corpora_list(is_quick):
    if is_quick:
        return [("small-0",), ("small-1",)]
    return [("r8",), *((f"synthetic-{i}",) for i in range(8))]


def r8_runs(is_quick):
    way_names = [*(way for way in FIRST if way != "cvb0"), CHANGED_WAYS[0]]  # the bound of cvb0 takes long
    first_seed_groups = ((0, range(5)), (5, range(5, 8)))
    return [] if is_quick else [("r8", way, start_for(way), *group) for group in first_seed_groups for way in way_names]


def on_corpora(corpus_kind, way_names, corpus_numbers=range(5)):
    return [(f"{corpus_kind}-{i}", way, start_for(way), i, [i]) for i in corpus_numbers for way in way_names]


def synthetic_runs(is_quick):
    return on_corpora("small", FIRST[:6], range(2)) if is_quick else on_corpora("synthetic", FIRST[:2], range(8))


def more_runs(is_quick):
    """Variants of the inner loop, other starts, and the other ways on synthetic corpora."""
    if is_quick:
        return [("small-0", way, "dirichlet", 0, range(1)) for way in CHANGED_WAYS]
    r8_jobs = [("r8", way, "dirichlet", 5, range(5, 8)) for way in ("cvb0", "vb nested, 10 steps")]
    r8_jobs += [("r8", way, "dirichlet", 0, range(5)) for way in ("cvb0", *CHANGED_WAYS[1:])]
    start_names = ("topics", "documents", "20 documents")
    r8_jobs += [("r8", way, start, 0, range(5)) for start in start_names for way in FIRST if "published" not in way]
    return on_corpora("synthetic", (*FIRST[2:], CHANGED_WAYS[0]), range(3)) + r8_jobs


def r8_chains(is_quick):
    return [] if is_quick else [("r8", "gibbs", 8, 210), ("r8", "cgs", 8, 160)]


def synthetic_chains(is_quick):
    if is_quick:
        return [("small-0", "cgs", 2, 40), ("small-0", "gibbs", 2, 40)]
    return [(f"synthetic-{i}", chain, 1, sweeps) for i in range(5) for chain, sweeps in (("gibbs", 300), ("cgs", 60))]


def fit_list(is_quick):
    if is_quick:
        return [("small-0", sampler, sweeps, 0) for sampler, sweeps in (("gibbs", 200), ("cgs", 150))]
    sampler_sweeps = (("cgs tomotopy", 2000), ("gibbs", 1000))
    r8_jobs = [("r8", *sampler_job, seed) for sampler_job in (("gibbs", 200), ("cgs", 150)) for seed in range(3)]
    return [(f"synthetic-{seed}", *sampler_job, seed) for seed in range(8) for sampler_job in sampler_sweeps] + r8_jobs


def bootstrap_list(is_quick):
    ways = ("vb published", "ml", "cgs tomotopy", "vb nested")
    jobs = [(true_way, draw_seed, way) for draw_seed in range(8) for true_way in ("vb published", "ml") for way in ways]
    jobs += [("vb nested", draw_seed, way) for draw_seed in range(3) for way in ways if way != "cgs tomotopy"]
    return [] if is_quick else jobs
