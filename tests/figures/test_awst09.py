"""The rules by which the runs of figures/awst09.py give a claim its status, on made-up runs."""

import awst09_claims
import awst09_minka_claims as minka
import awst09_other_claims as other
import awst09_text
import pytest
from awst09_lines import ends, grouped, lines_of
from awst09_runs import AVERAGES, RUNS
from common import write

from lda_reference.evaluation.search import Difference

from .awst09_made import gridded, made


def test_a_difference_is_told_from_0_by_student_t():
    three = [awst09_text.sign(Difference(x, 1.0, 3)) for x in (4.4, 4.2, -4.2, -4.4)]  # the quantile is 4.303
    assert three == [1, 0, 0, -1]
    assert awst09_text.sign(Difference(12.0, 1.0, 2)) == 0  # the quantile is 12.7
    assert awst09_text.sign(Difference(2.0, float("nan"), 1)) is None
    assert awst09_text.sign(None) is None


@pytest.mark.parametrize(
    ("found", "expected"),
    [([], "not tested"), ([None], "not tested"), ([0, 0], "not tested"), ([1, None], "reproduced"),
     ([1, 0], "depends on search"), ([1, -1], "depends on search"), ([0, -1], "not reproduced")],
)  # fmt: skip
def test_verdict(found, expected):
    assert awst09_text.verdict(found) == expected


def test_within_needs_the_whole_interval():
    found = [awst09_text.within(Difference(x, 1.0, 3), 10.0) for x in (5.0, -5.0, 8.0, 16.0, -16.0)]
    assert found == [1, 1, None, -1, -1]


def test_one_pair_counts_if_the_difference_is_substantial():
    cvb0 = made("cvb0", 1000, seeds=1)
    found = [awst09_text.worse(made("vb", x, seeds=1), cvb0) for x in (1060, 1040, 940, 960)]
    assert found == [1, None, -1, None]


def test_runs_that_begin_at_another_prior_are_apart(tmp_path):
    path = tmp_path / "awst09_runs.csv"
    lines = made("vb", 1, 0.5, 0.5, setting="minka") + made("vb", 2, 0.1, 0.1, setting="minka") + made("vb", 3)
    write(path, RUNS, [[x[name] for name in RUNS] for x in lines])
    assert [x["alpha"] for x in lines_of(path)] == ["0.5"] * 3 + ["0.1"] * 3
    assert {x["alpha"] for x in ends(path, begin="0.1", setting="minka")} == {"0.1"}


def test_point_names_what_other_thresholds_give():
    lines = made("vb", 2500) + made("cvb0", 2000)
    assert awst09_claims.point(lines, lines, []).status == "reproduced"
    near = lines + made("vb", 2070, start="cvb0")  # 3.5%
    claim = awst09_claims.point(near, near, [])
    assert claim.status == "depends on search"
    assert "By 2.5% the status would be: reproduced" in claim.evidence
    cgs = [dict.fromkeys(AVERAGES, "") | {"study": "kos-400", "algorithm": "cgs", "samples": "1", "of": str(i),
                                          "perplexity": str(2600 + i)} for i in range(4)]  # fmt: skip
    assert awst09_claims.point(lines, lines, cgs).status == "depends on search"  # VB is better than CGS


def learned_runs(**values):
    return [x for name, value in values.items() for x in made(name, 2000, 0.5, 0.5, setting="minka", last_alpha=value,
                                                              last_eta=value)]  # fmt: skip


def test_learned_counts_the_prior_from_which_learning_begins():
    paper = learned_runs(cvb0=0.4, cvb=0.2, vb=0.1)
    assert minka.learned(paper, []).status == "reproduced"
    assert minka.learned(paper, learned_runs(cvb0=0.4, vb=0.6)).status == "depends on search"
    assert minka.learned(learned_runs(cvb0=0.1, cvb=0.2, vb=0.3), []).status == "not reproduced"
    assert minka.learned([x for x in paper if x["seed"] != "2"], []).status == "not tested"


