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


def write_csv(folder, csv_name, rows):
    """A CSV file with the columns of the one in this repository."""
    columns = (HERE / f"{csv_name}.csv").read_text("utf-8").partition("\n")[0].split(",")
    write(folder / f"{csv_name}.csv", columns, rows)


@pytest.fixture
def db():
    connection = sqlite3.connect(":memory:")
    connection.execute("create table runs (corpus, seed, algorithm, score)")
    connection.executemany("insert into runs values (?, ?, ?, ?)", RUNS)
    return connection


def numbers_of(db, **fields):
    """{name: its numbers} of a query."""
    return {x.name: x.values if x.second is None else (x.values, x.second)
            for x in comparisons(db, [Query(**QUERY | fields)])}  # fmt: skip


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
    fields = {"value": {"less": "a.score - b.score", "part": "a.score / b.score"}, "name": "{a.corpus}, {measure}",
             "levels": {"scoring": "{measure}", "unit": "of {upper(a.corpus)}"}, "paper": "a.corpus = 'b'", "paper_corpus": "a.corpus = 'a'",
             "kind": "iif(a.corpus = 'b', 'likeness', '')", "overlap": 0.25}  # fmt: skip
    ordered = comparisons(db, [Query(**QUERY | fields | {"order": ["-length(a.corpus)", "measure", "a.corpus"]})])
    assert [(x.name, x.paper, x.paper_corpus, x.kind) for x in ordered] == [
        ("a, less", False, True, ""), ("b, less", True, False, "likeness"),
        ("a, part", False, True, ""), ("b, part", True, False, "likeness"),
    ]  # fmt: skip
    assert (ordered[3].levels, ordered[3].overlap) == ({"scoring": "part", "unit": "of B"}, 0.25)
    by_seed = comparisons(db, [Query(**QUERY | {"by": "a.seed"})])
    assert [(x.name, x.values) for x in by_seed] == [("a", [2.0]), ("a", [3.0]), ("b", [-3.0])]


def test_words_come_from_another_claim():
    claims = {"first": {"compare": [QUERY]}, "second": {"compare": [{"like": "first", "least": 3}]}}
    query = query_of(claims, {"like": "second", "same": "seed"})
    assert (query.a, query.least, query.same) == (QUERY["a"], 3, "seed")


def test_a_note_needs_its_numbers(db):
    filled = {"text": "The most are {most}. ", "most": "select max(score) from runs"}
    empty = {"text": "Of none: {most}.", "most": "select max(score) from runs where corpus = 'c'"}
    table = {"text": "{table}", "head": ["corpus", "runs"], "rows": "select corpus, count(*) from runs group by corpus"}
    assert note(db, [filled, empty, table]) == "The most are 9.0. | corpus | runs |\n| --- | --- |\n| a | 4 |\n| b | 3 |"


@pytest.mark.parametrize(("fields", "message"), [({"tabel": "x"}, "tabel"), ({"table": "none"}, "no such table: none")])
def test_an_error_names_its_claim(fields, message, monkeypatch, tmp_path):
    claims = {"lower": {"kind": "difference", "compare": [QUERY | fields]}}
    monkeypatch.setattr(ledger, "claims_of", lambda paper: claims)
    with pytest.raises(ValueError, match=rf"^claims.toml, BOO16 lower: .*{message}"):
        ledger.judged(tmp_path, ["BOO16"])


def test_columns_with_a_decimal_point_are_real(tmp_path):
    write_csv(tmp_path, "tnw06/taylor", [{"N": 1, "a": "2"}, {"N": 3, "a": "0.5"}])
    row = database(tmp_path, "TNW06").execute('select N / 2, a / 4, g from "tnw06/taylor"').fetchone()
    assert row == (0, 0.5, None)


# Measures -------------------------------------------------------------------------------------------------------------


def test_passing_is_the_first_sweep_at_the_level():
    assert measures.passing([12, 1, 2], [10.0, 0.0, 0.0], [2.5]) == 5
    assert measures.passing([1, 2], [0.0, 1.0], [2.0]) is None


