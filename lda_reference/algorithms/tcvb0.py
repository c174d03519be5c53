"""TCVB0: CVB0 by types, SN12 (51)-(55), restored.

One q(z_dv) for each pair of a document and a word type excludes all n_dv copies of the word in the document:

    q(z_dv = t)  ∝  (E[n_dt^-dv] + alpha_t) (E[n_tv^-dv] + beta) / (E[n_t^-dv] + V beta)                          (55)

The terms are those of CVB0, AWST09 (13). The exclusion differs.

The plain text is `plain.updates.TCVB0`.
"""

from dataclasses import replace

from .cvb0 import ALGORITHM as CVB0

ALGORITHM = replace(
    CVB0,
    name="tcvb0",
    update=CVB0.update._replace(excludes="type"),  # SN12 (55), restored
)
