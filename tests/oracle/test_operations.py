"""The vectors of operations that are not steps of a sweep: how they are made, and that the package meets them."""

import itertools
import json
import math
import tomllib
from collections import Counter
from fractions import Fraction as F

import numpy as np
import pytest
from scipy.special import digamma, gammaln
from scipy.stats import dirichlet

from lda_reference import oracle, plain
from lda_reference.algorithms import ep, hamiltonian
from lda_reference.algorithms.ep import Sites
from lda_reference.algorithms.hamiltonian import Coordinates
from lda_reference.oracle import package
from lda_reference.oracle.asking import loading
from lda_reference.plain import Balls

from ..certify.mistakes import mistakes_of
from ..certify.rounding import difference
from .helpers import MISTAKES, ORACLE, ROOT, distance, file, leaves, run
from .ports import coherent

CASES = file("operations")["cases"]
KINDS = sorted({(case["algorithm"], case["operation"]) for case in CASES})
COHERENCE = ("coherence_umass", "coherence_npmi")  # they do not use the prior


def of(algorithm, operation):
    return [case for case in CASES if (case["algorithm"], case["operation"]) == (algorithm, operation)]


def id_of(kind):
    return "/".join(kind)


# The file ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=id_of)
def test_there_are_enough_cases_and_of_every_kind(kind):
    cases = of(*kind)
    assert [case["id"] for case in cases] == [f"{id_of(kind)}/{i:03}" for i in range(1, len(cases) + 1)]
    flags = {flag for case in cases for flag in case["flags"]}
    assert flags >= {"types", "empty_document", "unseen_word", "K1"}
    assert {1, 3, 4, 5} <= {case["K"] for case in cases}
    if kind[1] in COHERENCE:
        assert {str(case["prior"]) for case in cases} == {"{'alpha': 0.1, 'eta': 0.1}"}
        return
    assert flags >= {"asymmetric_alpha", "asymmetric_eta", "tiny_prior"}
    assert max(leaves([case["prior"]["alpha"] for case in cases if not isinstance(case["prior"]["alpha"], list)])) >= 10


def test_tags_are_equations():
    known = tomllib.loads((ROOT / "equations.toml").read_text("utf-8"))
    assert {tag for case in CASES for tag in case["tags"]} <= known.keys()


def test_mistakes_can_be_told_from_the_answer_and_from_one_another():
    for case in CASES:
        answers = [case["expected"], *(m["expected"] for m in case["mistakes"])]
        assert case["expected"].keys() == case["tolerance"].keys()
        for a, b in itertools.combinations(answers, 2):
            assert distance(case, a, b) > 99, case["id"]


@pytest.mark.parametrize("kind", KINDS, ids=id_of)
def test_each_known_mistake_is_in_some_case(kind):
    known = {mistake.name for mistake in mistakes_of(of(*kind)[0])}
    assert {m["name"] for case in of(*kind) for m in case["mistakes"]} == known <= MISTAKES.keys()
    assert len(known) >= 4


def test_cases_are_chosen_by_name_and_operation(capsys):
    assert {operation for _, operation in KINDS} == set(loading.MORE_OPERATIONS)
    assert oracle.cases("ep") == of("ep", "step") == oracle.cases(operation="step")
    assert oracle.cases("vb/e_step") == of("vb", "e_step")
    assert run("list", "--only", "lda/log_joint") == 0
    assert capsys.readouterr().out.splitlines()[0].split()[0] == "lda/log_joint/001"
    assert run("show", "lda/log_joint/001") == 0
    assert f"mistake orders-counted ({MISTAKES['orders-counted']}): " in capsys.readouterr().out


def test_the_table_has_a_row_for_each_operation():
    report = oracle.check(package.answer, only=["cgs/draw", "cgs/tempered_sweep"])
    _, head, draws, sweeps, total = oracle.table(report).splitlines()
    assert head.split() == ["draw", "total"]
    assert draws.split() == ["cgs", "15/0/0", "15/0/0"]
    assert sweeps.split() == ["cgs/tempered_sweep", "-", "7/0/0"]
    assert total.split() == ["total", "15/0/0", "22/0/0"]


