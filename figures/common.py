"""What the scripts of this folder share: the corpora, their options, and tables of numbers that take hours.

Every script takes `--quick`, which runs a small version in minutes and writes to the rooms of `quick/`, and
`--draw`, which only draws the pictures from the CSV files. A full run writes the lines of a job when the job ends and
leaves out jobs whose lines exist, so it can be interrupted and continued.
"""

import argparse
import csv
import gzip
import os
import re
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import lda_reference as lda
from lda_reference.fitting import sweep_rng
from lda_reference.model import counts_of

HERE = Path(__file__).parent
ROOMS = ("tnw06", "awst09", "sol14", "sn12", "boo16", "search", "priors", "peers", "evidence", "pages")
DATA = Path(os.environ.get("LDA_DATA", HERE.parents[1] / "shared" / "data"))
FOLDERS = {
    "r8": "r8_soleimani", "20news": "20news_bydate", "reuters": "reuters_50_50", "reuters395": "reuters_lda395",
}  # fmt: skip
REAL_CORPORA = ("kos", "nips", "r8", "20news", "reuters", "reuters395", "cranfield")

# A run whose bound changes by less than this, in nats per token and sweep, ends where its bound stands still. Its gamma
# may still move: `search.until_settled` has another rule.
BOUND_STANDS_STILL = 1e-5


class Options(NamedTuple):
    quick: bool
    draw: bool
    names: tuple[str, ...]
    out: Path
    processes: int


def options(description: str, names: Sequence[str]) -> Options:
    """The command line of a script whose parts have names; without names all parts run."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[*names, []], default=[])
    parser.add_argument("--quick", action="store_true", help="a small version, in minutes, written to quick/")
    parser.add_argument("--draw", action="store_true", help="only draw the pictures")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    out = HERE / "quick" if arguments.quick else HERE
    for room in ROOMS:
        (out / room).mkdir(parents=True, exist_ok=True)
    return Options(arguments.quick, arguments.draw, tuple(arguments.names) or tuple(names), out, arguments.processes)


def folder(corpus_name: str) -> Path:
    return DATA / FOLDERS.get(corpus_name, corpus_name)


@cache
def there(study: str) -> bool:
    """Whether the corpus of a study such as "kos-400" is there; if not, the script says so and goes on without it."""
    c_name = study.partition("-")[0]
    if c_name not in REAL_CORPORA or folder(c_name).exists():
        return True
    print(f"{c_name} is not at {folder(c_name)}: set LDA_DATA to the folder of the corpora. Left out.", flush=True)
    return False


def letters(text: str) -> list[str]:
    """The runs of letters of a text, in lower case: the words of all figures on texts."""
    return re.findall(r"[^\W\d_]+", text.lower())


@cache
def corpus(corpus_name: str) -> lda.Corpus:
    """A corpus as types; of R8 and 20 Newsgroups the training part."""
    if corpus_name == "r8":
        return r8()[0][0]
    if corpus_name == "20news":
        return lda.read_corpus(folder(corpus_name) / "docword.20news.train.txt.gz")
    if corpus_name == "reuters":
        with tempfile.TemporaryDirectory() as unpacked_dir:
            with tarfile.open(folder(corpus_name) / "C50.tar.gz") as tar_file:
                tar_file.extractall(unpacked_dir, filter="data")
            flat_folder = Path(unpacked_dir) / "flat"
            flat_folder.mkdir()
            for i, path in enumerate(sorted(Path(unpacked_dir).rglob("C50t*/*/*.txt"))):
                (flat_folder / f"{i:05d}.txt").write_text(" ".join(letters(path.read_text("utf-8"))), "utf-8")
            return lda.read_corpus(flat_folder, "text")
    if corpus_name == "reuters395":
        return lda.read_corpus(folder(corpus_name) / "reuters.ldac.gz", "ldac")
    if corpus_name == "bars":
        return lda.synthetic.bars(np.random.default_rng(0), side=5, D=100, length=50, alpha=0.3).corpus.types()
    if corpus_name == "drawn":
        return lda.synthetic.draw(np.random.default_rng(0), [60] * 200, 8, 200, lda.Prior(0.1, 0.1)).corpus.types()
    return lda.read_corpus(folder(corpus_name) / f"docword.{corpus_name}.txt.gz")


def r8() -> tuple[tuple[lda.Corpus, Any], tuple[lda.Corpus, Any]]:
    """SOL14's corpus: training documents with their labels, and test documents with theirs."""
    labelled_parts = []
    for prefix in ("tr", "t"):
        c = lda.read_corpus(folder("r8") / f"{prefix}docs_7k.txt.gz", "ldac")
        with gzip.open(folder("r8") / f"{prefix}lbls_7k.txt.gz", "rt") as label_file:
            labelled_parts.append((c, np.array([int(line.split()[0]) for line in label_file])))
    W = max(c.W for c, _ in labelled_parts)
    train, test = ((lda.Corpus(c.j, c.w, c.n, c.D, W), labels) for c, labels in labelled_parts)
    return train, test


