"""The statuses of SOL14's claims from small tables of runs."""

import pytest
import sol14
import sol14_claims
import sol14_r8

from .helpers import write

NOISE = (-1.0, 0.0, 1.0)
CLAIMS = ("against", "above", "gap", "algorithm", "varies", "almost", "mse", "ll", "accuracy", "initialised", "optima",
          "mixing", "ml", "bootstrap", "own corpora", "sparsity", "collapsed", "time")  # fmt: skip


def runs(way, start="dirichlet", data="r8", n=3, **of):
    """Runs whose values are given as (mean, step), a step apart."""
    found = []
    for seed in range(n):
        x = {"data": data, "way": way, "start": start, "group": "0", "seed": seed, "sweeps": 50, "settled": True}
        found.append(x | {key: mean + step * NOISE[seed] for key, (mean, step) in of.items()})
    return found


def chains(sampler, sweeps=200, r_hat=2.0, data="r8", **of):
    found = []
    for chain in range(3):
        for kind, samples in (("estimates", 10), ("probabilities", 1)):
            x = {"data": data, "sampler": sampler, "chains": 3, "sweeps": sweeps, "chain": chain, "kind": kind,
                 "samples": samples, "r_hat": r_hat, "log_joint": -6.8, "log_joint_half": -6.8}  # fmt: skip
            found.append(x | {key: mean + step * NOISE[chain] for key, (mean, step) in of.items()})
    return found


def claims(tmp_path, **tables):
    for name, some in tables.items():
        columns = {file: columns for file, columns, *_ in sol14.STUDIES.values()}[name]
        write(tmp_path / f"sol14_{name}.csv", columns, some)
    return dict(zip(CLAIMS, sol14_claims.claims(tmp_path), strict=True))


def test_without_runs_nothing_is_decided(tmp_path):
    assert {x.status for x in claims(tmp_path).values()} == {"not tested"}


@pytest.mark.parametrize(
    ("ahead", "right", "status"),
    [(4000, 5, "reproduced"), (4000, 0, "depends on search"), (-4000, -5, "not reproduced"), (0, 0, "not tested")],
)
def test_samplers_against_vb_both_ways(tmp_path, ahead, right, status):
    mine = {"ll": (-618000 + ahead, 100), "accuracy": (0.8 + right / 100, 0.001), "completion": (470, 1)}
    some = [*chains("cgs", **mine), *chains("gibbs", **mine)]
    vb = runs("vb nested", ll=(-618000, 100), accuracy=(0.8, 0.001), completion=(500, 1))
    assert claims(tmp_path, runs=vb, chains=some)["against"].status == status


@pytest.mark.parametrize(("right", "status"), [(0.9, "changed"), (0.8, "not reproduced")])
def test_84_percent_is_of_bootstrap_corpora(tmp_path, right, status):
    some = [*chains("cgs", accuracy=(right, 0.001)), *chains("gibbs", accuracy=(right, 0.001))]
    assert claims(tmp_path, chains=some)["above"].status == status


@pytest.mark.parametrize(
    ("nested", "published", "status"),
    [(11000, 20000, "reproduced"), (3000, 11000, "changed"), (3000, 3000, "not reproduced")],
)
def test_the_printed_gap(tmp_path, nested, published, status):
    some = runs("vb nested", ll=(-600000 - nested, 100), accuracy=(0.8, 0.001))
    some += runs("vb published", "20 documents", ll=(-600000 - published, 100), accuracy=(0.8, 0.001))
    gibbs = chains("gibbs", ll=(-600000, 100), accuracy=(0.8, 0.001))
    assert claims(tmp_path, runs=some, chains=gibbs)["gap"].status == status


@pytest.mark.parametrize(
    ("with_", "without", "status"),
    [(-616000, -626000, "not reproduced"), (-626000, -636000, "reproduced"), (-626100, -626000, "not tested"),
     (-600000, -600000, "not tested")],
)  # fmt: skip
def test_the_printed_vb_is_placed_by_the_spread_of_runs(tmp_path, with_, without, status):
    some = runs("vb published, with counts", "20 documents", ll=(with_, 500), accuracy=(0.84, 0.01))
    some += runs("vb published", "20 documents", ll=(without, 500), accuracy=(0.85, 0.01))
    assert claims(tmp_path, runs=some)["algorithm"].status == status


def test_an_f_test_compares_deviations():
    wide, narrow = [0.0, 10.0, 20.0], [0.0, 0.1, 0.2]
    assert (sol14_r8.larger(wide, narrow), sol14_r8.larger(narrow, wide)) == (1, -1)
    assert sol14_r8.larger(wide, [0.0, 4.0, 8.0]) == 0


@pytest.mark.parametrize(("step", "status"), [(1000, "reproduced"), (20, "not tested"), (0.01, "not reproduced")])
def test_deviations_of_few_runs_decide_little(tmp_path, step, status):
    some = [
        x
        for way in ("vb nested", "vb corpus")
        for x in runs(way, ll=(0, step), accuracy=(0, step), completion=(0, step))
    ]
    samplers = [x for y in ("cgs", "gibbs") for x in chains(y, ll=(0, 10), accuracy=(0, 10), completion=(0, 10))]
    assert claims(tmp_path, runs=some, chains=samplers)["varies"].status == status