def test_sites_are_left_for_each_reason_and_no_parameter_is_near_0():
    left = [case["id"] for case in of("ep", "step") if case["expected"]["left"]]
    assert left == ["ep/step/008", "ep/step/009"]
    for case in of("ep", "step"):
        c, p = package.problem(case)
        i, state, n = case["row"], case["state"], case["corpus"]["n"][case["row"]]
        jk, wk = np.array(state["sites_jk"]), np.array(state["sites_wk"])
        q_jk, q_wk = ep.parameters(Sites(jk, wk, 0), c, p)
        q_k = q_jk[c.j[i]]
        g, h = q_k - jk[i], q_wk - wk[i]
        assert q_k.min() > 0
        assert np.abs(g).min() > 1e-4 < np.abs(h).min()
        assert (g.min() < 0) == (case["id"] == left[0])
        if g.min() > 0:
            _, to_k, to_wk = ep.refined(g, h, c.w[i], None, ep.matched)
            new = np.append(q_k + n * case["damping"] * (to_k - q_k), q_wk + n * case["damping"] * (to_wk - q_wk))
            assert np.abs(new).min() > 1e-4
            assert (new.min() < 0) == (case["id"] == left[1])


# The package ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=id_of)
def test_the_package_meets_every_case(kind):
    for case in of(*kind):
        got = package.answer(case)
        assert got.keys() == {"id", *case["expected"]}, (case["id"], got)
        assert distance(case, got, case["expected"]) < 0.2, case["id"]


def test_steps_of_200_iterations_are_at_a_fixed_point():
    cases = [case for case in of("vb", "e_step") if case["iterations"] == 200]
    assert len(cases) == 3
    for case in cases:
        assert distance(case, package.answer(case | {"iterations": 400}), case["expected"]) < 0.2
        (c, p), found = package.problem(case), np.array(case["expected"]["alpha_jk"])
        alpha, _ = p.vectors(case["K"], c.W)
        eta_wk = np.array(case["eta_wk"])
        again = np.tile(alpha, (c.D, 1))
        for j, w, n in zip(c.j, c.w, c.n, strict=True):
            x = np.exp(digamma(found[j]) + digamma(eta_wk[w]) - digamma(eta_wk.sum(0)))
            again[j] += n * x / x.sum()
        np.testing.assert_allclose(again, found, rtol=0, atol=1e-11)


# The plain text -----------------------------------------------------------------------------------------------------


def evaluate(case, numbers=None):
    """The answer of the plain text in balls."""
    numbers = numbers or Balls()
    with numbers.precision():
        return plain.answer(case, numbers)


def test_the_joint_is_that_of_polya_urns():
    """One token after the other, each given those before it, in exact fractions."""
    for case in of("lda", "log_joint"):
        c, z = case["corpus"], case["state"]["z"]
        j, w = ([x for x, n in zip(c[name], c["n"], strict=True) for _ in range(n)] for name in ("j", "w"))
        p = urn(j, w, z, *exact_prior(case))
        assert math.isclose(float(evaluate(case)["log_joint"]), log_of(p), rel_tol=1e-14)


def exact_prior(case):
    alpha, eta = case["prior"]["alpha"], case["prior"]["eta"]
    return (
        [F(str(a)) for a in (alpha if isinstance(alpha, list) else [alpha] * case["K"])],
        [F(str(e)) for e in (eta if isinstance(eta, list) else [eta] * case["corpus"]["W"])],
    )


def urn(j, w, z, alpha, eta):
    """p(x, z), a fraction."""
    p = F(1)
    for i, k in enumerate(z):
        before = range(i)
        p *= (alpha[k] + sum(j[a] == j[i] and z[a] == k for a in before)) / (
            sum(alpha) + sum(j[a] == j[i] for a in before)
        )
        if eta:
            of_word = sum(w[a] == w[i] and z[a] == k for a in before)
            p *= (eta[w[i]] + of_word) / (sum(eta) + sum(z[a] == k for a in before))
    return p


def log_of(p):
    """log of a fraction that may be too small for a float."""
    return math.log(p.numerator) - math.log(p.denominator)


