"""The jobs of `sol14/runs.py`: lists of arguments, the most important first."""

FIRST = ("vb nested", "vb corpus", "vb published", "ml", "cvb0", "vb nested, no counts", "vb published, with counts")
CHANGED_WAYS = ("vb warm, 10 steps", "vb nested, 10 steps", "vb nested, 1 step", "vb nested, points first",
           "vb corpus, no counts")  # fmt: skip


def start_for(way):
    return "20 documents" if way.startswith("vb published") else "dirichlet"


def corpora_list(quick):
    if quick:
        return [("small-0",), ("small-1",)]
    return [("r8",), *((f"synthetic-{i}",) for i in range(8))]


def r8_runs(quick):
    ways = [*(way for way in FIRST if way != "cvb0"), CHANGED_WAYS[0]]  # the bound of cvb0 takes long
    groups = ((0, range(5)), (5, range(5, 8)))
    return [] if quick else [("r8", way, start_for(way), *group) for group in groups for way in ways]


def on_corpora(corpus, ways, corpus_numbers=range(5)):
    return [(f"{corpus}-{i}", way, start_for(way), i, [i]) for i in corpus_numbers for way in ways]


def synthetic_runs(quick):
    return on_corpora("small", FIRST[:6], range(2)) if quick else on_corpora("synthetic", FIRST[:2], range(8))


def more_runs(quick):
    """Variants of the inner loop, other starts, and the other ways on synthetic corpora."""
    if quick:
        return [("small-0", way, "dirichlet", 0, range(1)) for way in CHANGED_WAYS]
    r8_jobs = [("r8", way, "dirichlet", 5, range(5, 8)) for way in ("cvb0", "vb nested, 10 steps")]
    r8_jobs += [("r8", way, "dirichlet", 0, range(5)) for way in ("cvb0", *CHANGED_WAYS[1:])]
    starts = ("topics", "documents", "20 documents")
    r8_jobs += [("r8", way, start, 0, range(5)) for start in starts for way in FIRST if "published" not in way]
    return on_corpora("synthetic", (*FIRST[2:], CHANGED_WAYS[0]), range(3)) + r8_jobs


def r8_chains(quick):
    return [] if quick else [("r8", "gibbs", 8, 210), ("r8", "cgs", 8, 160)]


def synthetic_chains(quick):
    if quick:
        return [("small-0", "cgs", 2, 40), ("small-0", "gibbs", 2, 40)]
    return [(f"synthetic-{i}", chain, 1, sweeps) for i in range(5) for chain, sweeps in (("gibbs", 300), ("cgs", 60))]


def fit_list(quick):
    if quick:
        return [("small-0", sampler, sweeps, 0) for sampler, sweeps in (("gibbs", 200), ("cgs", 150))]
    sampler_sweeps = (("cgs tomotopy", 2000), ("gibbs", 1000))
    r8_jobs = [("r8", *pair, seed) for pair in (("gibbs", 200), ("cgs", 150)) for seed in range(3)]
    return [(f"synthetic-{seed}", *pair, seed) for seed in range(8) for pair in sampler_sweeps] + r8_jobs


def bootstrap_list(quick):
    ways = ("vb published", "ml", "cgs tomotopy", "vb nested")
    jobs = [(truth, draw, way) for draw in range(8) for truth in ("vb published", "ml") for way in ways]
    jobs += [("vb nested", draw, way) for draw in range(3) for way in ways if way != "cgs tomotopy"]
    return [] if quick else jobs
