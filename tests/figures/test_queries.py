"""The queries of claims.toml, on small tables of which the answers are known: figures/queries.py and measures.py."""

import sqlite3

import numpy as np
import pytest

from figures import ledger, measures
from figures.common import HERE
from figures.queries import Query, comparisons, database, evidence_of, note, query_of

from .helpers import write

RUNS = [("a", 0, "vb", 6.0), ("a", 1, "vb", 9.0), ("a", 0, "cvb", 4.0), ("a", 1, "cvb", 6.0),
        ("b", 0, "vb", 5.0), ("b", 0, "cvb", 8.0), ("b", 1, "cvb", None)]  # fmt: skip
QUERY = {"table": "runs", "a": "algorithm = 'vb'", "b": "algorithm = 'cvb'", "same": "corpus", "name": "{a.corpus}",
         "value": "a.score - b.score"}  # fmt: skip


def write_csv(folder, csv_name, csv_rows):
    """A CSV file with the columns of the one in this repository."""
    columns = (HERE / f"{csv_name}.csv").read_text("utf-8").partition("\n")[0].split(",")
    write(folder / f"{csv_name}.csv", columns, csv_rows)


@pytest.fixture
def db():
    database_connection = sqlite3.connect(":memory:")
    database_connection.execute("create table runs (corpus, seed, algorithm, score)")
    database_connection.executemany("insert into runs values (?, ?, ?, ?)", RUNS)
    return database_connection


def numbers_of(db, **query_fields):
    """{name: its numbers} of a query."""
    return {comparison.name: comparison.values if comparison.second is None else (comparison.values, comparison.second)
            for comparison in comparisons(db, [Query(**QUERY | query_fields)])}  # fmt: skip


def test_pairs_agree_in_their_unit_and_in_what_is_the_same(db):
    assert numbers_of(db) == {"a": [2.0, 3.0], "b": [-3.0]}
    assert numbers_of(db, value="a.score / b.score - 1") == {"a": [0.5, 0.5], "b": [-0.375]}
    assert numbers_of(db, where="seed = 1") == {"a": [3.0]}
    assert numbers_of(db, on="a.score > 6") == {"a": [3.0]}
    assert numbers_of(db, a="algorithm = 'cvb'", b="", value="a.score") == {"a": [4.0, 6.0], "b": [8.0]}
    with pytest.raises(ValueError, match="all: a unit has two numbers; `same` and `unit` have to tell the lines apart"):
        numbers_of(db, same="", name="all")


def test_two_samples_are_not_paired(db):
    assert numbers_of(db, value=["a.score", "b.score"]) == {"a": ([6.0, 9.0], [4.0, 6.0]), "b": ([5.0], [8.0])}


def test_a_comparison_can_ask_for_units(db):
    assert numbers_of(db, least=2) == {"a": [2.0, 3.0]}
    assert numbers_of(db, a="algorithm = 'cvb'", b="", value="a.score", complete=True) == {"a": [4.0, 6.0]}


def test_measures_levels_and_order(db):
    query_fields = {"value": {"less": "a.score - b.score", "part": "a.score / b.score"}, "name": "{a.corpus}, {measure}",
             "levels": {"scoring": "{measure}", "unit": "of {upper(a.corpus)}"}, "paper": "a.corpus = 'b'", "paper_corpus": "a.corpus = 'a'",
             "kind": "iif(a.corpus = 'b', 'likeness', '')", "overlap": 0.25}  # fmt: skip
    ordered_comparisons = comparisons(db, [Query(**QUERY | query_fields | {"order": ["-length(a.corpus)", "measure", "a.corpus"]})])
    assert [(comparison.name, comparison.paper, comparison.paper_corpus, comparison.kind) for comparison in ordered_comparisons] == [
        ("a, less", False, True, ""), ("b, less", True, False, "likeness"),
        ("a, part", False, True, ""), ("b, part", True, False, "likeness"),
    ]  # fmt: skip
    assert (ordered_comparisons[3].levels, ordered_comparisons[3].overlap) == ({"scoring": "part", "unit": "of B"}, 0.25)
    by_seed = comparisons(db, [Query(**QUERY | {"by": "a.seed"})])
    assert [(comparison.name, comparison.values) for comparison in by_seed] == [("a", [2.0]), ("a", [3.0]), ("b", [-3.0])]