def test_the_evidence_of_a_document_is_a_sum_over_all_assignments():
    """Short documents of every case: K^N products of fractions."""
    tried = 0
    for case in of("lda", "document_evidence"):
        c, K = case["corpus"], case["K"]
        alpha, _ = exact_prior(case)
        got = evaluate(case)["log_evidence"]
        for d in range(c["D"]):
            w = [v for v, j, n in zip(c["w"], c["j"], c["n"], strict=True) for _ in range(n) if j == d]
            if K ** len(w) > 1100:
                continue
            phi = [[F(str(x)) for x in row] for row in case["phi_wk"]]
            total = F(0)
            for z in itertools.product(range(K), repeat=len(w)):
                total += urn([d] * len(w), w, z, alpha, None) * math.prod(phi[v][k] for v, k in zip(w, z, strict=True))
            assert math.isclose(float(got[d]), log_of(total), rel_tol=1e-14, abs_tol=1e-15), (case["id"], d)
            tried += 1
    assert tried >= 15


def plain_counts(case):
    """N_jk and N_wk of the topics of a case."""
    c, K, z = case["corpus"], case["K"], iter(case["state"]["z"])
    N_jk, N_wk = np.zeros((c["D"], K)), np.zeros((c["W"], K))
    for j, w, n in zip(c["j"], c["w"], c["n"], strict=True):
        for _ in range(n):
            k = next(z)
            N_jk[j, k] += 1
            N_wk[w, k] += 1
    return N_jk, N_wk


def vectors(case):
    return [np.array([float(x) for x in row]) for row in exact_prior(case)]


def test_the_full_joint_is_a_product_of_densities_and_probabilities():
    for case in of("lda", "full_log_joint"):
        (alpha, eta), (N_jk, N_wk) = vectors(case), plain_counts(case)
        theta, phi = np.array(case["theta_jk"]), np.array(case["phi_wk"])
        expected = (N_jk * np.log(theta)).sum() + (N_wk * np.log(phi)).sum()
        if case["K"] > 1:  # the density of one number that is 1
            expected += sum(dirichlet.logpdf(row / row.sum(), alpha) for row in theta)
        expected += sum(dirichlet.logpdf(column / column.sum(), eta) for column in phi.T)
        assert math.isclose(float(evaluate(case)["log_joint"]), expected, rel_tol=1e-11)


def test_the_bound_has_six_terms():
    """E log p(x|z), p(z|theta), p(theta), p(phi), and the entropies of q(z) and of the Dirichlets."""
    for case in of("vb", "elbo"):
        (alpha, eta), c = vectors(case), case["corpus"]
        a, b = np.array(case["alpha_jk"]), np.array(case["eta_wk"])
        log_theta, log_phi = digamma(a) - digamma(a.sum(1, keepdims=True)), digamma(b) - digamma(b.sum(0))
        terms = np.zeros(6)
        for j, w, n in zip(c["j"], c["w"], c["n"], strict=True):
            gamma = np.exp(log_theta[j] + log_phi[w])
            gamma /= gamma.sum()
            terms[:3] += n * (gamma @ log_phi[w]), n * (gamma @ log_theta[j]), -n * (gamma @ np.log(gamma))
        for x, q, E in [(alpha, row, log_theta[j]) for j, row in enumerate(a)] + [
            (eta, *pair) for pair in zip(b.T, log_phi.T, strict=True)
        ]:
            terms[3] += gammaln(x.sum()) - gammaln(x).sum() + (x - 1) @ E
            terms[4] += dirichlet.entropy(q) if len(q) > 1 else 0.0
        assert math.isclose(float(evaluate(case)["bound"]), terms.sum(), rel_tol=1e-11), case["id"]


def test_the_steps_of_vb_climb_the_bound():
    """From the given parameters, an iteration of the documents; then the step of the topics at the best gamma."""
    for case in of("vb", "elbo"):
        before = evaluate(case)["bound"]
        e_step = evaluate(case | {"operation": "e_step", "iterations": 1})
        between = evaluate(case | e_step)["bound"]
        c, a, b = case["corpus"], np.array(case["alpha_jk"]), np.array(case["eta_wk"])
        x = np.exp(digamma(a)[c["j"]] + digamma(b)[c["w"]] - digamma(b.sum(0)))
        gamma = (x / x.sum(1, keepdims=True)).tolist()
        m_step = evaluate(case | {"operation": "m_step", "state": {"gamma": gamma}})
        after = evaluate(case | e_step | m_step)["bound"]
        assert not before > between
        assert between < after, case["id"]
        assert (before < between) == (case["K"] > 1)  # with one topic theta is 1