def test_the_lowest_is_that_of_the_parabola():
    eta = np.exp([3.0, 0.0, 1.0, 2.0])
    assert measures.lowest(eta, [(np.log(x) - 1.2) ** 2 for x in eta]) == pytest.approx(np.exp(1.2))
    assert measures.lowest([1, 2, 3], [3, 2, 1]) is None


def test_past_an_interval():
    assert [measures.past(x, -2, 1) for x in (-5, -2, 0, 1, 4)] == [-3, 0, 0, 0, 3]
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
    run_kinds = [("cvb", "corpus", "dirichlet"), ("cvb", "corpus", "growing"), ("vb", "nested", "one-hot"),
             ("vb", "corpus", "growing"), ("vb", "corpus", "end of cvb corpus from growing")]  # fmt: skip
    rows = [{"study": "bars", "algorithm": algorithm, "schedule": schedule, "start": start, "seed": seed, "value": i,
             "bound_12": i, "perplexity": 1.5 + i, "sweeps": 1}
            for i, (algorithm, schedule, start) in enumerate(run_kinds) for seed in (0, 1)]  # fmt: skip
    write_csv(tmp_path, "search/runs", rows)
    first_values = {(x.levels["search"], x.values[0]) for x in comparisons_of(tmp_path, "bound")}
    assert first_values == {("corpus, nested, one-hot", -2.0), ("corpus, corpus, growing", -2.0),
                     ("corpus, corpus, end of cvb corpus from growing", -3.0)}  # fmt: skip


def test_exact_cvb_is_compared_after_the_last_sweep(tmp_path):
    rows = [{"sweep": t, "seed": i, "bound_exact": -7.5, "bound_cvb": -9 + t / 16, "perplexity_exact": np.exp(7),
             "perplexity_cvb": np.exp(8)} for i in range(3) for t in (1, 20)]  # fmt: skip
    write_csv(tmp_path, "tnw06/exact", rows)
    of_bound, of_test = comparisons_of(tmp_path, "exact")
    assert (of_bound.name, of_bound.values) == ("kos, K = 8, `token`, 20 sweeps, bound (12)", [0.25] * 3)
    assert of_test.values == pytest.approx([1.0] * 3)
    assert of_bound.paper


def test_subsets_are_paired_by_their_order_and_all_documents_are_not(tmp_path):
    run_columns = {"corpus": "kos", "algorithm": "vb", "schedule": "corpus", "start": "dirichlet"}
    subset_rows = [run_columns | {"documents": J, "order": order, "seed": 0, "test": J + 10 * order + J * order}
            for J in (50, 500) for order in (0, 1)]  # fmt: skip
    full_rows = [run_columns | {"first": 0, "seed": seed, "sweep": 9, "test": seed} for seed in (0, 1, 2)]
    write_csv(tmp_path, "tnw06/fig2", subset_rows)
    write_csv(tmp_path, "tnw06/fig1", full_rows)
    of_subsets, of_all = comparisons_of(tmp_path, "more-test")
    assert (of_subsets.name, of_subsets.values, of_subsets.second) == ("vb corpus, 500 less 50", [450.0, 900.0], None)
    assert (of_all.name, of_all.values, of_all.second) == ("vb corpus, 3430 less 500", [0.0, 1.0, 2.0], [500.0, 1010.0])


def run_of_awst09(seed, validation, **columns):
    base = {"schedule": "corpus", "start": "dirichlet", "setting": "fixed", "eta": "0.5", "at": "end 9", "fold": "corpus"}
    return {"seed": seed, "validation": validation, "estimator": "own", **base, **columns}


