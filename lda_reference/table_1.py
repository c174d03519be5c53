"""TNW06 Table 1 in code, with a cell for each treatment of the latent variables and of the parameters.

"Over the years a variety of inference algorithms have been proposed based on a combination of {maximize, sample, assume
independent, marginalize out} applied to both parameters and latent variables."
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from .algorithms import ALGORITHMS
from .corpus import Corpus
from .fitting import Fit, fit
from .model import Prior
from .truth import exact


class Cell(NamedTuple):
    """A cell of the table.

    Attributes
    ----------
    name : str
        What the table prints.
    algorithm, assignment, schedule : str or None
        What runs the cell; None if the cell is open.
    why : str
        A remark, or why the cell is open.
    """

    name: str
    algorithm: str | None = None
    assignment: str | None = None
    schedule: str | None = None
    why: str = ""


TABLE_1: dict[tuple[str, str], Cell] = {  # TNW06 Table 1: (latent variables, parameters)
    ("marginalize out", "maximize"): Cell("EM", "ml", "soft", "corpus"),
    ("marginalize out", "sample"): Cell(
        "any MCMC",
        "hmc",
        "sample",
        "corpus",
        why="Hamiltonian Monte Carlo on theta and phi; z is summed out, not sampled",
    ),
    ("marginalize out", "assume independent"): Cell(
        "EP for LDA", "ep", "soft", "token", why="Minka and Lafferty (2002), with phi as a random variable as well"
    ),
    ("marginalize out", "marginalize out"): Cell(
        "intractable", "enumeration", why="a sum over K^N assignments, done on tiny corpora"
    ),
    ("assume independent", "maximize"): Cell(
        "variational EM", "ml", "soft", "corpus", why="given theta and phi the z are independent: for LDA it is EM"
    ),
    ("assume independent", "sample"): Cell("?", why="open in the paper"),
    ("assume independent", "assume independent"): Cell("VB", "vb", "soft", "corpus"),
    ("assume independent", "marginalize out"): Cell("CVB", "cvb", "soft", "token"),
    ("sample", "maximize"): Cell("stochastic EM", "ml", "sample", "corpus"),
    ("sample", "sample"): Cell("Gibbs sampling", "gibbs", "sample", "corpus"),
    ("sample", "assume independent"): Cell("?", why="open in the paper"),
    ("sample", "marginalize out"): Cell("collapsed Gibbs", "cgs", "sample", "token"),
    ("maximize", "maximize"): Cell("Viterbi EM", "ml", "hard", "corpus"),
    ("maximize", "sample"): Cell("?", why="open in the paper"),
    ("maximize", "assume independent"): Cell("ME", "vb", "hard", "corpus"),
    ("maximize", "marginalize out"): Cell(
        "ME", "cvb0", "hard", "token", why="hard counts have no variance: TNW06 (8) with its largest topic taken"
    ),
}


def run(
    latent: str, parameters: str, c: Corpus, K: int, p: Prior, seed: int = 0, sweeps: int = 50
) -> Fit | exact.Posterior:
    """Run a cell of the table from a random start.

    Parameters
    ----------
    latent, parameters : {"maximize", "sample", "assume independent", "marginalize out"}
    c : Corpus
    K : int
    p : Prior
    seed : int
    sweeps : int

    Returns
    -------
    Fit, or the exact posterior if both are marginalized out.

    Raises
    ------
    ValueError
        If the cell is open; the message says why.

    Examples
    --------
    >>> import numpy as np
    >>> c = Corpus.from_documents([[0, 0, 1], [2, 2, 1]])
    >>> gamma = run("maximize", "marginalize out", c, 2, Prior(0.1, 0.1)).state.gamma
    >>> bool(np.isin(gamma, [0, 1]).all())
    True
    """
    if (latent, parameters) not in TABLE_1:
        names = '"maximize", "sample", "assume independent" and "marginalize out"'
        raise ValueError(f"no cell ({latent!r}, {parameters!r}): rows and columns are {names}")
    cell = TABLE_1[latent, parameters]
    if cell.algorithm is None:
        raise ValueError(f"the cell ({latent!r}, {parameters!r}), {cell.name}, has no algorithm here: {cell.why}")
    if cell.algorithm == "enumeration":
        return exact.posterior(c, K, p)
    assert cell.assignment is not None
    A = replace(ALGORITHMS[cell.algorithm], assignment=cell.assignment)
    return fit(c, K, A, p, sweeps, cell.schedule, seed=seed)