FOLDED = {
    "operation": "fold_in", "K": 2, "prior": {"alpha": 0.5, "eta": 0.1}, "schedule": "token", "sweeps": 1,
    "corpus": {"j": [0], "w": [1], "n": [2], "D": 2, "W": 2}, "phi_wk": [[0.5, 0.75], [0.5, 0.25]],
}  # fmt: skip


def test_folding_in_by_hand():
    """cvb0: gamma is (2/3, 1/3), as 1/2 + 1/2 is equal for both topics, and theta is (4/3 + 1/2, 2/3 + 1/2) / 3."""
    for algorithm in ("cvb0", "vb"):  # digamma of 1 + 1/2 is equal for both topics too
        theta = evaluate(FOLDED | {"algorithm": algorithm})["theta_jk"]
        np.testing.assert_allclose(np.array(theta, float), [[11 / 18, 7 / 18], [0.5, 0.5]], rtol=1e-15)


def test_tempered_probabilities_are_those_of_the_tempered_joint():
    """p(z) p(x | z)^b with the token at each topic, by loops over all counts."""
    for case in of("cgs", "tempered_update"):
        (alpha, eta), token = vectors(case), sum(case["corpus"]["n"][: case["row"]]) + case["token"]
        logs = []
        for k in range(case["K"]):
            z = list(case["state"]["z"])
            z[token] = k
            N_jk, N_wk = plain_counts(case | {"state": {"z": z}})
            of_z = gammaln(N_jk + alpha).sum()
            of_x = gammaln(N_wk + eta[:, None]).sum() - gammaln(N_wk.sum(0) + eta.sum()).sum()
            logs.append(of_z + case["inverse_temperature"] * of_x)
        p = np.exp(np.array(logs) - max(logs))
        got = np.array(evaluate(case)["gamma_k"], float)
        np.testing.assert_allclose(got, p / p.sum(), rtol=1e-9, atol=1e-12)


def test_the_matched_dirichlet_has_the_mean_and_the_second_moments():
    r, a = (
        [F("0.2"), F("0.5"), F("0.3")],
        [[F(x) for x in row] for row in ([1.5, 0.25, 2], [0.5, 1.25, 2], [0.5, 0.25, 3])],
    )
    q = plain.algorithm(of("ep", "step")[0], F).match(r, a)

    def moments(q):
        Q = sum(q)
        return [*(x / Q for x in q), sum(x * (x + 1) for x in q) / (Q * (Q + 1))]

    each = [moments(row) for row in a]
    assert moments(q) == [sum(w * of[v] for w, of in zip(r, each, strict=True)) for v in range(len(r) + 1)]


def test_the_gradient_is_that_of_the_density():
    """By central differences in balls."""
    numbers, h = Balls(), F(1, 10**12)
    for case in of("hmc", "gradient"):
        with numbers.precision():
            e = plain.algorithm(case, numbers)
            u = e.pair("u")
            for table, slopes in zip(u, e.gradient(u), strict=True):
                for row, slope in zip(table, slopes, strict=True):
                    for k, x in enumerate(row):
                        row[k] = x + numbers.number(h)
                        up = e.log_density(u)
                        row[k] = x - numbers.number(h)
                        down = e.log_density(u)
                        row[k] = x
                        assert abs((up - down) / (2 * numbers.number(h)) - slope[k]) < 1e-20, case["id"]


def test_the_density_is_that_of_gamma_variables():
    for case in of("hmc", "gradient"):
        (alpha, eta), c = vectors(case), case["corpus"]
        u_jk, u_wk = np.array(case["u_jk"]), np.array(case["u_wk"])
        theta, phi = np.exp(u_jk), np.exp(u_wk)
        theta, phi = theta / theta.sum(1, keepdims=True), phi / phi.sum(0)
        expected = sum(n * math.log(theta[j] @ phi[w]) for j, w, n in zip(c["j"], c["w"], c["n"], strict=True))
        for u, a in ((u_jk, alpha), (u_wk, eta[:, None])):
            expected += (a * u - np.exp(u) - gammaln(a)).sum()
        assert math.isclose(float(evaluate(case)["log_density"]), expected, rel_tol=1e-12)


