"""The CSV files of `sol14/runs.py`, and the numbers that SOL14 published.

The numbers of Fig. 1 cannot be read from the text of the paper. printed.toml has those of the result files in the
paper's repository (`Reuters/R8_results.txt` and `synthetic/synthetic_results.txt`).
"""

import tomllib

from figures.common import HERE, grouped, numbers, read, select

PRINTED = tomllib.loads((HERE / "sol14/printed.toml").read_text("utf-8"))
SAMPLERS = ("cgs", "gibbs")


class Study:
    """The lines of the CSV files in a folder."""

    def __init__(self, folder):
        self.runs, chain_lines, fit_lines, self.corpora = (
            read(folder / f"sol14/{file_name}.csv") for file_name in ("runs", "chains", "fits", "corpora")
        )
        chain_estimates = [chain for chain in chain_lines if chain["kind"] == "estimates" and chain["chain"] != "all"]
        fit_estimates = [x | {"chain": x["seed"], "sampler": x["sampler"].removesuffix(" tomotopy")} for x in fit_lines]
        self.estimates = chain_estimates + fit_estimates
        corpus_names = {line["data"] for line in self.estimates} & {line["data"] for line in self.runs}
        # The paper's size if VB and the samplers have run on two of its corpora, otherwise the small one.
        self.size = "synthetic" if sum(corpus.startswith("synthetic") for corpus in corpus_names) > 1 else "small"

    def ends(self, way_name, column):
        """A column of the runs on R8, without the line of their average."""
        return numbers([line for line in select(self.runs, data="r8", way=way_name) if line["seed"] != "mean"], column)

    def chain(self, sampler, column_name):
        """The values of the chains on R8, of the longest run if there are several."""
        lines = [line for line in select(self.estimates, data="r8", sampler=sampler) if line.get(column_name, "") != ""]
        return numbers(longest(lines), column_name)

    def by_corpus(self, way, column):
        """The mean of a column over the runs on each synthetic corpus; of a sampler, over its longest chains."""
        sampler_lines = select(self.estimates, sampler=way) if way in SAMPLERS else []
        lines = [line for line in sampler_lines or select(self.runs, way=way) if line["data"].startswith(self.size)]
        corpora = grouped([line for line in lines if line.get(column, "") != ""], "data").items()
        return {corpus: float(numbers(longest(x) if sampler_lines else x, column).mean()) for (corpus,), x in corpora}


def longest(chain_lines):
    """The lines of the longest chains."""
    most_sweeps = max((int(line["sweeps"]) for line in chain_lines), default=0)
    return [line for line in chain_lines if int(line["sweeps"]) == most_sweeps]
