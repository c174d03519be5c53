"""SOL14's claims as comparisons, from the CSV files of `sol14/runs.py`; claims.toml says what each asks of them.

On R8 the units are seeds and chains, on synthetic data corpora. The paper's own schedule is Algorithm 1, `vb nested`.
"""

from itertools import product

import numpy as np

from figures.common import Evidence, by, grouped, less, numbers, select, table
from figures.sol14.study import PRINTED, RESTORED, SAMPLERS, VBS, Study, spread
from figures.verdicts import Comparison, units_of

ONE = ("probabilities", 1)  # one sample of a chain
TOKENS = 100963  # of the test documents of R8
SCORES = (("ll", "log-likelihood a token", TOKENS), ("accuracy", "accuracy", 1))
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
        for start, (column, what, scale) in product(s.starts(way), SCORES):
            y = s.of(way, column, start) / scale
            for sampler, kind in product(SAMPLERS, (("estimates", None), ONE)):
                x = s.chain(sampler, column, *kind) / scale
                levels = {"search": f"{way}, {start}", "scoring": what, "estimates": kind[0]}
                found.append(compared(f"{sampler} - {way}, {what}", way, x, y, sampler=sampler, **levels))
    return Evidence(found, lengths(s) + averages(s) if any(map(units_of, found)) else "")


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
    return Evidence([Comparison(x, list(y)) for x, y in found.items()], note)


def gap(s, ways):
    """Gibbs minus VB over the printed number, less 1."""
    printed = PRINTED["r8"]["gibbs"][0] - PRINTED["r8"]["vb"][0]
    x = s.chain("gibbs", "ll") / printed
    for way in ways:
        for start in s.starts(way):
            y = s.of(way, "ll", start) / printed + 1
            yield compared(f"gibbs - {way} from {start}", way, x, y, search=way, start=start)


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
    found = Comparison("distance from print: vb published - the same with counts", less(x, y), paper=True)
    return Evidence([found], note)


def varies(s):
    """Distances from the median, of VB and of a sampler: their means are compared (Brown and Forsythe's test)."""
    for where, column in (*product(["R8"], ("ll", "accuracy", "completion")),
                          *product(["synthetic"], ("ll", "accuracy", "mse"))):  # fmt: skip
        if where == "R8":
            of = {x: s.of(x, column, s.starts(x)[0]) for x in VBS if s.starts(x)}
            of |= {x: s.chain(x, column, *ONE) for x in SAMPLERS}
        else:
            of = {x: np.array(list(s.by_corpus(x, column).values())) for x in (*VBS, *SAMPLERS)}
        away = {x: np.abs(y - np.median(y)) / abs(np.median(y)) for x, y in of.items() if len(y)}
        for x, y in product(VBS, SAMPLERS):
            levels = {"search": x, "sampler": y, "criterion": column}
            yield compared(f"{where}, {column}", x, away.get(x, []), away.get(y, []), **levels)


def on_synthetic(s, column, sign=1.0):
    """A sampler minus VB, paired by corpus."""
    for way, sampler in product(VBS, SAMPLERS):
        x = less(s.by_corpus(sampler, column), s.by_corpus(way, column))
        yield compared(f"{sampler} - {way}", way, sign * np.array(x), search=way, sampler=sampler)


def almost_99(s):
    names, rows = (*VBS, "vb nested, no counts", "vb published", "ml", "cvb0", *SAMPLERS), []
    for x in names:
        each = [list(s.by_corpus(x, column).values()) for column in ("accuracy", "mse", "ll")]
        if each[0]:
            rows.append([x, spread(each[0], 100, 1, "%"), spread(each[1], 1, 4), spread(each[2])])
    found = [Comparison(x, list(s.by_corpus(x, "accuracy").values())) for x in SAMPLERS]
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
    other = "vb warm, 10 steps"
    scores = (("bound_2", "bound a token", 1), SCORES[0])
    for way, (column, what, scale) in product(("vb nested", "vb nested, 10 steps"), scores):
        pairs = {start: less(*(s.by_seed(x, column, start) for x in (way, other))) for start in s.starts(other)}
        pairs["synthetic"] = less(s.by_corpus(way, column), s.by_corpus(other, column))
        for start, x in pairs.items():
            name = f"{'R8' if start != 'synthetic' else start}, {way} - {other}, {what}"
            yield compared(name, way, np.array(x) / scale, start=start, scoring=what, steps=way)


