"""Collapsed Gibbs sampling, TNW06 §2.2; AWST09 §2.5; SOL14 §2.4.1, Algorithm 3.

With theta and phi integrated out, the topic of a token given all others is, TNW06 (8), AWST09 (14), SOL14 (8):

    P(z_ij = k | z^-ij, x_ij = w)  ∝  (N_wk^-ij + eta) / (N_k^-ij + W eta) (N_kj^-ij + alpha)

The weights are those of CVB0, AWST09 (13), at counts of drawn topics. A sweep draws every token in turn, and the counts
are refreshed after each draw; a row of count n draws its n tokens one after the other.

The plain text is `plain.updates.CGS`, and that of the sweep in parts `plain.updates.ADLDA`.
"""

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import check_generator
from ..corpus import Corpus
from ..engine.algorithm import Algorithm
from ..engine.arguments import checked_uniforms
from ..engine.counts import posterior_mean, sums
from ..engine.state import State
from ..engine.update import DRAWN_COUNT, Term, Update, soft
from ..model import Array, Prior, column
from .cvb0 import ALGORITHM as CVB0
from .cvb0 import smoothed

TERM = Term(smoothed, DRAWN_COUNT, additive=True)  # TNW06 (8), AWST09 (14), SOL14 (8)(28)(29)

ALGORITHM = Algorithm(
    name="cgs",
    update=Update(document=TERM, word=TERM, topic=TERM, excludes="token"),
    schedules=("token", "interleaved"),
    assignment="sample",
    estimate_of=posterior_mean,
    bound_of="it is a sampler, and its draws estimate the posterior, not the evidence",
    objective_of="it is a sampler, and draws from the posterior",
)


def sweep_of_fractions(s: State, c: Corpus, p: Prior, R: int, rng: np.random.Generator) -> State:
    """AWST09 §2.6's thought experiment: each topic is drawn R times, and the counts take the fractions.

    "As R -> ∞, this distribution will be exactly (13) and this algorithm will be CVB0." With R = 1 and one token a
    row it is collapsed Gibbs sampling; the tokens of a longer row share their draws. The state has no replicates.
    """
    check_generator(rng)

    def drawn_fractions(weights: Array) -> Array:
        return rng.multinomial(R, soft(weights)) / R  # AWST09 §2.6

    return CVB0.sweep(s, c, p, schedule="token", assignment=drawn_fractions)


def sweep_in_parts(s: State, c: Corpus, p: Prior, parts: ArrayLike, uniforms: ArrayLike) -> State:
    """AD-LDA, the approximately parallel sampler of AWST09 §5: each part of the documents has counts of its own.

    A processor sweeps its part with a copy of N_wk and N_k from the start of the sweep. So a part is a corpus of its
    own, whose prior eta is larger by the counts of the other parts. With more than one part, the stationary law is not
    the posterior.

    The whole numbers `parts` (D,) say to which part each document belongs; there is one of the `uniforms` (N,) for each
    token. A ValueError says if `parts` does not have a part for each document, or `s` has no topics or has replicates.

    >>> c, p = Corpus.from_documents([[0, 1], [0, 1]]), Prior(0.5, 0.5)
    >>> s = ALGORITHM.init(c, 2, p, z=[0, 0, 1, 1])
    >>> sweep_in_parts(s, c, p, parts=[0, 1], uniforms=[0.5, 0.9, 0.5, 0.9]).z
    array([0, 1, 1, 1])
    """
    part_of_document = np.asarray(parts)
    if part_of_document.shape != (c.D,):
        raise ValueError(f"parts has shape {part_of_document.shape}, expected ({c.D},): a part for each document")
    if s.z is None or s.z.ndim != 1:
        raise ValueError("s has no z, or has replicates, expected the topic of each token")
    u, z, tokens = checked_uniforms(uniforms, (c.N,), None), s.z.copy(), c.tokens()
    gamma = np.eye(s.gamma.shape[-1])[s.z]
    for part in np.unique(part_of_document[c.j]):
        in_part = part_of_document[tokens.j] == part
        corpora = [tokens.with_rows(tokens.j[mask], tokens.w[mask], tokens.n[mask]) for mask in (in_part, ~in_part)]
        outside_wk = sums(gamma[~in_part], corpora[1]).wk
        part_prior = Prior(p.alpha, column(p.eta, outside_wk) + outside_wk)  # AWST09 §5
        z_of_part = ALGORITHM.sweep(State(gamma[in_part], s.z[in_part]), corpora[0], part_prior, uniforms=u[in_part]).z
        assert z_of_part is not None
        z[in_part] = z_of_part
    return ALGORITHM.init(c, s.gamma.shape[-1], p, z=z)
