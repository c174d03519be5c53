"""The Boojum of BOO16: its propositions by quadrature, its mode by mpmath, the figures by loops, the bound, the collapse."""

import itertools
import math
import pickle

import mpmath
import numpy as np
import pytest
import scipy.optimize
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import digamma, gammaln, roots_jacobi, roots_laguerre, softmax

import lda_reference as lda
from lda_reference.priors.boojum import (
    Boojum,
    Phi,
    Phi_symmetric,
    _inverse_digamma,
    alpha_given,
    bound,
    conjugate,
    document_side,
    em2,
    eta_given,
    in_turn,
    is_proper,
    log_beta,
    log_density,
    log_joint,
    log_marginal,
    mode,
    posterior,
    topic_side,
)

VB = lda.ALGORITHMS["vb"]
K = 3
C = lda.Corpus.from_documents([[0, 0, 1, 4], [1, 2, 2, 2, 0], [3, 3, 4, 1], [5], [0, 2, 5, 5, 3, 1]], W=7)
P = lda.Prior([0.5, 0.2, 1.0], [0.2, 1.0, 0.4, 0.3, 0.7, 0.15, 0.6])


def state(seed, c=C, K=K):
    return lda.State(np.random.default_rng(seed).dirichlet(np.ones(K), size=c.M))


def b(x):
    """log B(x) of one vector, by the standard library."""
    return math.fsum(map(math.lgamma, x)) - math.lgamma(math.fsum(x))


# Proposition 1 ------------------------------------------------------------------------------------------------------


def log_grid(N, low, high, step):
    """Points of a box in log coordinates, and the logarithm of their weights."""
    t = np.arange(low, high + step / 2, step)
    points = np.stack(np.meshgrid(*[t] * N, indexing="ij"), -1)
    return np.exp(points), points.sum(-1) + N * np.log(step)


def by_boxes(m, tau, low, high, step=0.5):
    """Integrals of the unnormalised density over boxes (e^low, e^high)^N, one for each pair."""
    x, weights = log_grid(len(tau), min(low), max(high), step)
    f = np.exp(log_density(x, m, tau) + weights)
    t = np.log(x)
    return [float(f[np.all((t > l - 1e-9) & (t < h + 1e-9), -1)].sum()) for l, h in zip(low, high, strict=True)]


def by_rings(m, tau, top, step, width):
    """The same over rings 2^i < sum x < 2^(i+1), i < top, in polar coordinates: the logarithm of each."""
    N = len(tau)
    t = np.arange(-width, width + step / 2, step)
    logits = np.stack(np.meshgrid(*[t] * (N - 1), indexing="ij"), -1).reshape(-1, N - 1)
    p = softmax(np.pad(logits, ((0, 0), (0, 1))), -1)
    p = p[p.min(-1) > 1e-300]
    nodes, weights = np.polynomial.legendre.leggauss(8)
    out = []
    for i in range(top):
        total = -np.inf
        for s, w in zip(2.0**i * (3 + nodes) / 2, weights * 2.0**i / 2, strict=True):
            f = log_density(s * p, m, tau) + np.log(p).sum(-1) + (N - 1) * np.log(s * step) + np.log(w)
            total = np.logaddexp(total, np.logaddexp.reduce(f))
        out.append(total)
    return np.array(out)


@pytest.mark.parametrize("m", [-3.0, -0.5, 0.0, 1.0, 4.0])
def test_in_one_dimension_it_is_an_exponential(m):
    for tau in (0.3, 2.0):
        assert is_proper(m, [tau])
        assert by_boxes(m, [tau], [-40], [6], 0.1)[0] == pytest.approx(1 / tau, rel=1e-9)
    for tau in (0.0, -0.1):
        assert not is_proper(m, [tau])
        parts = np.diff(by_boxes(m, [tau], [-40] * 3, [2, 3, 4]))
        assert parts[1] > 2 * parts[0]


@pytest.mark.parametrize("m", [0.0, 0.5, 0.9, 1.0, 1.2])
@pytest.mark.parametrize("tau", [(1.0, 0.3), (0.7, 2.0, 1.5)])
def test_proposition_1_towards_0(tau, m):
    """Boxes that grow towards 0: what each adds falls geometrically or does not fall."""
    if len(tau) == 3 and m == 0.9:
        m = 0.8  # fewer points to see it
    low = [-20, -40, -60, -80] if len(tau) == 2 else [-12, -24, -36, -48]
    parts = np.diff(by_boxes(m, tau, low, [6] * 4, 0.5 if len(tau) == 2 else 1))
    ratios = parts[1:] / np.maximum(parts[:-1], 1e-300)
    if is_proper(m, tau):
        assert np.all(parts[1:] <= np.exp(0.9 * (1 - m) * (low[1] - low[0])) * parts[:-1])
    else:
        assert np.all(ratios > 0.99)
    assert is_proper(m, tau) == bool(ratios[-1] < 0.5) == (m < 1)


@pytest.mark.parametrize("m", [0.0, 0.5])
@pytest.mark.parametrize("last", [0.2, 0.0, -0.2])
def test_proposition_1_outwards_where_m_is_not_negative(last, m):
    tau = (1.0, last)
    parts = np.diff(by_boxes(m, tau, [-40] * 4, [3, 4, 5, 6], 0.25))
    assert is_proper(m, tau) == bool(parts[-1] < 0.01 * parts[0]) == (last > 0)


