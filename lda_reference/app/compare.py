"""The command `compare`: two models side by side, such as one of 10 and one of 20 topics."""

import argparse
from typing import Any

import numpy as np

from ..evaluation.stability import SAME
from ..fitting import Fit
from ..model import Array
from . import corpora
from .models import MODEL, csv_text, json_text, mean_shares, output_arguments, shown_model, topics_in_words
from .outputs import check_output, write

RULE = f"""
Each topic of the second model stands below the nearest one of the first. If one of these is nearer than {SAME}, the
topic stays; if several are, it splits; if none is, it moves, and it is alone if nothing stands below it. The distance
is half the sum of the differences of all probabilities: 0 for equal topics, 1 for topics without a common word. A word
that a model lacks has probability 0 there."""


def add_arguments(p: argparse.ArgumentParser) -> None:
    corpora.add_arguments(p, required=False, adds_choices=False)
    output_arguments(p, f"{MODEL}, with the fewer topics")
    p.add_argument("other", metavar="OTHER", help="the other model")


def run(a: argparse.Namespace) -> None:
    """Print each topic of the model, and below it those topics of the other that are nearest to it."""
    check_output(a, "csv" if a.csv else "json")
    (f, c, _), (g, other_c, _) = shown_model(a.model, a), shown_model(a.other, a)
    f_wk, g_wk = in_words_of_both(f, g)
    if g.phi_wk.shape[1] < f.phi_wk.shape[1]:
        raise ValueError(f"{a.model} has more topics than {a.other}, expected the model with fewer topics first")
    distance = 0.5 * np.abs(f_wk[:, :, None] - g_wk[:, None, :]).sum(0)
    parent_k, first_shares = distance.argmin(0), mean_shares(f, a.model, c).tolist()
    second_shares = mean_shares(g, a.other, other_c).tolist()
    table_rows: list[tuple[Any, ...]] = []
    first_names, second_names, text_lines = topics_in_words(f), topics_in_words(g), list[str]()
    for k, share_k in enumerate(first_shares):
        child_topics = [i for i in np.argsort(distance[k], kind="stable").tolist() if parent_k[i] == k]
        n_close = sum(bool(distance[k, i] < SAME) for i in child_topics)
        topic_fate = "splits" if n_close > 1 else "stays" if n_close else "moves" if child_topics else "alone"
        child_rows: list[tuple[Any, ...]] = [(i, second_shares[i], float(distance[k, i])) for i in child_topics]
        table_rows += [(k, topic_fate, share_k, *child_row) for child_row in child_rows or [(None, None, None)]]
        topic_note = f", with {len(child_topics) - n_close} more farther away" * (0 < n_close < len(child_topics))
        if not child_topics:
            topic_note = f"; nearest: {second_names[distance[k].argmin()]}, distance {distance[k].min():.2f}"
        text_lines.append(f"{first_names[k]} {share_k:.1%} {topic_fate}{topic_note}")
        text_lines += [f"    {second_names[i]} {share_i:.1%}, distance {d:.2f}" for i, share_i, d in child_rows]
    column_names = ["topic", "what", "share", "other_topic", "other_share", "distance"]
    if a.csv:
        write(csv_text(column_names, table_rows), a.csv)
    elif a.json:
        write(json_text({"pairs": [dict(zip(column_names, row, strict=True)) for row in table_rows]}), a.json)
    else:
        print("\n".join(text_lines) + "\n" + RULE)


def in_words_of_both(f: Fit, g: Fit) -> tuple[Array, Array]:
    """The topics of two models, with a row for each word of either."""
    W = len(f.phi_wk)
    if f.vocab == g.vocab and len(g.phi_wk) == W:
        return f.phi_wk, g.phi_wk
    if f.vocab is None or g.vocab is None:
        raise ValueError("one of two models has no words, or another number of them, expected models with words")
    words_of_both, row_of_word = np.unique([*f.vocab, *g.vocab], return_inverse=True)
    f_wk, g_wk = (np.zeros((len(words_of_both), model.phi_wk.shape[1])) for model in (f, g))
    f_wk[row_of_word[:W]], g_wk[row_of_word[W:]] = f.phi_wk, g.phi_wk
    return f_wk, g_wk
