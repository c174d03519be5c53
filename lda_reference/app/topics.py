"""The command `topics`: the most probable words of each topic of a model."""

import argparse

from ..arguments import whole_number
from ..evaluation.matching import top_words
from ..own_words import HALF, empty_topics, tokens_of_words
from . import corpora
from .models import csv_text, json_text, mean_shares, name_of, output_arguments, shown_model
from .outputs import check_output, write


def add_arguments(p: argparse.ArgumentParser) -> None:
    corpora.add_arguments(p, required=False, adds_choices=False)
    p.add_argument("--words", type=int, default=10, help="number of words; default 10")
    output_arguments(p)


def run(a: argparse.Namespace) -> None:
    """Print or write the topics in the order of their numbers; words of which a topic has no tokens are not printed."""
    check_output(a, "csv" if a.csv else "json")
    whole_number(a.words, "words", 1)
    f, c, _ = shown_model(a.model, a)
    word_ids, share_k, is_own = top_words(f.phi_wk, a.words), mean_shares(f, a.model, c), tokens_of_words(f, c) >= HALF

    def of_topic(k: int) -> list[tuple[int, str, float, bool]]:
        return [(w, name_of(w, f.vocab), float(f.phi_wk[w, k]), bool(is_own[w, k])) for w in word_ids[:, k].tolist()]

    word_columns, K = ("word_id", "word", "probability", "own"), len(share_k)
    if a.csv:
        rows = [[k, float(share_k[k]), i, *x[:3], int(x[3])] for k in range(K) for i, x in enumerate(of_topic(k), 1)]
        write(csv_text(["topic", "share", "rank", *word_columns], rows), a.csv)
    elif a.json:
        word_records = [[dict(zip(word_columns, word, strict=True)) for word in of_topic(k)] for k in range(K)]
        topic_records = [{"topic": k, "share": float(share_k[k]), "words": word_records[k]} for k in range(K)]
        write(json_text({"topics": topic_records}), a.json)
    else:
        print("topic, its share of the documents, and its words with their probabilities")
        empty_ks = empty_topics(f.state)
        for k in range(K):
            words_text = "  ".join(f"{word} {p:.3g}" for _, word, p, has_tokens in of_topic(k) if has_tokens)
            print(f"{k:>3} {share_k[k]:6.1%}  {'(empty)' if k in empty_ks else words_text or '(no word of its own)'}")