def test_areas_are_those_of_the_best_point_of_those_with_most_runs(tmp_path):
    study = {"study": "20news-1500", "K": 10}
    cgs_columns = study | {"algorithm": "cgs", "schedule": "interleaved", "start": "one-hot"}
    rows = [run_of_awst09(seed, 5 + alpha, **cgs_columns, alpha=alpha, auc=0.75 + alpha, precision=alpha)
            for seed in range(3) for alpha in (0.125, 0.5)]  # fmt: skip
    rows += [run_of_awst09(seed, 1, **cgs_columns, alpha=0.25, auc=0, precision=0) for seed in range(2)]
    rows += [run_of_awst09(seed, 9, **study, algorithm="cvb0", alpha=0.5, auc=0.5, precision=seed) for seed in range(3)]
    write_csv(tmp_path, "awst09/runs", rows)
    of_area, of_precision = comparisons_of(tmp_path, "roc", "AWST09")
    assert (of_area.name, of_area.values) == ("cgs interleaved less cvb0, area", [0.375] * 3)
    assert (of_precision.name, of_precision.values) == ("cgs interleaved less cvb0, precision", [0.125, -0.875, -1.875])


def test_vb_on_half_of_cranfield_has_the_better_estimate(tmp_path):
    half, estimator_scores = {"study": "cranfield-490", "K": 40}, (("mean", 6, 9.0), ("digamma", 3, 12.0))
    rows = [run_of_awst09(seed, validation, **half, algorithm="vb", alpha=0.5, estimator=x, perplexity=perplexity + seed)
            for seed in range(3) for x, validation, perplexity in estimator_scores]  # fmt: skip
    rows += [run_of_awst09(seed, 4, **half, algorithm="cvb", alpha=0.5, perplexity=8) for seed in range(3)]
    write_csv(tmp_path, "awst09/runs", rows)
    [of_vb] = comparisons_of(tmp_path, "small", "AWST09")
    assert (of_vb.name, of_vb.values) == ("vb corpus (16) over cvb", [0.5, 0.625, 0.75])


def test_the_long_chains_of_tomotopy_are_those_of_cgs(tmp_path):
    chain = {"data": "synthetic-0", "seed": 0, "ll": -4, "accuracy": 0.5}
    rows = [chain | {"sampler": "cgs", "sweeps": 150, "mse": 8}, chain | {"sampler": "cgs tomotopy", "sweeps": 2000, "mse": 1}]
    write_csv(tmp_path, "sol14/fits", rows)
    write_csv(tmp_path, "sol14/runs", [{"data": "synthetic-0", "way": "vb nested", "seed": 0, "mse": 3}])
    bootstrap_rows = [{"truth": truth, "draw": 0, "way": way, "accuracy": x} for truth in ("ml", "vb published")
             for way, x in (("cgs tomotopy", 0.75), ("vb nested", 0.5))]  # fmt: skip
    write_csv(tmp_path, "sol14/bootstrap", bootstrap_rows)
    [of_mse] = comparisons_of(tmp_path, "synthetic-mse", "SOL14")
    assert (of_mse.name, of_mse.values, of_mse.paper) == ("cgs - vb nested", [2], True)
    accuracies = [x.values for x in comparisons_of(tmp_path, "bootstrap", "SOL14") if "accuracy" in x.name]
    assert accuracies == [[0.25], [0.25]]


def speeds(folder, **sweeps_seconds):
    """Two units of R8 with the sweeps and seconds of each system at each level."""
    rows = [{"corpus": "r8", "seed": seed, "system": system.replace("_", " "), "level": level, "sweeps": sweeps + seed,
             "seconds": seconds} for system, (sweeps, seconds) in sweeps_seconds.items() for seed in (0, 1)
            for level in ("within 1%", "common", "rule")]  # fmt: skip
    write_csv(folder, "search/speed", rows)


def test_samplers_and_cvb_are_compared_by_their_own_ends(tmp_path):
    speeds(tmp_path, cvb_corpus=(20, 1.0), cvb_token=(5, 1.0), vb_corpus=(9, 1.0), tomotopy=(30, 1.0))
    level_values = [(x.levels["search"], x.values, x.paper) for x in comparisons_of(tmp_path, "gibbs-sweeps")]
    assert level_values == [("cvb corpus", [10.0, 10.0], False), ("cvb token", [25.0, 25.0], True)]
    of_scale = {(x.levels["search"], x.levels["scale"]): x.values for x in comparisons_of(tmp_path, "slower", "AWST09")}
    assert of_scale["vb corpus", "sweeps"] == [21.0, 21.0]
    assert of_scale["cvb corpus", "log of seconds"] == [0.0, 0.0]