def test_a_trajectory_runs_back():
    numbers = Balls()
    for case in of("hmc", "leapfrog"):
        with numbers.precision():
            got = evaluate(case, numbers)
            reversed_ = {name: [[-x for x in row] for row in got[name]] for name in ("momentum_jk", "momentum_wk")}
            back = evaluate(case | got | reversed_, numbers)
            for name, sign in (("u_jk", 1), ("u_wk", 1), ("momentum_jk", -1), ("momentum_wk", -1)):
                given = [[sign * numbers.number(x) for x in row] for row in case[name]]
                assert difference(back[name], given) < 1e-40
        assert got["u_jk"] != case["u_jk"]


def test_a_langevin_step_by_hand():
    """The counts are D/B = 2 times (2, 1), less 6 times phi = (1/4, 3/4): the drift is (5 - 1/2, 1/2 - 7/2)."""
    case = {
        "algorithm": "sgrld", "operation": "langevin", "K": 1, "prior": {"alpha": 1.0, "eta": 2.0}, "batch": [1],
        "corpus": {"j": [0, 1, 1], "w": [0, 0, 1], "n": [1, 2, 1], "D": 2, "W": 2}, "state": {"z": [0, 0, 0, 0]},
        "x_wk": [[1.0], [3.0]], "step": 0.5, "normals_wk": [[0.0], [-4.0]],
    }  # fmt: skip
    got = evaluate(case)["x_wk"]
    drift = [2 - 1 + 4 - 6 / 4, 2 - 3 + 2 - 18 / 4]
    expected = [1 + 0.25 * drift[0], abs(3 + 0.25 * drift[1] - 4 * math.sqrt(1.5))]
    np.testing.assert_allclose(np.array(got, float).ravel(), expected, rtol=1e-14)


def by_fractions(case):
    """D(v), D(v, u) and the words, and from them the two measures: ratios are fractions, and logarithms float64."""
    c, T, D = case["corpus"], case["words"], case["corpus"]["D"]
    docs = [{w for d, w in zip(c["j"], c["w"], strict=True) if d == j} for j in range(D)]
    found = []
    for k in range(case["K"]):
        order, best = {w: row[k] for w, row in enumerate(case["phi_wk"])}, []
        for _ in range(T):  # the first of the largest, one after the other
            best.append(next(w for w, x in order.items() if x == max(order.values())))
            del order[best[-1]]
        values = []
        for m in range(1, T):
            for l in range(m):  # the letter of the formula
                both = F(sum({best[m], best[l]} <= d for d in docs))
                D_m, D_l = (F(sum(best[x] in d for d in docs)) for x in (m, l))
                if case["operation"] == "coherence_umass":
                    values.append(math.log((both + 1) / D_l))
                elif both == 0:
                    values.append(-1.0)
                elif both == D:
                    values.append(1.0)
                else:
                    values.append(math.log(both * D / (D_m * D_l)) / math.log(D / both))
        found.append(math.fsum(values) / (1 if case["operation"] == "coherence_umass" else len(values)))
    return found


@pytest.mark.parametrize("operation", COHERENCE)
def test_coherence_is_that_of_sets_of_words(operation):
    for case in of("lda", operation):
        got = [float(x) for x in evaluate(case)["coherence"]]
        np.testing.assert_allclose(got, by_fractions(case), rtol=1e-14, atol=1e-15, err_msg=case["id"])


