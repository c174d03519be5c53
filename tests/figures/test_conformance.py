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


def test_the_table_is_that_of_the_csv_file():
    assert conformance.table(LINES) in PAGE


def test_every_difference_is_explained_and_every_explanation_has_a_reproduction_with_numbers():
    assert {table_line.library for table_line in LINES} == set(conformance.MODULES)
    for table_line in LINES:
        falls_short = table_line.passed != table_line.cases if table_line.double == "" else table_line.single != table_line.cases
        assert table_line.says or not falls_short, table_line
        assert bool(table_line.says) == bool(table_line.reproduction), table_line
        _, library_section = PAGE.split(f"## {table_line.library} {table_line.version}\n")
        if table_line.reproduction:
            assert f"### `{table_line.reproduction}`" in re.split(r"^## ", library_section, flags=re.MULTILINE)[0], table_line
    for reproduction_text in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]:
        assert re.search(r"It returns\n\n    \w+ = .+", reproduction_text), reproduction_text[:50]


def test_the_list_of_ports_has_the_functions_that_pass_every_case():
    port_rows = []
    for line in LINES:
        precision = {line.single: "single", line.double: "double", line.passed: "right"}.get(line.cases)
        port_rows += [f"| {line.library} {line.version} | {line.operation} | {line.call} | {line.cases} | {precision} |"] if precision else []
    ports_text = (ROOT / "lda_reference/oracle/PORTS.md").read_text("utf-8")
    assert ports_text.split("|---|---|---|---|---|\n")[2].splitlines() == port_rows


def test_the_versions_are_those_of_pyproject():
    requirements_of_extra = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert {f"{table_line.library}=={table_line.version}" for table_line in LINES} >= {*requirements_of_extra["peers"], *requirements_of_extra["spark"]}


def test_each_program_has_a_section_among_your_programs_numbers():
    page_text = (ROOT / "chapters/pages/numbers.md").read_text("utf-8")
    section_titles = re.findall(r"^## (.+)$", page_text, re.MULTILINE)
    library_names = {table_line.library for table_line in LINES} - {"numpyro", "pymc", "bitermplus", "tmtoolkit", "onlineldavb", "pyspark"}
    for library_name in library_names:
        library_version = next(table_line.version for table_line in LINES if table_line.library == library_name)
        assert f"{library_name} {library_version}" in section_titles
        assert f"[{library_name}](#" in page_text


def reference(case):
    return refs.expected(case, {})


def stub_line(operation, answer_function):
    return conformance.line_of("stub", "1.0", Row(operation, operation, "`f`", answer_function), {})


@pytest.mark.parametrize(
    ("change_bound", "is_double", "is_single", "relative_error"),
    [(lambda bound: bound * (1 + 1e-13), 1, 1, 1e-13), (lambda bound: bound * (1 + 1e-7), 0, 1, 1e-7),
     (lambda bound: bound * (1 + 1e-3), 0, 0, 1e-3), (lambda bound: np.nan, 0, 0, np.inf)],
)  # fmt: skip
def test_precision_is_relative(change_bound, is_double, is_single, relative_error):
    table_line = stub_line("elbo", lambda case: {"bound": change_bound(reference(case)["bound"])})
    assert (table_line.cases, table_line.skipped) == (len(refs.cases("elbo")), 0)
    assert (table_line.double, table_line.single) == (is_double * table_line.cases, is_single * table_line.cases)
    assert table_line.error == pytest.approx(relative_error, rel=0.1)
    assert ("| no number |" in conformance.table([table_line])) == (relative_error == np.inf)


def test_skipped_cases_are_counted_apart():
    table_line = stub_line("elbo", lambda case: only_numbers(case, "alpha", "eta") or {})
    assert table_line.skipped >= 2
    assert table_line.cases + table_line.skipped == len(refs.cases("elbo"))
    assert (table_line.single, table_line.error) == (0, np.inf)  # of those without a number


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
    library_line = stub_line("draw", lambda case: {"topic": 99} if case["operation"] == "draw" else package.answer(case))
    assert 0 < library_line.passed < library_line.cases
    assert f"| {library_line.passed} right |" in conformance.table([library_line])


mp = MPContext()
mp.dps = 50


def test_expected_logarithms_to_50_digits():
    for case in refs.cases("expected_log"):
        mp_parameters = [[mp.mpf(parameter) for parameter in parameter_row] for parameter_row in case["parameters"]]
        mpmath_answer = [[float(mp.digamma(parameter) - mp.digamma(mp.fsum(parameter_row))) for parameter in parameter_row] for parameter_row in mp_parameters]
        assert conformance.largest_error({"mean_log": mpmath_answer}, reference(case)) < 1e-12


