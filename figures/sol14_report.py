"""SOL14's claims beside the CSV files of `sol14.py`.

The numbers of Fig. 1 cannot be read from the text of the paper. `PRINTED` has those of the result files in the paper's
repository (github.com/hsoleimani/STAT540Project, `Reuters/R8_results.txt` and `synthetic/synthetic_results.txt`): the
log-likelihood of test documents and the accuracy in percent; over repetitions the mean and standard deviation.
"""

from __future__ import annotations

import numpy as np
from common import read

from lda_reference.evaluation import search

PRINTED = {
    "r8": {"vb": (-626160, 83.47), "gibbs": (-614643, 86.18), "cgs": (-614841, 89.27), "ml": (-617145, 83.18)},
    "synthetic": {  # log-likelihood, its deviation, accuracy, its deviation, MSE of theta, its deviation, repetitions
        "vb": (-736314, 2470, 92.77, 4.53, 0.0417, 0.0195, 500),
        "ml": (-735126, 2578, 92.13, 5.21, 0.0395, 0.0178, 500),
        "gibbs": (-733243, 2264, 99.96, 0.06, 0.0104, 0.0003, 52),
        "cgs": (-737329, 99, 98.77, 0.27, 0.0186, 0.0002, 52),
    },
    "bootstrap": {
        "vb": (-679752, 1408, 81.99, 1.17, 500), "ml": (-630927, 1391, 81.76, 0.73, 376),
        "gibbs": (-636984, 1322, 83.90, 0.28, 52), "cgs": (-634959, 1302, 85.98, 0.75, 227),
    },
}  # fmt: skip
R8 = "R8, K = 8, alpha = nu = 0.1"
SIZES = {
    "synthetic": "as in the paper, 2000 and 1000 documents",
    "third": "a third of the paper's size",
    "small": "140 and 70 documents",
}
STOP = "runs stop when their bound changes by less than 1e-5 nats per token and sweep"
SAMPLERS = ("cgs", "gibbs")


class Study:
    """The lines of the CSV files in a folder."""

    def __init__(self, folder):
        self.runs, self.chains, self.cross, self.bootstrap, self.corpora = (
            read(folder / f"sol14_{x}.csv") for x in ("runs", "chains", "cross", "bootstrap", "corpora")
        )
        single = [
            {**x, "kind": "estimates", "samples": "0", "chain": x["seed"]} for x in read(folder / "sol14_fits.csv")
        ]
        self.chains += single
        self.size = self.largest_size()
        self.drawn = f"synthetic corpora of §3.2 ({SIZES[self.size]}), K = 10, alpha = nu = 0.1; pairs are corpora"

    def largest_size(self):
        """The paper's size if VB and the samplers have run on two of its corpora, otherwise a smaller one."""
        names = {x["data"] for x in self.chains} & {x["data"] for x in self.runs}
        for size, least in (("synthetic", 2), ("third", 1)):
            if sum(x.startswith(size) for x in names) >= least:
                return size
        return "small"

    def starts(self, way, data="r8"):
        """The starts of a way, `dirichlet` first."""
        found = {x["start"] for x in self.runs if x["way"] == way and x["data"] == data}
        return sorted(found, key=lambda start: (start != "dirichlet", start))

    def of(self, way, column, start=None, data="r8"):
        """The values of the runs on R8 from a start (default: any), without the line of their average."""
        return values((x for x in self.runs if x["data"] == data and x["way"] == way and x["seed"] != "mean"
                       and start in (None, x["start"])), column)  # fmt: skip

    def averaged(self, way, column):
        """The value of the mean probabilities over the ends from the first start of each way."""
        return values((x for x in self.runs if x["data"] == "r8" and x["way"] == way and x["seed"] == "mean"
                       and x["start"] == self.starts(way)[0]), column)  # fmt: skip

    def chain(self, sampler, column, kind="estimates", samples=None, data="r8", together=False):
        """The values of the chains, of the longest run if there are several; `together`: of all chains averaged."""
        lines = [x for x in self.chains if x["data"] == data and x["sampler"] == sampler and x["kind"] == kind
                 and (x["chain"] == "all") == together and samples in (None, int(x["samples"]))
                 and x.get(column, "") != ""]  # fmt: skip
        longest = max((int(x["sweeps"]) for x in lines), default=0)
        return values((x for x in lines if int(x["sweeps"]) == longest), column)

    def sweeps(self, sampler):
        """How many sweeps a sampler made on synthetic corpora."""
        found = {int(x["sweeps"]) for x in self.chains if x["data"].startswith(self.size) and x["sampler"] == sampler}
        return " or ".join(map(str, sorted(found))) or "no"

    def by_corpus(self, name, column):
        """The mean of a column over the runs on each synthetic corpus, by the name of the corpus."""
        lines = self.chains if name in SAMPLERS else self.runs
        key = "sampler" if name in SAMPLERS else "way"
        found = {}
        for x in lines:
            mine = x["data"].startswith(self.size) and x[key] == name and x.get("kind", "estimates") == "estimates"
            if mine and x.get(column, "") != "":
                found.setdefault(x["data"], []).append(float(x[column]))
        return {data: float(np.mean(numbers)) for data, numbers in found.items()}


