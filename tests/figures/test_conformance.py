"""figures/peers/conformance.py with libraries that are made here, and the table as it is shown. `make peers` asks the real ones."""

import itertools
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from mpmath import MPContext

import lda_reference as lda
from figures.peers import conformance
from figures.peers import conformance_cases as refs
from figures.peers.adapters import Row, only_numbers
from lda_reference import plain

from ..oracle import package

ROOT = Path(__file__).parents[2]
LINES = conformance.read(ROOT / "figures/peers/conformance.csv")
PAGE = (ROOT / "figures" / "CONFORMANCE.md").read_text("utf-8")


# What is shown


def test_the_table_is_that_of_the_csv_file():
    assert conformance.table(LINES) in PAGE


def test_every_difference_is_explained_and_every_explanation_has_a_reproduction_with_numbers():
    assert {line.library for line in LINES} == set(conformance.MODULES)
    for line in LINES:
        falls_short = line.passed != line.cases if line.double == "" else line.single != line.cases
        assert line.says or not falls_short, line
        assert bool(line.says) == bool(line.reproduction), line
        _, section = PAGE.split(f"## {line.library} {line.version}\n")
        if line.reproduction:
            assert f"### `{line.reproduction}`" in re.split(r"^## ", section, flags=re.MULTILINE)[0], line
    for section_text in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]:
        assert re.search(r"It returns\n\n    \w+ = .+", section_text), section_text[:50]


def test_the_list_of_ports_has_the_functions_that_pass_every_case():
    ports = []
    for x in LINES:
        digits = {x.single: "single", x.double: "double", x.passed: "right"}.get(x.cases)
        ports += [f"| {x.library} {x.version} | {x.operation} | {x.call} | {x.cases} | {digits} |"] if digits else []
    ports_text = (ROOT / "lda_reference/oracle/PORTS.md").read_text("utf-8")
    assert ports_text.split("|---|---|---|---|---|\n")[2].splitlines() == ports


def test_the_versions_are_those_of_pyproject():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert {f"{x.library}=={x.version}" for x in LINES} >= {*extras["peers"], *extras["spark"]}


def test_each_program_has_a_section_among_your_programs_numbers():
    page_text = (ROOT / "chapters/pages/numbers.md").read_text("utf-8")
    sections = re.findall(r"^## (.+)$", page_text, re.MULTILINE)
    libraries = {x.library for x in LINES} - {"numpyro", "pymc", "bitermplus", "tmtoolkit", "onlineldavb", "pyspark"}
    for library in libraries:
        version = next(x.version for x in LINES if x.library == library)
        assert f"{library} {version}" in sections
        assert f"[{library}](#" in page_text


# The logic


def reference(case):
    return refs.expected(case, {})


def stub_line(operation, answer):
    return conformance.line_of("stub", "1.0", Row(operation, operation, "`f`", answer), {})


@pytest.mark.parametrize(
    ("change_bound", "is_double", "is_single", "error"),
    [(lambda x: x * (1 + 1e-13), 1, 1, 1e-13), (lambda x: x * (1 + 1e-7), 0, 1, 1e-7),
     (lambda x: x * (1 + 1e-3), 0, 0, 1e-3), (lambda x: np.nan, 0, 0, np.inf)],
)  # fmt: skip
def test_precision_is_relative(change_bound, is_double, is_single, error):
    line = stub_line("elbo", lambda case: {"bound": change_bound(reference(case)["bound"])})
    assert (line.cases, line.skipped) == (len(refs.cases("elbo")), 0)
    assert (line.double, line.single) == (is_double * line.cases, is_single * line.cases)
    assert line.error == pytest.approx(error, rel=0.1)
    assert ("| no number |" in conformance.table([line])) == (error == np.inf)


def test_skipped_cases_are_counted_apart():
    line = stub_line("elbo", lambda case: only_numbers(case, "alpha", "eta") or {})
    assert line.skipped >= 2
    assert line.cases + line.skipped == len(refs.cases("elbo"))
    assert (line.single, line.error) == (0, np.inf)  # of those without a number


def test_a_library_that_chooses_its_topics_is_judged_by_its_own_counts():
    def answer_of_topic_0(case):
        N_jk, N_wk = refs.counts_of_topics(case, [0] * len(case["state"]["z"]))
        counts = {"N_jk": N_jk.tolist(), "N_wk": N_wk.tolist()}
        return refs.log_joint(case, counts) | counts

    n_cases = len(refs.cases("log_joint"))
    assert stub_line("log_joint", answer_of_topic_0).single == n_cases
    assert stub_line("log_joint", lambda case: refs.log_joint(case, answer_of_topic_0(case))).single < n_cases / 2


def test_topics_are_right_or_wrong():
    right_line = stub_line("draw", package.answer)
    assert (right_line.passed, right_line.double, right_line.error) == (right_line.cases, "", "")
    wrong_line = stub_line("draw", lambda case: {"topic": 99} if case["operation"] == "draw" else package.answer(case))
    assert 0 < wrong_line.passed < wrong_line.cases
    assert f"| {wrong_line.passed} right |" in conformance.table([wrong_line])