@pytest.mark.parametrize("operation", refs.VECTORS)
def test_the_references_give_the_certified_vectors(operation):
    for case in refs.vectors(refs.VECTORS[operation]):
        reference_answer = refs.OPERATIONS[operation](case, package.answer(case))
        assert conformance.largest_error(reference_answer, case["expected"]) < 1e-11


@pytest.mark.parametrize("case_number", range(1, len(refs.SIZES) + 1))
def test_a_step_from_ones_stops_where_the_mean_change_is_small(case_number):
    case = refs.case_of("step_from_ones", case_number)
    log_phi_wk, (alpha, _) = refs.mean_log(np.array(case["eta_wk"]), 0), refs.prior_of(case)
    alpha_jk = refs.e_step(case, {})["alpha_jk"]
    for n, alpha_j in zip(refs.counts_of(case), alpha_jk, strict=True):
        old_alpha, iterated_alphas = np.ones(case["K"]), []
        while not iterated_alphas or np.mean(np.abs(iterated_alphas[-1] - old_alpha)) > case["mean_change"]:
            old_alpha = iterated_alphas[-1] if iterated_alphas else old_alpha
            iterated_alphas.append(alpha + n @ refs.responsibilities(old_alpha, log_phi_wk))
        assert conformance.largest_error({"alpha_jk": iterated_alphas[-1]}, {"alpha_jk": alpha_j}) < 1e-14


@pytest.mark.parametrize("case_number", refs.UNIQUE)
def test_the_fixed_points_do_not_depend_on_the_start(case_number):
    case, rng = refs.case_of("converged_e_step", case_number), np.random.default_rng(case_number)
    alpha_jk = refs.e_step(case, {})["alpha_jk"]
    for _ in range(3):
        start_alpha_jk = rng.gamma(0.3, 5.0, alpha_jk.shape) + 1e-3
        assert conformance.largest_error({"alpha_jk": alpha_jk}, refs.e_step(case | {"alpha_jk": start_alpha_jk}, {})) < 1e-11


@pytest.mark.parametrize("case_number", range(1, len(refs.SIZES) + 1))
def test_each_iteration_of_map_is_an_estimate_from_the_weights_before_it(case_number):
    case = refs.case_of("map_e_step", case_number)
    theta_of_t = [refs.map_e_step(case | {"iterations": iterations}, {})["theta_jk"] for iterations in range(4)]
    for theta_jk, next_theta_jk in itertools.pairwise(theta_of_t):
        gamma = theta_jk[case["corpus"]["j"]] * np.array(case["phi_wk"])[case["corpus"]["w"]]
        state = {"gamma": (gamma / gamma.sum(1, keepdims=True)).tolist()}
        plain_answer = plain.answer(case | {"algorithm": "map", "operation": "estimate", "state": state})
        assert conformance.largest_error({"theta_jk": next_theta_jk}, plain_answer) < 1e-13
    assert conformance.largest_error({"theta_jk": theta_of_t[1]}, refs.map_iteration(case, {})) < 1e-13


@pytest.mark.parametrize("case_number", [2, 3, 5, 11])
def test_a_fit_of_cvb0_that_has_converged_is_its_own_limit(case_number):
    case = refs.case_of("cvb0", case_number)
    corpus, prior = refs.problem(case)
    f = lda.fit(corpus, case["K"], "cvb0", prior, sweeps=10_000, stop=1e-13)
    fit_estimates = {"theta_jk": f.theta_jk, "phi_wk": f.phi_wk}
    assert conformance.largest_error(refs.cvb0_limit(case, fit_estimates), fit_estimates) < 1e-9
    limit_estimates = refs.cvb0_limit(case, {})
    assert conformance.largest_error(limit_estimates, refs.cvb0_limit(case, limit_estimates)) < 1e-9


@pytest.mark.parametrize("case_number", refs.UNIQUE)
def test_a_converged_step_is_a_step_from_the_fixed_point(case_number):
    case = refs.case_of("converged_step", case_number)
    start_options = {"alpha_jk": refs.e_step(case, {})["alpha_jk"].tolist(), "iterations": 1}
    plain_answer = plain.answer(case | start_options | {"algorithm": "vb", "operation": "online_step"})
    assert conformance.largest_error(refs.expected(case, {}), plain_answer) < 1e-11


def test_the_log_likelihood_is_that_of_each_token():
    for case in refs.cases("log_likelihood"):
        theta_jk, phi_wk = case["theta_jk"], case["phi_wk"]
        log_p = [mp.log(mp.fdot(theta_jk[j], phi_wk[w])) for j, w in zip(*refs.tokens_of(case), strict=True)]
        assert conformance.largest_error({"log_likelihood": float(mp.fsum(log_p))}, reference(case)) < 1e-13
