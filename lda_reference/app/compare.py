"""The command `compare`: two models side by side, such as one of 10 and one of 20 topics."""

import argparse
from typing import Any

import numpy as np

from ..evaluation.stability import SAME
from ..fitting import Fit
from ..model import Array
from . import corpora
from .models import MODEL, csv_text, json_text, output_arguments, shown_model, topics_in_words
from .outputs import check_output, write

RULE = f"""
Each topic of the second model stands below the nearest one of the first. If one of these is nearer than {SAME}, the
topic stays; if several are, it splits; if none is, it moves, and it is alone if nothing stands below it. The distance
is half the sum of the differences of all probabilities: 0 for equal topics, 1 for topics without a common word. A word
that a model lacks has probability 0 there."""


def add_arguments(p: argparse.ArgumentParser) -> None:
    corpora.add_arguments(p, required=False, choose=False)
    output_arguments(p, f"{MODEL}, with the fewer topics")
    p.add_argument("other", metavar="OTHER", help="the other model")


def run(a: argparse.Namespace) -> None:
    """Print each topic of the model, and below it those topics of the other that are nearest to it."""
    check_output(a, "csv" if a.csv else "json")
    f, g = shown_model(a.model, a)[0], shown_model(a.other, a)[0]
    f_wk, g_wk = in_words_of_both(f, g)
    if g.phi_wk.shape[1] < f.phi_wk.shape[1]:
        raise ValueError(f"{a.model} has more topics than {a.other}, expected the model with fewer topics first")
    distance = 0.5 * np.abs(f_wk[:, :, None] - g_wk[:, None, :]).sum(0)
    parent, shares, later_shares = distance.argmin(0), f.theta_jk.mean(0).tolist(), g.theta_jk.mean(0).tolist()
    rows: list[tuple[Any, ...]] = []
    names, later_names, lines = topics_in_words(f), topics_in_words(g), list[str]()
    for k, share_k in enumerate(shares):
        children = [i for i in np.argsort(distance[k], kind="stable").tolist() if parent[i] == k]
        n_close = sum(bool(distance[k, i] < SAME) for i in children)
        fate = "splits" if n_close > 1 else "stays" if n_close else "moves" if children else "alone"
        pairs: list[tuple[Any, ...]] = [(i, later_shares[i], float(distance[k, i])) for i in children]
        rows += [(k, fate, share_k, *pair) for pair in pairs or [(None, None, None)]]
        note = f", with {len(children) - n_close} more farther away" * (0 < n_close < len(children))
        if not children:
            note = f"; nearest: {later_names[distance[k].argmin()]}, distance {distance[k].min():.2f}"
        lines.append(f"{names[k]} {share_k:.1%} {fate}{note}")
        lines += [f"    {later_names[i]} {share_i:.1%}, distance {d:.2f}" for i, share_i, d in pairs]
    header = ["topic", "what", "share", "other_topic", "other_share", "distance"]
    if a.csv:
        write(csv_text(header, rows), a.csv)
    elif a.json:
        write(json_text({"pairs": [dict(zip(header, row, strict=True)) for row in rows]}), a.json)
    else:
        print("\n".join(lines) + "\n" + RULE)


def in_words_of_both(f: Fit, g: Fit) -> tuple[Array, Array]:
    """The topics of two models, with a row for each word of either."""
    W = len(f.phi_wk)
    if f.vocab == g.vocab and len(g.phi_wk) == W:
        return f.phi_wk, g.phi_wk
    if f.vocab is None or g.vocab is None:
        raise ValueError("one of two models has no words, or another number of them, expected models with words")
    words, row_of_word = np.unique([*f.vocab, *g.vocab], return_inverse=True)
    f_wk, g_wk = (np.zeros((len(words), model.phi_wk.shape[1])) for model in (f, g))
    f_wk[row_of_word[:W]], g_wk[row_of_word[W:]] = f.phi_wk, g.phi_wk
    return f_wk, g_wk