def test_words_come_from_another_claim():
    claims = {"first": {"compare": [QUERY]}, "second": {"compare": [{"like": "first", "least": 3}]}}
    second_query = query_of(claims, {"like": "second", "same": "seed"})
    assert (second_query.a, second_query.least, second_query.same) == (QUERY["a"], 3, "seed")


def test_a_note_needs_its_numbers(db):
    filled_note = {"text": "The most are {most}. ", "most": "select max(score) from runs"}
    empty_note = {"text": "Of none: {most}.", "most": "select max(score) from runs where corpus = 'c'"}
    table_note = {"text": "{table}", "head": ["corpus", "runs"], "rows": "select corpus, count(*) from runs group by corpus"}
    assert note(db, [filled_note, empty_note, table_note]) == "The most are 9.0. | corpus | runs |\n| --- | --- |\n| a | 4 |\n| b | 3 |"


@pytest.mark.parametrize(("query_fields", "message"), [({"tabel": "x"}, "tabel"), ({"table": "none"}, "no such table: none")])
def test_an_error_names_its_claim(query_fields, message, monkeypatch, tmp_path):
    claims = {"lower": {"kind": "difference", "compare": [QUERY | query_fields]}}
    monkeypatch.setattr(ledger, "claims_of", lambda paper: claims)
    with pytest.raises(ValueError, match=rf"^claims.toml, BOO16 lower: .*{message}"):
        ledger.judged(tmp_path, ["BOO16"])


def test_columns_with_a_decimal_point_are_real(tmp_path):
    write_csv(tmp_path, "tnw06/taylor", [{"N": 1, "a": "2"}, {"N": 3, "a": "0.5"}])
    first_row = database(tmp_path, "TNW06").execute('select N / 2, a / 4, g from "tnw06/taylor"').fetchone()
    assert first_row == (0, 0.5, None)


# Measures -------------------------------------------------------------------------------------------------------------


def test_passing_is_the_first_sweep_at_the_level():
    assert measures.passing([12, 1, 2], [10.0, 0.0, 0.0], [2.5]) == 5
    assert measures.passing([1, 2], [0.0, 1.0], [2.0]) is None


def test_the_lowest_is_that_of_the_parabola():
    eta = np.exp([3.0, 0.0, 1.0, 2.0])
    assert measures.lowest(eta, [(np.log(eta_value) - 1.2) ** 2 for eta_value in eta]) == pytest.approx(np.exp(1.2))
    assert measures.lowest([1, 2, 3], [3, 2, 1]) is None


def test_past_an_interval():
    assert [measures.past(number, -2, 1) for number in (-5, -2, 0, 1, 4)] == [-3, 0, 0, 0, 3]
    assert measures.past(None, 0, 1) is None


def test_spread_and_r_hat():
    assert measures.spread([0.25, 0.5, 1.0], [".0%"]) == "50% (25 to 100; 3 runs)"
    assert measures.spread([1234.4]) == "1,234"
    chains = np.random.default_rng(0).normal(size=(2, 40))
    r_hat_mixed = measures.r_hat(np.repeat([0, 1], 40), chains.ravel())
    r_hat_apart = measures.r_hat(np.repeat([0, 1], 40), (chains + np.array([[0], [99]])).ravel())
    assert r_hat_mixed < 1.2 < 1.5 < r_hat_apart
    assert measures.r_hat([0, 0], [1.0, 2.0]) is None


# Claims --------------------------------------------------------------------------------------------------------------


def comparisons_of(folder, claim_name, paper="TNW06"):
    claims = ledger.forms_of(paper)
    return evidence_of(database(folder, paper), claims, claims[claim_name]).comparisons


