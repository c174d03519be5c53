"""The command `documents`: theta of a model's documents, or of groups of them."""

import argparse
from collections.abc import Sequence

from ..arguments import shown
from ..fitted import aligned
from ..model import Array
from . import corpora
from .groups import COLUMNS, groups
from .models import csv_text, document_number, json_text, output_arguments, saved_in, shown_model, topics_in_words
from .outputs import check_output, write

TOPICS_SHOWN = 5  # topics of a document that are printed
FEW_WORDS = 5  # known words of a document


def add_arguments(p: argparse.ArgumentParser) -> None:
    corpora.add_arguments(p, required=False, choose=False)
    by_help = "means of the documents of each group or year, weighted by their tokens; of a model with groups or dates"
    p.add_argument("--by", metavar="group|year", help=by_help)
    p.add_argument("--document", metavar="NAME", help="one document alone, by name or number")
    output_arguments(p)


def run(a: argparse.Namespace) -> None:
    """Print or write theta of the model's documents."""
    check_output(a, "csv" if a.csv else "json")
    if a.by is not None and a.corpus is not None:
        raise ValueError("--corpus is given with --by, expected none: the model has the groups, dates and tokens")
    if a.by is not None and a.document is not None:
        raise ValueError("--document is given with --by, expected one of them")
    f, c, corpus_names = shown_model(a.model, a)
    if a.by is not None:
        if a.by not in COLUMNS:
            raise ValueError(f"--by is {shown(a.by)}, expected group or year: what fit was given as --group or --date")
        labels = saved_in(a.model, "labels") or {}
        if (kind := COLUMNS[a.by]) not in labels:
            raise ValueError(f"--by is {a.by!r} and {a.model} has none, expected a model of fit with --{kind} COLUMN")
        group_means = groups(labels, a.by, f.theta_jk)
        write_theta(group_means.theta, group_means.names, topics_in_words(f), a, group_means.counts, a.by)
        return
    counts = {} if c is None else {"known_tokens": c.by_document(c.n).astype(int).tolist()}
    names, theta_jk = corpus_names or saved_in(a.model, "documents"), f.theta_jk
    if a.document is not None:
        j = document_number(a.document, names, len(theta_jk))
        names, theta_jk = [names[j] if names else str(j)], theta_jk[[j]]
        counts = {title: [column[j]] for title, column in counts.items()}
    write_theta(theta_jk, names, topics_in_words(f), a, counts)


def write_theta(
    theta_jk: Array,
    names: list[str] | None,
    topic_words: Sequence[str],
    a: argparse.Namespace,
    counts: dict[str, list[int]],
    kind: str = "document",
) -> None:
    """Print theta, or write it as CSV or JSON; documents without names have numbers.

    `topic_words` are printed. `counts` are further columns: of groups, the numbers of their `documents` and `tokens`;
    of documents, how many tokens of each the model knows, or none. Theta of a document without any is the prior.
    """
    D, K = theta_jk.shape
    row_names: Sequence[str | int] = names or range(D)
    row_counts = list(zip(*counts.values(), strict=True)) or [()] * D
    rows = list(zip(row_names, row_counts, theta_jk.tolist(), strict=True))
    if a.csv:
        columns = (*counts, *(f"topic_{k}" for k in range(K)))
        write(csv_text([kind, *columns], ([name, *n, *row] for name, n, row in rows)), a.csv)
    elif a.json:
        records = [{kind: name, **dict(zip(counts, n, strict=True)), "theta": row} for name, n, row in rows]
        write(json_text({f"{kind}s": records}), a.json)
    elif kind != "document":
        print("\n".join(topic_words))
        text_rows = ([f"{name}", *(f"{i:,}" for i in n), *(f"{share:.1%}" for share in row)] for name, n, row in rows)
        print(aligned([[kind, *counts, *(f"topic {k}" for k in range(K))], *text_rows]))
    else:
        for name, ints, theta_k in rows:
            largest_ks = sorted(range(K), key=lambda k: -theta_k[k])[:TOPICS_SHOWN]
            largest_text = "  ".join(f"{topic_words[k]} {theta_k[k]:.1%}" for k in largest_ks)
            n_words = ints[0] if ints else FEW_WORDS
            few_text = f"  (the model knows {n_words} word{'s' * (n_words > 1)} of it)" if n_words < FEW_WORDS else ""
            print(f"{name}  {'no word that the model knows' if n_words == 0 else largest_text + few_text}")