def test_coherence_by_hand():
    """The words 1, 0 and 2 are in 3, 2 and 1 of 4 documents; 1 and 0 meet twice, 0 and 2 never, 1 and 2 once."""
    case = {
        "algorithm": "lda", "K": 1, "prior": {"alpha": 1.0, "eta": 1.0}, "phi_wk": [[0.3], [0.4], [0.2], [0.1]], "words": 3,
        "corpus": {"j": [0, 0, 0, 1, 1, 2, 2], "w": [0, 1, 0, 1, 0, 1, 2], "n": [1, 2, 1, 1, 5, 1, 1], "D": 4, "W": 4},
    }  # fmt: skip
    umass = evaluate(case | {"operation": "coherence_umass"})["coherence"]
    assert math.isclose(umass[0], math.log(3 / 3) + math.log(2 / 3) + math.log(1 / 2), rel_tol=1e-14)
    npmi = evaluate(case | {"operation": "coherence_npmi"})["coherence"]
    assert math.isclose(npmi[0], (math.log(4 / 3) / math.log(2) - 1 + math.log(4 / 3) / math.log(4)) / 3, rel_tol=1e-14)


def test_the_cases_of_coherence_have_what_is_hard():
    """No word without documents; pairs that never meet, meet in some or in all documents; ties where they matter."""
    for operation in COHERENCE:
        cases, meet, words = of("lda", operation), set(), set()
        for case in cases:
            port = coherent.Port(case, None)
            words.add((port.T, case["corpus"]["W"] == port.T))
            for k in range(case["K"]):
                best = port.words(k)
                assert min(map(port.alone, best)) > 0
                together = {port.together(v, u) for v, u in itertools.combinations(best, 2)}
                meet |= {"never" if x == 0 else "everywhere" if x == port.D else "sometimes" for x in together}
        assert meet == {"never", "sometimes", "everywhere"}
        assert {(2, False), (3, False), (10, False), (7, True), (5, True)} <= words
        tied = [case["id"] for case in cases if any(m["name"] == "ties-by-larger-id" for m in case["mistakes"])]
        assert tied == [case["id"] for case in cases if case["note"].startswith("words of equal probability")]
        assert len(tied) == 2


# Faults --------------------------------------------------------------------------------------------------------------


def with_counts(case, n):
    return case | {"corpus": case["corpus"] | {"n": [n] * len(case["corpus"]["n"])}}


def with_prior(case, **prior):
    return case | {"prior": case["prior"] | prior}


def scaled(x, factor):
    return [v * factor for v in x] if isinstance(x, list) else x * factor


def log_orders(case):
    """log N_j! / prod_w n_jw! of each document."""
    c = case["corpus"]
    out = []
    for d in range(c["D"]):
        counts = Counter()
        for j, w, n in zip(c["j"], c["w"], c["n"], strict=True):
            counts[w] += n * (j == d)
        out.append(gammaln(sum(counts.values()) + 1) - sum(gammaln(n + 1) for n in counts.values()))
    return np.array(out)


def full_first_half(case):
    c, p = package.problem(case)
    u, r, m = (
        Coordinates(np.array(case[f"{name}_jk"]), np.array(case[f"{name}_wk"])) for name in ("u", "momentum", "mass")
    )
    for _ in range(case["leapfrogs"]):
        r = hamiltonian.shifted(r, hamiltonian.log_density(u, c, p)[1], case["step"])
        u = hamiltonian.shifted(u, Coordinates(r.jk / m.jk, r.wk / m.wk), case["step"])
        r = hamiltonian.shifted(r, hamiltonian.log_density(u, c, p)[1], case["step"] / 2)
    return {"u_jk": u.jk, "u_wk": u.wk, "momentum_jk": r.jk, "momentum_wk": r.wk}


