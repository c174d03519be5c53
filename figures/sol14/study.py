"""The CSV files of `sol14/runs.py`, the numbers that SOL14 published, and how numbers are shown.

The numbers of Fig. 1 cannot be read from the text of the paper. `PRINTED` has those of the result files in the paper's
repository (github.com/hsoleimani/STAT540Project, `Reuters/R8_results.txt` and `synthetic/synthetic_results.txt`): the
log-likelihood of test documents and the accuracy in percent; over repetitions the mean and standard deviation.
"""

from __future__ import annotations

import numpy as np

from figures.common import read

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
SAMPLERS = ("cgs", "gibbs")
WITH_COUNTS = ("vb nested", "vb corpus")
RESTORED = "vb published, with counts"
VBS = (*WITH_COUNTS, RESTORED)  # VB as the paper describes it, in two schedules and with the start of its code


class Study:
    """The lines of the CSV files in a folder."""

    def __init__(self, folder):
        self.runs, self.chains, self.cross, self.bootstrap, self.corpora = (
            read(folder / f"sol14/{x}.csv") for x in ("runs", "chains", "cross", "bootstrap", "corpora")
        )
        single = [
            {**x, "kind": "estimates", "samples": "0", "chain": x["seed"]} for x in read(folder / "sol14/fits.csv")
        ]
        self.chains += single
        self.size = self.largest_size()

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

    def by_seed(self, way, column, start, data="r8"):
        """As `of`, by the seed."""
        return {x["seed"]: float(x[column]) for x in self.runs if x["data"] == data and x["way"] == way
                and x["start"] == start and x["seed"] != "mean" and x[column] != ""}  # fmt: skip

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

    def sweeps(self, sampler, data=None):
        """How many sweeps a sampler's chains have that are counted; by default on synthetic corpora."""
        found = {}
        for x in self.chains:
            if x["sampler"] == sampler and (x["data"] == data if data else x["data"].startswith(self.size)):
                found[x["data"]] = max(found.get(x["data"], 0), int(x["sweeps"]))
        numbers = sorted(set(found.values())) or [0]
        return f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}"

    def by_corpus(self, name, column):
        """The mean of a column over the runs on each synthetic corpus; of a sampler, over its longest chains."""
        lines = self.chains if name in SAMPLERS else self.runs
        key = "sampler" if name in SAMPLERS else "way"
        found = {}
        for x in lines:
            mine = x["data"].startswith(self.size) and x[key] == name and x.get("kind", "estimates") == "estimates"
            if mine and x.get(column, "") != "":
                sweeps = int(x["sweeps"]) if name in SAMPLERS else 0
                found.setdefault(x["data"], {}).setdefault(sweeps, []).append(float(x[column]))
        return {data: float(np.mean(of[max(of)])) for data, of in found.items()}


def values(lines, column):
    return np.array([float(x[column]) for x in lines if x[column] != ""])


def spread(x, scale=1.0, digits=0, unit=""):
    """Median and range: "-617,894 (-618,700 to -617,000; 5 runs)"."""
    x = np.sort(np.asarray(x) * scale)
    if not len(x):
        return "not run"
    middle = f"{np.median(x):,.{digits}f}{unit}"
    return middle if len(x) == 1 else f"{middle} ({x[0]:,.{digits}f} to {x[-1]:,.{digits}f}; {len(x)} runs)"
