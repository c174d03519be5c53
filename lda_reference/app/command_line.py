"""The command line: tour, fit, topics, perplexity, grid, stability, table-1, where and oracle."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, NoReturn

from tqdm import tqdm

from ..algorithms import ALGORITHMS
from ..corpus import split
from ..engine.starts import STARTS
from ..evaluation import validation
from ..evaluation.prediction import ESTIMATORS
from ..fitting import Fit, fit, sweep_rng
from ..formats import FORMATS, read_corpus
from ..model import Prior
from ..oracle import command as oracle
from ..storage import load, load_with_vocab, save
from ..table_1 import printed
from . import grid as grids
from . import perplexity, plots, stability, where
from . import tour as tours
from .progress import sweeps_bar


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line on stderr."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit status. Bad input writes one line to stderr and returns 2."""
    arguments = _parser().parse_args(argv)
    try:
        return int(arguments.run(arguments) or 0)
    except (ValueError, OSError, ArithmeticError) as error:
        print(f"lda-reference {arguments.command}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _parser() -> Parser:
    parser = Parser(prog="lda-reference", description="Reference implementation of inference for LDA.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)

    def command(name: str, run: Any, about: str) -> Parser:
        p: Parser = commands.add_parser(name, help=about, description=about)
        p.set_defaults(run=run)
        return p

    def corpus(p: Parser, required: bool) -> None:
        p.add_argument("--corpus", metavar="FILE", required=required, help="a file, or a folder of texts")
        p.add_argument("--vocab", metavar="FILE", help="a file of one word per line")
        p.add_argument("--format", choices=FORMATS, help="default: guessed from the content")

    p = command("tour", _tour, "Fit every algorithm to one corpus: a table, topics, a figure and its numbers.")
    corpus(p, required=False)
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

    p = command("fit", _fit, "Fit one model and write it to a folder.")
    corpus(p, required=True)
    p.add_argument("--out", metavar="DIR", required=True, help="folder for the model")
    p.add_argument("--topics", metavar="K", type=int, help="number of topics, needed without --resume")
    p.add_argument("--algorithm", choices=list(ALGORITHMS), help="default cvb0")
    p.add_argument("--schedule", help="token, document, block, corpus or nested; default the algorithm's first")
    p.add_argument("--start", metavar="NAME", help=f"one of {', '.join(STARTS)}; default the algorithm's own")
    p.add_argument("--alpha", type=float, help="default 0.1, or 0.5 if a prior is learned; map adds 1 to the default")
    p.add_argument("--eta", type=float, help="as --alpha")
    p.add_argument("--sweeps", type=int, default=100, help="in total; default 100")
    p.add_argument("--burn-in", type=int, help="first sweeps that a sampler's average leaves out; default half of them")
    p.add_argument("--thin", type=int, help="a sampler averages every THIN-th sweep; default 1")
    p.add_argument("--seed", type=int, help="default 0")
    p.add_argument("--learn", metavar="WHAT", help="alpha, eta or alpha,eta; alpha:asymmetric for a vector")
    p.add_argument("--hyperprior", metavar="WHAT", help="for vb: alpha or eta, then :em2, :em2-symmetric or :conjugate")
    p.add_argument("--learn-after", metavar="SWEEPS", type=int, help="sweeps before learning begins; default 15")
    p.add_argument("--stop", metavar="NATS", type=float, help="end when a sweep changes the bound per token by less")
    p.add_argument("--validate", metavar="FILE", help="end when the perplexity of these documents no longer falls")
    p.add_argument("--save-every", metavar="SWEEPS", type=int, default=10, help="save every SWEEPS sweeps; default 10")
    p.add_argument("--resume", action="store_true", help="continue the model in DIR with its settings")

    p = command("topics", _topics, "Print the most probable words of each topic of a model.")
    p.add_argument("model", metavar="DIR", help="folder of the model")
    p.add_argument("--words", type=int, default=10, help="number of words; default 10")

    p = command("perplexity", perplexity.run, perplexity.ABOUT)
    p.add_argument("model", metavar="DIR", help="folder of the model")
    corpus(p, required=True)
    perplexity.add_arguments(p)

    p = command("grid", _grid, "Search a grid of alpha and eta for the lowest perplexity of validation documents.")
    corpus(p, required=True)
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

    p = command("stability", stability.run, stability.ABOUT)
    corpus(p, required=True)
    stability.add_arguments(p)

    command("table-1", lambda a: print(printed()), "Print TNW06's Table 1: names, equations, which are worth using.")

    p = command("where", lambda a: print(where.where(a.equation)), "Show the code, chapter and tests of an equation.")
    p.add_argument("equation", metavar="EQUATION", help='for example "AWST09 (13)"; equations.toml lists all')

    oracle.add_arguments(command("oracle", oracle.run, oracle.ABOUT))
    return parser


def _tour(a: argparse.Namespace) -> None:
    truth = None
    if a.corpus is None:
        if a.vocab or a.format or a.topics:
            raise ValueError("--vocab, --format and --topics need --corpus")
        synthetic = tours.embedded()
        c, truth = synthetic.corpus, synthetic.phi_wk
        K, what = truth.shape[1], "bars, the embedded synthetic corpus"
    else:
        if a.topics is None:
            raise ValueError("--corpus needs --topics K")
        c, K, what = read_corpus(a.corpus, a.format, a.vocab), a.topics, Path(a.corpus).name
    if a.sweeps < 1:
        raise ValueError(f"--sweeps is {a.sweeps}, expected 1 or more")
    names = a.algorithms.split(",") if a.algorithms else None
    for name in names or ():
        if name not in ALGORITHMS:
            raise ValueError(f"--algorithms has {name!r}, expected names from {','.join(ALGORITHMS)}")
    prior = Prior(a.alpha, a.eta)
    out = Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    about = f"{what}: {c.D} documents, {c.W} words, {c.N} tokens, K = {K}, alpha = {a.alpha:g}, eta = {a.eta:g}"
    print(about)
    for reason in tours.able(c, K, prior)[1] if names is None else ():
        print(f"left out: {reason}")
    learn = a.learn or a.corpus is None

    def bar(name: str) -> Any:
        return sweeps_bar(a.sweeps, name=f"{name:<18}", leave=False)

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


def _fit(a: argparse.Namespace) -> None:
    c = read_corpus(a.corpus, a.format, a.vocab)
    out = Path(a.out)
    earlier: Fit | None = None
    learn = ",".join(x for x in (a.learn, a.hyperprior) if x is not None) or None
    if a.resume:
        earlier = load(out)
        for name in ("alpha", "eta", "learn", "hyperprior"):
            if getattr(a, name) is not None:
                raise ValueError(f"--{name} is given with --resume, expected none: the model keeps its own")
        prior: Prior | None = earlier.prior
    else:
        if (out / "model.json").exists():
            raise ValueError(f"{out}: already holds a model, expected --resume or another folder")
        if a.topics is None:
            raise ValueError("--topics is missing, expected a number of topics")
        prior = None
        if a.alpha is not None or a.eta is not None:
            low = (0.5 if learn else 0.1) + ALGORITHMS[a.algorithm or "cvb0"].prior_offset
            prior = Prior(low if a.alpha is None else a.alpha, low if a.eta is None else a.eta)
    if a.stop is not None and a.validate is not None:
        raise ValueError("--stop and --validate are both given, expected one of them")
    if a.save_every < 1:
        raise ValueError(f"--save-every is {a.save_every}, expected 1 or more")

    def setting(name: str, default: Any) -> Any:
        given = getattr(a, name)
        return given if given is not None else getattr(earlier, name) if earlier else default

    algorithm = ALGORITHMS[a.algorithm] if a.algorithm else earlier.algorithm if earlier else ALGORITHMS["cvb0"]
    c = algorithm.arranged(c)
    K = a.topics if a.topics is not None else earlier.phi_wk.shape[-1] if earlier else 0
    done = earlier.sweeps if earlier else 0
    score: validation.Validation | None = None
    if a.validate is not None:
        documents = read_corpus(a.validate, a.format, a.vocab if a.vocab is not None else c.vocab, W=c.W)
        score = validation.Validation(validation.halves(documents, sweep_rng(setting("seed", 0), 0)))
    with sweeps_bar(a.sweeps, done) as step:

        def monitor(f: Fit) -> dict[str, Any]:
            step()
            found = {} if score is None else score(f)
            if f.sweeps % a.save_every == 0 and f.sweeps < a.sweeps:
                save(f, out, c.vocab)
            return found

        f = fit(
            c, K, algorithm, prior, a.sweeps, setting("schedule", None), setting("start", None) or None,
            seed=setting("seed", 0), learn=learn, burn_in=setting("burn_in", None), thin=setting("thin", 1),
            learn_after=setting("learn_after", None), monitor=monitor,
            stop=a.stop if a.validate is None else validation.no_better, resume=earlier,
        )  # fmt: skip
    save(f, out, c.vocab)
    print(f"{out}: {f.algorithm.name}, {f.schedule} schedule, {f.sweeps} sweeps, K = {K}")
    if f.learn:
        print("; ".join(f"{name} = {tours.brief(getattr(f.prior, name))}" for name in ("alpha", "eta")))


def _topics(a: argparse.Namespace) -> None:
    if a.words < 1:
        raise ValueError(f"--words is {a.words}, expected 1 or more")
    f, vocab = load_with_vocab(a.model)
    print(tours.topics_text(f.phi_wk, f.theta_jk, vocab, a.words))


def _grid(a: argparse.Namespace) -> None:
    c = read_corpus(a.corpus, a.format, a.vocab)
    if not 0 < a.validation < 1:
        raise ValueError(f"--validation is {a.validation}, expected a share above 0 and below 1")
    train, valid = split(c, "documents", a.validation, sweep_rng(a.seed, 0))
    A = ALGORITHMS[a.algorithm]
    default = validation.POWERS if A.tempered else validation.GRID
    alphas, etas = (default if x is None else _numbers(x) for x in (a.alphas, a.etas))
    out = Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    found = validation.grid_search(
        train, validation.halves(valid, sweep_rng(a.seed, 0)), a.topics, A, alphas, etas, a.sweeps, a.seed,
        a.estimator, lambda runs: tqdm(runs, unit="run", file=sys.stderr),
    )  # fmt: skip
    print(grids.table(found))
    names = ("power",) if A.tempered else ("alpha", "eta")
    print(f"best: {', '.join(f'{n} = {x:g}' for n, x in zip(names, found.best, strict=True))}")
    grids.write_numbers(found, out / "grid.csv")
    plots.grid_figure(found, out / "grid.png", f"{a.algorithm}, K = {a.topics}, {Path(a.corpus).name}")
    print(f"Written: {out / 'grid.png'}, {out / 'grid.csv'}")


def _numbers(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(x) for x in text.split(","))
    except ValueError:
        raise ValueError(f"{text!r} is not a list of numbers such as 0.1,0.5") from None


if __name__ == "__main__":
    sys.exit(main())