@pytest.mark.parametrize("m", [-0.5, -1.0, -4.0])
@pytest.mark.parametrize(
    ("p", "near", "top", "step", "width"),
    [((0.3, 0.7), 0.02, 13, 0.02, 20), ((0.5, 0.1, 0.4), 0.1, 9, 0.2, 16)],
)
def test_proposition_1_outwards_where_m_is_negative(p, near, top, step, width, m):
    """The sum of exp(-tau / |m|) below, at and above 1: what a ring twice as wide adds falls, or grows."""
    for total in (1 - near, 1.0, 1 + near):
        tau = -m * -np.log(total * np.array(p))
        rings = by_rings(m, tau, top, step, width)
        if total < 1:
            assert is_proper(m, tau)
            assert rings[-1] < rings.max() - 5
            assert rings[-1] - rings[-2] < rings[-2] - rings[-3] < 0
        else:
            assert rings[-1] == rings.max()
            assert not is_proper(m, tau * (1 - 1e-15))
    if m == -1 and len(p) == 2:
        rings = by_rings(m, -np.log(p), top, step, width)
        # at equality s^(1/2) of 1 / B, s of the area and s^(-1/2) of the ridge's width make s ds
        assert np.diff(rings)[-1] == pytest.approx(2 * np.log(2), abs=0.01)


def test_properness_at_its_edges():
    assert is_proper(1 - 1e-16, [1, 1])
    assert not is_proper(1, [1, 1])
    assert not is_proper(-1, np.log([2, 2]))  # 1 exactly
    assert not is_proper(-3, 3 * np.log([3, 3, 3]))
    assert not is_proper(-1, np.log([7] * 7))
    assert is_proper(-1e-320, [1e-3, 1e-3])  # tau / |m| is larger than the floats
    assert is_proper(-1e300, [1e302, 1e302])
    assert not is_proper(-1e300, [1, 1])
    assert is_proper(-1, [1e-18, 42])  # 1 - 1e-18 + 6e-19
    assert not is_proper(-1, [1e-18, 41])  # 1 - 1e-18 + 2e-18
    assert not is_proper(0, [1, 0])
    assert not is_proper(-1, [1, -1e-9])


def test_at_0_it_is_a_product_of_exponentials():
    tau = [0.5, 2.0, 1.3]
    x = np.random.default_rng(0).gamma(1.0, size=(5, 3))
    logs = scipy.stats.expon.logpdf(x, scale=1 / np.array(tau)).sum(-1)
    np.testing.assert_allclose(log_density(x, 0, tau) + np.log(tau).sum(), logs, rtol=0, atol=1e-14)
    assert by_boxes(0, tau, [-16], [5], 0.2)[0] == pytest.approx(1 / np.prod(tau), rel=1e-5)


def test_density_by_the_standard_library():
    rng = np.random.default_rng(1)
    for N, m in itertools.product((1, 2, 5), (-2.5, 0, 0.7, 3)):
        x, tau = rng.gamma(2.0, size=(2, N))
        assert log_beta(x) == pytest.approx(b(x), abs=1e-13)
        assert log_density(x, m, tau) == pytest.approx(m * b(x) - math.fsum(tau * x), abs=1e-12)
    x = rng.gamma(2.0, size=(4, 3, 2))
    assert log_density(x, 0.5, [1, 2]).shape == (4, 3)
    assert log_density(x, 0.5, [1, 2])[2, 1] == pytest.approx(0.5 * b(x[2, 1]) - x[2, 1] @ [1, 2], abs=1e-13)


# Proposition 2 ------------------------------------------------------------------------------------------------------


def test_proposition_2_is_the_product_of_densities():
    rng = np.random.default_rng(2)
    for N, size, m in ((2, 1, 0.5), (3, 4, -1.5), (5, 2, 2.0)):
        tau, y = rng.gamma(2.0, size=N), rng.dirichlet(np.ones(N), size=size)
        q = posterior(m, tau, y)
        assert q.m == m - size
        values = []
        for x in rng.gamma(1.5, size=(6, N)):
            likelihood = sum(scipy.stats.dirichlet.logpdf(row, x) for row in y)
            values.append(log_density(x, m, tau) + likelihood - log_density(x, *q))
        np.testing.assert_allclose(values, -np.log(y).sum(), rtol=0, atol=1e-11)  # no x left


@given(st.integers(2, 6), st.integers(1, 5), st.floats(-5, 0.99), st.integers(0, 10**6))
@settings(deadline=None)
def test_the_posterior_is_proper_where_the_prior_is(N, size, m, seed):
    rng, m = np.random.default_rng(seed), round(m, 3)
    tau = rng.gamma(1.0, size=N) + 1e-3
    if m < 0:
        tau += -m * max(0.0, np.logaddexp.reduce(-tau / -m) + 1e-6)  # now proper, often just so
    assert is_proper(m, tau)
    assert is_proper(*posterior(m, tau, rng.dirichlet(np.full(N, 2.0), size=size)))


# Phi ----------------------------------------------------------------------------------------------------------------


def u_of(x):
    """The u of which x is the minimum."""
    total = mpmath.digamma(mpmath.fsum(map(mpmath.mpf, x)))
    return np.array([float(total - mpmath.digamma(mpmath.mpf(float(a)))) for a in x])


def test_inverse_digamma():
    y = np.concatenate((-np.logspace(-6, 12, 40), np.linspace(-3, 3, 31), [10, 20, 30]))
    for a, x in zip(y, _inverse_digamma(y), strict=True):
        x = mpmath.mpf(float(x))
        assert abs((mpmath.digamma(x) - mpmath.mpf(float(a))) / (mpmath.psi(1, x) * x)) < 1e-14