def test_seconds_count_past_what_a_language_may_explain(tmp_path):
    e = np.e
    speeds(tmp_path, tomotopy=(1, 4 * e), scikit_learn=(1, 1.0), vb_corpus=(1, 400 * e), gibbs_corpus=(1, 100 * e),
           cgs_interleaved=(1, 2000 * e))  # fmt: skip
    csv_text = (tmp_path / "search/speed.csv").read_text().replace("scikit learn", "scikit-learn")
    (tmp_path / "search/speed.csv").write_text(csv_text)
    ratios = {(x.levels["sampler"], x.levels["search"]): x.values for x in comparisons_of(tmp_path, "time", "SOL14")}
    assert sorted(ratios) == [("gibbs corpus", "vb corpus"), ("tomotopy", "scikit-learn"), ("tomotopy", "vb corpus")]
    assert ratios["tomotopy", "scikit-learn"] == pytest.approx([1 + np.log(2)] * 2)  # more than twice the seconds
    assert ratios["tomotopy", "vb corpus"] == pytest.approx([-np.log(10)] * 2)  # a hundredth, a tenth of it explained
    assert ratios["gibbs corpus", "vb corpus"] == pytest.approx([-np.log(4)] * 2)  # one language
    ratio_of_program = {x.levels["program"]: x.values for x in comparisons_of(tmp_path, "collapsed-time", "SOL14")}
    assert ratio_of_program["tomotopy"] == pytest.approx([np.log(2.5)] * 2)  # 25 times faster
    assert ratio_of_program["cgs interleaved"] == pytest.approx([-np.log(2)] * 2)  # 20 times slower


def test_the_cost_of_exact_cvb_is_extended_to_kos(tmp_path):
    def rows(seed, method, power):
        return [{"seed": seed, "tokens": N, "method": method, "seconds": N**power} for N in (750, 1500, 3000)]

    write_csv(tmp_path, "tnw06/scaling", [x for seed in (0, 1) for x in (*rows(seed, "convolution", 2), *rows(seed, "cvb", 0))])
    (of_exact,) = comparisons_of(tmp_path, "expensive")
    assert (of_exact.name, of_exact.values) == ("convolution", pytest.approx([2 * np.log(420739) - np.log(10)] * 2))


def test_the_samplers_are_paired_by_corpus_and_function(tmp_path):
    rows = [{"corpus": "kos", "sampler": sampler, "seed": seed, "function": function, "r_hat": 1 + i + seed / 8,
             "autocorrelation_time": 4.0 ** (i + 1)} for i, sampler in enumerate(("cgs", "gibbs")) for seed in (0, 1)
            for function in ("pairs", "log p(x, z)")]  # fmt: skip
    write_csv(tmp_path, "tnw06/mixing", rows)
    values_of_name = {x.name: x.values for x in comparisons_of(tmp_path, "mixing")}
    assert values_of_name["kos, pairs, R-hat"] == [1.0, 1.0]
    assert values_of_name["kos, log p(x, z), autocorrelation time"] == pytest.approx([np.log(2)] * 2)


@pytest.mark.parametrize(("sweeps", "n_apart"), [(1860, 0), (1920, 2)])
def test_long_chains_that_disagree_count_if_they_are_long_enough(tmp_path, sweeps, n_apart):
    rows = [{"data": "r8", "chain": i, "sweep": t, "log_joint": i + 0.01 * np.sin(t), "log_tokens": i + 0.01 * np.cos(t)}
            for t in range(20, sweeps + 1, 20) for i in range(8)]  # fmt: skip
    write_csv(tmp_path, "sol14/long", rows)
    chain_pairs = comparisons_of(tmp_path, "mixing", "SOL14")
    assert [x.values[0] < -0.09 for x in chain_pairs] == [True] * n_apart
