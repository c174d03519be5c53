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
    words_of_j = [document.split() for document in TEXTS]
    vocab = sorted({word for words in words_of_j for word in words})
    j_i = [j for j, words in enumerate(words_of_j) for _ in words]
    w_i = [vocab.index(word) for words in words_of_j for word in words]
    plain_corpus = {"j": j_i, "w": w_i, "n": [1] * len(j_i), "D": len(words_of_j), "W": len(vocab)}
    offset, A_name = ALGORITHMS[a.algorithm].prior_offset, "cvb0" if is_sampler else a.algorithm  # CGS has its weights
    alpha_and_eta = {"alpha": a.alpha + offset, "eta": a.eta + offset}
    gamma = np.eye(K)[rng.integers(K, size=len(j_i))] if is_sampler else rng.dirichlet([1.0] * K, len(j_i))
    priors = "" if a.algorithm == "ml" else f", alpha = {alpha_and_eta['alpha']:g}, eta = {alpha_and_eta['eta']:g}"
    print(f"{a.algorithm}, K = {K}{priors}, on {len(j_i)} tokens of W = {len(vocab)} words. gamma is proportional to")
    print(f"  {' '.join((plain.ALGORITHMS[a.algorithm].__doc__ or '').split())}")
    clause = "leave the token in [] out" if ALGORITHMS[a.algorithm].update.excludes == "token" else "are of all tokens"
    print(f"The counts {clause}. The largest number of a term has a full bar. Enter updates the next token, q ends.")
    for sweep in count(1):
        gamma_0 = gamma.copy()
        for i, j in enumerate(j_i):
            text = " ".join(f"[{word}]" if i == j_i.index(j) + m else word for m, word in enumerate(words_of_j[j]))
            print(f"\nsweep {sweep}, document {j}: {text}")
            algorithm = plain.algorithm(plain.case_of(A_name, "update", gamma, plain_corpus, alpha_and_eta, row=i))
            gamma[i] = updated(algorithm, i, rng, is_sampler)
            typed_line = sys.stdin.readline()
            if not typed_line or typed_line.strip().lower() == "q":
                return
        print(f"\nSweep {sweep} has changed gamma by {np.abs(gamma - gamma_0).mean():.2g} on average. The topics now:")
        N_wk = np.array([gamma[np.equal(w_i, w)].sum(0) for w in range(len(vocab))])
        for k in range(K):
            print(f"  topic {k}: {', '.join(f'{vocab[w]} {N_wk[w, k]:.1f}' for w in np.argsort(-N_wk[:, k])[:4])}")


def updated(A: Any, i: int, rng: np.random.Generator, is_sampler: bool) -> Any:
    """The new gamma of a token in the plain text of an algorithm, after its terms are printed."""
    K = len(A.gamma[i])
    for term_name, term_of in (("document", A.document), ("x word", A.word), ("/ topic", A.topic)):
        term_k = [float(term_of(A.gamma, i, k)) for k in range(K)]
        print_bars(term_name, term_k, max(term_k))
    weights = A.weights(A.gamma, i)
    new_gamma = A.normalised(weights)
    if is_sampler:
        print_bars("drawn from", new_gamma)
        new_gamma = A.certain(A.drawn(weights, rng.random()))
    print_bars("old gamma", A.gamma[i])
    print_bars("new gamma", new_gamma)
    return new_gamma


def print_bars(label: str, numbers: Sequence[float], largest_number: float = 1) -> None:
    """Print numbers of the topics, each after a bar that is padded to a fixed width."""
    bars = ("#" * round(WIDTH * x / largest_number if largest_number > 0 else 0) for x in numbers)
    print(f"  {label:<10}", *(f"{bar:<{WIDTH}} {x:<8.3f}" for bar, x in zip(bars, numbers, strict=True)), flush=True)
