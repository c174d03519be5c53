"""The ledger is that of the CSV files, and its verdicts change as they should if the runs do."""

import re
from functools import cache, reduce

import numpy as np
import pytest

from figures import ledger
from figures.common import HERE, read
from figures.verdicts import CHANGED, FAILS, REPRODUCED, UNDECIDED, UNTESTED

from .helpers import write

REQUIRED = {"where", "says", "quote", "kind", "refuted", "source"}


def test_the_ledger_is_that_of_the_csv_files():
    judged_papers = ledger.judged(HERE)
    ledger_text = ledger.page(HERE, judged_papers)
    assert ledger_text == (HERE / "LEDGER.md").read_text("utf-8")
    assert ledger_text.index(" are reproduced. ") < ledger_text.index("| paper | reproduced |") < ledger_text.index("`figures/ledger.py` writes")
    equations_text = (HERE.parent / "equations.toml").read_text("utf-8")
    assert ledger.with_verdicts(equations_text, judged_papers) == equations_text


@cache
def statuses(paper, folder=HERE):
    return {claim: judged_claim.verdict.status for claim, judged_claim in ledger.judged(folder, [paper])[paper].items()}


def test_without_runs_nothing_is_tested(tmp_path):
    assert {status for paper in ledger.PAPERS for status in statuses(paper, tmp_path).values()} == {UNTESTED}
    assert "| algorithm, schedule |" not in ledger.page(tmp_path, ledger.judged(tmp_path))


def test_a_claim_says_what_would_refute_it():
    for paper in ledger.PAPERS:
        for claim_name, claim in ledger.claims_of(paper).items():
            required_keys = REQUIRED | ({"measure"} if claim["kind"] != "not tested" else {"reason"})
            assert required_keys <= claim.keys(), claim_name
            assert ("limit" in claim) >= (claim["kind"] == "likeness"), claim_name
            assert all((HERE / csv_path).exists() for csv_path in re.findall(r"[\w/]+\.csv", claim["source"])), claim_name


# Edits of the lines of a file -----------------------------------------------------------------------------------------


def exchanged(column, value_a, value_b):
    """The lines in which two values of a column have exchanged their places."""
    return lambda lines: [line | {column: {value_a: value_b, value_b: value_a}.get(line[column], line[column])} for line in lines]


def changed(change_number, *columns, **allowed_of):
    """The lines with a function of the numbers in some columns; a whole number stays whole."""

    def edit_line(line):
        new_numbers = {column: f"{change_number(float(line[column])):.12g}" for column in columns if line[column]}
        is_chosen = all(line[column] in (allowed if isinstance(allowed, tuple) else (allowed,)) for column, allowed in allowed_of.items())
        return line | new_numbers if is_chosen else line

    return lambda lines: [edit_line(line) for line in lines]


def times(factor, *columns, **allowed_of):
    return changed(lambda number: factor * number, *columns, **allowed_of)


def plus(summand, *columns, **allowed_of):
    return changed(lambda number: number + summand, *columns, **allowed_of)


def chain(*edits):
    return lambda lines: reduce(lambda edited_lines, edit: edit(edited_lines), edits, lines)


def copies(column):
    """The lines, and copies of them as other seeds, runs or chains, so that there are enough units."""

    def edit(lines):
        numbered_lines = [line for line in lines if line[column].isdigit()]
        return lines + [line | {column: str(int(line[column]) + 100 * copy_number)} for copy_number in (1, 2) for line in numbered_lines]

    return edit


def noise(*columns):
    """Random numbers instead of those of some columns."""

    def edit(lines):
        rng = np.random.default_rng(0)
        return [line | {column: f"{1000 + rng.normal():.12g}" for column in columns if line[column]} for line in lines]

    return edit


def folded_as_run(lines):
    """The lines without those of VB that fold in with another schedule than that of the run."""
    return [line for line in lines if line["algorithm"] != "vb" or line["fold"] == line["schedule"]]


