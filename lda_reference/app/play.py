"""The command `play`: a sweep of a tiny corpus in the terminal, token by token, with the three terms as bars."""

import argparse
import sys
from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np

from .. import plain
from ..algorithms import ALGORITHMS
from .where import PLAYED

TEXTS = ("river bank water river", "bank money loan money", "water river loan money bank")
WIDTH = 24  # characters of the longest bar


def add_arguments(p: argparse.ArgumentParser) -> None:
    p.add_argument("--algorithm", choices=sorted(PLAYED), default="cvb0", help="default cvb0")
    p.add_argument("--topics", type=int, default=2, help="default 2")
    p.add_argument("--alpha", type=float, default=0.5, help="default 0.5; map adds 1")
    p.add_argument("--eta", type=float, default=0.5, help="default 0.5; map adds 1")
    p.add_argument("--seed", type=int, default=0, help="default 0")


def run(a: argparse.Namespace) -> None:
    """Update one token after the other: Enter goes on, q ends."""
    if a.topics < 1 or not (a.alpha > 0 and a.eta > 0):
        raise ValueError(f"--topics, --alpha and --eta are {a.topics}, {a.alpha}, {a.eta}, expected positive numbers")
    rng, K, is_sampler = np.random.default_rng(a.seed), a.topics, a.algorithm == "cgs"
    texts = [text.split() for text in TEXTS]
    vocab = sorted({word for words in texts for word in words})
    j_of = [j for j, words in enumerate(texts) for _ in words]
    w_of = [vocab.index(word) for words in texts for word in words]
    corpus = {"j": j_of, "w": w_of, "n": [1] * len(j_of), "D": len(texts), "W": len(vocab)}
    offset, name = ALGORITHMS[a.algorithm].prior_offset, "cvb0" if is_sampler else a.algorithm  # whose weights CGS has
    prior = {"alpha": a.alpha + offset, "eta": a.eta + offset}
    gamma = np.eye(K)[rng.integers(K, size=len(j_of))] if is_sampler else rng.dirichlet([1.0] * K, len(j_of))
    priors = "" if a.algorithm == "ml" else f", alpha = {prior['alpha']:g}, eta = {prior['eta']:g}"
    print(f"{a.algorithm}, K = {K}{priors}, on {len(j_of)} tokens of W = {len(vocab)} words. gamma is proportional to")
    print(f"  {' '.join((plain.ALGORITHMS[a.algorithm].__doc__ or '').split())}")
    leaves = "leave the token in [] out" if ALGORITHMS[a.algorithm].update.excludes == "token" else "are of all tokens"
    print(f"The counts {leaves}. The largest number of a term has a full bar. Enter updates the next token, q ends.")
    for sweep in count(1):
        old = gamma.copy()
        for i, j in enumerate(j_of):
            text = " ".join(f"[{word}]" if i == j_of.index(j) + m else word for m, word in enumerate(texts[j]))
            print(f"\nsweep {sweep}, document {j}: {text}")
            A = plain.algorithm(plain.case_of(name, "update", gamma, corpus, prior, row=i))
            gamma[i] = updated(A, i, rng, is_sampler)
            answer = sys.stdin.readline()
            if not answer or answer.strip().lower() == "q":
                return
        print(f"\nSweep {sweep} has changed gamma by {np.abs(gamma - old).mean():.2g} on average. The topics now:")
        N_wk = np.array([gamma[np.equal(w_of, w)].sum(0) for w in range(len(vocab))])
        for k in range(K):
            print(f"  topic {k}: {', '.join(f'{vocab[w]} {N_wk[w, k]:.1f}' for w in np.argsort(-N_wk[:, k])[:4])}")


def updated(A: Any, i: int, rng: np.random.Generator, is_sampler: bool) -> Any:
    """The new gamma of a token in the plain text of an algorithm, after its terms are printed."""
    K = len(A.gamma[i])
    for name, term in (("document", A.document), ("x word", A.word), ("/ topic", A.topic)):
        values = [float(term(A.gamma, i, k)) for k in range(K)]
        print_bars(name, values, max(values))
    weights = A.weights(A.gamma, i)
    new = A.normalised(weights)
    if is_sampler:
        print_bars("drawn from", new)
        new = A.certain(A.drawn(weights, rng.random()))
    print_bars("old gamma", A.gamma[i])
    print_bars("new gamma", new)
    return new


def print_bars(name: str, values: Sequence[float], largest: float = 1) -> None:
    """Print numbers of the topics, each after a bar that is padded to a fixed width."""
    bars = ("#" * round(WIDTH * x / largest if largest > 0 else 0) for x in values)
    print(f"  {name:<10}", *(f"{bar:<{WIDTH}} {x:<8.3f}" for bar, x in zip(bars, values, strict=True)), flush=True)