def values(lines, column):
    return np.array([float(x[column]) for x in lines if x[column] != ""])


def spread(x, scale=1.0, digits=0, unit=""):
    """Median and range: "-617,894 (-618,700 to -617,000; 5 runs)"."""
    x = np.sort(np.asarray(x) * scale)
    if not len(x):
        return "not run"
    middle = f"{np.median(x):,.{digits}f}{unit}"
    return middle if len(x) == 1 else f"{middle} ({x[0]:,.{digits}f} to {x[-1]:,.{digits}f}; {len(x)} runs)"


def percent(x):
    return f"accuracy {spread(x, 100, 1, '%')}"


def signed(d, scale=1.0, digits=0):
    """A difference and its standard error."""
    error = "" if np.isnan(d.standard_error) else f" ± {d.standard_error * scale:,.{digits}f}"
    return f"{d.mean * scale:+,.{digits}f}{error}"


def apart(x, y):
    """The difference of the means of runs that have nothing in common."""
    error = np.sqrt(sum(np.var(z, ddof=1) / len(z) if len(z) > 1 else np.nan for z in (x, y)))
    return search.Difference(float(np.mean(x) - np.mean(y)), float(error), min(len(x), len(y)))


def common(a, b):
    """The paired difference over the corpora that both dictionaries have."""
    both = sorted(a.keys() & b.keys())
    return search.paired([a[x] for x in both], [b[x] for x in both]) if both else None


def clear(d):
    return bool(d is not None and d.mean > 2 * d.standard_error)


def verdict(clearly):
    """`reproduced` if it holds everywhere, `not reproduced` if nowhere."""
    if not clearly:
        return "not tested"
    return "reproduced" if all(clearly) else "depends on search" if any(clearly) else "not reproduced"


# R8 -----------------------------------------------------------------------------------------------------------------

WITH_COUNTS = ("vb nested", "vb corpus")
RESTORED = "vb published, with counts"


def samplers_against_vb(s):
    lines, clearly = [], []
    for way in (*WITH_COUNTS, RESTORED):
        for start in s.starts(way):
            ll, right = s.of(way, "ll", start), s.of(way, "accuracy", start)
            lines.append(f"{way} from {start}: {spread(ll)}, {percent(right)}, completion"
                         f" {spread(s.of(way, 'completion', start))}")  # fmt: skip
            if len(ll) > 1:
                best = int(np.argmax(s.of(way, "bound_2", start)))
                lines[-1] += f"; the run with the highest bound {ll[best]:,.0f}, {right[best] * 100:.1f}%"
            for sampler in SAMPLERS:
                for kind, S in (("estimates", None), ("probabilities", 1)):
                    if len(s.chain(sampler, "ll", kind, S)) > 1 and len(ll) > 1:
                        pair = [apart(s.chain(sampler, x, kind, S), y) for x, y in (("ll", ll), ("accuracy", right))]
                        clearly += [clear(d) for d in pair]
                        if kind == "estimates":
                            lines[-1] += f"; {sampler} is ahead by {signed(pair[0])} and {signed(pair[1], 100, 1)}%"
    for sampler in SAMPLERS:
        one, mean = (s.chain(sampler, "ll", *x) for x in (("probabilities", 1), ("estimates",)))
        if len(one):
            lines.append(f"{sampler}: one sample {spread(one)}; averaged estimates {spread(mean)},"
                         f" {percent(s.chain(sampler, 'accuracy'))}, completion"
                         f" {spread(s.chain(sampler, 'completion'))}")  # fmt: skip
    return verdict(clearly), lines


def averages(s):
    """Averages against averages: probabilities over the ends of five starts, and over samples."""
    lines = [f"completion, {way} from {s.starts(way)[0]}: one end"
             f" {spread(s.of(way, 'completion', s.starts(way)[0]))}, mean over the ends"
             f" {spread(s.averaged(way, 'completion'))}"
             for way in (*WITH_COUNTS, RESTORED, "cvb0", "ml") if len(s.averaged(way, "completion"))]  # fmt: skip
    for sampler in SAMPLERS:
        sizes = sorted({int(x["samples"]) for x in s.chains if x["data"] == "r8" and x["kind"] == "probabilities"})
        found = []
        for S in sizes:
            one, all_ = (s.chain(sampler, "completion", "probabilities", S, together=x) for x in (False, True))
            if len(one):
                found.append(f"S = {S} {spread(one)}, the chains together {spread(all_)}")
        lines += [f"completion, {sampler}: {'; '.join(found)}"] if found else []
    return lines


