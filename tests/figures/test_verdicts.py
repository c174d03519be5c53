"""The one rule for verdicts, on made-up numbers of which the answer is known: figures/verdicts.py."""

import numpy as np
import pytest
from scipy import stats

from figures import verdicts
from figures.verdict_text import graded, sentence
from figures.verdicts import CHANGED, FAILS, REPRODUCED, UNDECIDED, UNTESTED, Comparison, Question, evaluate


def sample(mean, n=10, standard_deviation=1.0, **comparison_fields):
    """A comparison whose numbers have exactly this mean and standard deviation."""
    draws = np.random.default_rng(0).normal(size=n)
    return Comparison(comparison_fields.pop("name", "a"), mean + standard_deviation * (draws - draws.mean()) / draws.std(ddof=1), **comparison_fields)


def verdict(*comparisons, kind="difference", **question_fields):
    return evaluate({"claim": Question(kind, comparisons, **question_fields)})["claim"]


def status(*comparisons, **question_fields):
    return verdict(*comparisons, **question_fields).status


@pytest.mark.parametrize(
    ("mean", "n_units", "expected_status"),
    [(5, 10, REPRODUCED), (-5, 10, FAILS), (0.1, 10, UNDECIDED), (50, 7, UNDECIDED), (50, 1, UNDECIDED),
     (50, 8, REPRODUCED)],
)  # fmt: skip
def test_a_difference_needs_its_size_and_eight_units(mean, n_units, expected_status):
    assert status(Comparison("a", [float(mean)]) if n_units == 1 else sample(mean, n_units)) == expected_status


def test_the_quantile_is_that_of_student_and_a_threshold_is_subtracted():
    least_mean = stats.t.ppf(0.975, 9) / np.sqrt(10)
    assert [status(sample(factor * least_mean)) for factor in (1.01, 0.99, -1.01)] == [REPRODUCED, UNDECIDED, FAILS]
    assert [status(sample(5), threshold=threshold) for threshold in (2, 5, 8)] == [REPRODUCED, UNDECIDED, FAILS]


def test_two_samples_are_compared_by_welch():
    sample_1, sample_2 = np.random.default_rng(1).normal(1.2, 1, 12), np.random.default_rng(2).normal(0, 3, 30)
    (t_test,) = verdict(Comparison("a", sample_1, sample_2)).tested
    scipy_test = stats.ttest_ind(sample_1, sample_2, equal_var=False)
    assert t_test.p == pytest.approx(scipy_test.pvalue, rel=1e-12)
    assert (t_test.low, t_test.high) == pytest.approx(scipy_test.confidence_interval())
    assert t_test.units == 12


def test_overlapping_splits_have_a_larger_variance():
    assert status(sample(1.0)) == REPRODUCED
    assert status(sample(1.0, overlap=1 / 9)) == UNDECIDED  # 1 / 10 + 1 / 9 instead of 1 / 10
    (t_test,) = verdict(sample(2.0, overlap=1 / 9)).tested
    assert 2.0 / stats.t.isf(t_test.p / 2, 9) == pytest.approx(np.sqrt(1 / 10 + 1 / 9))


@pytest.mark.parametrize(("mean", "standard_deviation", "n_units", "expected_status"), [
    (-0.2, 0.5, 10, REPRODUCED), (3, 0.5, 10, FAILS), (-3, 0.5, 10, FAILS),
    (0.9, 0.5, 10, UNDECIDED), (0.0, 5, 10, UNDECIDED), (0.0, 0.01, 5, UNDECIDED),
])  # fmt: skip
def test_likeness_needs_the_whole_interval_within_the_limit(mean, standard_deviation, n_units, expected_status):
    judgement = verdict(sample(mean, n_units, standard_deviation), kind="likeness", limit=1.0)
    assert judgement.status == expected_status
    if n_units >= 8:
        (t_test,) = judgement.tested
        assert (expected_status == REPRODUCED) == (-1 < t_test.low < t_test.high < 1)
        assert (expected_status == FAILS) == (t_test.low > 1 or t_test.high < -1)


