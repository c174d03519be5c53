"""SOL14's claims as comparisons, from the CSV files of `sol14/runs.py`; claims.toml says what each asks of them.

On R8 the units are seeds and chains, on synthetic data corpora. The paper's own schedule is Algorithm 1, `vb nested`.
"""

from __future__ import annotations

import numpy as np

from figures.common import Evidence, by, grouped, less, select, table
from figures.sol14.study import PRINTED, RESTORED, SAMPLERS, VBS, WITH_COUNTS, Study, spread, values
from figures.verdicts import Comparison

ONE = ("probabilities", 1)  # one sample of a chain
TOKENS = 100963  # of the test documents of R8
LEAST = 0.01  # nats per token; ten sweeps at the end of a run change the bound by less than 1e-4
OWN = 48825  # by how much ML is ahead of VB in print, each on bootstrap corpora from its own estimates
MIXED, APART = 1.01, 1.1  # R-hat of chains that agree, and of chains that do not
LONG = 1900  # sweeps near those in print


def compared(name, way, x, y=None, **levels):
    """A comparison with VB as `way`; Algorithm 1 is the paper's own."""
    return Comparison(name, list(x), None if y is None else list(y), way == "vb nested", levels)


def samplers_on_r8(s):
    """Averaged estimates, or one sample, of each chain against the runs of VB."""
    found = []
    for way in VBS:
        for start in s.starts(way):
            for column, what, scale in (("ll", "log-likelihood a token", TOKENS), ("accuracy", "accuracy", 1)):
                y = s.of(way, column, start) / scale
                for sampler in SAMPLERS:
                    for kind in (("estimates", None), ONE):
                        x = s.chain(sampler, column, *kind) / scale
                        levels = {"search": f"{way}, {start}", "scoring": what, "estimates": kind[0]}
                        found.append(compared(f"{sampler} - {way}, {what}", way, x, y, sampler=sampler, **levels))
    found = [c for c in found if min(len(c.values), len(c.other))]
    return Evidence(found, lengths(s) + averages(s) if found else "")


def lengths(s):
    sweeps = " and ".join(f"{s.sweeps(x, 'r8')} sweeps ({x})" for x in SAMPLERS)
    return f"The samplers have {sweeps}; those in print have about 2,700."


def averages(s):
    """Averages against averages: probabilities over the ends of five starts, and over samples."""
    rows = []
    for way in (*VBS, "cvb0", "ml"):
        if s.starts(way) and len(mean := s.averaged(way, "completion")):
            one = s.of(way, "completion", s.starts(way)[0])
            rows.append([f"{way} from {s.starts(way)[0]}", spread(one), f"{mean[0]:,.0f}"])
    for sampler in SAMPLERS:
        one, all_ = (s.chain(sampler, "completion", *ONE, together=x) for x in (False, True))
        if len(one):
            rows.append([f"{sampler}, one sample of each chain", spread(one), spread(all_)])
    head = ["perplexity of completion", "one end or chain", "mean probability over them"]
    return "\n\nA sampler may average, and so may VB over its ends:\n\n" + table(head, rows) if rows else ""


def above_84(s):
    found = {x: s.chain(x, "accuracy") for x in SAMPLERS}
    vb = "; ".join(f"{x} {spread(s.of(x, 'accuracy'), 100, 1, '%')}" for x in ("vb nested", "vb published"))
    note = (
        "The paper repeats its fits on bootstrap corpora, where its result files have 83.90% for Gibbs and 85.98% for"
        f" CGS (on R8 86.18% and 89.27%). The number does not separate the samplers from VB: {vb}."
    )
    return Evidence([Comparison(x, list(y)) for x, y in found.items() if len(y)], note)


