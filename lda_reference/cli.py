"""The command line: tour, fit, topics, perplexity."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from tqdm import tqdm

from . import tour as tours
from .algorithms import ALGORITHMS
from .corpus import split
from .fitting import Fit, fit, load, load_with_vocab, save, sweep_rng
from .formats import FORMATS, read_corpus
from .model import Prior
from .predict import fold_in, perplexity

LEGEND = """bound/token: on log p(x) of the training tokens, in nats a token; perplexity: of the 10% of each document's
tokens that were held out, TNW06 (19), of samplers (20); map runs at alpha + 1 and eta + 1"""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(argv: list[str] | None = None) -> int:
    """Run a command; bad input is one line on stderr and exit status 2."""
    arguments = _parser().parse_args(argv)
    try:
        arguments.run(arguments)
    except (ValueError, OSError) as error:
        print(f"lda-reference {arguments.command}: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return 0


def _parser() -> Parser:
    parser = Parser(prog="lda-reference", description="Reference implementation of inference for LDA.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)

    def command(name: str, run: Any, about: str) -> Parser:
        p: Parser = commands.add_parser(name, help=about, description=about)
        p.set_defaults(run=run)
        return p

    def corpus(p: Parser, required: bool) -> None:
        p.add_argument("--corpus", metavar="FILE", required=required, help="a file, or a folder of texts")
        p.add_argument("--vocab", metavar="FILE", help="a word a line")
        p.add_argument("--format", choices=FORMATS, help="default: by the content")

    p = command("tour", _tour, "Fit every algorithm to one corpus: a table, the topics, a figure and its numbers.")
    corpus(p, required=False)
    p.add_argument("--topics", metavar="K", type=int)
    p.add_argument("--alpha", type=float, default=0.1, help="default 0.1")
    p.add_argument("--eta", type=float, default=0.1, help="default 0.1")
    p.add_argument("--algorithms", metavar="A,B", help="default all: " + ",".join(ALGORITHMS))
    p.add_argument("--sweeps", type=int, default=100, help="default 100")
    p.add_argument("--seed", type=int, default=0, help="default 0")
    p.add_argument("--out", metavar="DIR", default="tour", help="for tour.png and tour.csv; default tour")

    p = command("fit", _fit, "Fit one model and write its folder.")
    corpus(p, required=True)
    p.add_argument("--out", metavar="DIR", required=True, help="the model's folder")
    p.add_argument("--topics", metavar="K", type=int)
    p.add_argument("--algorithm", choices=list(ALGORITHMS), help="default cvb0")
    p.add_argument("--schedule")
    p.add_argument("--alpha", type=float)
    p.add_argument("--eta", type=float)
    p.add_argument("--sweeps", type=int, default=100, help="in all; default 100")
    p.add_argument("--burn-in", type=int, help="of a sampler; default half the sweeps")
    p.add_argument("--thin", type=int, help="of a sampler; default 1")
    p.add_argument("--seed", type=int, help="default 0")
    p.add_argument("--save-every", metavar="SWEEPS", type=int, default=10, help="default 10")
    p.add_argument("--resume", action="store_true", help="go on from the model in DIR, with its settings")

    p = command("topics", _topics, "The most probable words of each topic of a model.")
    p.add_argument("model", metavar="DIR")
    p.add_argument("--words", type=int, default=10, help="default 10")

    p = command("perplexity", _perplexity, "Fold in the first half of each document, predict the second.")
    p.add_argument("model", metavar="DIR")
    corpus(p, required=True)
    p.add_argument("--sweeps", type=int, default=100, help="of folding in; default 100")
    p.add_argument("--seed", type=int, default=0, help="default 0")
    return parser


def _tour(a: argparse.Namespace) -> None:
    truth = None
    if a.corpus is None:
        if a.vocab or a.format or a.topics:
            raise ValueError("--vocab, --format and --topics go with --corpus")
        synthetic = tours.embedded()
        c, truth = synthetic.corpus, synthetic.phi_wk
        K, what = truth.shape[1], "bars, the embedded synthetic corpus"
    else:
        if a.topics is None:
            raise ValueError("--corpus needs --topics K")
        c, K, what = read_corpus(a.corpus, a.format, a.vocab), a.topics, Path(a.corpus).name
    if a.sweeps < 1:
        raise ValueError(f"--sweeps is {a.sweeps}, expected 1 or more")
    names = a.algorithms.split(",") if a.algorithms else list(ALGORITHMS)
    for name in names:
        if name not in ALGORITHMS:
            raise ValueError(f"--algorithms has {name!r}, expected some of {','.join(ALGORITHMS)}")
    prior = Prior(a.alpha, a.eta)
    out = Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    about = f"{what}: {c.D} documents, {c.W} words, {c.N} tokens, K = {K}, alpha = {a.alpha:g}, eta = {a.eta:g}"
    print(about)
    entries = tours.tour(c, K, prior, a.sweeps, a.seed, truth, names, lambda name: _bar(a.sweeps, 0, f"{name:<8}"))
    print(f"\n{tours.table(entries)}\n")
    print(LEGEND + (";\ntopic error: mean total variation after matching.\n" if truth is not None else ".\n"))
    winner = tours.best(entries)
    print(f"Topics of {winner.fit.algorithm}, the best in perplexity, by their share of the documents:")
    print(tours.topics_text(winner.fit.phi_wk, winner.fit.theta_jk, c.vocab, 10 if truth is None else 5))
    tours.write_numbers(entries, out / "tour.csv")
    tours.write_figure(entries, out / "tour.png", about)
    print(f"\nWritten: {out / 'tour.png'}, {out / 'tour.csv'}")


def _fit(a: argparse.Namespace) -> None:
    c = read_corpus(a.corpus, a.format, a.vocab)
    out = Path(a.out)
    earlier: Fit | None = None
    if a.resume:
        earlier = load(out)
        if a.alpha is not None or a.eta is not None:
            raise ValueError("--alpha and --eta are the model's own when it is resumed")
        prior: Prior | None = earlier.prior
    else:
        if (out / "model.json").exists():
            raise ValueError(f"{out}: holds a model already: --resume it, or choose another folder")
        if a.topics is None:
            raise ValueError("--topics K is needed")
        prior = None
        if a.alpha is not None or a.eta is not None:
            low = 1.1 if a.algorithm == "map" else 0.1
            prior = Prior(low if a.alpha is None else a.alpha, low if a.eta is None else a.eta)
    if a.save_every < 1:
        raise ValueError(f"--save-every is {a.save_every}, expected 1 or more")

    def setting(name: str, default: Any) -> Any:
        given = getattr(a, name)
        return given if given is not None else getattr(earlier, name) if earlier else default

    K = a.topics if a.topics is not None else earlier.phi_wk.shape[-1] if earlier else 0
    done = earlier.sweeps if earlier else 0
    with _bar(a.sweeps, done, "") as step:

        def monitor(f: Fit) -> dict[str, Any]:
            step()
            if f.sweeps % a.save_every == 0 and f.sweeps < a.sweeps:
                save(f, out, c.vocab)
            return {}

        f = fit(
            c, K, setting("algorithm", "cvb0"), prior, a.sweeps, setting("schedule", None), setting("seed", 0),
            burn_in=setting("burn_in", None), thin=setting("thin", 1), monitor=monitor, resume=earlier,
        )  # fmt: skip
    save(f, out, c.vocab)
    print(f"{out}: {f.algorithm}, {f.schedule} schedule, {f.sweeps} sweeps, K = {K}")


def _topics(a: argparse.Namespace) -> None:
    if a.words < 1:
        raise ValueError(f"--words is {a.words}, expected 1 or more")
    f, vocab = load_with_vocab(a.model)
    print(tours.topics_text(f.phi_wk, f.theta_jk, vocab, a.words))


def _perplexity(a: argparse.Namespace) -> None:
    f, vocab = load_with_vocab(a.model)
    W = f.phi_wk.shape[0]
    c = read_corpus(a.corpus, a.format, a.vocab if a.vocab is not None else vocab, W=W)
    first, second = split(c, "halves", rng=sweep_rng(a.seed, 0))
    theta_jk = fold_in(ALGORITHMS[f.algorithm], first, f.phi_wk, f.prior, sweep_rng(a.seed, 1), a.sweeps)
    value = perplexity(second, theta_jk, f.phi_wk)
    print(f"{value:.4f}")
    print(
        f"of {second.N} tokens, the second half of each document in random order; theta folded in on the other"
        f" {first.N} by {f.algorithm}, {a.sweeps} sweeps",
        file=sys.stderr,
    )





@contextmanager
def _bar(total: int, done: int, name: str) -> Iterator[Callable[[], None]]:
    """A progress bar that appears with the first step, so that bad input leaves one line alone on stderr."""
    bars: list[Any] = []

    def step() -> None:
        if not bars:
            bars.append(tqdm(total=total, initial=done, desc=name or None, unit="sweep", file=sys.stderr))
        bars[0].update()

    try:
        yield step
    finally:
        for bar in bars:
            bar.close()


if __name__ == "__main__":
    sys.exit(main())
