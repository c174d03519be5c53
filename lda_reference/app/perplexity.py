"""The command `perplexity`: of held-out tokens after folding in, or of whole documents by left-to-right."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from ..corpus import split
from ..evaluation.document_evidence import left_to_right_perplexity
from ..evaluation.prediction import ESTIMATORS, estimates, fold_in, perplexity, quickest_order
from ..fitting import corpus_digest, sweep_rng
from ..model import Prior
from ..storage import load_with_vocab
from .corpora import read_arguments

ABOUT = "Fold in half of each document's tokens and predict the others, or integrate theta out (left-to-right)."
LEFT_TO_RIGHT = "left-to-right"
SWEEPS, PARTICLES = 100, 20


def add_arguments(p: argparse.ArgumentParser) -> None:
    """The arguments but for those of the corpus."""
    p.add_argument("--whole", action="store_true", help="fold in whole documents and score them, as in SOL14")
    p.add_argument(
        "--estimator",
        choices=(*ESTIMATORS, LEFT_TO_RIGHT),
        help="how to estimate theta and phi; default the algorithm's own; left-to-right folds nothing in and scores"
        " whole documents by p(x | phi, alpha)",
    )
    p.add_argument("--train", metavar="FILE", help="the training corpus, needed with mean, digamma and counts")
    p.add_argument("--alpha", type=float, help="for the estimates; default that of training")
    p.add_argument("--eta", type=float, help="for the estimates, with --train; default that of training")
    p.add_argument("--sweeps", type=int, help=f"for folding in; default {SWEEPS}")
    p.add_argument("--particles", metavar="R", type=int, help=f"for left-to-right; default {PARTICLES}")
    p.add_argument("--seed", type=int, default=0, help="default 0")


def run(a: argparse.Namespace) -> None:
    """Print the perplexity on stdout and what it is on stderr."""
    f, words = load_with_vocab(a.model)
    if a.estimator == LEFT_TO_RIGHT:
        _left_to_right(a, f, words)
        return
    A, phi_wk = f.algorithm, f.phi_wk
    W = phi_wk.shape[0]
    if a.particles is not None:
        raise ValueError("--particles needs --estimator left-to-right: folding in has no particles")
    if (a.estimator is None) != (a.train is None):
        raise ValueError("--estimator and --train need each other: phi is estimated again from the training corpus")
    if a.eta is not None and a.estimator is None:
        raise ValueError("--eta needs --estimator: without it phi is not estimated again")
    at = Prior(f.prior.alpha if a.alpha is None else a.alpha, f.prior.eta if a.eta is None else a.eta)
    if a.estimator is not None:
        train = A.arranged(read_arguments(a, words, W, a.train))
        if corpus_digest(train) != f.corpus:
            raise ValueError(f"{a.train}: another corpus, expected the one that the model was trained on")
        phi_wk = estimates(f.state, train, at, a.estimator)[1]
    c = read_arguments(a, words, W)
    known, test = (c, c) if a.whole else split(c, "halves", rng=sweep_rng(a.seed, 0))
    sweeps, order = SWEEPS if a.sweeps is None else a.sweeps, quickest_order(A)
    theta_jk = fold_in(A, known, phi_wk, f.prior, sweep_rng(a.seed, 1), sweeps, a.estimator, order, at)
    print(f"{perplexity(test, theta_jk, phi_wk):.4f}")
    what = "all tokens" if a.whole else f"{test.N} tokens, a random half of each document"
    known_tokens = "the same tokens" if a.whole else f"the other {known.N}"
    print(
        f"exp(-mean log probability) of {what}; theta folded in from {known_tokens} by {sweeps} sweeps of"
        f" {A.name} in {order} order; theta and phi estimated by {a.estimator or 'the algorithm'}",
        file=sys.stderr,
    )


def _left_to_right(a: argparse.Namespace, f: Any, words: Any) -> None:
    for name, why in (
        ("train", "the topics are those of the model"),
        ("eta", "the topics are those of the model"),
        ("sweeps", "nothing is folded in"),
        ("whole", "documents are always whole, and nothing is folded in"),
    ):
        given = getattr(a, name)
        if given is not None and given is not False:
            raise ValueError(f"--{name} is given with --estimator left-to-right, expected none: {why}")
    p = Prior(f.prior.alpha if a.alpha is None else a.alpha, f.prior.eta)
    particles = PARTICLES if a.particles is None else a.particles
    c = read_arguments(a, words, f.phi_wk.shape[0])
    found = left_to_right_perplexity(c, f.phi_wk, p, sweep_rng(a.seed, 1), particles)
    print(f"{found.perplexity:.4f}")
    print(
        f"exp(-log p(x | phi, alpha) / N) of all N = {c.N} tokens; theta integrated out by left-to-right, the mean of"
        f" the products of {particles} particles; {found.as_printed:.4f} by the product of their means, as printed",
        file=sys.stderr,
    )