@pytest.mark.parametrize("N", [2, 3, 50])
@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e-3, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("spread", [0, 0.3, 3])
def test_phi_is_found_over_a_huge_range(spread, scale, N):
    """x again from the u of which it is the minimum, but for what rounding u does to it: 1 part in 1 / (s eps)."""
    x = scale * 10 ** np.random.default_rng(N).uniform(-spread, spread, size=N)
    u = u_of(x)
    found = Phi(u)
    gradient = found * (digamma(found) - digamma(found.sum()) + u)
    assert np.abs(gradient / np.maximum(1, found)).max() < 1e-14
    digits = 1e-14 * max(1, x.sum())
    if spread < 1:
        np.testing.assert_allclose(found, x, rtol=min(0.1, 10 * digits))


def test_phi_of_many_words():
    x = 10 ** np.random.default_rng(0).uniform(-4, 1, size=10_000)
    u = digamma(x.sum()) - digamma(x)
    np.testing.assert_allclose(Phi(u), x, rtol=1e-8)
    for x in (1e-6, 1.0, 1e6):
        u = np.full(10_000, u_of([x] * 10_000)[0])
        np.testing.assert_allclose(Phi(u), x, rtol=1e-7)
        assert Phi_symmetric(u) == pytest.approx(x, rel=1e-7)


def test_phi_is_the_minimum():
    rng = np.random.default_rng(5)
    for N in (2, 3, 6):
        u = -np.log(rng.dirichlet(np.ones(N)) * 0.6)
        found = Phi(u)

        def f(t, u=u):
            return b(np.exp(t)) + float(u @ np.exp(t))

        best = scipy.optimize.minimize(f, np.zeros(N), method="BFGS", options={"gtol": 1e-7})
        np.testing.assert_allclose(np.log(found), best.x, atol=1e-4)
        assert f(np.log(found)) <= best.fun + 1e-12
        steps = np.concatenate((np.eye(N), -np.eye(N))) * 1e-3
        assert all(f(np.log(found) + step) > f(np.log(found)) for step in steps)
        symmetric = Phi_symmetric(u)
        x = np.full(N, np.log(symmetric))
        assert all(f(x + step) > f(x) for step in (1e-3, -1e-3))
        assert f(np.log(found)) < f(x)


@pytest.mark.parametrize("N", [2, 7, 300])
def test_phi_symmetric_over_a_huge_range(N):
    for x in 10.0 ** np.arange(-12, 7, 2):
        u = np.full(N, u_of([x] * N)[0])
        assert Phi_symmetric(u) == pytest.approx(x, rel=max(1e-14, 1e-14 * N * x))
        u[:2] += [0.25, -0.25]  # only the mean counts
        assert Phi_symmetric(u) == pytest.approx(x, rel=max(1e-14, 1e-13 * N * x) + 1e-12)


def test_phi_of_very_different_entries():
    assert Phi([1e-3, 1e6])[0] == pytest.approx(0.0316467, rel=1e-5)  # near (u_1 u_2)^-1/2
    for u in ([1e-8, 1e8], [1e-20, 1000], [1e200, 1e200], [1e-250, 700], [1e-3, 1e300]):
        x = Phi(u)
        assert np.all((x > 0) & np.isfinite(x))
    np.testing.assert_allclose(Phi([1e200, 1e200]), 0.5e-200, rtol=1e-12)
    assert Phi_symmetric([1e200] * 3) == pytest.approx(2 / 3 * 1e-200, rel=1e-14)


def test_where_phi_exists():
    """Just inside and just outside of sum exp(-u) < 1 and of mean u > log N; outside it falls without end."""
    p = np.array([0.2, 0.5, 0.3])
    inside = Phi(-np.log(p * (1 - 1e-6)))
    assert inside.sum() == pytest.approx(1e6, rel=1e-3)  # (N - 1) / (2 delta)
    np.testing.assert_allclose(inside / inside.sum(), p, atol=1e-5)
    for total in (1 + 1e-6, 1.5):
        u = -np.log(p * total)
        with pytest.raises(ValueError, match=r"the sum of exp\(-u\) is 1 \+ .*falls without end as x grows"):
            Phi(u)
        values = [b(s * p) + s * u @ p for s in (1e5, 1e6, 1e7, 1e8)]
        assert np.all(np.diff(values) < 0)
    with pytest.raises(ValueError, match=r"1 \+ 0,"):
        Phi(np.log([4.0] * 4))
    values = [b(s * np.full(4, 0.25)) + s * np.log(4) for s in (1e2, 1e4, 1e6)]
    np.testing.assert_allclose(np.diff(values), -1.5 * np.log(100), atol=0.05)  # at equality as -(N-1)/2 log s

    assert Phi_symmetric(np.log([3.0] * 3) + 1e-6) == pytest.approx(1e6 / 3, rel=1e-3)
    for more in (0, -1e-6, -1):
        with pytest.raises(ValueError, match=r"the mean of u is .*, expected more than log N"):
            Phi_symmetric(np.log([3.0] * 3) + more)
    u = np.array([0.1, 3.0])  # the vector's sum is 0.95 < 1, so the mean must be above log 2; not the other way round
    assert Phi_symmetric(u) > 0
    assert Phi_symmetric([0.01, 3.0]) > 0
    with pytest.raises(ValueError, match=r"the sum of exp\(-u\) is 1 \+ 0.0398"):
        Phi([0.01, 3.0])
    for f in (Phi, Phi_symmetric):
        with pytest.raises(ValueError, match="u has 1 entry, expected 2 or more"):
            f([1.0])


