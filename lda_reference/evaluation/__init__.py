"""Measures of the quality of estimates.

- `prediction`: estimates of theta and phi, the probability of held-out tokens, perplexity, folding in
- `validation`: the perplexity of validation documents, of which half is known
- `matching`: topics matched to the true ones, their most probable words, distances between topics
- `coherence`: whether the most probable words of a topic occur in the same documents
- `windows`: C_UCI, C_NPMI and C_V, the coherence of topics in windows of words
- `stability`: which topics come back in runs from other starts
- `definitions`, `which_number`: the definitions of the numbers that libraries report, and which of them gives a number
- `from_model`: the model of another program as a Fit
- `labels`: classification through topics
- `repetition`: the parametric bootstrap
- `search`: runs from several starts, stopped by one rule; which run is chosen; paired differences
- `monte_carlo`, `chains`: batch means and SOL14's stopping rule; R-hat and effective sample size
"""
