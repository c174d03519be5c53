#!/bin/bash
# PyTorch 2.13.0 (and 2.14.1), torch.distributions.Categorical(probs=p) and Multinomial(n, probs=p), log_prob.
# Guess: the logarithm of the word's probability, to the precision of the dtype: -18.42 for 1e-8 in float32, which holds
#   1e-8 to seven digits, and -inf for 0.
# Behaviour: probabilities are raised to the machine epsilon first. So no logarithm is below -15.94 in float32, below
#   -6.93 in float16 and below -4.85 in bfloat16: a word of probability 1e-8 counts as 12 times as likely as it is, and
#   in bfloat16 every word below 0.8 % as one of 0.8 %. A text that the model excludes has a finite log-likelihood, and
#   the gradient of such a probability is 0. In a topic of 5000 words from Dirichlet(0.05) this is so for three words of
#   five. logits=p.log() gives the right numbers. numpyro's Categorical(probs=p) gives them too.
# The epsilon is in the help of torch.distributions.utils.clamp_probs, and not in that of the two distributions.
# PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu in the environment spares 5 gigabytes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet torch==2.13.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from math import inf, isclose, log

import torch
from torch.distributions import Categorical, Dirichlet, Multinomial

words = torch.arange(5)
for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
    p = torch.tensor([0.5, 0.495, 0.005, 1e-8, 0], dtype=dtype)
    by_probs, by_logits = (x.log_prob(words).tolist() for x in (Categorical(probs=p), Categorical(logits=p.log())))
    floor = log(torch.finfo(dtype).eps)
    print(torch.__version__, dtype, "probs", [round(x, 2) for x in by_probs], "logits", [round(x, 2) for x in by_logits])
    assert isclose(by_probs[4], floor, rel_tol=0.01) and by_logits[4] == -inf
    assert dtype == torch.float64 or isclose(by_probs[3], floor, rel_tol=0.01)
    if dtype in (torch.float32, torch.bfloat16):
        assert isclose(by_logits[3], log(1e-8), rel_tol=0.01)
    if dtype == torch.bfloat16:
        assert by_probs[2] == by_probs[3] and by_logits[2] > by_logits[3] + 10
p = torch.tensor([0.5, 0.5 - 1e-8, 1e-8])
counts = torch.tensor([1.0, 1, 1])
text = Multinomial(3, probs=p).log_prob(counts)
print("Multinomial", text.item(), "right", log(6 * 0.25 * 1e-8))
assert text.item() > log(6 * 0.25 * 1e-8) + 2
rare = torch.tensor([0.5, 0.5, 1e-8], requires_grad=True)
Categorical(probs=rare).log_prob(torch.tensor(2)).backward()
torch.manual_seed(0)
phi_w = Dirichlet(torch.full((5000,), 0.05)).sample()
floored = (phi_w < torch.finfo(torch.float32).eps).float().mean().item()
print("gradient", rare.grad.tolist(), "share of floored words in a topic", floored)
assert rare.grad.tolist() == [0, 0, 0] and floored > 0.5
PYTHON
# Seen: torch.float32 probs [-0.69, -0.7, -5.3, -15.94, -15.94] logits [-0.69, -0.7, -5.3, -18.42, -inf]
#       torch.bfloat16 probs [-0.69, -0.7, -4.84, -4.84, -4.84]