def test_mode():
    """Of the density itself; and no mode where m is not negative."""
    tau, m = np.array([3.0, 2.5, 4.0]), -2.5
    x = mode(m, tau)
    assert all(
        log_density(x * np.exp(e), m, tau) < log_density(x, m, tau)
        for e in 1e-3 * np.concatenate((np.eye(3), -np.eye(3)))
    )
    for bad in (0, 0.5):
        with pytest.raises(ValueError, match="expected a negative number"):
            mode(bad, tau)
    with pytest.raises(ValueError, match=r"sum of exp\(-u\)"):
        mode(-10, tau)


# beta integrated out ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("W", "topics"), [(2, 1), (2, 3), (3, 2)])
@pytest.mark.parametrize("zeta", [0.0, 0.4, "vector"])
def test_marginal_is_the_integral(zeta, W, topics):
    """Over beta, of the prior times the Dirichlets as SciPy's special functions have them, powers of B and all."""
    rng = np.random.default_rng(7)
    phi = rng.dirichlet(np.ones(W), size=topics).T
    z = rng.gamma(1.0, size=W) if zeta == "vector" else zeta
    x, weights = log_grid(W, -26 if W == 2 else -16, 6, 0.1 if W == 2 else 0.2)
    log_B = gammaln(x).sum(-1) - gammaln(x.sum(-1))
    total = topics * log_B - (np.broadcast_to(z, W) * x).sum(-1) + weights
    for k in range(topics):
        total += ((x - 1) * np.log(phi[:, k])).sum(-1) - log_B
    expected = np.log(np.exp(total).sum())
    assert log_marginal(phi, z) == pytest.approx(expected, abs=1e-4 if W == 2 else 1e-3)
    if topics == 1:
        assert log_marginal(phi[:, 0], z) == log_marginal(phi, z)


def test_marginal_by_loops_and_towards_the_corners():
    phi, zeta = np.array([[0.2, 0.7], [0.5, 0.1], [0.3, 0.2]]), [0.1, 0.0, 2.0]
    expected = 0.0
    for w in range(3):
        rate = zeta[w]
        for k in range(2):
            expected -= math.log(phi[w, k])
            rate -= math.log(phi[w, k])
        expected -= math.log(rate)
    assert log_marginal(phi, zeta) == pytest.approx(expected, abs=1e-13)
    values = [log_marginal([[e, 0.5], [1 - e, 0.5]]) for e in (1e-1, 1e-3, 1e-6, 1e-12)]
    assert np.all(np.diff(values) > 3)
    assert np.isfinite(log_marginal([1.0], 0.5))


# Figures 2 and 3, by loops ------------------------------------------------------------------------------------------


def n_dw(c):
    n = [[0] * c.W for _ in range(c.D)]
    for j, w, count in zip(c.j, c.w, c.n, strict=True):
        n[j][w] += int(count)
    return n


def bars(gamma, c, alpha, beta):
    """abar[d][k] and bbar[k][w] from mu and E[alpha], E[beta], as Figure 2 has them."""
    D, W, topics = range(c.D), range(c.W), range(len(alpha))
    rows = list(zip(c.j, c.w, c.n, gamma, strict=True))
    adot = [[alpha[k] + sum(n * g[k] for j, w, n, g in rows if j == d) for k in topics] for d in D]
    bdot = [[beta[w] + sum(n * g[k] for j, v, n, g in rows if v == w) for w in W] for k in topics]
    abar = [[float(digamma(sum(adot[d])) - digamma(adot[d][k])) for k in topics] for d in D]
    bbar = [[float(digamma(sum(bdot[k])) - digamma(bdot[k][w])) for w in W] for k in topics]
    return adot, bdot, abar, bbar


def test_figure_2_by_loops():
    for seed in range(3):
        s = state(seed)
        alpha, beta = P.vectors(K, C.W)
        adot, bdot, abar, bbar = bars(s.gamma, C, alpha, beta)
        N_jk, N_wk, _ = lda.engine.sums(s.gamma, C)
        alpha_jk, abar_jk = document_side(N_jk, P.alpha)
        eta_wk, bbar_wk = topic_side(N_wk, P.eta)
        for value, expected in ((alpha_jk, adot), (abar_jk, abar), (eta_wk.T, bdot), (bbar_wk.T, bbar)):
            np.testing.assert_allclose(value, expected, rtol=1e-12)

        mu = []
        for j, w in zip(C.j, C.w, strict=True):
            weights = [math.exp(-(abar[j][k] + bbar[k][w])) for k in range(K)]
            mu.append([x / math.fsum(weights) for x in weights])
        np.testing.assert_allclose(VB.sweep(s, C, P).gamma, mu, rtol=1e-11)

        q = alpha_given(abar_jk, Boojum(1.5, np.array([1.0, 2.0, 3.0])))
        assert q.m == 1.5 - C.D
        np.testing.assert_allclose(q.tau, [k + 1 + sum(abar[d][k] for d in range(C.D)) for k in range(K)], rtol=1e-12)
        q = eta_given(bbar_wk, Boojum(K, np.arange(C.W) * 1.0))
        assert q.m == 0
        np.testing.assert_allclose(q.tau, [w + sum(bbar[k][w] for k in range(K)) for w in range(C.W)], rtol=1e-12)


def test_expected_logarithms_are_those_of_the_dirichlet():
    """abar = E[-log theta] by quadrature of the Beta distribution of one entry."""
    _, abar_jk = document_side(np.array([[1.5, 0.25, 3.0]]), [0.5, 1.0, 0.2])
    a = np.array([2.0, 1.25, 3.2])
    for k in range(3):
        nodes, weights = roots_jacobi(400, a.sum() - a[k] - 1, a[k] - 1)
        expected = -(weights * np.log((1 + nodes) / 2)).sum() / weights.sum()
        assert abar_jk[0, k] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("kind", ["vector", "symmetric"])
