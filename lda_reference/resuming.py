"""Whether a run may continue another one: the corpus and the settings must be the same."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from .arguments import shown
from .corpus import Corpus
from .model import Prior


def corpus_digest(c: Corpus) -> str:
    """A digest of the rows and sizes of a corpus."""
    h = hashlib.sha256(f"{c.D} {c.W} ".encode())
    for x in (c.j, c.w, c.n):
        h.update(np.ascontiguousarray(x, "<i8").tobytes())
    return h.hexdigest()[:16]


def check_resumed(
    resume: Any, c: Corpus, mine: dict[str, Any], prior: Prior, replicates: int | None, sweeps: int
) -> None:
    """Raise a ValueError if a run differs from the Fit that it resumes."""
    if corpus_digest(c) != resume.corpus:
        raise ValueError(f"c is another corpus than that of the run to resume: {_difference(resume, c)}")
    theirs = {name: getattr(resume, name) for name in mine if name not in ("K", "algorithm")}
    theirs |= {"algorithm": resume.algorithm.name, "K": resume.phi_wk.shape[-1]}
    if replicates is not None:
        mine = mine | {"replicates": replicates}
        theirs["replicates"] = resume.phi_wk.shape[1] if resume.phi_wk.ndim == 3 else None
    for name, x in mine.items():
        if (isinstance(theirs[name], str) and not isinstance(x, str)) or x != theirs[name]:
            raise ValueError(f"{name} is {shown(x)}, expected {shown(theirs[name])} as in the run to resume")
    if prior != resume.prior:
        raise ValueError(f"prior is {prior}, expected {resume.prior} as in the run to resume")
    if resume.sweeps > sweeps:
        raise ValueError(f"sweeps is {sweeps}, expected {resume.sweeps} or more: the run to resume has as many already")


def _difference(resume: Any, c: Corpus) -> str:
    """The sizes that differ. A Fit knows the tokens of its corpus if it is of a sampler, and otherwise the rows."""
    z = resume.state.z
    sizes = [("documents", c.D, len(resume.theta_jk)), ("words", c.W, len(resume.phi_wk))]
    sizes.append(("tokens", c.N, len(z)) if z is not None else ("rows", c.M, len(resume.state.gamma)))
    differ = [(what, x, y) for what, x, y in sizes if x != y]
    if not differ:
        return f"its sizes are the same ({', '.join(f'{x:,} {what}' for what, x, _ in sizes)}), but its counts differ"
    return ", ".join(f"it has {x:,} {what}, expected {y:,}" for what, x, y in differ)
