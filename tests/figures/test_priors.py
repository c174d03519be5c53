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
    lines = [x for x in read(HERE / "priors/runs.csv") if all(x[name] == y for name, y in CELL.items())]
    nats = {(x["corpus"], x["seed"], x["algorithm"]): np.log(float(x["perplexity"])) for x in lines}  # the last sweep
    return {unit: nats[*unit, "vb"] - y for (*unit, name), y in nats.items() for unit in [tuple(unit)] if name == "cvb0"}


def test_a_cell_has_the_median_of_the_runs_with_its_interval():
    x = sorted(differences().values())
    assert len(x) == 40
    row = next(line for line in page.page(HERE).splitlines() if line.startswith("| VB predicts worse"))
    numbers = f"{(x[19] + x[20]) / 2:+.3f} ({x[13]:+.3f} to {x[26]:+.3f})"  # P(14 to 26 of 40 below the median) = 0.962
    assert row.split(" | ")[2].partition("VB less CVB0: ")[2].partition("<br>")[0].split("; ")[1] == numbers


def test_a_comparison_is_students_t_over_units_and_the_p_values_of_a_row_are_adjusted_together():
    vb = page.judged(database(HERE, "priors"))[0].tested
    of_r8 = {"prior": "learned", "corpus": "r8", "start": "common", "baseline": "cvb0"}
    (compared,) = [x for x in vb["learned"] if x.comparison.levels == of_r8]
    paired = [y for (corpus, _), y in differences().items() if corpus == "r8"]
    assert (len(paired), compared.p) == (8, pytest.approx(stats.ttest_1samp(paired, 0).pvalue))
    both = [x for tested in vb.values() for x in tested]
    assert (len(both), min(x.adjusted for x in both)) == (80, pytest.approx(80 * min(x.p for x in both)))