@cache
def held_out(corpus_name: str) -> tuple[lda.Corpus, lda.Corpus]:
    """Training tokens, and the 10% of each document's tokens that are held out, as in TNW06."""
    return lda.split(corpus(corpus_name), "tokens", 0.1, sweep_rng(0, 0))


def part(c: lda.Corpus, documents: Any) -> lda.Corpus:
    """A corpus of some of the documents, numbered again from 0, with the same vocabulary."""
    new_j = np.full(c.D, -1)
    new_j[documents] = np.arange(len(documents))
    row_numbers = np.flatnonzero(new_j[c.j] >= 0)
    row_numbers = row_numbers[np.argsort(new_j[c.j[row_numbers]], kind="stable")]
    return lda.Corpus(new_j[c.j[row_numbers]], c.w[row_numbers], c.n[row_numbers], len(documents), c.W)


def disjoint_part(corpus_name: str, size: int, part_index: int) -> lda.Corpus:
    """A part of a corpus with `size` documents; parts with other numbers have none of these documents."""
    c = corpus(corpus_name)
    return part(c, sweep_rng(0, 4).permutation(c.D)[part_index * size : (part_index + 1) * size])


def with_words(c: lda.Corpus, keep: Any) -> lda.Corpus:
    """A corpus of some of the words, numbered again from 0; `keep` says of each word whether it stays."""
    row_is_kept = keep[c.w]
    return lda.Corpus(c.j[row_is_kept], (np.cumsum(keep) - 1)[c.w[row_is_kept]], c.n[row_is_kept], c.D, int(keep.sum()))


def both_bounds(s: Any, c: lda.Corpus, p: lda.Prior) -> list[float]:
    """VB's bound TNW06 (2) and the collapsed bound (12) at gamma, in nats per token."""
    return [float(lda.ALGORITHMS[A_name].bound(s, c, p)) / c.N for A_name in ("vb", "cvb0")]


def log_joints(s: Any, c: lda.Corpus, K: int, p: lda.Prior) -> list[float]:
    """log p(x, z) of each of several chains."""
    return [lda.log_joint_collapsed(*counts_of(s.z[:, replicate], c, K), p) for replicate in range(s.z.shape[1])]


def chained(c: lda.Corpus, K: int, p: lda.Prior, seed: int, sweeps: int, replicates: int | None = None) -> Any:
    """The last state of a chain of collapsed Gibbs, or of several."""
    A = lda.ALGORITHMS["cgs"]
    s = A.init(c, K, p, sweep_rng(seed, 0), replicates=replicates)
    for sweep in range(1, sweeps + 1):
        s = A.sweep(s, c, p, rng=sweep_rng(seed, sweep))
    return s


