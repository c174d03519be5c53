"""The claims of TNW06 on CSV files made up for each status."""

import pytest
import search
import tnw06
import tnw06_claims
import tnw06_exact

from .helpers import write

NOISE = (0.01, -0.02, 0.015, 0.0, -0.01)
EXACT, FALLS = "Exact CVB gives", "CVB does not suffer as much as VB for small J: the bound"
CHAINS = ["study", "chains", "sweeps", "chain", "r_hat", "log_joint", "samples", "perplexity"]


def run(algorithm, schedule, values, own=0.0, sweeps=100, **more):
    """Runs of one setting of the corpus drawn: the bound (12) for each seed, from which the perplexity follows."""
    more = {"study": "drawn", "start": "dirichlet", "group": 0, "settled": True, "seconds": 1, **more}
    for seed, value in enumerate(values):
        yield {**more, "algorithm": algorithm, "schedule": schedule, "seed": seed, "sweeps": sweeps + seed,
               "value": value - own, "bound_2": value - 0.01, "bound_12": value, "perplexity": 50 - 10 * value}  # fmt: skip


def around(mean, noise=NOISE, size=1.0):
    return [mean + size * x for x in noise]


def found(folder, part):
    claims = tnw06_claims.claims(folder)
    return next(claim for claim in claims if part in claim.claim)


@pytest.mark.parametrize(
    ("nested", "status"),
    [(-4.3, "reproduced"), (-4.2, "depends on search"), (-4.1, "depends on search")],  # higher, equal, lower
)
def test_better_solutions(tmp_path, nested, status):
    rows = [*run("cvb", "token", around(-4.2)), *run("vb", "corpus", around(-4.4, NOISE[::-1]))]
    write(tmp_path / "search_runs.csv", search.RUNS, [*rows, *run("vb", "nested", around(nested, NOISE[::-1]))])
    for part in ("the bound on the training words", "the log probability of test words"):
        claim = found(tmp_path, f"better solutions than VB: {part}")
        assert claim.status == status
        assert "drawn, K = 8" in claim.evidence


def test_better_solutions_only_by_the_bounds_own_gap(tmp_path):
    rows = [*run("cvb", "token", around(-4.2)), *run("vb", "nested", around(-4.2, NOISE[::-1]), own=0.1)]
    write(tmp_path / "search_runs.csv", search.RUNS, rows)
    assert found(tmp_path, "the bound on the training words").status == "depends on search"


def test_better_solutions_need_three_pairs_and_the_schedule_of_the_paper_to_fail(tmp_path):
    for seeds, schedule, status in (
        (2, "token", "not tested"),
        (5, "corpus", "not tested"),
        (5, "token", "not reproduced"),
    ):
        rows = [*run("cvb", schedule, around(-4.5)[:seeds]), *run("vb", "corpus", around(-4.2)[:seeds])]
        write(tmp_path / "search_runs.csv", search.RUNS, rows)
        assert found(tmp_path, "the log probability of test words").status == status


def test_other_ends_count_as_equal_starts(tmp_path):
    write(
        tmp_path / "search_runs.csv",
        search.RUNS,
        [*run("cvb", "token", around(-4.2)), *run("vb", "corpus", around(-4.4))],
    )
    end = {"study": "drawn", "from": "cvb0", "from_schedule": "corpus", "from_start": "dirichlet", "settled": True}
    rows = [
        {**end, "seed": seed, "to": to, "to_schedule": "corpus", "sweeps": 9, "value_after": value + x,
         "bound_12_after": value + x, "perplexity_after": 50 - x}
        for to, value in (("cvb", -4.3), ("vb", -4.2)) for seed, x in enumerate(NOISE)
    ]  # fmt: skip
    write(tmp_path / "search_cross.csv", search.CROSS, rows)
    claim = found(tmp_path, "the bound on the training words")
    assert claim.status == "depends on search"
    assert "end of cvb0 corpus" in claim.evidence


@pytest.mark.parametrize(("more", "status"), [(-40, "reproduced"), (40, "not reproduced"), (0, "not reproduced")])
def test_faster_than_vb(tmp_path, more, status):
    rows = [*run("cvb", "token", around(-4.2), sweeps=100 + more), *run("vb", "corpus", around(-4.4))]
    write(tmp_path / "search_runs.csv", search.RUNS, rows)
    assert found(tmp_path, "CVB converges faster than VB").status == status


