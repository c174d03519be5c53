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
    lines = [line for line in read(HERE / "priors/runs.csv") if all(line[column] == cell_value for column, cell_value in CELL.items())]
    log_px = {(line["corpus"], line["seed"], line["algorithm"]): np.log(float(line["perplexity"])) for line in lines}  # the last sweep
    return {unit: log_px[*unit, "vb"] - log_p for (*unit, A_name), log_p in log_px.items() for unit in [tuple(unit)] if A_name == "cvb0"}


def test_a_cell_has_the_median_of_the_runs_with_its_interval():
    gaps = sorted(differences().values())
    assert len(gaps) == 40
    table_row = next(line for line in page.page(HERE).splitlines() if line.startswith("| VB predicts worse"))
    cell_text = f"{(gaps[19] + gaps[20]) / 2:+.3f} ({gaps[13]:+.3f} to {gaps[26]:+.3f})"  # P(14 to 26 of 40 below the median) = 0.962
    assert table_row.split(" | ")[2].partition("VB less CVB0: ")[2].partition("<br>")[0].split("; ")[1] == cell_text


def test_a_comparison_is_students_t_over_units_and_the_p_values_of_a_row_are_adjusted_together():
    tests_of_vb = page.judged(database(HERE, "priors"))[0].tested
    r8_levels = {"prior": "learned", "corpus": "r8", "start": "common", "baseline": "cvb0"}
    (r8_test,) = [t_test for t_test in tests_of_vb["learned"] if t_test.comparison.levels == r8_levels]
    r8_differences = [difference for (corpus, _), difference in differences().items() if corpus == "r8"]
    assert (len(r8_differences), r8_test.p) == (8, pytest.approx(stats.ttest_1samp(r8_differences, 0).pvalue))
    all_tests = [t_test for row_tests in tests_of_vb.values() for t_test in row_tests]
    assert (len(all_tests), min(t_test.adjusted for t_test in all_tests)) == (80, pytest.approx(80 * min(t_test.p for t_test in all_tests)))
