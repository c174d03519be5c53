"""The CSV files of `sol14/runs.py`, the numbers that SOL14 published, and how numbers are shown.

The numbers of Fig. 1 cannot be read from the text of the paper. printed.toml has those of the result files in the
paper's repository (`Reuters/R8_results.txt` and `synthetic/synthetic_results.txt`).
"""

import tomllib

import numpy as np

from figures.common import HERE, by, grouped, numbers, read, select

PRINTED = tomllib.loads((HERE / "sol14/printed.toml").read_text("utf-8"))
SAMPLERS = ("cgs", "gibbs")
WITH_COUNTS = ("vb nested", "vb corpus")
RESTORED = "vb published, with counts"
VBS = (*WITH_COUNTS, RESTORED)  # VB as the paper describes it, in two schedules and with the start of its code


class Study:
    """The lines of the CSV files in a folder."""

    def __init__(self, folder):
        names = "runs", "chains", "bootstrap", "corpora"
        self.runs, self.chains, self.bootstrap, self.corpora = (read(folder / f"sol14/{x}.csv") for x in names)
        single = [
            {**x, "kind": "estimates", "samples": "0", "chain": x["seed"]} for x in read(folder / "sol14/fits.csv")
        ]
        self.chains += single
        self.size = self.largest_size()

    def largest_size(self):
        """The paper's size if VB and the samplers have run on two of its corpora, otherwise the small one."""
        names = {x["data"] for x in self.chains} & {x["data"] for x in self.runs}
        return "synthetic" if sum(x.startswith("synthetic") for x in names) > 1 else "small"

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