def test_a_share_is_tested_by_the_binomial():
    comparison = Comparison("a", [1.0] * 18 + [0.0] * 2)
    assert [status(comparison, kind="share", threshold=share) for share in (0.5, 0.99, 0.8)] == [REPRODUCED, FAILS, UNDECIDED]
    assert verdict(comparison, kind="share", threshold=0.5).tested[0].p == stats.binomtest(18, 20, 0.5).pvalue


def test_a_fact_needs_no_units():
    assert [status(Comparison("a", [fact]), kind="computed", threshold=2) for fact in (3, 1)] == [REPRODUCED, FAILS]


def test_nothing_run_is_not_tested():
    assert status(kind="not tested", reason="No sampler.") == UNTESTED
    assert status() == UNTESTED
    assert status(Comparison("a", [1.0, 2.0], [])) == UNTESTED
    assert sentence(verdict(), Question("difference", reason="Why.")) == "Why."


@pytest.mark.parametrize(("comparison", "kind"), [
    (sample(1), "diference"), (sample(1), "not tested"), (Comparison("a", [1.0], [np.inf]), "difference"),
])  # fmt: skip
def test_unknown_kinds_and_numbers_that_are_not_finite_are_errors(comparison, kind):
    with pytest.raises(ValueError, match="a: the kind is"):
        status(comparison, kind=kind)


# Several comparisons -------------------------------------------------------------------------------------------------


def test_what_is_undecided_is_no_failure():
    assert status(sample(5), sample(0.1), sample(-50, 3)) == REPRODUCED
    assert status(sample(-5), sample(0.1)) == FAILS


def test_the_factor_that_separates_is_named():
    def with_levels(mean, search, corpus_size):
        return sample(mean, levels={"search": search, "corpus size": corpus_size})

    assert status(with_levels(5, "nested", "400"), with_levels(-5, "corpus", "400"), with_levels(-5, "corpus", "3430")) == "depends on search"
    assert status(with_levels(5, "nested", "400"), with_levels(-5, "corpus", "3430")) == "depends on search or corpus size"
    four_samples = [with_levels(5, "a", "1"), with_levels(-5, "b", "1"), with_levels(-5, "a", "2"), with_levels(5, "b", "2")]
    assert status(*four_samples) == "depends on search and corpus size"
    assert status(with_levels(5, "a", "1"), with_levels(-5, "a", "1")) == "depends on the setting"
    assert status(with_levels(5, "nested", "400"), with_levels(-0.1, "corpus", "400")) == REPRODUCED


def test_the_schedule_of_the_paper_decides_where_it_can():
    paper_sample, other_sample = sample(5, paper=True), sample(-5, levels={"search": "x"})
    assert status(paper_sample, other_sample) == REPRODUCED
    assert status(sample(-5, paper=True), sample(5)) == FAILS
    assert status(sample(0.1, paper=True), other_sample) == FAILS
    assert status(paper_sample, sample(-5, paper=True, levels={"search": "x"})) == "depends on search"


@pytest.mark.parametrize(("mean_paper_corpus", "has_schedule", "grade"), [
    ([(5, True, True), (5, False, False)], True, "reproduced, in the paper's own setting"),
    ([(5, False, True), (5, True, False)], True, "reproduced, elsewhere only"),
    ([(5, True, True), (0.1, True, True)], True, "reproduced, by one comparison"),
    ([(5, True, True), (5, True, True), (-5, False, True)], True, "reproduced, mixed: some against"),
    ([(5, True, True), (-5, False, True), (-5, False, True)], True, "reproduced, mixed: more against"),
])  # fmt: skip
def test_a_reproduced_claim_has_the_weakest_grade_that_fits(mean_paper_corpus, has_schedule, grade):
    samples = [sample(mean, paper=is_paper, paper_corpus=is_paper_corpus) for mean, is_paper, is_paper_corpus in mean_paper_corpus]
    assert graded(verdict(*samples, has_schedule=has_schedule)) == grade


