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
    corpora.add_arguments(p, required=False, adds_choices=False)
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
    model, c, corpus_document_names = shown_model(a.model, a)
    if a.by is not None:
        if a.by not in COLUMNS:
            raise ValueError(f"--by is {shown(a.by)}, expected group or year: what fit was given as --group or --date")
        groups_and_dates = saved_in(a.model, "labels") or {}
        if (option := COLUMNS[a.by]) not in groups_and_dates:
            raise ValueError(f"--by is {a.by!r} and {a.model} has none, expected a model of fit with --{option} COLUMN")
        group_means = groups(groups_and_dates, a.by, model.theta_jk)
        write_theta(group_means.theta, group_means.names, topics_in_words(model), a, group_means.counts, a.by)
        return
    if c is None:
        n_tokens = (saved_in(a.model, "labels") or {}).get("tokens", [])
        if not (a.csv or a.json):  # it knows all words of its own documents, so that only those without any are marked
            n_tokens = [FEW_WORDS * (n > 0) for n in n_tokens]
    else:
        n_tokens = c.by_document(c.n).astype(int).tolist()
    count_columns = {"known_tokens": n_tokens} if n_tokens else {}
    document_names, theta_jk = corpus_document_names or saved_in(a.model, "documents"), model.theta_jk
    if a.document is not None:
        j = document_number(a.document, document_names, len(theta_jk))
        document_names, theta_jk = [document_names[j] if document_names else str(j)], theta_jk[[j]]
        count_columns = {column_name: [column[j]] for column_name, column in count_columns.items()}
    write_theta(theta_jk, document_names, topics_in_words(model), a, count_columns)


def write_theta(
    theta_jk: Array,
    known_row_names: list[str] | None,
    topic_words: Sequence[str],
    a: argparse.Namespace,
    counts: dict[str, list[int]],
    row_kind: str = "document",
) -> None:
    """Print theta, or write it as CSV or JSON; documents without names have numbers.

    `topic_words` are printed. `counts` are further columns: of groups, the numbers of their `documents` and `tokens`;
    of documents, how many tokens of each the model knows, or none. Theta of a document without any is the prior.
    """
    D, K = theta_jk.shape
    row_names: Sequence[str | int] = known_row_names or range(D)
    row_counts = list(zip(*counts.values(), strict=True)) or [()] * D
    rows = list(zip(row_names, row_counts, theta_jk.tolist(), strict=True))
    if a.csv:
        column_names = (*counts, *(f"topic_{k}" for k in range(K)))
        write(csv_text([row_kind, *column_names], ([name, *n, *row] for name, n, row in rows)), a.csv)
    elif a.json:
        theta_records = [{row_kind: name, **dict(zip(counts, n, strict=True)), "theta": row} for name, n, row in rows]
        write(json_text({f"{row_kind}s": theta_records}), a.json)
    elif row_kind != "document":
        print("\n".join(topic_words))
        text_rows = ([f"{name}", *(f"{i:,}" for i in n), *(f"{share:.1%}" for share in row)] for name, n, row in rows)
        print(aligned([[row_kind, *counts, *(f"topic {k}" for k in range(K))], *text_rows]))
    else:
        for name, counts_of_row, theta_k in rows:
            largest_ks = sorted(range(K), key=lambda k: -theta_k[k])[:TOPICS_SHOWN]
            largest_shares_text = "  ".join(f"{topic_words[k]} {theta_k[k]:.1%}" for k in largest_ks)
            n_known = counts_of_row[0] if counts_of_row else FEW_WORDS
            few_note = f"  (the model knows {n_known} word{'s' * (n_known > 1)} of it)" if n_known < FEW_WORDS else ""
            print(f"{name}  {'no word that the model knows' if n_known == 0 else largest_shares_text + few_note}")
