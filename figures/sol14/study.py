"""The CSV files of `sol14/runs.py`, the numbers that SOL14 published, and how numbers are shown.

The numbers of Fig. 1 cannot be read from the text of the paper. `PRINTED` has those of the result files in the paper's
repository (github.com/hsoleimani/STAT540Project, `Reuters/R8_results.txt` and `synthetic/synthetic_results.txt`): the
log-likelihood of test documents and the accuracy in percent; over repetitions the mean and standard deviation.
"""

import numpy as np

from figures.common import by, grouped, numbers, read, select

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

    def starts(self, way):
        """The starts of a way on R8, `dirichlet` first."""
        found = {x["start"] for x in select(self.runs, way=way, data="r8")}
        return sorted(found, key=lambda start: (start != "dirichlet", start))

    def ends(self, way, start=None):
        """The lines of the runs on R8 from a start (default: any), without the line of their average."""
        return [x for x in select(self.runs, data="r8", way=way) if x["seed"] != "mean" and start in (None, x["start"])]

    def of(self, way, column, start=None):
        return numbers(self.ends(way, start), column)

    def by_seed(self, way, column, start):
        return by(self.ends(way, start), column)

    def averaged(self, way, column):
        """The value of the mean probabilities over the ends from the first start of each way."""
        return numbers(select(self.runs, data="r8", way=way, seed="mean", start=self.starts(way)[0]), column)

    def chain(self, sampler, column, kind="estimates", samples=None, together=False):
        """The values of the chains on R8, of the longest run if there are several; `together`: of all averaged."""
        lines = [x for x in select(self.chains, data="r8", sampler=sampler, kind=kind)
                 if (x["chain"] == "all") == together and samples in (None, int(x["samples"]))
                 and x.get(column, "") != ""]  # fmt: skip
        return numbers(longest(lines), column)

    def sweeps(self, sampler, data=None):
        """How many sweeps a sampler's chains have that are counted; by default on synthetic corpora."""
        lines = [x for x in select(self.chains, sampler=sampler) if x["data"].startswith(data or self.size)]
        found = sorted({int(longest(mine)[0]["sweeps"]) for mine in grouped(lines, "data").values()}) or [0]
        return " to ".join(f"{x:,}" for x in dict.fromkeys((found[0], found[-1])))

    def by_corpus(self, name, column):
        """The mean of a column over the runs on each synthetic corpus; of a sampler, over its longest chains."""
        of_sampler = select(self.chains, sampler=name, kind="estimates") if name in SAMPLERS else []
        lines = [x for x in of_sampler or select(self.runs, way=name) if x["data"].startswith(self.size)]
        corpora = grouped([x for x in lines if x.get(column, "") != ""], "data").items()
        return {data: float(numbers(longest(x) if of_sampler else x, column).mean()) for (data,), x in corpora}


def longest(lines):
    """The lines of the longest chains."""
    most = max((int(x["sweeps"]) for x in lines), default=0)
    return [x for x in lines if int(x["sweeps"]) == most]


def spread(x, scale=1.0, digits=0, unit=""):
    """Median and range: "-617,894 (-618,700 to -617,000; 5 runs)"."""
    x = np.sort(np.asarray(x) * scale)
    if not len(x):
        return "not run"
    middle = f"{np.median(x):,.{digits}f}{unit}"
    return middle if len(x) == 1 else f"{middle} ({x[0]:,.{digits}f} to {x[-1]:,.{digits}f}; {len(x)} runs)"
