"""The command `infer`: theta of new documents, with the topics of a model held."""

import argparse
import sys

from ..arguments import shown
from ..evaluation.prediction import fold_in, quickest_order
from ..fitting import corpus_digest, sweep_rng
from ..storage import load
from . import corpora
from .documents import write_theta
from .models import document_names, name_of, of_one_run, output_arguments, to_fold_in, topics_in_words
from .outputs import check_output

OF_TRAINING = """The model's own documents: `documents` shows theta of the run, in which each row left itself out of
the topics. Here the topics are held, and theta differs."""


def add_arguments(p: argparse.ArgumentParser) -> None:
    corpora.add_arguments(p, adds_choices=False)
    p.add_argument("--id", metavar="NAME", help="the column or field with the names of the documents")
    p.add_argument("--sweeps", type=int, default=100, help="default 100")
    p.add_argument("--seed", type=int, default=0, help="default 0")
    output_arguments(p, "folder of the model")


def run(a: argparse.Namespace) -> None:
    """Print or write theta of new documents, and say on stderr which of their tokens the model does not know."""
    check_output(a, "csv" if a.csv else "json")
    model = of_one_run(load(a.model), a.model)
    corpus_reading = corpora.reading(a, model.vocab, len(model.phi_wk))
    c = corpus_reading.corpus
    if corpus_reading.one_a_line and c.D > 1:
        print(f"{c.D:,} documents, one a line: to read a file as one text, put it into a folder", file=sys.stderr)
    if model.vocab is None and a.vocab is None and c.vocab is not None:
        raise ValueError(f"--vocab is missing, expected the words of the model, which has none; {a.corpus} has words")
    if corpus_digest(model.algorithm.arranged(c)) == model.corpus and model.history:  # it has a run of ours
        print(OF_TRAINING, file=sys.stderr)
    elif corpus_reading.by_number and model.vocab is not None:
        print(f"{a.corpus} has no names of words: its word w is taken for word w of the model", file=sys.stderr)
    if c.N == 0:
        print(f"{a.corpus} has no word that the model knows: theta is the mean of the prior", file=sys.stderr)
    is_possible_row = model.phi_wk.max(1)[c.w] > 0
    if not is_possible_row.all():
        words = sorted({shown(name_of(int(w), c.vocab)) for w in c.w[~is_possible_row]})
        lost_text = f"{c.n[~is_possible_row].sum()} of {c.N} tokens left out, as no topic can have the word"
        print(f"{lost_text}: {', '.join(words[:5])}{f' and {len(words) - 5} more' * (len(words) > 5)}", file=sys.stderr)
        c = c.with_rows(c.j[is_possible_row], c.w[is_possible_row], c.n[is_possible_row])
    algorithm, rng = to_fold_in(model.algorithm), sweep_rng(a.seed, 1)
    if algorithm is not model.algorithm:
        print(f"a model of another program: theta by {algorithm.name}, not by its own rule", file=sys.stderr)
    theta_jk = fold_in(algorithm, c, model.phi_wk, model.prior, rng, a.sweeps, schedule=quickest_order(algorithm))
    count_columns = {"known_tokens": c.by_document(c.n).astype(int).tolist()}
    write_theta(theta_jk, document_names(corpus_reading), topics_in_words(model), a, count_columns)
