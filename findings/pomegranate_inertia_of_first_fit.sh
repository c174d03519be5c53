#!/bin/bash
# pomegranate 1.1.2, distributions.Categorical(inertia=...) and Poisson(inertia=...). With an inertia of 0 "the previous
#   parameters are ignored". With an inertia of 1 "the previous parameters are kept".
# Guess: The first fit has no previous parameters, so it has the estimates of the data. Later fits, of new texts, mix
#   the old and the new estimates. The probabilities of the words always add up to 1.
# Behaviour: The previous parameters of the first fit are zeros. With an inertia of 0.5 the first fit thus gives half of
#   each probability, and half of the rate of a Poisson distribution. After t fits the probabilities add up to 1 -
#   0.5^t. The log probability of each token is too small by -log(1 - 0.5^t), so it goes up from fit to fit of equal
#   texts. A class with fewer fits loses against a class with more fits. Here a text that has the words of the one class
#   in their exact proportions is given to the other class. There is no warning.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pomegranate==1.1.2 torch==2.14.1 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import torch
from pomegranate.distributions import Categorical, Poisson

print("pomegranate", version("pomegranate"), "torch", torch.__version__)


def tokens(*counts):
    return torch.cat([torch.full((n, 1), word) for word, n in enumerate(counts)])


text = tokens(4, 3, 2, 1)
for inertia in (0.0, 0.5, 0.9):
    words, lengths = Categorical(inertia=inertia), Poisson(inertia=inertia)
    sums, log_p, rates = [], [], []
    for _ in range(4):
        words.fit(text)
        lengths.fit(torch.tensor([[80.0], [120.0]]))
        sums.append(round(words.probs.sum().item(), 4))
        log_p.append(round(words.log_probability(text).mean().item(), 3))
        rates.append(round(lengths.lambdas.item(), 2))
    print(f"inertia {inertia}, four fits of one text: sums {sums}, mean log p {log_p}, rates for a mean of 100 {rates}")
    assert all(abs(s - (1 - inertia**t)) < 1e-3 for t, s in enumerate(sums, 1))
    assert all(abs(r - 100 * (1 - inertia**t)) < 1e-2 for t, r in enumerate(rates, 1))

started = Categorical([[0.25] * 4], inertia=0.5).fit(text)
print("with given first probabilities: sum", round(started.probs.sum().item(), 4))
assert abs(started.probs.sum().item() - 1) < 1e-6

often, once = Categorical(inertia=0.5), Categorical(inertia=0.5)
for _ in range(4):
    often.fit(tokens(2, 3, 3, 2))
once.fit(text)
scores = [model.log_probability(text).sum().item() for model in (often, once)]
scaled = [s - len(text) * model.probs.sum().log().item() for s, model in zip(scores, (often, once))]
print("log p of the text in the other class and in its own:", [round(s, 2) for s in scores],
      "with sums of 1:", [round(s, 2) for s in scaled])
assert scores[0] > scores[1] and scaled[0] < scaled[1]
PYTHON
# Seen: inertia 0.0, four fits of one text: sums [1.0, 1.0, 1.0, 1.0], mean log p [-1.28, -1.28, -1.28, -1.28], rates
#       for a mean of 100 [100.0, 100.0, 100.0, 100.0]
#       inertia 0.5, four fits of one text: sums [0.5, 0.75, 0.875, 0.9375], mean log p [-1.973, -1.568, -1.413,
#       -1.344], rates for a mean of 100 [50.0, 75.0, 87.5, 93.75]
#       inertia 0.9, four fits of one text: sums [0.1, 0.19, 0.271, 0.3439], mean log p [-3.582, -2.941, -2.585,
#       -2.347], rates for a mean of 100 [10.0, 19.0, 27.1, 34.39]
#       with given first probabilities: sum 1.0
#       log p of the text in the other class and in its own: [-14.71, -19.73] with sums of 1: [-14.07, -12.8]