@pytest.mark.parametrize(
    ("rate", "sweeps", "status"),
    [(1.005, 200, "reproduced"), (1.05, 3000, "not tested"), (2.0, 200, "not tested"), (2.0, 3000, "not reproduced")],
)
def test_short_chains_that_disagree_prove_nothing(tmp_path, rate, sweeps, status):
    some = [*chains("cgs", sweeps, rate, ll=(0, 1)), *chains("gibbs", sweeps, rate, ll=(0, 1))]
    assert claims(tmp_path, chains=some)["mixing"].status == status


def synthetic(of):
    """An algorithm's runs, or a sampler's chains, one on each of three corpora."""
    found = {"runs": [], "fits": []}
    for name, values in of.items():
        for i in range(3):
            data, right = f"synthetic-{i}", values[0] + values[1] * NOISE[i]
            line = {"data": data, "ll": right, "accuracy": right, "mse": -right, "seed": i}
            if name in ("cgs", "gibbs"):
                found["fits"].append(line | {"sampler": name, "sweeps": 150})
            else:
                found["runs"].append(line | {"way": name, "start": "dirichlet", "group": i})
    return found


@pytest.mark.parametrize(
    ("sampler", "status"),
    [((0.99, 0.0), "reproduced"), ((0.95, 0.03), "not tested"), ((0.5, 0.0), "not reproduced")],
)
def test_synthetic_differences_are_two_sided(tmp_path, sampler, status):
    found = claims(tmp_path, **synthetic({"vb nested": (0.94, 0.001), "cgs": sampler, "gibbs": sampler}))
    assert [found[x].status for x in ("mse", "ll", "accuracy")] == [status] * 3


def test_the_longest_chains_on_a_corpus_count(tmp_path):
    tables = synthetic({"vb nested": (0.9, 0.0), "cgs": (0.99, 0.0), "gibbs": (0.5, 0.0)})
    assert claims(tmp_path, **tables)["almost"].status == "depends on search"
    tables["fits"] += [x | {"sweeps": 1000, "accuracy": 0.99} for x in tables["fits"] if x["sampler"] == "gibbs"]
    found = claims(tmp_path, **tables)["almost"]
    assert found.status == "reproduced"
    assert "1,000 sweeps (Gibbs) and 150 (CGS)" in found.evidence


@pytest.mark.parametrize(("warm", "status"), [(-7.0, "reproduced"), (-6.0, "not reproduced")])
def test_reinitialised(tmp_path, warm, status):
    some = runs("vb nested", bound_2=(-6.5, 0.01), ll=(-600, 1), accuracy=(0.8, 0.01))
    some += runs("vb warm, 10 steps", bound_2=(warm, 0.02), ll=(100 * warm, 2), accuracy=(0.7, 0.02))
    assert claims(tmp_path, runs=some)["initialised"].status == status


@pytest.mark.parametrize(("step", "status"), [(0.02, "reproduced"), (0.0001, "not reproduced")])
def test_sensitive_to_the_start(tmp_path, step, status):
    found = claims(tmp_path, runs=runs("vb nested", bound_2=(-6.5, step), ll=(-600, 1)))["optima"]
    assert found.status == status
    assert "Starts from the ends of other algorithms are not run" in found.evidence


def test_ml_from_the_same_and_from_another_start(tmp_path):
    ml = runs("ml", ll=(-600, 1), ll_same=(-600, 1), completion=(480, 1))
    some = ml + runs("vb nested", ll=(-700, 2), ll_same=(-700, 2), completion=(490, 2))
    assert claims(tmp_path, runs=some)["ml"].status == "reproduced"
    some += runs("vb published, with counts", "20 documents", ll=(-500, 1), ll_same=(-500, 1), completion=(490, 1))
    assert claims(tmp_path, runs=some)["ml"].status == "depends on search"


def bootstrap(of):
    """of: (truth, way) -> log-likelihood on its three corpora."""
    return [
        {"truth": truth, "draw": i, "way": way, "tokens": 1, "ll_truth": 0, "ll": ll + NOISE[i] * (1 + (way == "ml")),
         "accuracy": 0.8 + ll * 1e-9 + 0.001 * NOISE[i] * (1 + (way == "cgs"))}
        for (truth, way), ll in of.items() for i in range(3)
    ]  # fmt: skip


def test_the_bootstrap_needs_a_sampler(tmp_path):
    vb, ml = "vb published", "ml"
    some = bootstrap({(vb, vb): -680000, (vb, ml): -675000, (ml, vb): -640000, (ml, ml): -631000})
    found = claims(tmp_path, bootstrap=some)
    assert (found["bootstrap"].status, found["own corpora"].status) == ("not tested", "changed")
    some = bootstrap({(vb, vb): -680000, (vb, ml): -631000, (ml, vb): -680000, (ml, ml): -631000})
    assert claims(tmp_path, bootstrap=some)["own corpora"].status == "reproduced"
    some = bootstrap({("cgs", vb): -680000, ("cgs", "cgs"): -690000})
    assert claims(tmp_path, bootstrap=some)["bootstrap"].status == "not reproduced"
