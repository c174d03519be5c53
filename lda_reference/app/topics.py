"""The command `topics`: the most probable words of each topic of a model."""

import argparse

import numpy as np

from ..evaluation.matching import top_words
from ..evaluation.topic_map import empty_topics
from .models import csv_text, json_text, name_of, one_run, output_arguments
from .outputs import check_output, write


def add_arguments(p: argparse.ArgumentParser) -> None:
    """The arguments of `topics`."""
    p.add_argument("--words", type=int, default=10, help="number of words; default 10")
    output_arguments(p)


def run(a: argparse.Namespace) -> None:
    """Print or write the topics, in descending order of their shares."""
    if a.words < 1:
        raise ValueError(f"--words is {a.words}, expected 1 or more")
    check_output(a, "csv" if a.csv else "json")
    f = one_run(a.model)
    words, share = top_words(f.phi_wk, a.words), f.theta_jk.mean(0)
    order, empty = np.argsort(-share, kind="stable").tolist(), empty_topics(f.state.gamma)

    def of_topic(k: int) -> list[tuple[int, str, float]]:
        return [(int(w), name_of(w, f.vocab), float(f.phi_wk[w, k])) for w in words[:, k]]

    if a.csv:
        rows = [[k, float(share[k]), i, w, x, p] for k in order for i, (w, x, p) in enumerate(of_topic(k), 1)]
        write(csv_text(["topic", "share", "rank", "word_id", "word", "probability"], rows), a.csv)
    elif a.json:
        names = ("word_id", "word", "probability")
        listed = {k: [dict(zip(names, word, strict=True)) for word in of_topic(k)] for k in order}
        topics = [{"topic": k, "share": float(share[k]), "words": listed[k]} for k in order]
        write(json_text({"topics": topics}), a.json)
    else:
        print("topic, its share of the documents, and its words with their probabilities")
        for k in order:
            words_of_k = "  ".join(f"{x} {p:.3g}" for _, x, p in of_topic(k))
            print(f"{k:>3} {share[k]:6.1%}  {'(empty)' if k in empty else words_of_k}")
