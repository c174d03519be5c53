"""Exact results on tiny corpora.

- `exact`: the evidence, the posterior and Callen's equations, by enumeration; `lda_reference.exact`
- `enumeration`: all assignments of a corpus and their counts
- `divergence`, `projections`: alpha-divergences, and the updates that minimise them (SN12)
"""