def test_cvb_and_vb_have_equal_starts_or_one_goes_on_from_the_other(tmp_path):
    algorithm_schedule_start = [("cvb", "corpus", "dirichlet"), ("cvb", "corpus", "growing"), ("vb", "nested", "one-hot"),
             ("vb", "corpus", "growing"), ("vb", "corpus", "end of cvb corpus from growing")]  # fmt: skip
    rows = [{"study": "bars", "algorithm": algorithm, "schedule": schedule, "start": start, "seed": seed, "value": bound,
             "bound_12": bound, "perplexity": 1.5 + bound, "sweeps": 1}
            for bound, (algorithm, schedule, start) in enumerate(algorithm_schedule_start) for seed in (0, 1)]  # fmt: skip
    write_csv(tmp_path, "search/runs", rows)
    first_values = {(comparison.levels["search"], comparison.values[0]) for comparison in comparisons_of(tmp_path, "bound")}
    assert first_values == {("corpus, nested, one-hot", -2.0), ("corpus, corpus, growing", -2.0),
                     ("corpus, corpus, end of cvb corpus from growing", -3.0)}  # fmt: skip


def test_exact_cvb_is_compared_after_the_last_sweep(tmp_path):
    rows = [{"sweep": sweep, "seed": seed, "bound_exact": -7.5, "bound_cvb": -9 + sweep / 16, "perplexity_exact": np.exp(7),
             "perplexity_cvb": np.exp(8)} for seed in range(3) for sweep in (1, 20)]  # fmt: skip
    write_csv(tmp_path, "tnw06/exact", rows)
    bound_comparison, test_comparison = comparisons_of(tmp_path, "exact")
    assert (bound_comparison.name, bound_comparison.values) == ("kos, K = 8, `token`, 20 sweeps, bound (12)", [0.25] * 3)
    assert test_comparison.values == pytest.approx([1.0] * 3)
    assert bound_comparison.paper


def test_subsets_are_paired_by_their_order_and_all_documents_are_not(tmp_path):
    shared_columns = {"corpus": "kos", "algorithm": "vb", "schedule": "corpus", "start": "dirichlet"}
    subset_rows = [shared_columns | {"documents": n_docs, "order": order, "seed": 0, "test": n_docs + 10 * order + n_docs * order}
            for n_docs in (50, 500) for order in (0, 1)]  # fmt: skip
    full_rows = [shared_columns | {"first": 0, "seed": seed, "sweep": 9, "test": seed} for seed in (0, 1, 2)]
    write_csv(tmp_path, "tnw06/fig2", subset_rows)
    write_csv(tmp_path, "tnw06/fig1", full_rows)
    subset_comparison, full_comparison = comparisons_of(tmp_path, "more-test")
    assert (subset_comparison.name, subset_comparison.values, subset_comparison.second) == ("vb corpus, 500 less 50", [450.0, 900.0], None)
    assert (full_comparison.name, full_comparison.values, full_comparison.second) == ("vb corpus, 3430 less 500", [0.0, 1.0, 2.0], [500.0, 1010.0])


def run_of_awst09(seed, validation, **columns):
    base_columns = {"schedule": "corpus", "start": "dirichlet", "setting": "fixed", "eta": "0.5", "at": "end 9", "fold": "corpus"}
    return {"seed": seed, "validation": validation, "estimator": "own", **base_columns, **columns}


def test_areas_are_those_of_the_best_point_of_those_with_most_runs(tmp_path):
    study_columns = {"study": "20news-1500", "K": 10}
    cgs_columns = study_columns | {"algorithm": "cgs", "schedule": "interleaved", "start": "one-hot"}
    rows = [run_of_awst09(seed, 5 + alpha, **cgs_columns, alpha=alpha, auc=0.75 + alpha, precision=alpha)
            for seed in range(3) for alpha in (0.125, 0.5)]  # fmt: skip
    rows += [run_of_awst09(seed, 1, **cgs_columns, alpha=0.25, auc=0, precision=0) for seed in range(2)]
    rows += [run_of_awst09(seed, 9, **study_columns, algorithm="cvb0", alpha=0.5, auc=0.5, precision=seed) for seed in range(3)]
    write_csv(tmp_path, "awst09/runs", rows)
    area_comparison, precision_comparison = comparisons_of(tmp_path, "roc", "AWST09")
    assert (area_comparison.name, area_comparison.values) == ("cgs interleaved less cvb0, area", [0.375] * 3)
    assert (precision_comparison.name, precision_comparison.values) == ("cgs interleaved less cvb0, precision", [0.125, -0.875, -1.875])