def test_with_minka_needs_three_runs_of_cvb():
    def lines(**values):
        return [x for name, value in values.items() for x in made(name, value, 0.5, 0.5, setting="minka")]

    assert minka.with_minka(lines(vb=2100, cvb0=2000, cvb=2000), [], []).status == "reproduced"
    assert minka.with_minka(lines(vb=2100, cvb0=2000, cvb=2200), [], []).status == "depends on search"
    assert minka.with_minka(lines(vb=2100, cvb0=2200, cvb=2200), [], []).status == "not reproduced"
    assert minka.with_minka(lines(vb=2100, cvb0=2000), [], []).status == "not tested"


def test_not_the_best_needs_one_counterexample():
    learned = made("vb", 2000, 0.5, 0.5, setting="minka")
    assert minka.not_the_best(learned + made("vb", 2100)).status == "not reproduced"
    more = made("cvb0", 2200, 0.5, 0.5, setting="minka") + made("cvb0", 1900)
    assert minka.not_the_best(learned + made("vb", 2100) + more).status == "reproduced"
    assert minka.not_the_best(learned).status == "not tested"


def way(name, values, **more):
    return [x for t, value in values.items() for x in made(name, value, setting="minka", at=t, **more)]


def test_slower_needs_three_chains_and_both_levels():
    fast, slow = {1: 3000, 10: 2000, 50: 2000}, {1: 3000, 10: 2500, 50: 2000}
    between = {1: 3000, 10: 2050, 50: 2000}  # within 5% at sweep 10, and within 1% at sweep 50

    def status(a, b, **more):
        return minka.slower(way("cgs", a, schedule="token", **more) + way("vb", b)).status

    assert status(slow, fast) == "reproduced"
    assert status(fast, slow) == "not reproduced"
    assert status(between, fast) == "depends on search"
    assert status(slow, fast, seeds=2) == "not tested"


def test_by_topics_has_to_hold_at_each_k():
    assert minka.of_each(["reproduced", "not tested"]) == "reproduced"
    assert minka.of_each(["reproduced", "not reproduced"]) == "not reproduced"
    assert minka.of_each(["reproduced", "depends on search"]) == "depends on search"
    assert minka.of_each(["not tested"]) == "not tested"

    def at(K, held=None, **values):
        lines = [x for name, y in values.items() for x in made(name, y, 0.5, 0.5, setting="minka", K=K)]
        return lines + (made("cvb0", held, 0.5, 0.13, setting="minka alpha", K=K) if held else [])

    good = [x for K in (10, 40, 80) for x in at(K, vb=2200, cvb=2010, cvb0=2000)]
    assert minka.by_topics(good)[0].status == "reproduced"
    assert minka.by_topics(good + at(160, vb=2200, cvb=2010, cvb0=2400))[0].status == "depends on search"
    assert minka.by_topics(good + at(160, vb=2200, cvb=2900, cvb0=2600))[0].status == "not reproduced"
    assert minka.by_topics(good[:18])[0].status == "not tested"  # CVB with two K
    assert minka.by_topics(good)[1].status == "not tested"
    assert minka.by_topics(good + at(160, 1900, cvb0=2500))[1].status == "reproduced"
    assert minka.by_topics(at(40, cvb0=2000) + at(80, 1900, cvb0=2500))[1].status == "changed"
    assert minka.by_topics(good + at(160, 2600, cvb0=2500))[1].status == "not reproduced"


def test_starts_are_counted_over_settings():
    near, far = made("cvb0", 2000), [x | {"perplexity": str(2000 + 20 * int(x["seed"]))} for x in made("vb", 2000)]
    assert awst09_claims.starts(near + made("cvb", 2000) + far, []).status == "reproduced"
    assert awst09_claims.starts(near + far, []).status == "not reproduced"
    assert awst09_claims.starts(made("cvb0", 2000, seeds=2), []).status == "not tested"


