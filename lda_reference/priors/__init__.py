"""Learning the prior: from the evidence of the counts, or under a prior on the prior.

- `learners`: the functions that `fit(..., learn=...)` calls after a sweep
- `evidence`: the log evidence L of counts as a function of the prior, and its gradient
- `minka`: one step of Minka's fixed point on L
- `boojum`, `boojum_mode`: the conjugate prior of the Dirichlet distribution, and its mode
- `hyperpriors`: VB with a prior on its hyperparameters, BOO16's Figures 2 and 3, and the bound
"""