def optima(s):
    """The range of the bounds of runs from one kind of random start."""
    found, rows = [], []
    for way in VBS:
        for start in s.starts(way):
            bound = s.of(way, "bound_2", start)
            if len(bound) > 2:
                found.append(Comparison(f"{way} from {start}: range of the bound", [float(np.ptp(bound)) - LEAST]))
                rows.append([way, start, spread(bound, 1, 4), spread(s.of(way, "ll", start)),
                             spread(s.of(way, "completion", start))])  # fmt: skip
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
    for (column, what), start in product((("ll", "own folding in"), ("ll_same", "theta by CVB0")), s.starts("ml")):
        for way in VBS:
            for other in s.starts(way):
                x, y = s.of("ml", column, start) / TOKENS, s.of(way, column, other) / TOKENS
                if other == start:
                    x = np.array(less(s.by_seed("ml", column, start), s.by_seed(way, column, start))) / TOKENS
                    y = None
                name, levels = f"ML - {way}, {what}", {"search": f"{way}, {other}", "scoring": what}
                yield compared(name, way, x, y, **levels)


def bootstrap(s):
    """CGS minus VB on the same corpora."""
    found = []
    for (truth,), mine in grouped(s.bootstrap, "truth").items():
        for way, (column, _, scale) in product(("vb nested", "vb published"), SCORES):
            x, y = (by(select(mine, way=z), column, "draw") for z in ("cgs", way))
            found.append(compared(f"cgs - {way}, {column}", way, np.array(less(x, y)) / scale, truth=truth))
    rows = [[truth, way, spread(numbers(mine, "ll")), spread(numbers(mine, "accuracy"), 100, 1, "%")]
            for (truth, way), mine in grouped(s.bootstrap, "truth", "way").items()]  # fmt: skip
    printed = "; ".join(f"{x} {y[0]:,} and {y[2]}%" for x, y in PRINTED["bootstrap"].items())
    head = ["corpora from the estimates of", "algorithm", "log-likelihood", "accuracy"]
    return Evidence(found, f"Print: {printed}.\n\n{table(head, rows)}" if rows else "")


def own_corpora(s, same):
    """ML against VB over the printed difference, less 1: each on its own corpora, or both on the same."""
    of = {key: by(mine, "ll", "draw") for key, mine in grouped(s.bootstrap, "truth", "way").items()}
    ml, vb = of.get(("ml", "ml"), {}), of.get(("vb published", "vb published"), {})
    if not same:
        x, y = (np.array(list(z.values())) / OWN for z in (ml, vb))
        yield Comparison("each on its own corpora", list(x), list(y + 1))
    for truth in dict.fromkeys(key[0] for key in of) if same else ():
        x = less(of.get((truth, "ml"), {}), of.get((truth, "vb published"), {}))
        yield Comparison(f"on the corpora of {truth}", list(0.5 - np.array(x) / OWN), levels={"truth": truth})


def sparsity(s):
    means = {x["data"]: int(x["pairs"]) / int(x["words"]) for x in s.corpora}
    synthetic = [y for x, y in means.items() if x.startswith("synthetic")]
    if "r8" in means and synthetic:
        for name, mean, printed in (("R8", means["r8"], 29), ("synthetic", np.mean(synthetic), 95)):
            yield Comparison(f"{name}: {mean:.1f}", [0.5 - abs(float(mean) - printed)])


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