def sweeps_of(sweeps: int, sizes: Iterable[int]) -> dict[int, set[int]]:
    """For each number of samples the sweeps to keep: spread evenly over the second half; of one, the last."""
    return {S: {*np.linspace(sweeps // 2 + 1, sweeps, S).round().astype(int)} if S > 1 else {sweeps} for S in sizes}


def shifted(A: lda.Algorithm, alpha: float, eta: float) -> lda.Prior:
    """The prior with the algorithm's offset: map runs one higher than the others (AWST09 §4.1)."""
    return lda.Prior(alpha + A.prior_offset, eta + A.prior_offset)


def read(path: Path) -> list[dict[str, str]]:
    """The lines of a CSV file; none if there is no file."""
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as csv_file:
        return list(csv.DictReader(csv_file))


def select(lines: Iterable[dict[str, str]], **allowed_of: Any) -> list[dict[str, str]]:
    """The lines with the given values; a number selects equal numbers, a tuple any of its values."""
    return [line for line in lines if all(_fits(line[column], allowed) for column, allowed in allowed_of.items())]


def _fits(field: str, allowed: Any) -> bool:
    if isinstance(allowed, tuple):
        return any(_fits(field, allowed_choice) for allowed_choice in allowed)
    return field == allowed if isinstance(allowed, str) else field != "" and abs(float(field) - allowed) < 1e-9


def keyed(lines: Iterable[Any], key_of_line: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    """The lines by their keys."""
    lines_of_key: dict[Any, list[Any]] = {}
    for line in lines:
        lines_of_key.setdefault(key_of_line(line), []).append(line)
    return lines_of_key


def grouped(lines: Iterable[dict[str, str]], *columns: str) -> dict[tuple[str, ...], list[dict[str, str]]]:
    """The lines by their values in some columns."""
    return keyed(lines, lambda line: tuple(line[column] for column in columns))


def numbers(lines: Iterable[dict[str, str]], column: str = "perplexity") -> Any:
    """The numbers of a column, without those that are empty."""
    return np.array([float(line[column]) for line in lines if line[column] != ""])


def by(lines: Iterable[dict[str, str]], column: str, *units: str) -> dict[tuple[str, ...], float]:
    """A number for each unit: a column by the values of others, by default of `seed`; without empty numbers."""
    return {tuple(row[unit] for unit in units or ("seed",)): float(row[column]) for row in lines if row[column] != ""}


def write(path: Path, columns: Sequence[str], lines: Iterable[Sequence[Any]]) -> None:
    """Append the lines of a job together, so that a job that was interrupted has no lines."""
    with open(path, "a", newline="", encoding="utf-8") as csv_file:
        csv_writer = csv.writer(csv_file)
        if not csv_file.tell():
            csv_writer.writerow(columns)
        csv_writer.writerows([[text(field) for field in line] for line in lines])


def text(field: Any) -> str:
    """A value as it stands in a CSV file, and in the key of a job."""
    return f"{field:.8g}" if isinstance(field, float) else str(field)


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table in Markdown; nothing without lines."""
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *lines)) if lines else ""


class Part(NamedTuple):
    """A part of a study: its CSV file, its jobs, the function of a job, and how many values of a job are its key."""

    file: str
    columns: Sequence[str]
    jobs: Callable[[bool], Iterable[tuple[Any, ...]]]  # of `quick`
    function: Callable[..., list[Any]]
    keys: int


def run_study(description: str, parts: Mapping[str, Part], draw: Callable[[Path], None] = lambda out: None) -> None:
    """The main function of most scripts: run the chosen parts, and then draw the pictures.

    Jobs whose corpus, their first value, is not there are left out.
    """
    chosen_options = options(description, tuple(parts))
    for part in () if chosen_options.draw else map(parts.__getitem__, chosen_options.names):
        jobs = [job for job in part.jobs(chosen_options.quick) if there(job[0])]
        run_jobs(chosen_options.out / part.file, part.columns, jobs, part.function, chosen_options.processes, part.keys)
    draw(chosen_options.out)


def run_jobs(
    path: Path, columns: Sequence[str], all_jobs: Iterable[tuple[Any, ...]], lines_of_job: Callable[..., list[Any]],
    processes: int, keys: int,
) -> None:  # fmt: skip
    """Compute the lines of each job that the CSV file does not have, and append them.

    Each line of a job begins with the first `keys` values of the job, by which it is recognised.
    """
    done_keys = {tuple(line[column] for column in columns[:keys]) for line in read(path)}
    job_of_key = {tuple(text(field) for field in job[:keys]): job for job in all_jobs}
    todo_jobs = [job for job_key, job in job_of_key.items() if job_key not in done_keys]
    print(f"{path.name}: {len(job_of_key) - len(todo_jobs)} of {len(job_of_key)} jobs done before", flush=True)
    if not todo_jobs:
        return
    with ProcessPoolExecutor(processes) as pool:
        futures = {pool.submit(lines_of_job, *job): job for job in todo_jobs}
        failures = []
        for future in as_completed(futures):
            job = futures[future]
            try:
                write(path, columns, future.result())
            except Exception as error:  # the other jobs go on; the failed ones are named at the end
                failures.append(f"{job}: {error!r}")
            print(*job, flush=True)
    if failures:
        sys.exit("failed:\n" + "\n".join(failures))