def gap(s, ways):
    """Gibbs minus VB over the printed number, less 1."""
    printed, found = PRINTED["r8"]["gibbs"][0] - PRINTED["r8"]["vb"][0], []
    x = s.chain("gibbs", "ll") / printed
    for way in ways:
        for start in s.starts(way) if len(x) else ():
            y = s.of(way, "ll", start) / printed + 1
            found.append(compared(f"gibbs - {way} from {start}", way, x, y, search=way, start=start))
    return Evidence(found)


def dropped(s):
    """How much farther from the printed number the published code's way is than the same with counts, by seed."""
    ways = [s.by_seed(way, "ll", "20 documents") for way in ("vb published", RESTORED)]
    printed = PRINTED["r8"]["vb"][0]
    x, y = ({seed: abs(ll - printed) / TOKENS for seed, ll in each.items()} for each in ways)
    note = (
        f"In print VB has {printed:,} and {PRINTED['r8']['vb'][1]}%. The published code's way has"
        f" {spread(s.of('vb published', 'll'))} and {spread(s.of('vb published', 'accuracy'), 100, 1, '%')}, the same"
        f" with counts {spread(s.of(RESTORED, 'll'))} and {spread(s.of(RESTORED, 'accuracy'), 100, 1, '%')}."
    )
    return Evidence(
        [Comparison("distance from print: vb published - the same with counts", less(x, y), paper=True)] if x else [],
        note,
    )


def varies(s):
    """Distances from the median, of VB and of a sampler: their means are compared (Brown and Forsythe's test)."""
    found = []
    kinds = [("R8", x) for x in ("ll", "accuracy", "completion")] + [
        ("synthetic", x) for x in ("ll", "accuracy", "mse")
    ]
    for where, column in kinds:
        if where == "R8":
            of = {x: s.of(x, column, s.starts(x)[0]) for x in VBS if s.starts(x)}
            of |= {x: s.chain(x, column, *ONE) for x in SAMPLERS}
        else:
            of = {x: np.array(list(s.by_corpus(x, column).values())) for x in (*VBS, *SAMPLERS)}
        away = {x: np.abs(y - np.median(y)) / abs(np.median(y)) for x, y in of.items() if len(y)}
        found += [compared(f"{where}, {column}", x, away[x], away[y], search=x, sampler=y, criterion=column)
                  for x in VBS for y in SAMPLERS if x in away and y in away]  # fmt: skip
    return Evidence(found)


def on_synthetic(s, column, sign=1.0):
    """A sampler minus VB, paired by corpus."""
    found = []
    for way in VBS:
        for sampler in SAMPLERS:
            x = less(s.by_corpus(sampler, column), s.by_corpus(way, column))
            found.append(compared(f"{sampler} - {way}", way, sign * np.array(x), search=way, sampler=sampler))
    return Evidence([c for c in found if c.values])


def almost_99(s):
    names, rows = (*VBS, "vb nested, no counts", "vb published", "ml", "cvb0", *SAMPLERS), []
    for x in names:
        each = [list(s.by_corpus(x, column).values()) for column in ("accuracy", "mse", "ll")]
        if each[0]:
            rows.append([x, spread(each[0], 100, 1, "%"), spread(each[1], 1, 4), spread(each[2])])
    found = [Comparison(x, list(y)) for x in SAMPLERS if (y := s.by_corpus(x, "accuracy").values())]
    printed = "; ".join(
        f"{x} {right} ± {dright}%, MSE {mse} ± {dmse}, {ll:,} ± {dll:,} (T = {T})"
        for x, (ll, dll, right, dright, mse, dmse, T) in PRINTED["synthetic"].items()
    )
    head = ["algorithm", "accuracy", "MSE of theta", "log-likelihood"]
    note = (
        f"The chains have {s.sweeps('gibbs')} sweeps (Gibbs) and {s.sweeps('cgs')} (CGS), in print about 12,000 and"
        f" 11,000. Print: {printed}; there all repetitions of CGS are one corpus. Median and range, a run for each"
        f" corpus:\n\n{table(head, rows)}"
    )
    return Evidence(found, note if rows else "")