# The references

mp = MPContext()
mp.dps = 50


def test_expected_logarithms_to_50_digits():
    for case in refs.cases("expected_log"):
        mp_rows = [[mp.mpf(v) for v in row] for row in case["parameters"]]
        by_mpmath = [[float(mp.digamma(v) - mp.digamma(mp.fsum(row))) for v in row] for row in mp_rows]
        assert conformance.largest_error({"mean_log": by_mpmath}, reference(case)) < 1e-12


@pytest.mark.parametrize("operation", refs.VECTORS)
def test_the_references_give_the_certified_vectors(operation):
    for case in refs.vectors(refs.VECTORS[operation]):
        by_reference = refs.OPERATIONS[operation](case, package.answer(case))
        assert conformance.largest_error(by_reference, case["expected"]) < 1e-11


@pytest.mark.parametrize("i", range(1, len(refs.SIZES) + 1))
def test_a_step_from_ones_stops_where_the_mean_change_is_small(i):
    case = refs.case_of("step_from_ones", i)
    log_phi_wk, (alpha, _) = refs.mean_log(np.array(case["eta_wk"]), 0), refs.prior_of(case)
    alpha_jk = refs.e_step(case, {})["alpha_jk"]
    for n, alpha_j in zip(refs.counts_of(case), alpha_jk, strict=True):
        old_alpha, alphas = np.ones(case["K"]), []
        while not alphas or np.mean(np.abs(alphas[-1] - old_alpha)) > case["mean_change"]:
            old_alpha = alphas[-1] if alphas else old_alpha
            alphas.append(alpha + n @ refs.responsibilities(old_alpha, log_phi_wk))
        assert conformance.largest_error({"alpha_jk": alphas[-1]}, {"alpha_jk": alpha_j}) < 1e-14


@pytest.mark.parametrize("i", refs.UNIQUE)
def test_the_fixed_points_do_not_depend_on_the_start(i):
    case, rng = refs.case_of("converged_e_step", i), np.random.default_rng(i)
    alpha_jk = refs.e_step(case, {})["alpha_jk"]
    for _ in range(3):
        start = rng.gamma(0.3, 5.0, alpha_jk.shape) + 1e-3
        assert conformance.largest_error({"alpha_jk": alpha_jk}, refs.e_step(case | {"alpha_jk": start}, {})) < 1e-11


@pytest.mark.parametrize("i", range(1, len(refs.SIZES) + 1))
def test_each_iteration_of_map_is_an_estimate_from_the_weights_before_it(i):
    case = refs.case_of("map_e_step", i)
    theta_of_t = [refs.map_e_step(case | {"iterations": t}, {})["theta_jk"] for t in range(4)]
    for theta_jk, next_theta_jk in itertools.pairwise(theta_of_t):
        gamma = theta_jk[case["corpus"]["j"]] * np.array(case["phi_wk"])[case["corpus"]["w"]]
        state = {"gamma": (gamma / gamma.sum(1, keepdims=True)).tolist()}
        by_plain_text = plain.answer(case | {"algorithm": "map", "operation": "estimate", "state": state})
        assert conformance.largest_error({"theta_jk": next_theta_jk}, by_plain_text) < 1e-13
    assert conformance.largest_error({"theta_jk": theta_of_t[1]}, refs.map_iteration(case, {})) < 1e-13


@pytest.mark.parametrize("i", [2, 3, 5, 11])
def test_a_fit_of_cvb0_that_has_converged_is_its_own_limit(i):
    case = refs.case_of("cvb0", i)
    corpus, prior = refs.problem(case)
    f = lda.fit(corpus, case["K"], "cvb0", prior, sweeps=10_000, stop=1e-13)
    fit_estimates = {"theta_jk": f.theta_jk, "phi_wk": f.phi_wk}
    assert conformance.largest_error(refs.cvb0_limit(case, fit_estimates), fit_estimates) < 1e-9
    limit_estimates = refs.cvb0_limit(case, {})
    assert conformance.largest_error(limit_estimates, refs.cvb0_limit(case, limit_estimates)) < 1e-9


@pytest.mark.parametrize("i", refs.UNIQUE)
def test_a_converged_step_is_a_step_from_the_fixed_point(i):
    case = refs.case_of("converged_step", i)
    start_options = {"alpha_jk": refs.e_step(case, {})["alpha_jk"].tolist(), "iterations": 1}
    by_plain_text = plain.answer(case | start_options | {"algorithm": "vb", "operation": "online_step"})
    assert conformance.largest_error(refs.expected(case, {}), by_plain_text) < 1e-11


def test_the_log_likelihood_is_that_of_each_token():
    for case in refs.cases("log_likelihood"):
        theta_jk, phi_wk = case["theta_jk"], case["phi_wk"]
        log_p = [mp.log(mp.fdot(theta_jk[j], phi_wk[w])) for j, w in zip(*refs.tokens_of(case), strict=True)]
        assert conformance.largest_error({"log_likelihood": float(mp.fsum(log_p))}, reference(case)) < 1e-13
