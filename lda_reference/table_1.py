"""TNW06 Table 1 in code, with a cell for each treatment of the latent variables and of the parameters.

"Over the years a variety of inference algorithms have been proposed based on a combination of {maximize, sample, assume
independent, marginalize out} applied to both parameters and latent variables."
"""

from dataclasses import replace
from itertools import product
from typing import NamedTuple

from .algorithms import ALGORITHMS
from .corpus import Corpus
from .fitting import Fit, fit
from .model import Prior
from .recommended import own_schedule_and_start
from .truth import exact


class Cell(NamedTuple):
    """A cell of the table.

    The algorithm, the assignment and the schedule run it; "enumeration" has neither of the last two.
    """

    name: str  # as printed, "?" if the paper leaves the cell open
    algorithm: str
    assignment: str | None
    schedule: str | None
    equations: tuple[str, ...]  # tags as in equations.toml
    worth: str  # whether the cell is worth using for LDA, "yes" or "no" or for what, and the reason
    why: str = ""  # why this algorithm runs the cell, where that needs a remark


LATENT = ("marginalize out", "assume independent", "sample", "maximize")  # the rows
PARAMETERS = ("maximize", "sample", "assume independent", "marginalize out")  # the columns
EM = ("AWST09 (4)",)
GIBBS = ("SOL14 (5)", "SOL14 (6)", "SOL14 (7)")
VB = ("TNW06 (4)", "TNW06 (5)", "TNW06 (6)")

CELLS = (  # row after row
    Cell("EM", "ml", "soft", "corpus", EM, "to compare: it has no prior; `map` has one"),
    Cell(
        "any MCMC", "hmc", "sample", "corpus", ("SOL14 (7)",),
        "to check others: its draws are exact in the limit; a sweep takes more than ten gradients",
        "Hamiltonian Monte Carlo on theta and phi; z is summed out, not sampled",
    ),
    Cell(
        "EP for LDA", "ep", "soft", "token", ("ML02 [deletion]", "ML02 [moments]", "ML02 [inclusion]"),
        "on small corpora, for log p(x): it keeps M W K exponents, and improper sites are left out",
        "Minka and Lafferty (2002), with phi as a random variable as well",
    ),
    Cell(
        "intractable", "enumeration", None, None, ("SOL14 (1)",), "on tiny corpora: it is the truth",
        "a sum over K^N assignments, done on tiny corpora",
    ),
    Cell(
        "variational EM", "ml", "soft", "corpus", EM, "no: it is EM",
        "given theta and phi the z are independent: for LDA it is EM",
    ),
    Cell(
        "?", "gibbs", "soft", "corpus", GIBBS,
        "no: its theta varies too little, and so tokens share topics too rarely; Gibbs sampling has no such bias",
        "open in the paper; here VB with drawn theta and phi instead of the means of their logarithms",
    ),
    Cell("VB", "vb", "soft", "corpus", VB, "yes: it has a lower bound of log p(x), which no sweep lowers"),
    Cell("CVB", "cvb", "soft", "token", ("TNW06 (18)",), "yes: also as `cvb0`, its zeroth order, which is simpler"),
    Cell(
        "stochastic EM", "ml", "sample", "corpus", EM, "no: a topic that leaves a document by chance never comes back"
    ),
    Cell(
        "Gibbs sampling", "gibbs", "sample", "corpus", GIBBS,
        "yes: its draws are exact in the limit, and a sweep draws all tokens at once",
    ),
    Cell(
        "?", "vb", "sample", "corpus", VB,
        "no: with small priors a topic that leaves a document hardly comes back; its law is not the posterior",
        "open in the paper; here VB with the counts of a drawn z instead of expected counts",
    ),
    Cell("collapsed Gibbs", "cgs", "sample", "token", ("TNW06 (8)",), "yes: its draws are exact in the limit"),
    Cell("Viterbi EM", "ml", "hard", "corpus", EM, "no: a topic that leaves a document never comes back"),
    Cell(
        "?", "gibbs", "hard", "corpus", GIBBS,
        "no: copies of a word in a document always share their topic; its law is not the posterior",
        "open in the paper; here Gibbs sampling that takes the largest topic of a token instead of a draw",
    ),
    Cell("ME", "vb", "hard", "corpus", VB, "no: it can stop where a single token would still gain by moving"),
    Cell(
        "ME", "cvb0", "hard", "token", ("AWST09 (13)",), "for a single likely z: it climbs log p(x, z)",
        "hard counts have no variance: TNW06 (8) with its largest topic taken",
    ),
)  # fmt: skip
TABLE_1 = dict(zip(product(LATENT, PARAMETERS), CELLS, strict=True))  # TNW06 Table 1: (latent variables, parameters)


def printed() -> str:
    """The table as text, two or three lines for each cell: name, what runs it and why, equation tags, what it is worth.

    >>> print(printed().split("\\n\\n")[2])
    z sample
      parameters maximize            stochastic EM    ml, sample     AWST09 (4)
        no: a topic that leaves a document by chance never comes back
      parameters sample              Gibbs sampling   gibbs, sample  SOL14 (5)(6)(7)
        yes: its draws are exact in the limit, and a sweep draws all tokens at once
      parameters assume independent  ?                vb, sample     TNW06 (4)(5)(6)
        open in the paper; here VB with the counts of a drawn z instead of expected counts
        no: with small priors a topic that leaves a document hardly comes back; its law is not the posterior
      parameters marginalize out     collapsed Gibbs  cgs, sample    TNW06 (8)
        yes: its draws are exact in the limit
    """
    row_texts = []
    for latent_treatment in LATENT:
        row_lines = [f"z {latent_treatment}"]
        for parameter_treatment in PARAMETERS:
            cell = TABLE_1[latent_treatment, parameter_treatment]
            runner_names = ", ".join(filter(None, (cell.algorithm, cell.assignment)))
            row_lines.append(f"  parameters {parameter_treatment:18}  {cell.name:15}  {runner_names:13}  {tags(cell)}")
            row_lines += [f"    {remark}" for remark in (cell.why, cell.worth) if remark]
        row_texts.append("\n".join(row_lines))
    return "\n\n".join(row_texts)


def tags(cell: Cell) -> str:
    """The equations of a cell, with the paper's key once: `TNW06 (4)(5)(6)`."""
    paper_keys, equation_numbers = zip(*(tag.split(" ") for tag in cell.equations), strict=True)
    return f"{paper_keys[0]} {''.join(equation_numbers)}"


def run(
    latent: str, parameters: str, c: Corpus, K: int, p: Prior, seed: int = 0, sweeps: int = 50
) -> Fit | exact.Posterior:
    """Run a cell of the table as `fit` does: the Fit, or the exact posterior if all is marginalized out.

    >>> c = Corpus.from_documents([[0, 0, 1], [2, 2, 1]])
    >>> gamma = run("maximize", "marginalize out", c, 2, Prior(0.1, 0.1)).state.gamma
    >>> sorted(set(gamma.ravel().tolist()))
    [0.0, 1.0]
    """
    if (latent, parameters) not in TABLE_1:
        choice_text = '"maximize", "sample", "assume independent" and "marginalize out"'
        raise ValueError(f"no cell ({latent!r}, {parameters!r}): rows and columns are {choice_text}")
    cell = TABLE_1[latent, parameters]
    if cell.algorithm == "enumeration":
        return exact.posterior(c, K, p)
    assert cell.assignment is not None
    A = replace(ALGORITHMS[cell.algorithm], assignment=cell.assignment)
    return fit(c, K, A, p, sweeps, cell.schedule, own_schedule_and_start(A)[1], seed=seed)