def test_em2_by_loops(kind):
    """Figure 3 [D][d]: Phi by a general minimiser."""
    s = state(1)
    alpha, beta = P.vectors(K, C.W)
    _, _, abar, bbar = bars(s.gamma, C, alpha, beta)
    p = em2(alpha=kind, eta=kind)(s, C, P)
    for value, u in (
        (p.alpha, [sum(abar[d][k] for d in range(C.D)) / C.D for k in range(K)]),
        (p.eta, [sum(bbar[k][w] for k in range(K)) / K for w in range(C.W)]),
    ):
        assert np.ndim(value) == (kind == "vector")

        def gradient(t, u=u):
            x = np.exp(t)
            return x * (digamma(x) - digamma(x.sum()) + u)

        if kind == "vector":
            t = scipy.optimize.root(gradient, np.log(value) + 0.05, tol=1e-13).x
            np.testing.assert_allclose(value, np.exp(t), rtol=1e-8)
        else:
            t = scipy.optimize.brentq(lambda t, u=u, g=gradient: g(np.full(len(u), t)).sum(), -8, 8, xtol=1e-13)
            assert value == pytest.approx(math.exp(t), rel=1e-9)
    for side in ("alpha", "eta"):
        one = em2(**{side: kind})(s, C, P)
        np.testing.assert_array_equal(getattr(one, side), getattr(p, side))
        other = "eta" if side == "alpha" else "alpha"
        np.testing.assert_array_equal(getattr(one, other), getattr(P, other))


@pytest.mark.parametrize("zeta", [0.0, 0.7])
def test_conjugate_by_loops(zeta):
    s = state(2)
    alpha, beta = P.vectors(K, C.W)
    _, _, abar, bbar = bars(s.gamma, C, alpha, beta)
    mean_beta = [1 / (zeta + sum(bbar[k][w] for k in range(K))) for w in range(C.W)]
    mean_alpha = [1 / (zeta + sum(abar[d][k] for d in range(C.D))) for k in range(K)]
    p = conjugate(zeta)(s, C, P)
    np.testing.assert_allclose(p.eta, mean_beta, rtol=1e-12)
    np.testing.assert_array_equal(p.alpha, P.alpha)
    p = conjugate(zeta, alpha=True)(s, C, P)
    np.testing.assert_allclose(p.eta, mean_beta, rtol=1e-12)
    np.testing.assert_allclose(p.alpha, mean_alpha, rtol=1e-12)
    np.testing.assert_allclose(conjugate([zeta] * K, True, False)(s, C, P).alpha, mean_alpha, rtol=1e-12)
    different = conjugate(np.arange(C.W) * 1.0)(s, C, P).eta
    np.testing.assert_allclose(1 / different - 1 / conjugate()(s, C, P).eta, np.arange(C.W), rtol=1e-10, atol=1e-12)
    both = in_turn(em2(alpha="vector"), conjugate(zeta))(s, C, P)
    np.testing.assert_array_equal(both.alpha, em2(alpha="vector")(s, C, P).alpha)
    np.testing.assert_array_equal(both.eta, conjugate(zeta)(s, C, P).eta)


def test_learners_are_pure_and_travel():
    s = state(3)
    figure_3 = in_turn(em2(alpha="vector"), conjugate([0.5] * C.W))
    for learn in (em2("vector", "symmetric"), conjugate(0.1, True), figure_3):
        a, b = learn(s, C, P), pickle.loads(pickle.dumps(learn))(s, C, P)
        np.testing.assert_array_equal(a.alpha, b.alpha)
        np.testing.assert_array_equal(a.eta, b.eta)
    np.testing.assert_array_equal(P.alpha, [0.5, 0.2, 1.0])
    f = lda.fit(C, K, "vb", P, sweeps=3, learn=em2("vector", "vector"))
    assert f.prior.alpha.shape == (K,)


# §5.3 ---------------------------------------------------------------------------------------------------------------


@given(st.integers(1, 5), st.integers(2, 6), st.floats(-6, 4), st.integers(0, 10**6))
@settings(deadline=None)
def test_inequality_of_5_3(D, K, scale, seed):
    """For every adot, and both sides of each step of its proof."""
    rng = np.random.default_rng(seed)
    adot = 10 ** (scale + rng.uniform(-2, 2, size=(D, K)))
    left = np.logaddexp.reduce(digamma(adot).mean(0))
    right = digamma(adot.sum(1)).mean()
    assert left < right
    _, abar = document_side(adot, np.zeros(K))
    assert np.all(np.exp(-abar) < adot / adot.sum(1, keepdims=True))
    assert is_proper(*alpha_given(abar, Boojum(0, np.zeros(K))))
    assert Phi_symmetric(abar.mean(0)) > 0
    assert np.all(Phi(abar.mean(0)) > 0)


def test_em2_asserts_the_inequality():
    """A prior so large that rounding takes the difference away is told, not clamped."""
    s = state(0)
    for side, kind in itertools.product(("alpha", "eta"), ("vector", "symmetric")):
        with pytest.raises(ArithmeticError, match=rf"the sum of exp\(-u\) is 1 \+ .* in the update of {side}"):
            em2(**{side: kind})(s, C, lda.Prior([1e20, 1, 1], [1e20] + [1] * 6))


# The joint and the bound --------------------------------------------------------------------------------------------