def test_parallel_needs_token_order_and_a_small_interval():
    parallel, token = made("cvb0", 2000), made("cvb0", 2010, schedule="token")
    assert other.schedules(parallel + token, []).status == "reproduced"
    assert other.schedules(parallel + made("cvb0", 2010, schedule="block"), []).status == "not tested"
    assert other.schedules(parallel + made("cvb0", 2050, schedule="token"), []).status == "not reproduced"
    wide = [x | {"perplexity": str(2000 + 30 * int(x["seed"]))} for x in token]
    assert other.schedules(parallel + wide, []).status == "not tested"


def averages(name, schedule, values, all_, samples=1):
    base = {"study": "kos-400", "K": "40", "algorithm": name, "schedule": schedule, "estimator": "own", "r_hat": "",
            "samples": str(samples)}  # fmt: skip
    return [base | {"of": str(i), "perplexity": str(x)} for i, x in enumerate(values)] + [
        base | {"of": "all", "perplexity": str(all_)}
    ]


def test_averaged():
    cgs, few = averages("cgs", "token", [2000, 2001, 2002], 1900), [1950, 1951, 1952]
    less, more = averages("cvb0", "corpus", few, 1900), averages("cvb0", "corpus", few, 1800)
    assert other.averaged(cgs + less).status == "reproduced"
    assert other.averaged(cgs + more).status == "not reproduced"
    assert other.averaged(cgs + averages("cvb0", "corpus", [1700, 2001, 2300], 1950)).status == "not tested"
    assert other.averaged(cgs + less + averages("vb", "corpus", [2500, 2501, 2502], 2000)).status == "changed"
    assert other.averaged([]).status == "not tested"


def test_enough_samples():
    cgs = averages("cgs", "token", [2000, 2001, 2002], 1800, samples=10)
    vb = averages("vb", "corpus", [2500, 2501, 2502], 2400)
    assert other.enough_samples(cgs + vb + averages("cvb0", "corpus", [1950, 1951, 1952], 1900)).status == "reproduced"
    assert other.enough_samples(cgs + vb + averages("cvb0", "corpus", [1950, 1951, 1952], 1805)).status == "changed"
    assert other.enough_samples(cgs + vb).status == "not tested"  # without CVB0, or another second algorithm


def test_raised_covers_each_kind_of_vb():
    runs = made("vb", 2400) + made("vb", 2200, 0.6, 0.6, setting="raised", estimator="lowered")
    assert other.raised(runs).status == "reproduced"
    near = made("vb", 2000, start="cvb0") + made(
        "vb", 2200, 0.6, 0.6, setting="raised", estimator="lowered", start="cvb0"
    )
    assert other.raised(runs + near).status == "depends on search"
    assert other.raised(made("vb", 2400)).status == "not tested"


def test_ranked_needs_a_grid_of_three_algorithms():
    def lines(**areas):
        return [x for name, area in areas.items()
                for x in gridded(name, 2000, study="20news-1500", K=10, auc=area, precision=0.1)]  # fmt: skip

    assert other.ranked(lines(vb=0.9, cvb=0.905, cvb0=0.908)).status == "reproduced"
    assert other.ranked(lines(vb=0.9, cvb=0.905, cvb0=0.95)).status == "not reproduced"
    assert other.ranked(lines(vb=0.9, cvb0=0.905)).status == "not tested"
    assert other.ranked(lines(vb=0.9, cvb=0.905, cvb0=0.95)[3:]).status == "not tested"  # eight points


def test_labels_of_starts_and_estimates():
    lines = made("vb", 1, start="cvb0", estimator="digamma") + made("cvb0", 1, schedule="token") + made("cvb", 1)
    assert list(grouped(lines)) == ["vb corpus from cvb0 (16)", "cvb", "cvb0 token"]


def test_all_claims_of_an_empty_folder_are_not_tested(tmp_path):
    assert {x.status for x in awst09_claims.claims(tmp_path)} == {"not tested"}
