"""Exact results on small corpora, and estimates whose error is stated where the sums end.

- `exact`: the evidence, the posterior and Callen's equations; `lda_reference.exact`
- `enumeration`, `tables`, `table_posterior`: the sums behind it, over assignments and over tables of counts
- `annealed`: annealed importance sampling of the evidence, from both sides; `weights` has its bounds
- `document`: the evidence of a document given the topics, exactly and by left-to-right
- `divergence`, `projections`: alpha-divergences, and the updates that minimise them (SN12)
"""
