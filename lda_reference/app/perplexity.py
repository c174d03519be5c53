"""The command `perplexity`: of held-out tokens after folding in, or of whole documents by left-to-right."""

import argparse
import sys

import numpy as np

from ..corpus import split
from ..engine import sums_of
from ..evaluation.document_evidence import left_to_right_perplexity
from ..evaluation.prediction import ESTIMATORS, estimates, fold_in, perplexity, quickest_order
from ..fitting import Fit, corpus_digest, sweep_rng
from ..storage import load
from ..storage_schema import FOREIGN
from . import corpora
from .models import to_fold_in

LEFT_TO_RIGHT = "left-to-right"
SWEEPS, PARTICLES = 100, 20


def add_arguments(p: argparse.ArgumentParser) -> None:
    p.add_argument("model", metavar="DIR", help="folder of the model")
    corpora.add_arguments(p, adds_choices=False)
    p.add_argument(
        "--estimator",
        choices=(*ESTIMATORS, LEFT_TO_RIGHT),
        help="how to estimate theta and phi; default the algorithm's own; left-to-right folds nothing in and scores"
        " whole documents by p(x | phi, alpha)",
    )
    p.add_argument("--train", metavar="FILE", help="the training corpus, needed with mean, digamma and counts")
    p.add_argument("--sweeps", type=int, help=f"for folding in; default {SWEEPS}")
    p.add_argument("--seed", type=int, default=0, help="default 0")


def run(a: argparse.Namespace) -> None:
    """Print the perplexity on stdout and what it is on stderr."""
    model = load(a.model)
    if a.estimator == LEFT_TO_RIGHT:
        _left_to_right(a, model)
        return
    algorithm, phi_wk = to_fold_in(model.algorithm), model.phi_wk
    W = phi_wk.shape[0]
    if (a.estimator is None) != (a.train is None):
        raise ValueError("--estimator and --train need each other: phi is estimated again from the training corpus")
    if a.estimator is not None:
        training_corpus = model.algorithm.arranged(corpora.reading(a, model.vocab, W, a.train).corpus)
        if corpus_digest(training_corpus) != model.corpus:
            raise ValueError(f"{a.train}: another corpus or order, expected the one that the model was trained on")
        N_wk = sums_of(model.state, training_corpus).wk
        if model.algorithm is FOREIGN and not np.allclose(N_wk, np.rint(N_wk), rtol=0, atol=1e-6):
            raise ValueError(f"--estimator is given, expected none: {a.model} does not have the topics of its tokens")
        phi_wk = estimates(model.state, training_corpus, model.prior, a.estimator)[1]
    c = corpora.reading(a, model.vocab, W).corpus
    if corpus_digest(model.algorithm.arranged(c)) == model.corpus:
        print("these documents are those of the training, so the number is too low", file=sys.stderr)
    first_half, test = split(c, "halves", rng=sweep_rng(a.seed, 0))
    sweeps, schedule = SWEEPS if a.sweeps is None else a.sweeps, quickest_order(algorithm)
    theta_jk = fold_in(algorithm, first_half, phi_wk, model.prior, sweep_rng(a.seed, 1), sweeps, a.estimator, schedule)
    print(f"{perplexity(test, theta_jk, phi_wk):.4f}")
    print(
        f"exp(-mean log probability) of {test.N} tokens, a random half of each document; theta folded in from the other"
        f" {first_half.N} by {sweeps} sweeps of {algorithm.name} in {schedule} order; theta and phi estimated by"
        f" {a.estimator or 'the algorithm'}",
        file=sys.stderr,
    )


def _left_to_right(a: argparse.Namespace, f: Fit) -> None:
    for option_name, reason in (("train", "the topics are those of the model"), ("sweeps", "nothing is folded in")):
        if getattr(a, option_name) is not None:
            raise ValueError(f"--{option_name} is given with --estimator left-to-right, expected none: {reason}")
    c = corpora.reading(a, f.vocab, f.phi_wk.shape[0]).corpus
    score = left_to_right_perplexity(c, f.phi_wk, f.prior, sweep_rng(a.seed, 1), PARTICLES)
    print(f"{score.perplexity:.4f}")
    print(
        f"exp(-log p(x | phi, alpha) / N) of all N = {c.N} tokens; theta integrated out by left-to-right, the mean of"
        f" the products of {PARTICLES} particles; {score.as_printed:.4f} by the product of their means, as printed",
        file=sys.stderr,
    )