def initialised(s):
    """Re-initialisation: the same number of inner steps from the uniform distribution and from the last gamma."""
    found, other = [], "vb warm, 10 steps"
    for way in ("vb nested", "vb nested, 10 steps"):
        for column, what, scale in (("bound_2", "bound a token", 1), ("ll", "log-likelihood a token", TOKENS)):
            for start in s.starts(other):
                x = less(s.by_seed(way, column, start), s.by_seed(other, column, start))
                name = f"R8, {way} - {other}, {what}"
                found.append(compared(name, way, np.array(x) / scale, start=start, scoring=what, steps=way))
            x = less(s.by_corpus(way, column), s.by_corpus(other, column))
            name = f"synthetic, {way} - {other}, {what}"
            found.append(compared(name, way, np.array(x) / scale, start="synthetic", scoring=what, steps=way))
    return Evidence([c for c in found if c.values])


def optima(s):
    """The range of the bounds of runs from one kind of random start, and where VB goes from the ends of others."""
    found, rows = [], []
    for way in VBS:
        for start in s.starts(way):
            bound = s.of(way, "bound_2", start)
            if len(bound) > 2:
                found.append(Comparison(f"{way} from {start}: range of the bound", [float(np.ptp(bound)) - LEAST]))
                rows.append([way, f"random ({start})", spread(bound, 1, 4), spread(s.of(way, "ll", start)),
                             spread(s.of(way, "completion", start))])  # fmt: skip
        for source in ("cvb0", "cgs", *(x for x in WITH_COUNTS if x != way)):
            mine = select(s.cross, data="r8", **{"from": source, "to": way})
            if mine:
                columns = (
                    (values(mine, f"{x}_after"), digits) for x, digits in (("bound_2", 4), ("ll", 0), ("completion", 0))
                )
                rows.append([way, f"end of {source}", *(spread(x, 1, digits) for x, digits in columns)])
    head = ["VB", "start", "bound", "log-likelihood", "completion"]
    return Evidence(found, "Where the runs end:\n\n" + table(head, rows) if rows else "")


def mixing(s):
    """R-hat of log p(x, z). Chains that are shorter than in print and disagree prove nothing."""
    rows, found = [], []
    for sampler in SAMPLERS:
        r_hat = s.chain(sampler, "r_hat")
        if len(r_hat) > 1:
            sweeps = s.chain(sampler, "sweeps", *ONE)[0]
            rows.append([sampler, str(len(r_hat)), f"{sweeps:,.0f}", f"{r_hat[0]:.2f}",
                         *(spread(s.chain(sampler, x), 1, 4) for x in ("log_joint_half", "log_joint"))])  # fmt: skip
            if r_hat[0] < MIXED or (r_hat[0] > APART and sweeps >= LONG):
                found.append(Comparison(f"{MIXED} - R-hat of {sampler}", [MIXED - float(r_hat[0])]))
    head = ["sampler", "chains", "sweeps", "R-hat", "log p(x, z) a token at half", "at the end"]
    return Evidence(found, "Second half of chains from uniform z:\n\n" + table(head, rows) if rows else "")


def maximum_likelihood(s):
    """ML minus VB, paired by seed where both have the same start."""
    found = []
    for column, what in (("ll", "own folding in"), ("ll_same", "theta by CVB0")):
        for start in s.starts("ml"):
            for way in VBS:
                for other in s.starts(way):
                    name, levels = f"ML - {way}, {what}", {"search": f"{way}, {other}", "scoring": what}
                    if other == start:
                        x = less(s.by_seed("ml", column, start), s.by_seed(way, column, start))
                        found.append(compared(name, way, np.array(x) / TOKENS, **levels))
                    else:
                        x, y = s.of("ml", column, start), s.of(way, column, other)
                        found.append(compared(name, way, x / TOKENS, y / TOKENS, **levels))
    return Evidence([c for c in found if c.values])


