"""The command line: the commands of `lda-reference` and their arguments."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from importlib import metadata
from pathlib import Path
from typing import Any, NoReturn

from ..algorithms import ALGORITHMS
from ..corpus import split
from ..evaluation import validation
from ..evaluation.prediction import ESTIMATORS
from ..fitting import sweep_rng
from ..model import Prior
from ..oracle.asking import command as oracle
from ..table_1 import printed
from . import corpora, data, perplexity, plots, progress, stability, topics, where
from . import fit as fits
from . import grid as grids
from . import tour as tours
from .models import in_unicode
from .outputs import output_folder
from .progress import sweeps_bar
from .report import command as report

ARGUMENTS = {"K": "topics", "c": "corpus"}  # arguments of functions whose options differ
PATHS = ("model", "corpus", "vocab", "validate", "train", "out", "csv", "json", "cache")  # an empty one would be "."


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line on stderr."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit status. Bad input writes one line to stderr and returns 2."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # words in a script that the output's encoding lacks
    arguments = _parser().parse_args(argv)
    try:
        _check_paths(arguments)
        status = int(arguments.run(arguments) or 0)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # whoever reads the output, such as `head`, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at exit
        return 0
    except (ValueError, OSError, ArithmeticError) as error:
        print(f"lda-reference {arguments.command}: {in_options(error, arguments)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _check_paths(arguments: argparse.Namespace) -> None:
    for name in PATHS:
        if getattr(arguments, name, None) == "":
            raise ValueError(f"{'the model' if name == 'model' else name} is '', expected a path")


def in_options(error: Exception, arguments: argparse.Namespace) -> str:
    """An error as one line that names options instead of the arguments of functions."""
    if isinstance(error, OSError) and error.filename is not None:
        reason = "does not exist" if isinstance(error, FileNotFoundError) else (error.strerror or "").lower()
        return f"{error.filename}: {reason}"
    message = " ".join(str(error).split())
    found = re.match(r"(\w+)(?= is | has )", message)
    name = ARGUMENTS.get(found[1], found[1]) if found else ""
    option = "--" + name.replace("_", "-")
    return option + message[len(found[1]) :] if found and name in vars(arguments) else message


def _parser() -> Parser:
    parser = Parser(prog="lda-reference", description="Reference implementation of inference for LDA.")
    parser.add_argument("--version", action="version", version=f"lda-reference {_version()}")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)

    def command(name: str, run: Any, about: str) -> Parser:
        p: Parser = commands.add_parser(name, help=about, description=about)
        p.set_defaults(run=run)
        return p

    p = command("tour", _tour, "Fit every algorithm to one corpus: a table, topics, a figure and its numbers.")
    corpora.add_arguments(p, required=False)
    p.add_argument("--topics", metavar="K", type=int, help="number of topics, needed with --corpus")
    p.add_argument("--alpha", type=float, default=0.1, help="default 0.1")
    p.add_argument("--eta", type=float, default=0.1, help="default 0.1")
    p.add_argument("--algorithms", metavar="A,B", help="default all: " + ",".join(ALGORITHMS))
    p.add_argument("--sweeps", type=int, default=100, help="default 100")
    p.add_argument(
        "--full", action="store_true", help="all sweeps, each algorithm once, in its own schedule from its own start"
    )
    p.add_argument("--seed", type=int, default=0, help="default 0")
    p.add_argument("--learn", action="store_true", help="also run each algorithm with alpha and eta learned")
    p.add_argument("--out", metavar="DIR", default="tour", help="folder for tour.png and tour.csv; default tour")
    progress.add_arguments(p)

    p = command("fit", fits.run, fits.ABOUT)
    corpora.add_arguments(p)
    fits.add_arguments(p)
    progress.add_arguments(p)

    p = command("report", report.run, report.ABOUT)
    corpora.add_arguments(p, required=False, choose=False)
    report.add_arguments(p)

    topics.topics_arguments(command("topics", topics.run_topics, topics.TOPICS))
    p = command("documents", topics.run_documents, topics.DOCUMENTS)
    corpora.add_arguments(p, required=False, choose=False)
    topics.documents_arguments(p)
    p = command("infer", topics.run_infer, topics.INFER)
    corpora.add_arguments(p, choose=False)
    topics.infer_arguments(p)

    p = command("perplexity", perplexity.run, perplexity.ABOUT)
    p.add_argument("model", metavar="DIR", help="folder of the model")
    corpora.add_arguments(p, choose=False)
    perplexity.add_arguments(p)

    p = command("grid", _grid, "Search a grid of alpha and eta for the lowest perplexity of validation documents.")
    corpora.add_arguments(p)
    p.add_argument("--out", metavar="DIR", required=True, help="folder for grid.png and grid.csv")
    p.add_argument("--topics", metavar="K", type=int, required=True, help="number of topics")
    p.add_argument("--algorithm", choices=list(ALGORITHMS), default="cvb0", help="default cvb0")
    numbers = ",".join(f"{x:g}" for x in validation.GRID)
    powers = ",".join(f"{x:g}" for x in validation.POWERS)
    p.add_argument("--alphas", metavar="A,B", help=f"default {numbers}; for ml, the powers of tempering, {powers}")
    p.add_argument("--etas", metavar="A,B", help=f"default {numbers}; map adds 1 to both")
    p.add_argument("--validation", metavar="SHARE", type=float, default=0.1, help="share of the documents; default 0.1")
    p.add_argument("--sweeps", type=int, default=100, help="default 100")
    p.add_argument("--seed", type=int, default=0, help="default 0")
    p.add_argument("--estimator", choices=ESTIMATORS, help="how to estimate theta and phi; default the algorithm's own")
    progress.add_arguments(p)

    p = command("stability", stability.run, stability.ABOUT)
    corpora.add_arguments(p)
    stability.add_arguments(p)
    progress.add_arguments(p)

    data.add_arguments(command("data", data.run, data.ABOUT))

    command("table-1", lambda a: print(printed()), "Print TNW06's Table 1: names, equations, which are worth using.")

    p = command("where", lambda a: print(where.where(a.equation)), "Show the code, chapter and tests of an equation.")
    p.add_argument("equation", metavar="EQUATION", help='for example "AWST09 (13)"; equations.toml lists all')

    oracle.add_arguments(command("oracle", oracle.run, oracle.ABOUT))
    return parser


def _version() -> str:
    try:
        return metadata.version("lda_reference")
    except metadata.PackageNotFoundError:
        return "of a folder that is not installed"


def _tour(a: argparse.Namespace) -> None:
    truth = None
    if a.corpus is None:
        if a.vocab or a.format or a.topics:
            raise ValueError("--vocab, --format and --topics need --corpus")
        for name in ("column", *corpora.CHOICES):
            if getattr(a, name):
                raise ValueError(f"--{name.replace('_', '-')} needs --corpus")
        synthetic = tours.embedded()
        c, truth = synthetic.corpus, synthetic.phi_wk
        K, what = truth.shape[1], "bars, the embedded synthetic corpus"
    else:
        if a.topics is None:
            raise ValueError("--corpus needs --topics K")
        c, K, what = corpora.read_arguments(a), a.topics, in_unicode(Path(a.corpus).name)
    if a.sweeps < 1:
        raise ValueError(f"--sweeps is {a.sweeps}, expected 1 or more")
    names = a.algorithms.split(",") if a.algorithms else None
    for name in names or ():
        if name not in ALGORITHMS:
            raise ValueError(f"--algorithms has {name!r}, expected names from {','.join(ALGORITHMS)}")
    prior = Prior(a.alpha, a.eta)
    out = output_folder(a, ("tour.csv", "tour.png"))
    about = f"{what}: {c.D} documents, {c.W} words, {c.N} tokens, K = {K}, alpha = {a.alpha:g}, eta = {a.eta:g}"
    print(about)
    for reason in tours.able(c, K, prior)[1] if names is None else ():
        print(f"left out: {reason}")
    learn = a.learn or a.corpus is None

    def bar(name: str) -> Any:
        return sweeps_bar(a.sweeps, name=f"{name:<18}", leave=False, style=a.progress)

    columns, entries = tours.heading(truth is not None, learn), []
    print("\n" + tours.aligned(columns, columns), flush=True)
    for entry in tours.tour(c, K, prior, a.sweeps, a.seed, truth, names, learn, a.full, bar):
        entries.append(entry)
        print(tours.aligned(tours.cells(entry, truth is not None, learn), columns), flush=True)
    print("\n" + tours.legend(a.full, truth is not None, learn) + "\n")
    shown = tours.best(entries)
    print(tours.shown_topics(shown))
    print(tours.topics_text(shown.fit.phi_wk, shown.fit.theta_jk, c.vocab, 10 if truth is None else 5))
    tours.write_numbers(entries, out / "tour.csv")
    plots.tour_figure(plots.tour_runs(out / "tour.csv"), out / "tour.png", about)
    print(f"\nWritten: {out / 'tour.png'}, {out / 'tour.csv'}")


def _grid(a: argparse.Namespace) -> None:
    c = corpora.read_arguments(a)
    if not 0 < a.validation < 1:
        raise ValueError(f"--validation is {a.validation}, expected a share above 0 and below 1")
    train, valid = split(c, "documents", a.validation, sweep_rng(a.seed, 0))
    if valid.N < 2 or train.N == 0:
        raise ValueError(
            f"--validation is {a.validation}: of {c.D} documents {train.D} with {train.N} tokens are to train on and"
            f" {valid.D} with {valid.N} tokens to validate, expected tokens to train on and 2 or more to validate"
        )
    A = ALGORITHMS[a.algorithm]
    default = validation.POWERS if A.tempered else validation.GRID
    alphas, etas = (default if x is None else _numbers(x) for x in (a.alphas, a.etas))
    out = output_folder(a, ("grid.csv", "grid.png"))
    found = validation.grid_search(
        train, validation.halves(valid, sweep_rng(a.seed, 0)), a.topics, A, alphas, etas, a.sweeps, a.seed,
        a.estimator, lambda runs: progress.runs_bar(runs, a.progress),
    )  # fmt: skip
    print(grids.table(found))
    names = ("power",) if A.tempered else ("alpha", "eta")
    print(f"best: {', '.join(f'{n} = {x:g}' for n, x in zip(names, found.best, strict=True))}")
    grids.write_numbers(found, out / "grid.csv")
    plots.grid_figure(found, out / "grid.png", f"{a.algorithm}, K = {a.topics}, {in_unicode(Path(a.corpus).name)}")
    print(f"Written: {out / 'grid.png'}, {out / 'grid.csv'}")


def _numbers(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(x) for x in text.split(","))
    except ValueError:
        raise ValueError(f"{text!r} is not a list of numbers such as 0.1,0.5") from None


if __name__ == "__main__":
    sys.exit(main())