def test_joint_by_loops():
    """(1), with the observed words: z, theta, phi, alpha and beta all given."""
    rng = np.random.default_rng(4)
    z = rng.integers(K, size=C.N)
    theta, phi = rng.dirichlet(np.ones(K), size=C.D), rng.dirichlet(np.ones(C.W), size=K).T
    alpha, beta = P.vectors(K, C.W)
    of_alpha, of_eta = Boojum(0.5, rng.gamma(2.0, size=K)), Boojum(K, rng.gamma(2.0, size=C.W))
    expected = of_alpha.m * b(alpha) - sum(of_alpha.tau * alpha) + of_eta.m * b(beta) - sum(of_eta.tau * beta)
    for d in range(C.D):
        expected += -b(alpha) + sum((alpha[k] - 1) * math.log(theta[d, k]) for k in range(K))
    for k in range(K):
        expected += -b(beta) + sum((beta[w] - 1) * math.log(phi[w, k]) for w in range(C.W))
    t = C.tokens()
    for i in range(C.N):
        expected += math.log(theta[t.j[i], z[i]]) + math.log(phi[t.w[i], z[i]])
    counts = lda.model.counts_of(z, C, K)
    assert log_joint(*counts, theta, phi, P, of_alpha, of_eta) == pytest.approx(expected, abs=1e-11)


def test_bound_of_a_fixed_prior_is_that_of_vb():
    for seed in range(3):
        assert bound(state(seed), C, P) == pytest.approx(VB.bound(state(seed), C, P), abs=1e-11)
        scalars = lda.Prior(0.3, 0.2)
        assert bound(state(seed), C, scalars) == pytest.approx(VB.bound(state(seed), C, scalars), abs=1e-11)


def test_bound_of_full_conjugacy_by_quadrature():
    """E_q[log p(beta) + log p(phi | beta) + log p(z, w | phi) - log q(beta) - log q(phi)], four dimensions."""
    c = lda.Corpus.from_documents([[0, 0, 1, 1, 0], [1, 1, 0]], W=2)
    s = lda.State(np.random.default_rng(0).dirichlet([3, 3], size=c.M))
    p, zeta = lda.Prior(0.7, [1.2, 0.8]), np.array([0.3, 0.9])
    N_wk = lda.engine.sums(s.gamma, c).wk
    e, w_e = roots_laguerre(24)
    beta = np.stack(np.meshgrid(e * p.eta[0], e * p.eta[1], indexing="ij"), -1)[:, :, None, None]
    weight = (w_e[:, None] * w_e)[:, :, None, None]
    log_B = gammaln(beta).sum(-1) - gammaln(beta.sum(-1))
    total = 2 * log_B - (zeta * beta).sum(-1)  # log p(beta)
    total = total - (-beta / p.eta - np.log(p.eta)).sum(-1)  # log q(beta)
    for k in range(2):
        a = p.eta + N_wk[:, k]
        nodes, weights = roots_jacobi(60, a[1] - 1, a[0] - 1)
        x = ((1 + nodes) / 2).reshape((-1, 1) if k == 0 else (1, -1))
        logs = np.stack((np.log(x), np.log1p(-x)), -1)
        weight = weight * (weights / weights.sum()).reshape(x.shape)
        total = total + ((beta - 1) * logs).sum(-1) - log_B  # log p(phi_k | beta)
        total = total + (N_wk[:, k] * logs).sum(-1)  # E[log p(w | z, phi)] under q(z)
        total = total - ((a - 1) * logs).sum(-1) + b(a)  # log q(phi_k)
    side = float((weight * total).sum())
    fixed = sum(b(p.eta + N_wk[:, k]) - b(p.eta) for k in range(2))
    assert bound(s, c, p, zeta_eta=zeta) - VB.bound(s, c, p) + fixed == pytest.approx(side, abs=1e-5)


def test_bound_has_two_sides():
    s = state(5)
    alpha, eta, zeta = np.array([0.5, 0.2, 1.0]), np.full(C.W, 0.3), np.array([0.1, 0.2, 0.4])
    value = bound(s, C, lda.Prior(alpha, eta), zeta_alpha=zeta)
    N_jk, N_wk, _ = lda.engine.sums(s.gamma, C)
    expected = sum(1 + math.log(a) - z * a for a, z in zip(alpha, zeta, strict=True))
    expected += sum(b(alpha + row) for row in N_jk) + sum(b(eta + column) - b(eta) for column in N_wk.T)
    assert value == pytest.approx(expected + lda.engine.entropy(s.gamma, C), abs=1e-11)


LEARNERS = {
    "fixed": (None, {}),
    **{f"em2 {a}, {e}": (em2(a, e), {}) for a, e in itertools.product((None, "vector", "symmetric"), repeat=2) if a or e},
    "conjugate eta": (conjugate(), {"zeta_eta": 0}),
    "conjugate eta, zeta": (conjugate(0.5), {"zeta_eta": 0.5}),
    "conjugate alpha": (conjugate(0.1, True, False), {"zeta_alpha": 0.1}),
    "conjugate both": (conjugate(0.2, True), {"zeta_alpha": 0.2, "zeta_eta": 0.2}),
    "Figure 3": (in_turn(em2(alpha="vector"), conjugate()), {"zeta_eta": 0}),
}  # fmt: skip


@pytest.mark.parametrize("schedule", ["corpus", "token"])
@pytest.mark.parametrize("name", LEARNERS)
def test_the_bound_rises_with_every_update(name, schedule):
    learn, zeta = LEARNERS[name]
    for seed in range(2):
        s, p = state(seed), lda.Prior(0.5, 0.5)
        last = first = bound(s, C, p, **zeta)
        learnt = 0.0
        for _ in range(12 if schedule == "corpus" else 4):
            s = VB.sweep(s, C, p, schedule=schedule)
            value = bound(s, C, p, **zeta)
            assert value >= last - 1e-10 * abs(last)
            if learn is not None:
                before, p = value, learn(s, C, p)
                value = bound(s, C, p, **zeta)
                assert value >= before - 1e-10 * abs(before)
                learnt += value - before
            last = value
        assert last > first + 1
        assert (learnt > 0.1) == (learn is not None)


