"""The command `fit`: one model, written to a folder."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..algorithms import ALGORITHMS
from ..engine.starts import STARTS
from ..fitting import Fit, fit, settled
from ..formats import Reading
from ..formats.files import check_writable
from ..model import Prior
from ..own_words import empty_topics
from ..priors import minka
from ..priors.learners import HYPERPRIORS
from ..storage import check_folder, load, save, saved_with
from . import corpora, progress
from .command_line import in_options
from .models import document_names, in_unicode
from .outputs import check_apart
from .tour import brief

KIND_LIST = ", ".join(HYPERPRIORS)
COMPONENTS = {"alpha": "topics", "eta": "words"}
TO_GO_ON = (
    "To go on, give the same corpus, the options that read it but none that leave out words, the same --out, and"
    " --resume --sweeps {}."
)
SAVE_EVERY = 10  # sweeps


def add_arguments(p: argparse.ArgumentParser) -> None:
    corpora.add_arguments(p)
    progress.add_arguments(p)
    p.add_argument("--id", metavar="NAME", help="the column or field with the names of the documents")
    p.add_argument("--group", metavar="NAME", help="the column with what documents belong to, as their authors")
    p.add_argument("--date", metavar="NAME", help="the column with dates such as 1789, 1789-07 or 1789-07-14")
    p.add_argument("--out", metavar="DIR", required=True, help="folder for the model")
    p.add_argument("--topics", metavar="K", type=int, help="number of topics, needed without --resume")
    p.add_argument("--algorithm", choices=list(ALGORITHMS), help="default cvb0")
    p.add_argument("--schedule", help="token, document, block, corpus or nested; default the recommended one")
    start_help = f"one of {', '.join(STARTS)}; with numbers dirichlet:10, growing:5 or anneal:3:100"
    p.add_argument("--start", metavar="NAME", help=f"{start_help}; default the recommended one")
    p.add_argument("--alpha", type=float, help="prior of a document's topics; default 0.1, or 0.5 to learn; map adds 1")
    p.add_argument("--eta", type=float, help="prior of a topic's words; as --alpha")
    p.add_argument("--sweeps", type=int, help="in total; default 100, or as many as a resumed run has")
    burn_help = "first sweeps that a sampler's average leaves out; default half of --sweeps; a resumed run keeps them"
    p.add_argument("--burn-in", type=int, help=burn_help)
    p.add_argument("--seed", type=int, help="default 0")
    to_learn = "alpha, eta or alpha,eta; alpha:asymmetric for a vector, alpha:asymmetric:1.1:1 with a Gamma prior on it"
    p.add_argument("--learn", metavar="WHAT", help=to_learn)
    p.add_argument("--hyperprior", metavar="WHAT", help="for vb: alpha or eta, then :em2, :em2-symmetric or :conjugate")
    p.add_argument("--stop", metavar="NATS", type=float, help="end when a sweep changes the bound per token by less")
    p.add_argument("--resume", action="store_true", help="continue the model in DIR, with its settings and its words")


def run(a: argparse.Namespace) -> int:
    """Fit, save every few sweeps and at the end, and print what the model is; 130 if Ctrl-C ends the run."""
    out_folder = Path(a.out)
    check_writable(out_folder)
    check_apart(a, "out", ("model.json",))
    check_folder(out_folder)
    earlier_fit = _earlier_model(a, out_folder)
    fit_settings = _settings(a, earlier_fit)
    corpus_reading = corpora.reading(a, earlier_fit.vocab if earlier_fit else None)
    c = fit_settings["algorithm"].arranged(corpus_reading.corpus)
    names_of_documents, reading_text, groups_and_dates = _saved_beside(a, out_folder, corpus_reading)
    n_sweeps_done, finished_fit = earlier_fit.sweeps if earlier_fit else 0, None

    def save_to_folder(f: Fit) -> None:
        save(f, out_folder, c.vocab, names_of_documents, reading_text, groups_and_dates)

    try:
        with progress.sweeps_bar(a.sweeps, n_sweeps_done, style=a.progress) as advance_bar:

            def monitor(f: Fit) -> dict[str, Any]:
                advance_bar(progress.brief_history(f.history[-1]))
                if f.sweeps % SAVE_EVERY == 0 and f.sweeps < a.sweeps:
                    save_to_folder(f)
                return {}

            monitor.only_looks = True  # type: ignore[attr-defined]  # mypy knows no attributes of functions
            finished_fit = fit(c, monitor=monitor, **fit_settings)
        save_to_folder(finished_fit)
    except (ValueError, ArithmeticError, MemoryError, KeyboardInterrupt) as error:
        last_fit: Fit | None = getattr(error, "fit", finished_fit)  # of the finished sweeps
        if last_fit is None or last_fit.sweeps == n_sweeps_done:
            raise
        save_to_folder(last_fit)
        is_interrupted = isinstance(error, KeyboardInterrupt)
        end_reason = "interrupted" if is_interrupted else f"lda-reference fit: {in_options(error, a)}"
        message = f"{end_reason}; {out_folder} has the model of sweep {last_fit.sweeps}. {TO_GO_ON.format(a.sweeps)}"
        print(message, file=sys.stderr)
        return 130 if is_interrupted else 2
    _print_model(a, finished_fit, corpus_reading, names_of_documents)
    return 0


def _settings(a: argparse.Namespace, earlier: Fit | None) -> dict[str, Any]:
    """The arguments of `fit`; a ValueError about options that do not go together."""
    A = ALGORITHMS[a.algorithm] if a.algorithm else earlier.algorithm if earlier else ALGORITHMS["cvb0"]
    if a.burn_in is not None and not A.is_sampler:
        raise ValueError(f"--burn-in is given, expected none: {A.name} is no sampler and averages nothing")
    for hyperprior in a.hyperprior.split(",") if a.hyperprior is not None else ():
        if hyperprior.partition(":")[2] not in HYPERPRIORS:
            raise ValueError(f"--hyperprior has {hyperprior!r}, expected alpha or eta, a colon, and one of {KIND_LIST}")
    settings = {name: getattr(a, name) for name in ("sweeps", "schedule", "start", "burn_in", "stop")}
    settings |= {"algorithm": A, "resume": earlier, "learn": ",".join(filter(None, (a.learn, a.hyperprior))) or None}
    resumed_settings = {"K": earlier.phi_wk.shape[-1], "seed": earlier.seed, "thin": earlier.thin} if earlier else {}
    option_settings = {"K": a.topics, "seed": a.seed}
    if a.alpha is not None or a.eta is not None:
        default = (0.5 if settings["learn"] else 0.1) + A.prior_offset
        option_settings["prior"] = Prior(default if a.alpha is None else a.alpha, default if a.eta is None else a.eta)
    return settings | resumed_settings | {name: arg for name, arg in option_settings.items() if arg is not None}


def _earlier_model(a: argparse.Namespace, out_folder: Path) -> Fit | None:
    """The model to resume, if there is one; sets `--sweeps` and raises a ValueError about options that do not fit."""
    if not a.resume:
        a.sweeps = 100 if a.sweeps is None else a.sweeps
        if (out_folder / "model.json").exists():
            raise ValueError(f"{out_folder}: already holds a model, expected --resume or another folder")
        if a.topics is None:
            raise ValueError("--topics is missing, expected a number of topics")
        return None
    earlier_fit = load(out_folder)
    for option_name in ("alpha", "eta", "learn", "hyperprior"):
        if getattr(a, option_name) is not None:
            raise ValueError(f"--{option_name} is given with --resume, expected none: the model keeps its own")
    for option_name in corpora.CHOICES:
        if getattr(a, option_name):
            dashed_option = "--" + option_name.replace("_", "-")
            raise ValueError(f"{dashed_option} is given with --resume, expected none: the model keeps its words")
    asks_labels = bool(a.id or a.group or a.date)
    sweeps_text = "missing" if a.sweeps is None else str(a.sweeps)
    if a.sweeps is None:
        a.sweeps = earlier_fit.sweeps if asks_labels else max(100, earlier_fit.sweeps)
    if earlier_fit.sweeps == a.sweeps and not asks_labels:
        raise ValueError(f"--sweeps is {sweeps_text}, expected more than the {earlier_fit.sweeps} of the model")
    return earlier_fit


def _saved_beside(a: argparse.Namespace, out_folder: Path, reading: Reading) -> tuple[list[str] | None, str, Any]:
    """The names of the documents, what was read, and the labels; of a resumed run, what the model has of them."""
    stops = in_unicode(", ".join(corpora.stop_lists(a)) or "none")
    saved: dict[str, Any] = {"reading": f"{in_unicode(a.corpus)}: {reading.sentence()}; lists of stop words: {stops}"}
    if a.resume:
        saved = {saved_name: saved_with(out_folder, saved_name) for saved_name in ("reading", "documents", "labels")}
        if a.group or a.date:
            saved["reading"] = "; later ".join(filter(None, (saved["reading"], reading.taken)))
    N_j = reading.corpus.by_document(reading.corpus.n).astype(int).tolist()
    labels: Any = {label_kind: [in_unicode(name) for name in names] for label_kind, names in reading.labels.items()}
    labels = {"tokens": N_j, **(saved.get("labels") or {}), **labels} if labels or 0 in N_j else saved.get("labels")
    return document_names(reading) or saved.get("documents"), saved["reading"], labels


def _print_model(a: argparse.Namespace, f: Fit, reading: Reading, names_of_documents: list[str] | None) -> None:
    """Print what was read and what the model is, and on stderr what may be wrong with the texts."""
    if f.learn and f.sweeps <= f.learn_after:
        learning_problem = f"learning begins after sweep {f.learn_after}, the run has {f.sweeps} sweeps"
        print(f"no prior is learned: {learning_problem}", file=sys.stderr)
    c, K = reading.corpus, f.phi_wk.shape[-1]
    per_line_text = ", one a line" * reading.one_a_line
    print(f"{a.corpus}, read as {reading.format}: {c.D:,} documents{per_line_text}, {c.W:,} words, {c.N:,} tokens")
    for message in reading.warnings(names_of_documents):
        print(message, file=sys.stderr)
    prior_text = ", ".join(f"{prior_name} = {brief(getattr(f.prior, prior_name))}" for prior_name in ("alpha", "eta"))
    run_text = f"{f.schedule} schedule, start {f.start}, {f.sweeps} sweeps"
    print(f"{Path(a.out)}: {f.algorithm.name}, {run_text}, K = {K}, {prior_text}")
    for message in _limits(f):
        print(message)
    if not f.algorithm.is_sampler and f.history and not settled(f):
        print(f"The run has not converged: more sweeps may still change the topics. {TO_GO_ON.format(3 * f.sweeps)}")
    if len(empty_ks := empty_topics(f.state)):
        print(f"{len(empty_ks)} of {K} topics are empty: no word needs them. Fewer topics may do, or a smaller --eta.")


def _limits(f: Fit) -> Iterator[str]:
    """A line for each limit to which learning has taken components of the prior."""
    for prior_and_limit, components in minka.at_limits(f.learn, f.prior).items() if f.sweeps > f.learn_after else ():
        prior_name, _, limit_kind = prior_and_limit.partition("_")
        prior_size = np.size(getattr(f.prior, prior_name))
        count_text = f" for {len(components):,} of {prior_size:,} {COMPONENTS[prior_name]}" * (prior_size > 1)
        yield f"{prior_name} is {limit_kind} at {minka.LIMITS[limit_kind]:g}{count_text}"