def bootstrap(s):
    """CGS minus VB on the same corpora."""
    found = []
    for (truth,), mine in grouped(s.bootstrap, "truth").items():
        for way in ("vb nested", "vb published"):
            for column, scale in (("ll", TOKENS), ("accuracy", 1)):
                x, y = (by(select(mine, way=z), column, "draw") for z in ("cgs", way))
                found.append(compared(f"cgs - {way}, {column}", way, np.array(less(x, y)) / scale, truth=truth))
    rows = [[truth, way, spread(values(mine, "ll")), spread(values(mine, "accuracy"), 100, 1, "%")]
            for (truth, way), mine in grouped(s.bootstrap, "truth", "way").items()]  # fmt: skip
    printed = "; ".join(f"{x} {y[0]:,} and {y[2]}%" for x, y in PRINTED["bootstrap"].items())
    head = ["corpora from the estimates of", "algorithm", "log-likelihood", "accuracy"]
    return Evidence([c for c in found if c.values], f"Print: {printed}.\n\n{table(head, rows)}" if rows else "")


def own_corpora(s, same):
    """ML against VB over the printed difference, less 1: each on its own corpora, or both on the same."""
    of = {key: by(mine, "ll", "draw") for key, mine in grouped(s.bootstrap, "truth", "way").items()}
    ml, vb = of.get(("ml", "ml"), {}), of.get(("vb published", "vb published"), {})
    if not same:
        x, y = (np.array(list(z.values())) / OWN for z in (ml, vb))
        return Evidence([Comparison("each on its own corpora", list(x), list(y + 1))] if len(x) and len(y) else [])
    found = []
    for truth in dict.fromkeys(key[0] for key in of):
        x = less(of.get((truth, "ml"), {}), of.get((truth, "vb published"), {}))
        found.append(Comparison(f"on the corpora of {truth}", list(0.5 - np.array(x) / OWN), levels={"truth": truth}))
    return Evidence([c for c in found if c.values])


def sparsity(s):
    means = {x["data"]: int(x["pairs"]) / int(x["words"]) for x in s.corpora}
    synthetic = [y for x, y in means.items() if x.startswith("synthetic")]
    if "r8" not in means or not synthetic:
        return Evidence([])
    pairs = (
        (f"R8: {means['r8']:.1f}", means["r8"], 29),
        (f"synthetic: {np.mean(synthetic):.1f}", np.mean(synthetic), 95),
    )
    return Evidence([Comparison(name, [0.5 - abs(float(x) - printed)]) for name, x, printed in pairs])


def sweeps(s):
    names = ("vb nested", "vb corpus", "vb published", "ml", "cvb0")
    found = "; ".join(f"{x} {spread(s.of(x, 'sweeps'))}" for x in names if len(s.of(x, "sweeps")))
    return Evidence([], f"Sweeps on R8: {found}." if found else "")


def data(folder):
    s = Study(folder)
    return {
        "r8-samplers": samplers_on_r8(s),
        "r8-84": above_84(s),
        "r8-gap": gap(s, VBS),
        "r8-gap instead": gap(s, ("vb nested, no counts", "vb published")),
        "algorithm-1": dropped(s),
        "varies": varies(s),
        "synthetic-99": almost_99(s),
        "synthetic-mse": on_synthetic(s, "mse", -1.0),
        "synthetic-ll": on_synthetic(s, "ll"),
        "synthetic-accuracy": on_synthetic(s, "accuracy"),
        "initialised": initialised(s),
        "optima": optima(s),
        "mixing": mixing(s),
        "ml": maximum_likelihood(s),
        "bootstrap": bootstrap(s),
        "bootstrap-ml": own_corpora(s, same=False),
        "bootstrap-ml instead": own_corpora(s, same=True),
        "sparsity": sparsity(s),
        "time": sweeps(s),
    }
