"""Which start and schedule to recommend: a choice made on all corpora but one, tried on that one. A part of the ledger.

    python -m figures.search.choices [--quick]

The value of a choice on a corpus is the expected highest training value of three of its runs, in nats per token. How
far it is below that of the best choice tried there is its shortfall.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from figures.common import grouped, options, read, table
from lda_reference.evaluation import search

ALGORITHMS = ("vb", "cvb", "cvb_exact", "cvb0", "ml", "map")
STARTS = {
    "random": "dirichlet", "annealed": "anneal", "cvb0": "collapsed", "vb": "end of vb", "ml": "end of ml",
    "map": "end of map",
}  # fmt: skip
Values = dict[str, dict[str, float]]  # by corpus, and by schedule and start


def best_of_three(lines: list[dict[str, str]], column: str) -> float:
    column_numbers = [float(line[column]) for line in lines]
    return search.best_of(column_numbers, column_numbers, min(3, len(column_numbers)))


def tried(folder: Path, algorithm: str) -> dict[str, Values]:
    """The values of all choices in the study and in the experiment, which have different training tokens."""
    study_values: Values = {}
    run_lines = [x for x in read(folder / "runs.csv") if (x["algorithm"], x["seed"] == "mean") == (algorithm, False)]
    for (corpus, schedule, start), choice_lines in grouped(run_lines, "study", "schedule", "start").items():
        if len(choice_lines) > 2:
            study_values.setdefault(corpus, {})[f"{schedule}, {start}"] = best_of_three(choice_lines, "value")
    cross_lines = [line for line in read(folder / "cross.csv") if (line["from"], line["to"]) == ("cvb0", algorithm)]
    for (corpus, schedule), choice_lines in grouped(cross_lines, "study", "to_schedule").items():
        study_values.setdefault(corpus, {})[f"{schedule}, collapsed"] = best_of_three(choice_lines, "value_after")
    experiment_values: dict[str, dict[str, list[float]]] = {}
    runs = [x for x in read(folder / "experiment.csv") if (x["objective"], x["seed"] == "mean") == (algorithm, False)]
    runs = [run for run in runs if run["group"] != "validated"]
    for (corpus, schedule, arm, _), choice_lines in grouped(runs, "corpus", "schedule", "arm", "split").items():
        choice = f"{schedule}, {STARTS.get(arm, arm)}"
        experiment_values.setdefault(corpus, {}).setdefault(choice, []).append(best_of_three(choice_lines, "value"))
    return {"study": study_values, "experiment": {corpus: {choice: float(np.mean(y)) for choice, y in values_of.items()}
                                           for corpus, values_of in experiment_values.items()}}  # fmt: skip


def shortfalls(values_by_study: dict[str, Values]) -> dict[str, dict[str, list[float]]]:
    """By choice and corpus, how far it is below the best choice; a corpus can be in the study and the experiment."""
    shortfall_of: dict[str, dict[str, list[float]]] = {}
    for by_corpus in values_by_study.values():
        for corpus, value_of in by_corpus.items():
            for choice, value in value_of.items():
                shortfall_of.setdefault(choice, {}).setdefault(corpus, []).append(max(value_of.values()) - value)
    return shortfall_of


def choice_of(shortfall_of: dict[str, dict[str, list[float]]], left_out_corpus: str) -> str | None:
    """Of the choices that were tried on a corpus, the one that falls short least on the mean of the others.

    It has to be tried on half of the others at least.
    """
    other_corpora = {corpus for by_corpus in shortfall_of.values() for corpus in by_corpus} - {left_out_corpus}
    mean_shortfalls = {}
    for choice, by_corpus in shortfall_of.items():
        other_means = [np.mean(losses) for corpus, losses in by_corpus.items() if corpus in other_corpora]
        if left_out_corpus in by_corpus and other_means and len(other_means) >= len(other_corpora) / 2:
            mean_shortfalls[choice] = float(np.mean(other_means))
    return min(mean_shortfalls, key=lambda candidate: mean_shortfalls[candidate]) if mean_shortfalls else None


def left_out(folder: Path, algorithm: str) -> dict[str, tuple[str, float]]:
    """For each corpus the choice of the others, and its largest shortfall there."""
    shortfall_of = shortfalls(tried(folder, algorithm))
    corpus_names = dict.fromkeys(corpus for by_corpus in shortfall_of.values() for corpus in by_corpus)
    choice_for = {corpus: x for corpus in corpus_names if (x := choice_of(shortfall_of, corpus))}
    return {corpus: (choice, max(shortfall_of[choice][corpus])) for corpus, choice in choice_for.items()}


def page(folder: Path) -> list[str]:
    """The part of the ledger, as lines of Markdown."""
    table_rows: list[list[Any]] = []
    for algorithm in ALGORITHMS:
        for corpus, (choice, shortfall) in left_out(folder, algorithm).items():
            table_rows.append([f"`{algorithm}`", corpus, choice, f"{shortfall:.4f}"])
    table_head = ["algorithm", "corpus left out", "choice on the others", "below the best there"]
    return table(table_head, table_rows).splitlines()


def main() -> None:
    print("\n".join(page(options(__doc__ or "", []).out / "search")))


if __name__ == "__main__":
    main()