# (operation, mistake): the changed case, or the answer from the right one
CHANGED = {
    ("vb/e_step", "alpha-taken-as-sum"): lambda case: with_prior(case, alpha=scaled(case["prior"]["alpha"], 1 / case["K"])),
    ("vb/e_step", "one-iteration-too-many"): lambda case: case | {"iterations": case["iterations"] + 1},
    ("vb/e_step", "counts-of-rows"): lambda case: with_counts(case, 1),
    ("vb/m_step", "eta-taken-as-sum"): lambda case: with_prior(case, eta=scaled(case["prior"]["eta"], 1 / case["corpus"]["W"])),
    ("vb/fold_in", "one-sweep-more"): lambda case: case | {"sweeps": case["sweeps"] + 1},
    ("cvb0/fold_in", "sums-refreshed-early"): lambda case: case | {"schedule": "token"},
    ("lda/document_evidence", "alpha-averaged"): lambda case: with_prior(case, alpha=float(np.mean(case["prior"]["alpha"]))),
    ("cgs/tempered_sweep", "not-tempered"): lambda case: case | {"inverse_temperature": 1.0},
    ("cgs/tempered_update", "not-tempered"): lambda case: case | {"inverse_temperature": 1.0},
    ("ep/step", "damping-ignored"): lambda case: case | {"damping": 1.0},
    ("hmc/leapfrog", "mass-left-out"): lambda case: case | {
        name: np.ones_like(case[name]).tolist() for name in ("mass_jk", "mass_wk")
    },
    ("sgrld/langevin", "noise-without-metric"): lambda case: case | {
        "normals_wk": (np.array(case["normals_wk"]) / np.sqrt(case["x_wk"])).tolist()
    },
}  # fmt: skip
WRONG = {
    ("vb/m_step", "parameters-normalised"): lambda case, a: {"eta_wk": np.array(a["eta_wk"]) / np.sum(a["eta_wk"], 0)},
    ("vb/elbo", "divided-by-tokens"): lambda case, a: {"bound": a["bound"] / sum(case["corpus"]["n"])},
    ("lda/log_joint", "orders-counted"): lambda case, a: {"log_joint": a["log_joint"] + log_orders(case).sum()},
    ("lda/full_log_joint", "orders-counted"): lambda case, a: {"log_joint": a["log_joint"] + log_orders(case).sum()},
    ("lda/document_evidence", "orders-counted"): lambda case, a: {"log_evidence": a["log_evidence"] + log_orders(case)},
    ("hmc/leapfrog", "full-first-half"): lambda case, a: full_first_half(case),
    ("hmc/gradient", "jacobian-left-out"): lambda case, a: {
        "log_density": a["log_density"] - np.sum(case["u_jk"]) - np.sum(case["u_wk"]),
        "gradient_jk": np.array(a["gradient_jk"]) - 1, "gradient_wk": np.array(a["gradient_wk"]) - 1,
    },
}  # fmt: skip


@pytest.mark.parametrize(("only", "mistake"), [*CHANGED, *WRONG])
def test_a_fault_is_found_and_named(only, mistake):
    """Planted in the package's answers from outside."""

    def port(case):
        if (only, mistake) in CHANGED:
            return package.answer(CHANGED[only, mistake](case))
        return {"id": case["id"], **WRONG[only, mistake](case, package.answer(case))}

    report = oracle.check(port, only=only)
    assert report.of("failed")
    assert {r.mistake for r in report.of("failed")} == {mistake}


def test_a_plain_port_of_coherence_passes():
    report = oracle.check(coherent.answer, only="lda/coherence_umass,lda/coherence_npmi")
    assert report.ok, str(report)
    assert len(report.of("passed")) == 30


@pytest.mark.parametrize(
    ("operation", "mistake"),
    sorted(
        {(case["operation"], m["name"]) for case in CASES if case["operation"] in COHERENCE for m in case["mistakes"]}
    ),
)
def test_each_mistake_of_coherence_is_found_and_named(operation, mistake):
    """Planted in a plain port. In some cases a mistake gives no number, and cannot be named there."""
    report = oracle.check(lambda case: coherent.answer(case, mistake), only=f"lda/{operation}")
    listed = {case["id"] for case in of("lda", operation) if any(m["name"] == mistake for m in case["mistakes"])}
    assert listed
    assert {r.id for r in report.of("failed") if r.mistake == mistake} == listed
    assert {r.mistake for r in report.of("failed")} <= {mistake, None}


# The schema ----------------------------------------------------------------------------------------------------------

SCHEMA = json.loads((ORACLE / "schema.json").read_text("utf-8"))


def test_the_schema_knows_the_operations():
    properties = SCHEMA["$defs"]["operation"]["properties"]
    assert properties["operation"]["enum"] == list(loading.MORE_OPERATIONS)
    assert set(properties["algorithm"]["enum"]) == {algorithm for algorithm, _ in KINDS}
    assert properties.keys() >= {name for case in CASES for name in case}