def test_changed_is_only_by_a_second_form_that_holds():
    def of_two(mean_1, mean_2):
        verdict_of_claim = evaluate(
            {"a": Question("difference", [sample(mean_1)]), "a instead": Question("difference", [sample(mean_2)])}
        )
        return verdict_of_claim["a"].status

    assert of_two(-5, 5) == CHANGED
    assert [of_two(5, 5), of_two(0.1, 5), of_two(-5, -5), of_two(-5, 0.1)] == [REPRODUCED, UNDECIDED, FAILS, FAILS]


# Many tests ----------------------------------------------------------------------------------------------------------


def test_holm_by_hand():
    assert verdicts.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert verdicts.holm([0.5, 0.9]) == pytest.approx([1, 1])
    assert len(verdicts.holm([])) == 0


def test_holm_counts_what_can_be_decided():
    p = 2 * stats.t.sf(3, 9)  # 0.015: twice and three times it are below 0.05, four times above
    comparison = sample(3 / np.sqrt(10))
    null_samples = [sample(0.0), sample(0.0)]
    assert verdict(comparison).tested[0].p == pytest.approx(p)
    assert [status(comparison, *null_samples), status(comparison, *null_samples, sample(0.0))] == [REPRODUCED, UNDECIDED]
    assert status(comparison, *null_samples, sample(0.0, 3)) == REPRODUCED  # three units are no test


def test_claims_are_adjusted_by_benjamini_and_hochberg():
    p_values = np.array([0.001, 0.012, 0.014, 0.2, 0.9])
    means = stats.t.isf(p_values / 2, 9) / np.sqrt(10)
    verdict_of_claim = evaluate({str(i): Question("difference", [sample(mean)]) for i, mean in enumerate(means)})
    assert [claim_verdict.p for claim_verdict in verdict_of_claim.values()] == pytest.approx(stats.false_discovery_control(p_values))
    assert [claim_verdict.status for claim_verdict in verdict_of_claim.values()] == [REPRODUCED] * 3 + [UNDECIDED] * 2
    verdicts_of_ten = evaluate({"a": Question("difference", [sample(stats.t.isf(0.02, 9) / np.sqrt(10))])} |
                     {str(i): Question("difference", [sample(0.0)]) for i in range(9)})  # fmt: skip
    assert verdicts_of_ten["a"].status == UNDECIDED  # p is 0.04, and one of ten
    fact_question = {"fact": Question("computed", [Comparison("a", [1.0])])}
    assert evaluate(fact_question | {"a": Question("difference", [sample(means[1])])})["a"].p == pytest.approx(p_values[1])


def noise_question(rng):
    comparisons = [Comparison(level, rng.normal(size=10), paper=level == "0", levels={"search": level}) for level in "012"]
    return Question("difference", comparisons)


def test_noise_decides_at_most_one_claim_in_twenty():
    rng = np.random.default_rng(29)
    question_of_claim = {str(i): noise_question(rng) for i in range(1000)}
    n_together = sum(claim_verdict.status != UNDECIDED for claim_verdict in evaluate(question_of_claim).values())
    n_alone = sum(evaluate({"a": question})["a"].status != UNDECIDED for question in question_of_claim.values())
    assert n_together <= 50
    assert 20 <= n_alone <= 65  # 5% of 1,000, with three of its standard deviations above
    likeness_statuses = [status(Comparison("a", rng.normal(1, 1, 10)), kind="likeness", limit=1.0) for _ in range(500)]
    assert sum(likeness_status != UNDECIDED for likeness_status in likeness_statuses) <= 40


# Text ----------------------------------------------------------------------------------------------------------------


def test_units_that_would_decide_do():
    for extra_samples, question_fields in (([], {}), ([sample(0.0)] * 4, {}), ([], {"kind": "likeness", "limit": 1.0})):
        needed_units = verdict(sample(0.5), *extra_samples, **question_fields).tested[0].needed
        assert [status(sample(0.5, n_units), *extra_samples, **question_fields) for n_units in (needed_units - 1, needed_units)] == [UNDECIDED, REPRODUCED]
    assert f"by {verdict(sample(0.5)).tested[0].needed} units" in sentence(verdict(sample(0.5)), Question("difference"))
    assert verdict(sample(5, 3)).tested[0].needed == 8
    assert verdict(sample(0.0)).tested[0].needed is None