def gap(s):
    lines, sizes, nearest = [], {}, PRINTED["r8"]["gibbs"][0] - PRINTED["r8"]["vb"][0]
    gibbs = s.chain("gibbs", "ll")
    for way in ("vb nested", "vb corpus", "vb nested, no counts", "vb published", RESTORED):
        for start in s.starts(way):
            ll = s.of(way, "ll", start)
            if len(gibbs) and len(ll):
                sizes[way, start] = d = apart(gibbs, ll)
                right = apart(s.chain("gibbs", "accuracy"), s.of(way, "accuracy", start))
                lines.append(f"{way} from {start}: {signed(d)}, accuracy {signed(right, 100, 1)}%")
    near = {way for (way, _), d in sizes.items() if abs(d.mean - nearest) < nearest / 4}
    if not sizes:
        return "not tested", ["Not run."]
    as_published = near & {"vb published", "vb nested, no counts"}
    status = "reproduced" if "vb nested" in near else "changed" if as_published else "not reproduced"
    return status, [f"print: {nearest:+,.0f} and +2.7%", *lines]


def dropped(s):
    lines, printed = [], PRINTED["r8"]["vb"][0]
    pairs = [("vb nested", "vb nested, no counts"), ("vb corpus", "vb corpus, no counts"),
             (RESTORED, "vb published")]  # fmt: skip
    for way, other in pairs:
        for start in set(s.starts(way)) & set(s.starts(other)):
            both = [(s.of(way, x, start), s.of(other, x, start)) for x in ("ll", "accuracy", "completion")]
            ll, right, held = (search.paired(y, x) for x, y in both)
            lines.append(f"{other} against {way}, from {start}: {signed(ll)}, accuracy {signed(right, 100, 1)}%,"
                         f" completion {signed(held, 1, 1)}")  # fmt: skip
    with_, without = s.of(RESTORED, "ll"), s.of("vb published", "ll")
    if not len(without) or not len(with_):
        return "not tested", lines or ["Not run."]
    right = percent(s.of("vb published", "accuracy"))
    lines.append(f"print {printed:,} and {PRINTED['r8']['vb'][1]}%; the published code's way {spread(without)},"
                 f" {right}; the same with counts {spread(with_)}")  # fmt: skip
    closer = abs(np.median(without) - printed) < abs(np.median(with_) - printed)
    return "not reproduced" if closer else "reproduced", lines


def varies(s):
    lines, larger = [], []
    for column, scale, digits in (("ll", 1, 0), ("accuracy", 100, 2), ("completion", 1, 2)):
        vb = {f"{way} from {x}": s.of(way, column, x) for way in WITH_COUNTS for x in s.starts(way)}
        others = {x: s.chain(x, column, "probabilities", 1) for x in SAMPLERS}
        deviations = {name: np.std(x, ddof=1) * scale for name, x in {**vb, **others}.items() if len(x) > 2}
        shown = ", ".join(f"{name} {x:,.{digits}f}" for name, x in deviations.items())
        lines += [f"R8, {column}: {shown}"] if shown else []
        larger += [deviations[x] > deviations[y] for x in vb for y in others if x in deviations and y in deviations]
    for column, scale, digits in (("accuracy", 100, 2), ("mse", 1, 4)):
        found = {x: list(s.by_corpus(x, column).values()) for x in (*WITH_COUNTS, *SAMPLERS)}
        deviations = {x: np.std(y, ddof=1) * scale for x, y in found.items() if len(y) > 2}
        shown = ", ".join(f"{x} {y:,.{digits}f}" for x, y in deviations.items())
        lines += [f"synthetic, {column}: {shown}"] if shown else []
        larger += [deviations[x] > deviations[y] for x in WITH_COUNTS for y in SAMPLERS if {x, y} <= deviations.keys()]
    status = verdict([bool(x) for x in larger]).replace("depends on search", "changed")  # it holds for some criteria
    return status, [f"standard deviations; VB's is larger in {sum(larger)} of {len(larger)} pairs", *lines]


def initialised(s):
    """Re-initialisation: the same number of inner steps from the uniform distribution and from the last gamma."""
    lines, clearly = [], []
    base = ("vb nested", "vb nested, 10 steps")
    for way in base:
        for other in ("vb warm, 10 steps", "vb corpus"):
            both = [(s.of(way, x, "dirichlet"), s.of(other, x, "dirichlet")) for x in ("bound_2", "ll", "accuracy")]
            if all(len(x) == len(y) > 1 for x, y in both):
                bound, ll, right = (search.paired(x, y) for x, y in both)
                clearly += [clear(bound), clear(ll)] if "warm" in other else []
                lines.append(f"{way} against {other}: bound {signed(bound, 1, 4)} a token, {signed(ll)}, accuracy"
                             f" {signed(right, 100, 1)}%")  # fmt: skip
    a = s.by_corpus("vb nested", "bound_2")
    for other in ("vb warm, 10 steps", "vb corpus"):
        d = common(a, s.by_corpus(other, "bound_2"))
        if d is not None and d.pairs > 1:
            clearly += [clear(d)] if "warm" in other else []
            ll = common(s.by_corpus("vb nested", "ll"), s.by_corpus(other, "ll"))
            lines.append(f"synthetic, vb nested against {other}: bound {signed(d, 1, 4)} a token, {signed(ll)}")
    one = s.of("vb nested, 1 step", "bound_2", "dirichlet")
    if len(one):
        lines.append(f"with one inner step the bound is {spread(one, 1, 3)}, log-likelihood"
                     f" {spread(s.of('vb nested, 1 step', 'll'))}")  # fmt: skip
    return verdict(clearly), lines or ["Not run."]