def test_vb_on_half_of_cranfield_has_the_better_estimate(tmp_path):
    half_columns, estimator_scores = {"study": "cranfield-490", "K": 40}, (("mean", 6, 9.0), ("digamma", 3, 12.0))
    rows = [run_of_awst09(seed, validation, **half_columns, algorithm="vb", alpha=0.5, estimator=estimator, perplexity=perplexity + seed)
            for seed in range(3) for estimator, validation, perplexity in estimator_scores]  # fmt: skip
    rows += [run_of_awst09(seed, 4, **half_columns, algorithm="cvb", alpha=0.5, perplexity=8) for seed in range(3)]
    write_csv(tmp_path, "awst09/runs", rows)
    [vb_comparison] = comparisons_of(tmp_path, "small", "AWST09")
    assert (vb_comparison.name, vb_comparison.values) == ("vb corpus (16) over cvb", [0.5, 0.625, 0.75])


def test_the_long_chains_of_tomotopy_are_those_of_cgs(tmp_path):
    chain_columns = {"data": "synthetic-0", "seed": 0, "ll": -4, "accuracy": 0.5}
    rows = [chain_columns | {"sampler": "cgs", "sweeps": 150, "mse": 8}, chain_columns | {"sampler": "cgs tomotopy", "sweeps": 2000, "mse": 1}]
    write_csv(tmp_path, "sol14/fits", rows)
    write_csv(tmp_path, "sol14/runs", [{"data": "synthetic-0", "way": "vb nested", "seed": 0, "mse": 3}])
    bootstrap_rows = [{"truth": truth, "draw": 0, "way": way, "accuracy": accuracy} for truth in ("ml", "vb published")
             for way, accuracy in (("cgs tomotopy", 0.75), ("vb nested", 0.5))]  # fmt: skip
    write_csv(tmp_path, "sol14/bootstrap", bootstrap_rows)
    [mse_comparison] = comparisons_of(tmp_path, "synthetic-mse", "SOL14")
    assert (mse_comparison.name, mse_comparison.values, mse_comparison.paper) == ("cgs - vb nested", [2], True)
    accuracies = [comparison.values for comparison in comparisons_of(tmp_path, "bootstrap", "SOL14") if "accuracy" in comparison.name]
    assert accuracies == [[0.25], [0.25]]


def speeds(folder, **sweeps_seconds_of_system):
    """Two units of R8 with the sweeps and seconds of each system at each level."""
    rows = [{"corpus": "r8", "seed": seed, "system": system.replace("_", " "), "level": level, "sweeps": sweeps + seed,
             "seconds": seconds} for system, (sweeps, seconds) in sweeps_seconds_of_system.items() for seed in (0, 1)
            for level in ("within 1%", "common", "rule")]  # fmt: skip
    write_csv(folder, "search/speed", rows)


def test_samplers_and_cvb_are_compared_by_their_own_ends(tmp_path):
    speeds(tmp_path, cvb_corpus=(20, 1.0), cvb_token=(5, 1.0), vb_corpus=(9, 1.0), tomotopy=(30, 1.0))
    level_values = [(comparison.levels["search"], comparison.values, comparison.paper) for comparison in comparisons_of(tmp_path, "gibbs-sweeps")]
    assert level_values == [("cvb corpus", [10.0, 10.0], False), ("cvb token", [25.0, 25.0], True)]
    values_of = {(comparison.levels["search"], comparison.levels["scale"]): comparison.values for comparison in comparisons_of(tmp_path, "slower", "AWST09")}
    assert values_of["vb corpus", "sweeps"] == [21.0, 21.0]
    assert values_of["cvb corpus", "log of seconds"] == [0.0, 0.0]


