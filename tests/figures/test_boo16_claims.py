"""The statuses of BOO16's claims from small tables of runs."""

import boo16
import boo16_claims
import pytest

from .helpers import write

NOISE = (0.999, 1.0, 1.001)


def lines(perplexities, K=6, documents=1000, corpus="20news", runs=3, seen=1.0, eta=1e-3, seconds="1"):
    """Runs of each model; a value, or one for each sweep, over all tokens, and over seen words `seen` times it."""
    found = []
    for model, of in perplexities.items():
        for t in (5, 10, 20, 50):
            for run in range(runs):
                value = (of[t] if isinstance(of, dict) else of) * NOISE[run] ** (
                    1 if model.startswith("conjugate") else -1
                )
                row = [
                    corpus,
                    K,
                    documents,
                    run,
                    model,
                    "corpus",
                    "dirichlet",
                    t,
                    value,
                    value * seen,
                    0.01,
                    eta,
                    seconds,
                ]
                found.append(dict(zip(boo16.COLUMNS, row, strict=True)))
    return found


def claims(tmp_path, some):
    write(tmp_path / "boo16.csv", boo16.COLUMNS, some)
    names = ("lower", "decreases", "falls_more", "by_size", "many", "priors", "proper", "seconds")
    return dict(zip(names, boo16_claims.claims(tmp_path), strict=True))


@pytest.mark.parametrize(
    ("conjugate", "runs", "status"),
    [(900, 3, "reproduced"), (1100, 3, "not reproduced"), (1000, 3, "not tested"), (900, 2, "not tested")],
)
def test_lower(tmp_path, conjugate, runs, status):
    some = lines({"conjugate": conjugate, "em2": 1000, "em2 later": 1000}, runs=runs)
    assert claims(tmp_path, some)["lower"].status == status


def test_two_readings_that_differ_are_no_verdict(tmp_path):
    some = lines({"conjugate": 1100, "em2": 1000})
    for x in some:
        x["of_seen"] = 0.5 * float(x["of_seen"]) if x["model"] == "conjugate" else x["of_seen"]
    assert claims(tmp_path, some)["lower"].status == "depends on search"


@pytest.mark.parametrize(
    ("path", "status"),
    [({5: 4, 10: 3, 20: 2, 50: 1}, "reproduced"), ({5: 4, 10: 3, 20: 2, 50: 5}, "not reproduced")],
)
def test_decreases(tmp_path, path, status):
    assert claims(tmp_path, lines({"conjugate": path}))["decreases"].status == status


@pytest.mark.parametrize(
    ("by_size", "status"),
    [({250: 0.9, 2000: 0.9, 4000: 1.1}, "reproduced"), ({250: 0.9, 2000: 1.1, 4000: 1.1}, "changed"),
     ({250: 1.1, 2000: 1.1, 4000: 1.1}, "not reproduced"), ({250: 0.9, 1000: 1.1}, "not tested")],
)  # fmt: skip
def test_by_size_needs_sizes_on_both_sides(tmp_path, by_size, status):
    some = lines({"conjugate": 1000, "em2": 1000}, K=20)
    for size, ratio in by_size.items():
        some += lines({"conjugate": 1000 * ratio, "em2": 1000}, documents=size)
    assert claims(tmp_path, some)["by_size"].status == status


def test_by_size_names_other_sums_of_alpha(tmp_path):
    some = lines({"conjugate": 1000, "em2 later": 1000, "conjugate, sum 5": 900})
    assert "sum 5" not in claims(tmp_path, some)["by_size"].evidence
    some += lines({"conjugate": 1000, "em2 later": 1000, "conjugate, sum 5": 1100}, documents=4000)
    text = "0.900 ± 0.001 at 1000, 1.100 ± 0.001 at 4000 with sum 5 (20news, K = 6, `corpus`)"
    assert text in claims(tmp_path, some)["by_size"].evidence


@pytest.mark.parametrize(("many", "status"), [(1.01, "reproduced"), (1.3, "not reproduced")])
def test_less_marked_with_many_topics(tmp_path, many, status):
    some = []
    for K, most in ((6, 1.1), (20, many)):
        for size, ratio in ((250, 1 / most), (1000, most), (4000, most)):
            some += lines({"conjugate": 1000 * ratio, "em2": 1000, "em2 later": 1000}, K=K, documents=size)
    found = claims(tmp_path, some)["many"].status
    assert found == (status if status == "reproduced" else "depends on search")  # the tendency itself is the same


def test_less_marked_can_differ_by_baseline(tmp_path):
    some = lines({"conjugate": 1000, "em2": 900, "em2 later": 990})
    some += lines({"conjugate": 1000, "em2": 990, "em2 later": 900}, K=20)
    assert claims(tmp_path, some)["many"].status == "depends on search"


MODELS = {"fixed": 1000, "em2": 1000, "em2 later": 1000, "asymmetric": 950, "boojum": 940, "conjugate": 900}


@pytest.mark.parametrize(
    ("changed", "status"),
    [({}, "reproduced"), ({"conjugate": 945}, "depends on search"), ({"asymmetric": 1050}, "depends on search"),
     ({"asymmetric": 1100, "boojum": 1100, "conjugate": 1200}, "not reproduced")],
)  # fmt: skip
def test_priors(tmp_path, changed, status):
    assert claims(tmp_path, lines(MODELS | changed))["priors"].status == status


def test_priors_without_a_model_are_not_tested(tmp_path):
    some = lines({x: y for x, y in MODELS.items() if x != "fixed"})
    assert claims(tmp_path, some)["priors"].status == "not tested"


def test_proper_asks_whether_the_prior_goes_on_falling(tmp_path):
    some = lines({"conjugate": 1000})
    assert claims(tmp_path, some)["proper"].status == "reproduced"
    for x in some:
        x["smallest_eta"] = 6.0 ** -x["sweep"]
    assert claims(tmp_path, some)["proper"].status == "not reproduced"


def test_seconds_says_what_a_wider_limit_gives(tmp_path):
    some = lines({"conjugate": 1000}, seconds="1.4") + lines({"em2": 1000, "em2 later": 1000})
    found = claims(tmp_path, some)["seconds"]
    assert found.status == "not reproduced"
    assert "with 1.5 the status would be “reproduced”" in found.evidence
    assert claims(tmp_path, lines({"conjugate": 1, "em2": 1}, seconds=""))["seconds"].status == "not tested"


def test_other_sums_of_alpha_are_named(tmp_path):
    some = lines({"conjugate": 1100, "em2": 1000, "em2 later": 1000})
    assert "whose sum is 1; the paper gives no values" in claims(tmp_path, some)["lower"].evidence
    some += lines({"conjugate, sum 5": 900})
    assert "0.900 ± 0.001 and 0.900 ± 0.001 with sum 5 (20news, `corpus`)" in claims(tmp_path, some)["lower"].evidence