def test_each_learner_takes_its_block_to_the_maximum():
    """Of L(gamma, q(theta), q(phi), prior) with q(theta), q(phi) of the old prior: only the terms in the prior."""
    s = state(6)
    N_jk, N_wk, _ = lda.engine.sums(s.gamma, C)
    u = document_side(N_jk, P.alpha)[1].sum(0)
    alpha = em2(alpha="vector")(s, C, P).alpha
    v, zeta = topic_side(N_wk, P.eta)[1].sum(1), 0.3
    eta = conjugate(zeta)(s, C, P).eta
    rng = np.random.default_rng(0)
    for _ in range(20):
        step = np.exp(1e-3 * rng.normal(size=K))
        assert -C.D * b(alpha * step) - u @ (alpha * step) < -C.D * b(alpha) - u @ alpha
        step = np.exp(1e-3 * rng.normal(size=C.W))
        assert np.sum(np.log(eta * step) - (zeta + v) * eta * step) < np.sum(np.log(eta) - (zeta + v) * eta)


# The collapse -------------------------------------------------------------------------------------------------------

# Four topics, a document each, all tokens certain: word w is in w + 1 of the topics, so n0 = 3, 2, 1, 0.
STAIRS = lda.Corpus.from_documents([[0, 1, 2, 3], [1, 2, 3], [2, 3], [3]])
CERTAIN = lda.State(np.eye(4)[STAIRS.j])
N0 = np.array([3, 2, 1, 0])


@pytest.mark.parametrize("zeta", [0.0, 2.0])
def test_collapse_with_gamma_held(zeta):
    """1 / E ← n0 / E + C: n0-fold for n0 >= 2, C more with every update for n0 = 1, to 1 / C for n0 = 0."""
    p, learn, values, means = lda.Prior(0.1, 0.5), conjugate(zeta), [], []
    for _ in range(300):
        old, p = p, learn(CERTAIN, STAIRS, p)
        means.append(p.eta)
        values.append(bound(CERTAIN, STAIRS, p, zeta_eta=zeta))
    total = digamma(np.array([4, 3, 2, 1]) + old.eta.sum()).sum()
    constant = zeta + total + N0 * np.euler_gamma - (4 - N0) * digamma(1 + old.eta)
    np.testing.assert_allclose((1 / p.eta - N0 / old.eta)[2:], constant[2:], rtol=2e-3)
    inverse = 1 / np.array(means)
    np.testing.assert_allclose(inverse[-1, :2] / inverse[-2, :2], [3, 2], rtol=1e-12)
    assert p.eta[0] < 1e-140
    assert p.eta[1] < 1e-89
    np.testing.assert_allclose(inverse[-1, 2] / 300, constant[2], rtol=0.05)  # as 1 / (C t)
    assert p.eta[3] == pytest.approx(1 / constant[3], rel=1e-2)
    assert abs(np.diff(means, axis=0)[-1, 3]) < 1e-5
    assert np.all(np.array(means) <= (1 / zeta if zeta else np.inf))
    rise = np.diff(values)
    assert rise.min() > 0
    assert rise[-1] == pytest.approx(2 * np.log(3) + np.log(2), rel=1e-4)  # (n0 - 1) log n0 of each word, without end
    assert values[-1] > 700


def test_a_word_that_one_topic_lacks_has_a_bound_that_converges():
    """n0 = 1 at most: E goes to 0, but slowly, and the bound to a limit."""
    c = lda.Corpus.from_documents([[0, 0, 1, 1, 1], [1, 1, 1]])
    s, p, values = lda.State(np.eye(2)[c.j]), lda.Prior(0.1, 0.5), []
    for t in range(1, 2001):
        p = conjugate()(s, c, p)
        if t in (500, 1000, 2000):
            values.append((bound(s, c, p, zeta_eta=0), 1 / p.eta[0]))
    (x, at), (y, later), (z, last) = values
    assert later / at == pytest.approx(2, rel=0.02)
    assert last / later == pytest.approx(2, rel=0.02)
    assert 0 < z - y < 0.6 * (y - x) < 1e-2


def test_em2_does_not_collapse():
    """It divides by K: 1 / eta ← (n0 / K) / eta + C. Only a word in no topic goes to 0, and slowly."""
    topics = [[0] * 6 + [1] * 2 + [2, 3], [1] * 9 + [2, 3, 3], [2] * 5 + [3] * 3, [3] * 4]
    c = lda.Corpus.from_documents(topics, W=5)
    s, p, means = lda.State(np.eye(4)[c.j]), lda.Prior(0.1, 0.5), []
    for _ in range(400):
        p = em2(eta="vector")(s, c, p)
        means.append(p.eta)
    means = np.array(means)
    assert np.all(np.diff(means[-1, :4]) > 0)
    assert means[-1, 0] > 1e-2
    assert 1e-6 < means[-1, 4] < 1e-2
    np.testing.assert_allclose(means[-1, :4], means[-2, :4], rtol=1e-2)


