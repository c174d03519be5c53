"""PRIORS.md is that of the CSV file, and the numbers of one of its cells are those of the runs."""

import numpy as np
import pytest
from scipy import stats

from figures.common import HERE, read
from figures.priors import page
from figures.queries import database

CELL = {"begin": "common", "prior": "learned"}


def test_the_page_is_that_of_the_csv_file():
    assert page.page(HERE) == (HERE / "PRIORS.md").read_text("utf-8")


def differences():
    """VB less CVB0 from the common start with learned priors, nats a token, by corpus and seed."""
    lines = [x for x in read(HERE / "priors/runs.csv") if all(x[column] == y for column, y in CELL.items())]
    log_px = {(x["corpus"], x["seed"], x["algorithm"]): np.log(float(x["perplexity"])) for x in lines}  # the last sweep
    return {unit: log_px[*unit, "vb"] - y for (*unit, A), y in log_px.items() for unit in [tuple(unit)] if A == "cvb0"}


def test_a_cell_has_the_median_of_the_runs_with_its_interval():
    x = sorted(differences().values())
    assert len(x) == 40
    table_row = next(line for line in page.page(HERE).splitlines() if line.startswith("| VB predicts worse"))
    numbers = f"{(x[19] + x[20]) / 2:+.3f} ({x[13]:+.3f} to {x[26]:+.3f})"  # P(14 to 26 of 40 below the median) = 0.962
    assert table_row.split(" | ")[2].partition("VB less CVB0: ")[2].partition("<br>")[0].split("; ")[1] == numbers


def test_a_comparison_is_students_t_over_units_and_the_p_values_of_a_row_are_adjusted_together():
    tests_of_vb = page.judged(database(HERE, "priors"))[0].tested
    r8_levels = {"prior": "learned", "corpus": "r8", "start": "common", "baseline": "cvb0"}
    (r8_test,) = [x for x in tests_of_vb["learned"] if x.comparison.levels == r8_levels]
    r8_differences = [y for (corpus, _), y in differences().items() if corpus == "r8"]
    assert (len(r8_differences), r8_test.p) == (8, pytest.approx(stats.ttest_1samp(r8_differences, 0).pvalue))
    all_tests = [x for row_tests in tests_of_vb.values() for x in row_tests]
    assert (len(all_tests), min(x.adjusted for x in all_tests)) == (80, pytest.approx(80 * min(x.p for x in all_tests)))
