"""TCVB0: CVB0 by types, SN12 (51)-(55), restored.

One q(z_dv) for each pair of a document and a word type, excluding all n_dv copies of the word in the document:

    q(z_dv = t)  ∝  (E[n_dt^-dv] + alpha_t) (E[n_tv^-dv] + beta) / (E[n_t^-dv] + V beta)

The weights are those of CVB0, AWST09 (13); what differs is the exclusion.
"""

from typing import Any

from ..corpus import Corpus
from ..engine import Algorithm, State, posterior_mean
from ..model import Prior
from .cvb0 import document, topic, word  # SN12 (55), restored
from .cvb_exact import bound


def objective(s: State, c: Corpus, p: Prior) -> Any:
    raise ValueError("tcvb0 climbs no function that is known; `bound` is the collapsed bound TNW06 (12) at its gamma")


ALGORITHM = Algorithm(
    name="tcvb0",
    schedules=("token", "document", "corpus"),
    excludes="type",
    document=document,
    word=word,
    topic=topic,
    estimate=posterior_mean,
    bound=bound,
    objective=objective,
)