def test_small_expected_counts_do_not_stop_it():
    """VB itself: counts of a few hundredths go to 0 exactly, E[eta] of words in one topic to 0, the bound up linearly."""
    rng = np.random.default_rng(0)
    c = lda.Corpus.from_documents([rng.choice(4, 12) + 4 * (j % 3) for j in range(9)], W=12)
    s, p, learn = state(0, c, 3), lda.Prior(0.1, 0.5), conjugate()
    smallest, means, values = [], [], []
    for _ in range(60):
        s = VB.sweep(s, c, p)
        p = learn(s, c, p)
        smallest.append(np.sort(lda.engine.sums(s.gamma, c).wk, -1)[:, :2])
        means.append(p.eta)
        values.append(bound(s, c, p, zeta_eta=0))
    assert smallest[0].min() > 1e-3
    assert (smallest[-1] == 0).all(-1).sum() >= 6  # words that two topics have lost
    lost = (smallest[-1] == 0).all(-1)
    np.testing.assert_allclose(means[-2][lost] / means[-1][lost], 2, rtol=1e-8)
    assert np.max(means[-1][lost]) < 1e-9
    assert np.all(np.diff(values) > 0)
    assert np.diff(values)[-1] == pytest.approx(lost.sum() * np.log(2), rel=0.02)


def test_the_end_of_it_is_an_error():
    p, learn = lda.Prior(0.1, 0.5), conjugate()
    for _ in range(640):
        p = learn(CERTAIN, STAIRS, p)
    assert 0 < p.eta[0] < 1e-300

    def on():
        for _ in range(10):  # 3^-646 is below the floats
            on.p = learn(CERTAIN, STAIRS, on.p)

    on.p = p
    with pytest.raises(ValueError, match=r"the rate of eta\[0\] is inf, .*: E\[eta\[0\]\] has run to 0"):
        on()


# Arguments ----------------------------------------------------------------------------------------------------------


def test_one_dimension_is_refused():
    c, one = lda.Corpus.from_documents([[0, 0]]), lda.State(np.ones((2, 1)))
    for side in ("alpha", "eta"):
        with pytest.raises(ValueError, match=f"{side} has 1 entry, expected 2 or more"):
            em2(**{side: "vector"})(one, c, lda.Prior())
    with pytest.raises(ValueError, match=r"the rate of eta\[0\] is 0.0, .* has run to infinity"):
        conjugate()(one, c, lda.Prior())
    assert conjugate(0.5)(one, c, lda.Prior()).eta == pytest.approx([2.0])


def test_errors_name_the_argument():
    replicates = VB.init(C, K, P, rng=np.random.default_rng(0), replicates=2)
    cases = [
        (lambda: log_density([1.0, 0.0], 1, [1, 1]), r"x\[1\] is 0.0, expected a positive finite number"),
        (lambda: log_density([[1.0], [2.0]], 1, [1, 1]), r"x has shape \(2, 1\), expected a last axis of 2"),
        (lambda: log_density([1.0], np.nan, [1]), "m is nan, expected a finite number"),
        (lambda: is_proper(0, [1, np.inf]), r"tau\[1\] is inf, expected a finite number"),
        (lambda: is_proper(0, []), r"tau has shape \(0,\), expected a vector"),
        (lambda: is_proper(0, 1.0), r"tau has shape \(\), expected a vector"),
        (lambda: posterior(0, [1, 1], [0.5, 0.5]), r"y has shape \(2,\), expected \(P, 2\)"),
        (lambda: posterior(0, [1, 1], [[1.0, 0.0]]), r"y\[0, 1\] is 0.0"),
        (lambda: Phi([1, np.nan]), r"u\[1\] is nan"),
        (lambda: log_marginal([[0.5], [0.6]]), r"phi_wk\[:, 0\] sums to 1.1, expected 1"),
        (lambda: log_marginal([1.0, 0.0]), r"phi_wk\[1, 0\] is 0.0"),
        (lambda: log_marginal(0.5), r"phi_wk has shape \(\)"),
        (lambda: log_marginal([0.5, 0.5], [1, 1, 1]), r"zeta has shape \(3,\), expected a number or W = 2 numbers"),
        (lambda: log_marginal([0.5, 0.5], [1, -1]), r"zeta\[1\] is -1.0, expected a finite number from 0"),
        (lambda: log_marginal([1.0]), r"phi_wk\[0\] is 1 in every topic and zeta is 0"),
        (lambda: em2(), "alpha and eta are both None"),
        (lambda: em2(alpha="scalar"), "alpha is 'scalar', expected"),
        (lambda: em2(eta="scalar"), "eta is 'scalar', expected"),
        (lambda: conjugate(alpha=False, eta=False), "alpha and eta are both False"),
        (lambda: conjugate(-1), "zeta is -1.0, expected a finite number from 0"),
        (lambda: conjugate([1, np.inf]), r"zeta\[1\] is inf"),
        (lambda: conjugate([1, 2], alpha=True), r"zeta has shape \(2,\), expected a number where"),
        (lambda: conjugate([1, 2])(state(0), C, P), r"zeta has shape \(2,\), expected a number or W = 7 numbers"),
        (lambda: conjugate()(replicates, C, P), r"gamma has shape \(20, 2, 3\), expected \(M, K\)"),
        (lambda: em2("vector")(replicates, C, P), "a prior belongs to one run, not to replicates"),
        (lambda: bound(replicates, C, P), "a prior belongs to one run"),
        (lambda: bound(state(0), C, P, zeta_alpha=[1, 2]), r"expected a number or K = 3 numbers"),
        (lambda: bound(state(0), C, lda.Prior([1, 1], 1)), "alpha has 2 entries, expected K = 3"),
    ]
    for call, words in cases:
        with pytest.raises(ValueError, match=words):
            call()