def statuses_after(paper, folder, edit_of_file):
    """The statuses of a paper's claims after the edits {name of a file: edit}."""
    for csv_path in HERE.glob("*/*.csv"):
        csv_name, copy_path = f"{csv_path.parent.name}/{csv_path.stem}", folder / csv_path.parent.name / csv_path.name
        if csv_name in edit_of_file:
            csv_lines = read(csv_path)
            write(copy_path, csv_lines[0], edit_of_file[csv_name](csv_lines))
        else:
            copy_path.parent.mkdir(exist_ok=True)
            copy_path.symlink_to(csv_path)
    return statuses(paper, folder)


# Cases: the edits, and the claims whose verdicts change. All begin with more units, so that the runs can decide --------

SEEDS, SCORES, LIKELIHOODS = copies("seed"), ("perplexity", "of_seen"), ("ll", "ll_same")
CONJUGATE = {"model": "conjugate"}
UNIT_EDITS = {
    "SOL14": {"sol14/runs": SEEDS, "sol14/fits": SEEDS, "sol14/chains": copies("chain"), "sol14/bootstrap": copies("draw"),
              "sol14/long": list},
    "SN12": {"sn12/runs": SEEDS},
    "BOO16": {"boo16/runs": copies("run")},
    "TNW06": {"search/runs": SEEDS, "search/cross": SEEDS, "tnw06/fig1": SEEDS, "tnw06/exact": SEEDS,
              "search/chains": copies("chain"), "tnw06/fig2": copies("order")},
    "AWST09": {"awst09/runs": SEEDS, "search/runs": SEEDS, "awst09/averages": copies("of"),
               "search/chains": copies("chain")},
}  # fmt: skip
WORSE_TOKEN = times(2, "perplexity", algorithm="cvb0", schedule="token")
CASES = {
    "SOL14": [
        ({}, {"r8-samplers": REPRODUCED, "r8-gap": CHANGED, "algorithm-1": FAILS, "ml": REPRODUCED}),
        ({"sol14/chains": chain(plus(-3e4, *LIKELIHOODS), plus(-0.1, "accuracy"), changed(lambda number: 3000, "sweeps")),
          "sol14/fits": chain(plus(-3e4, "ll"), plus(-0.1, "accuracy"))},
         dict.fromkeys(("r8-samplers", "r8-84", "r8-gap", "synthetic-99", "synthetic-ll", "mixing"), FAILS)),
        ({"sol14/runs": chain(exchanged("way", "vb nested", "vb warm, 10 steps"), plus(-5e4, *LIKELIHOODS, way="ml"),
                         changed(lambda number: -6.5, "bound_2")), "sol14/chains": changed(lambda number: 1.005, "r_hat")},
         {"initialised": FAILS, "ml": FAILS, "optima": FAILS, "mixing": "depends on sampler"}),
        ({"sol14/runs": exchanged("way", "vb published", "vb published, with counts"),
          "sol14/chains": changed(lambda number: 1.005, "r_hat"), "sol14/long": lambda lines: []},
         {"algorithm-1": REPRODUCED, "r8-gap": FAILS, "mixing": REPRODUCED}),
    ],
    "SN12": [
        ({}, {"outperform": REPRODUCED, "cvb1": REPRODUCED, "tcvb0": REPRODUCED, "zero-forcing": REPRODUCED}),
        ({"sn12/runs": exchanged("algorithm", "cvb", "cvb0")},
         {"outperform": FAILS, "learned-alpha": FAILS, "cvb1": UNTESTED, "tcvb0": UNTESTED}),
        ({"sn12/runs": exchanged("algorithm", "cvb", "vb")}, {"vb": FAILS}),
        ({"sn12/runs": chain(exchanged("algorithm", "cvb-topic", "cvb-word"), times(1.2, "perplexity", algorithm="tcvb0"),
                        times(1000, "largest_correction"), times(1.1, "perplexity", algorithm="cvb0-tokens"))},
         {"zero-forcing": "depends on term", "tcvb0": FAILS, "outperform": REPRODUCED, "correction": FAILS,
          "types": REPRODUCED}),
        ({"sn12/runs": noise(*SCORES)}, dict.fromkeys(("outperform", "cvb1", "cvb1d", "tcvb0", "vb"), UNDECIDED)),
    ],
    "BOO16": [
        ({"boo16/runs": chain(times(1e-9, *SCORES, **CONJUGATE), changed(lambda number: 1.0, "smallest_eta", "seconds"))},
         {"lower": REPRODUCED, "size": "depends on corpus size", "proper": REPRODUCED, "seconds": REPRODUCED}),
        ({"boo16/runs": chain(changed(lambda number: 1.0, "seconds"), times(1.4, "seconds", **CONJUGATE),
                         times(1e9, *SCORES, **CONJUGATE))},
         {"seconds": FAILS, "lower": FAILS, "size": "depends on corpus size", "topics": "depends on corpus size"}),
        ({"boo16/runs": chain(times(1e-9, *SCORES, **CONJUGATE, documents=("250", "1000", "2000")),
                         times(1e9, *SCORES, **CONJUGATE, documents=("4000", "9000")))}, {"size": REPRODUCED}),
        ({"boo16/runs": chain(times(1e-12, *SCORES, **CONJUGATE), times(1e-6, *SCORES, model=("asymmetric", "boojum")))},
         {"priors": REPRODUCED}),
        ({"boo16/runs": noise(*SCORES)}, dict.fromkeys(("lower", "decreases", "size", "topics", "priors"), UNDECIDED)),
    ],
    "TNW06": [
        ({}, {"bound": "depends on corpus and search", "test": REPRODUCED, "exact": REPRODUCED, "taylor": CHANGED}),
        ({"search/runs": times(100, "sweeps", algorithm="vb"), "search/cross": times(100, "sweeps", to="vb"),
          "tnw06/fig1": chain(times(100, "sweep", algorithm="vb"), plus(-5, "averaged", algorithm="cgs")),
          "search/chains": times(2, "perplexity"), "tnw06/fig2": exchanged("algorithm", "cvb", "vb"),
          "tnw06/exact": chain(changed(lambda number: -8.0, "bound_exact"), times(1.1, "perplexity_exact"))},
         {"sweeps": REPRODUCED} | dict.fromkeys(("small-bound", "small-test", "gibbs", "exact"), FAILS)),
        ({"search/runs": chain(times(0.1, "perplexity", algorithm="vb"), plus(-1, "bound_12")),
          "search/cross": times(0.1, "perplexity_after", to="vb"),
          "tnw06/fig1": chain(plus(5, "test", algorithm="vb"), plus(-1, "bound_12")),
          "tnw06/fig2": chain(plus(5, "test", algorithm="vb"), plus(5, "bound_2", "bound_12", "test"))},
         dict.fromkeys(("test", "inequality", "more-bound", "more-test"), FAILS)),
    ],
    "AWST09": [
        ({}, {"vanished": REPRODUCED, "cvb0": CHANGED, "shift": CHANGED, "minka": FAILS, "starts": FAILS}),
        ({"awst09/runs": chain(folded_as_run, exchanged("algorithm", "vb", "cvb0"))},
         {"minka": REPRODUCED, "shift": FAILS, "higher-eta": FAILS, "sixteen": UNTESTED}),
        ({"search/runs": times(3, "perplexity", algorithm="vb"),
          "awst09/runs": chain(times(3, "perplexity", algorithm="vb"), exchanged("estimator", "mean", "digamma"))},
         {"point": REPRODUCED, "sixteen": FAILS}),
        ({"search/runs": chain(times(0.1, "perplexity", algorithm="vb"), WORSE_TOKEN),
          "awst09/runs": chain(times(0.1, "perplexity", algorithm="vb"), WORSE_TOKEN, times(0.5, "perplexity", setting="minka"))},
         {"point": FAILS, "parallel": FAILS, "not-best": FAILS}),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("paper", "edits", "expected_statuses"), [(paper, *case) for paper, cases in CASES.items() for case in cases])
def test_verdicts_follow_the_runs(paper, edits, expected_statuses, tmp_path):
    unit_edits = UNIT_EDITS[paper]
    new_statuses = statuses_after(paper, tmp_path, {csv_name: chain(unit_edits[csv_name], edits.get(csv_name, list)) for csv_name in unit_edits})
    assert {claim: new_statuses[claim] for claim in expected_statuses} == expected_statuses
