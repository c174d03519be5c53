#!/bin/bash
# scipy 1.17.1, stats.qmc.MultinomialQMC(pvals, n_trials).random(n), "Draw n QMC samples from the multinomial
#   distribution".
# Guess: Each of the n samples is a draw of a multinomial distribution, and the n samples together cover it more evenly
#   than n random draws do. Their variance is thus n_trials p (1 - p), as it is from MultivariateNormalQMC.
# Behaviour: The points are spread over the trials of one sample, and not over the samples. So each sample has nearly
#   its expected counts. With 128 trials each count is within 1.5 of 128 p, where a multinomial count has a standard
#   deviation of up to 5.6. If all 128 p are whole numbers, all samples are equal, whatever the seed. Counts that are
#   simulated so have nearly no noise. Their mean chi-squared is 0.2 with 4 degrees of freedom. The rarest word, which 8
#   percent of multinomial samples lack, is in all of them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import scipy
from scipy import stats

print("scipy", scipy.__version__)
n_trials = 128
p = np.array([0.47, 0.3, 0.15, 0.06, 0.02])
expected = n_trials * p
print("multinomial variances", (expected * (1 - p)).round(2).tolist())
for seed in (0, 1, 2):
    x = stats.qmc.MultinomialQMC(p, n_trials=n_trials, rng=seed).random(1024)
    chi2 = ((x - expected) ** 2 / expected).sum(1)
    print(f"seed {seed}: variances", x.var(0).round(2).tolist(), f"mean chi-squared {chi2.mean():.3f} of {len(p) - 1}",
          "largest distance from n p", np.abs(x - expected).max().round(2))
    assert (x.sum(1) == n_trials).all() and (x.var(0) < 0.2 * expected * (1 - p)).all() and chi2.mean() < 0.5
    assert (np.abs(x - expected) < 1.5).all() and (x[:, -1] > 0).all()
random = np.random.default_rng(0).multinomial(n_trials, p, size=1024)
print("random draws: variances", random.var(0).round(2).tolist(),
      "draws without the last word", int((random[:, -1] == 0).sum()))
assert (np.abs(random.var(0) / (expected * (1 - p)) - 1) < 0.2).all() and (random[:, -1] == 0).sum() > 30

whole = [0.5, 0.25, 0.125, 0.125]
engines = [stats.qmc.MultinomialQMC(whole, n_trials=128, rng=seed) for seed in range(20)]
samples = {tuple(row) for engine in engines for row in engine.random(64).tolist()}
print("p =", whole, "different samples of 20 seeds and 64 samples each:", samples)
assert samples == {(64.0, 32.0, 16.0, 16.0)}

covariance = np.diag(p[:2]) * n_trials
normal = stats.qmc.MultivariateNormalQMC(expected[:2], cov=covariance, rng=0).random(1024)
print("MultivariateNormalQMC: variances / given variances", (normal.var(0) / np.diag(covariance)).round(3).tolist())
assert (np.abs(normal.var(0) / np.diag(covariance) - 1) < 0.02).all()
PYTHON
# Seen: multinomial variances [31.88, 26.88, 16.32, 7.22, 2.51]
#       seed 0: variances [0.13, 0.44, 0.64, 0.22, 0.25] mean chi-squared 0.172 of 4 largest distance from n p 1.4
#       seed 1: variances [0.13, 0.24, 0.64, 0.7, 0.25] mean chi-squared 0.229 of 4 largest distance from n p 1.32
#       seed 2: variances [0.13, 0.56, 0.28, 0.22, 0.25] mean chi-squared 0.156 of 4 largest distance from n p 1.4
#       random draws: variances [32.29, 25.72, 16.63, 7.4, 2.5] draws without the last word 83
#       p = [0.5, 0.25, 0.125, 0.125] different samples of 20 seeds and 64 samples each: {(64.0, 32.0, 16.0, 16.0)}
#       MultivariateNormalQMC: variances / given variances [1.005, 1.0]