def test_seconds_count_past_what_a_language_may_explain(tmp_path):
    e_number = np.e
    speeds(tmp_path, tomotopy=(1, 4 * e_number), scikit_learn=(1, 1.0), vb_corpus=(1, 400 * e_number), gibbs_corpus=(1, 100 * e_number),
           cgs_interleaved=(1, 2000 * e_number))  # fmt: skip
    csv_text = (tmp_path / "search/speed.csv").read_text().replace("scikit learn", "scikit-learn")
    (tmp_path / "search/speed.csv").write_text(csv_text)
    ratios = {(comparison.levels["sampler"], comparison.levels["search"]): comparison.values for comparison in comparisons_of(tmp_path, "time", "SOL14")}
    assert sorted(ratios) == [("gibbs corpus", "vb corpus"), ("tomotopy", "scikit-learn"), ("tomotopy", "vb corpus")]
    assert ratios["tomotopy", "scikit-learn"] == pytest.approx([1 + np.log(2)] * 2)  # more than twice the seconds
    assert ratios["tomotopy", "vb corpus"] == pytest.approx([-np.log(10)] * 2)  # a hundredth, a tenth of it explained
    assert ratios["gibbs corpus", "vb corpus"] == pytest.approx([-np.log(4)] * 2)  # one language
    log_ratio_of_program = {comparison.levels["program"]: comparison.values for comparison in comparisons_of(tmp_path, "collapsed-time", "SOL14")}
    assert log_ratio_of_program["tomotopy"] == pytest.approx([np.log(2.5)] * 2)  # 25 times faster
    assert log_ratio_of_program["cgs interleaved"] == pytest.approx([-np.log(2)] * 2)  # 20 times slower


def test_the_cost_of_exact_cvb_is_extended_to_kos(tmp_path):
    def rows(seed, method, power):
        return [{"seed": seed, "tokens": n_tokens, "method": method, "seconds": n_tokens**power} for n_tokens in (750, 1500, 3000)]

    write_csv(tmp_path, "tnw06/scaling", [row for seed in (0, 1) for row in (*rows(seed, "convolution", 2), *rows(seed, "cvb", 0))])
    (exact_comparison,) = comparisons_of(tmp_path, "expensive")
    assert (exact_comparison.name, exact_comparison.values) == ("convolution", pytest.approx([2 * np.log(420739) - np.log(10)] * 2))


def test_the_samplers_are_paired_by_corpus_and_function(tmp_path):
    rows = [{"corpus": "kos", "sampler": sampler, "seed": seed, "function": function, "r_hat": 1 + sampler_number + seed / 8,
             "autocorrelation_time": 4.0 ** (sampler_number + 1)} for sampler_number, sampler in enumerate(("cgs", "gibbs")) for seed in (0, 1)
            for function in ("pairs", "log p(x, z)")]  # fmt: skip
    write_csv(tmp_path, "tnw06/mixing", rows)
    values_of_name = {comparison.name: comparison.values for comparison in comparisons_of(tmp_path, "mixing")}
    assert values_of_name["kos, pairs, R-hat"] == [1.0, 1.0]
    assert values_of_name["kos, log p(x, z), autocorrelation time"] == pytest.approx([np.log(2)] * 2)


@pytest.mark.parametrize(("sweeps", "n_apart"), [(1860, 0), (1920, 2)])
def test_long_chains_that_disagree_count_if_they_are_long_enough(tmp_path, sweeps, n_apart):
    rows = [{"data": "r8", "chain": i, "sweep": sweep, "log_joint": i + 0.01 * np.sin(sweep), "log_tokens": i + 0.01 * np.cos(sweep)}
            for sweep in range(20, sweeps + 1, 20) for i in range(8)]  # fmt: skip
    write_csv(tmp_path, "sol14/long", rows)
    chain_pairs = comparisons_of(tmp_path, "mixing", "SOL14")
    assert [comparison.values[0] < -0.09 for comparison in chain_pairs] == [True] * n_apart