@pytest.mark.parametrize(
    ("chains", "every", "mean", "status"),
    [(80, 79, 85, "reproduced"), (80, 79, 79, "changed"), (99, 79, 85, "not reproduced"), (None, 79, 85, "not tested")],
)
def test_gibbs_in_the_end(tmp_path, chains, every, mean, status):
    rows = [*run("cvb", "token", around(-4.2)), *run("cvb", "token", [])]
    ends = {"study": "drawn", "algorithm": "cvb", "schedule": "token", "start": "dirichlet", "group": 0, "seed": "mean"}
    write(tmp_path / "search_runs.csv", search.RUNS, [*rows, {**ends, "perplexity": mean}])
    job = {"study": "drawn", "chains": 3, "sweeps": 9, "r_hat": 1.0, "log_joint": -1, "samples": 10}
    lines = [{**job, "chain": i, "perplexity": chains + 0.1 * i} for i in range(3)] if chains else []
    write(
        tmp_path / "search_chains.csv", CHAINS, [*lines, {**job, "chain": "all", "perplexity": every}] if lines else []
    )
    assert found(tmp_path, "Gibbs sampling attains").status == status


def subsets(bounds):
    """Lines of Fig. 2 and ends of Fig. 1 from mean bounds of vb and cvb with few and with all documents."""
    few = [{"corpus": "kos", "documents": 50, "algorithm": name, "schedule": "corpus", "start": "dirichlet", "order": order,
            "seed": seed, "bound_2": few + order / 100 + x, "bound_12": few + order / 100 + x, "test": few + x}
           for name, (few, _) in bounds.items() for order in range(3) for seed, x in enumerate(NOISE)]  # fmt: skip
    whole = [{"corpus": "kos", "algorithm": name, "schedule": "corpus", "start": "dirichlet", "first": 0, "seed": seed,
              "sweep": 9, "bound": most + x, "test": most + x, "settled": True, "bound_2": most + x, "bound_12": most + x}
             for name, (_, most) in bounds.items() for seed, x in enumerate(NOISE)]  # fmt: skip
    return few, whole


@pytest.mark.parametrize(
    ("vb", "improve", "small"),
    [((-9.0, -7.7), "reproduced", "reproduced"), ((-8.2, -7.9), "reproduced", "not reproduced"),
     ((-7.0, -7.7), "depends on search", "not reproduced")],
)  # fmt: skip
def test_few_documents(tmp_path, vb, improve, small):
    few, whole = subsets({"cvb": (-8.1, -7.6), "vb": vb})
    write(tmp_path / "tnw06_fig2.csv", tnw06.FIG2, few)
    write(tmp_path / "tnw06_fig1.csv", tnw06.FIG1, whole)
    assert found(tmp_path, "improve as the number of documents J increases: the bound").status == improve
    assert found(tmp_path, FALLS).status == small


def test_vb_from_the_ends_of_cvb_is_compared_with_the_runs_it_came_from(tmp_path):
    lines = []
    for start, shift in (("dirichlet", 0.0), ("growing", 0.2)):
        for name, at, value in (("cvb", start, -7.6), ("vb", "end of cvb corpus", -7.61)):
            job = {"corpus": "kos", "algorithm": name, "schedule": "corpus", "start": at, "first": 0, "sweep": 9}
            lines += [{**job, "seed": seed, "settled": True, **dict.fromkeys(("bound", "test", "bound_2", "bound_12"), v)}
                      for seed, v in enumerate(around(value + shift))]  # fmt: skip
    write(tmp_path / "tnw06_fig1.csv", tnw06.FIG1, lines)
    evidence = found(tmp_path, "the log probability of test words").evidence
    assert "| kos, K = 8 | corpus, from CVB's ends | 2 (1 of CVB, 2) | 5 | 2, 0, 0: +0.0100 |" in evidence
    assert (
        "vb corpus from end of cvb corpus from growing" in found(tmp_path, "the bound on the training words").evidence
    )


def test_few_documents_alone_decide_nothing(tmp_path):
    write(tmp_path / "tnw06_fig2.csv", tnw06.FIG2, subsets({"cvb": (-8.1, -7.6), "vb": (-9.0, -7.7)})[0])
    assert found(tmp_path, FALLS).status == "not tested"


@pytest.mark.parametrize(("gain", "status"), [(0.1, "not reproduced"), (0.0, "changed")])
def test_exact_against_gaussian(tmp_path, gain, status):
    rows = [*run("cvb", "token", around(-4.2)), *run("cvb_exact", "token", around(-4.2 + gain, NOISE[::-1]))]
    write(tmp_path / "search_runs.csv", search.RUNS, rows)
    assert found(tmp_path, EXACT).status == status


def test_exact_runs_that_have_not_settled_decide_nothing(tmp_path):
    rows = [{"sweep": 20, "seed": i, "largest": 1, "mean": 0.1, "perplexity_cvb": 50, "perplexity_exact": 60 + i,
             "bound_cvb": -4, "bound_exact": -3 - x} for i, x in enumerate(NOISE)]  # fmt: skip
    write(tmp_path / "tnw06_exact.csv", tnw06_exact.IN_TURN, rows)
    assert found(tmp_path, EXACT).status == "not tested"


def test_without_runs_nothing_is_tested(tmp_path):
    assert {claim.status for claim in tnw06_claims.claims(tmp_path)} == {"not tested"}
