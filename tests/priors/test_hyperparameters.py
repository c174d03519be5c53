"""Learning the prior: objectives, fixed points, optima, and what they do to bounds."""

import pickle

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import digamma

import lda_reference as lda
from lda_reference import bernoulli, fitting
from lda_reference.model import log_joint_collapsed
from lda_reference.priors import hyperparameters as hyper
from lda_reference.priors.hyperparameters import FLAT, Counts, Gamma, Known, gradient, minka, newton, objective

from ..helpers import CORPORA
from ..test_fitting import refused

PRIORS = [FLAT, Gamma(2.0, 1.0), Gamma(1.5, 0.1), Gamma(1.0, 0.3)]
STARTS = (1e-6, 1e-2, 1.0, 1e3, 1e6)


def known(n):
    n = np.asarray(n, float)
    return Counts(Known(n), Known(n.sum(1)[:, None]))


def polya(seed, S=4, groups=40):
    rng = np.random.default_rng(seed)
    a = np.exp(rng.normal(size=S))
    return known([rng.multinomial(rng.integers(1, 30), rng.dirichlet(a)) for _ in range(groups)])


def test_the_objective_is_the_log_evidence_by_plain_loops():
    """log p(z | alpha) of every token in turn, an urn; and of x given z for eta."""
    c, K = CORPORA["types"].tokens(), 3
    rng = np.random.default_rng(0)
    z = rng.integers(K, size=c.N)
    s = lda.ALGORITHMS["cgs"].init(c, K, lda.Prior(), z=z)
    alpha, eta = np.array([0.3, 0.7, 1.1]), 0.4
    of_alpha = of_eta = 0.0
    jk, wk, k_ = np.zeros((c.D, K)), np.zeros((c.W, K)), np.zeros(K)
    for j, w, k in zip(c.j, c.w, z, strict=True):
        of_alpha += np.log((alpha[k] + jk[j, k]) / (alpha.sum() + jk[j].sum()))
        of_eta += np.log((eta + wk[w, k]) / (c.W * eta + k_[k]))
        jk[j, k] += 1
        wk[w, k] += 1
        k_[k] += 1
    for counts in (hyper.plug_in, hyper.expected):
        assert objective(counts(s, c, "alpha"), alpha) == pytest.approx(of_alpha, abs=1e-9)
        assert objective(counts(s, c, "eta"), eta) == pytest.approx(of_eta, abs=1e-9)
    with_prior = objective(hyper.plug_in(s, c, "alpha"), alpha, Gamma(2.0, 3.0))
    assert with_prior == pytest.approx(of_alpha + np.log(alpha).sum() - 3 * alpha.sum(), abs=1e-9)
    assert objective(hyper.plug_in(s, c, "eta"), eta, Gamma(2.0, 3.0)) == pytest.approx(of_eta + np.log(eta) - 3 * eta)


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("a", [0.7, np.array([0.2, 1.0, 3.0, 2000.0])])
def test_the_gradient_is_that_of_the_objective(a, prior):
    counts = polya(1)
    g = np.atleast_1d(gradient(counts, a, prior))
    for i in range(len(g)):
        up, down = (a * np.exp(h * (np.arange(len(g)) == i)) for h in (1e-6, -1e-6))
        if np.ndim(a) == 0:
            up, down = float(up[0]), float(down[0])
        assert g[i] == pytest.approx((objective(counts, up, prior) - objective(counts, down, prior)) / 2e-6, abs=1e-4)


@pytest.mark.parametrize("asymmetric", [False, True])
@pytest.mark.parametrize("prior", PRIORS)
def test_from_whole_counts_minka_never_falls_and_all_ways_end_at_one_optimum(prior, asymmetric):
    for seed in range(4):
        counts = polya(seed)
        start = np.full(4, 1.0) if asymmetric else 1.0
        ends = [newton(counts, start * x, prior) for x in STARTS]
        for end in ends:
            assert np.abs(gradient(counts, end, prior)).max() < 1e-8
            np.testing.assert_allclose(end, ends[0], rtol=1e-8)

        x, last = start, -np.inf
        for _ in range(20_000):
            value = objective(counts, x, prior)
            assert value >= last - 1e-10
            x, old, last = minka(counts, x, prior), x, value
            if np.abs(np.log(x / old)).max() < 1e-13:
                break
        assert np.abs(gradient(counts, x, prior)).max() < 1e-8
        np.testing.assert_allclose(x, ends[0], rtol=1e-8)

        found = minimize(
            lambda u, n=counts: -objective(n, np.exp(u) if asymmetric else float(np.exp(u[0])), prior),
            np.zeros(4 if asymmetric else 1),
            method="BFGS",
            options={"gtol": 1e-9},
        )
        np.testing.assert_allclose(np.exp(found.x), np.atleast_1d(ends[0]), rtol=1e-4)


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=2, max_size=6),
    st.sampled_from(STARTS),
    st.booleans(),
    st.sampled_from(PRIORS),
)
def test_any_counts_give_a_positive_prior_or_a_reason(n, start, asymmetric, prior):
    counts = known(n)
    for way in (minka, newton):
        try:
            a = way(counts, np.full(3, start) if asymmetric else start, prior)
        except ValueError as error:
            reason = str(error)
        else:
            reason = ""
            assert np.all(np.asarray(a) > 0)
            assert np.all(np.isfinite(a))
            assert way is minka or np.abs(gradient(counts, a, prior)).max() < 1e-7
        if reason:
            assert prior.shape == 1 or prior.rate == 0
            assert "at 0" in reason or "at infinity" in reason


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(
    ("n", "best"),
    [([[6, 6], *5 * [[2, 0]]], 0.3107), ([[1000, 1000], *20 * [[2, 0]]], 0.0546), ([[229, 271], *3 * [[3, 0]]], 0.3153)],
    ids=["few", "many", "two summits"],
)
def test_the_highest_summit_is_found_though_L_may_rise_again(n, best, start):
    counts = known(n)
    a = newton(counts, start)
    assert a == pytest.approx(best, rel=2e-3)
    grid = np.exp(np.linspace(-12, 18, 400))
    assert objective(counts, a) >= max(objective(counts, x) for x in grid)
    assert newton(counts, np.full(2, start)) == pytest.approx(newton(counts, np.full(2, 0.1)), rel=1e-6)


def test_newton_ends_where_the_scale_does_not_matter():
    """Documents of one token: L depends on the ratios alone, and its Hessian is singular."""
    rng = np.random.default_rng(0)
    counts = known(np.eye(3)[[0, 1, 1, 2, 2]])
    for _ in range(20):
        a = newton(counts, 10 ** rng.uniform(-3, 3, size=3))
        np.testing.assert_allclose(a / a.sum(), [0.2, 0.4, 0.4], rtol=0, atol=1e-6)


def test_a_summit_below_the_limit_at_infinity_is_not_taken_for_the_best():
    counts = known([*40 * [[3, 3]], [6, 0]])
    grid = np.exp(np.linspace(-12, 18, 400))
    values = [objective(counts, x) for x in grid]
    assert np.argmax(values) == 399
    with refused("the evidence is largest with it at infinity"):
        newton(counts, 1.0)


def test_where_nothing_depends_on_it_a_hyperparameter_stays():
    for counts in (known([[0.0, 0.0], [0.0, 0.0]]), known([[3.0], [2.0]])):
        for way in (minka, newton):
            assert way(counts, 0.7) == 0.7
            assert newton(counts, 0.7, Gamma(2.0, 4.0)) == pytest.approx(0.25, rel=1e-9)  # the mode of its prior


def test_an_optimum_at_0_or_infinity_is_named():
    one_each, alike, empty = known([[3, 0], [0, 2]]), known([[2, 2], [3, 3]]), known([[3, 0, 1], [1, 0, 2], [5, 0, 0]])
    with refused("the evidence is largest with it at infinity"):
        newton(alike, 1.0)
    with refused("the evidence is largest with it at 0"):
        newton(one_each, 1.0)
    for way in (newton, minka):
        with refused("the evidence is largest with that of component 1 at 0, as where every document has one topic"):
            way(empty, np.ones(3))
    assert newton(empty, 1.0) > 0  # one number for all has no such trouble
    assert np.all(newton(empty, np.ones(3), Gamma(1.1, 0.1)) > 0)


def test_a_plug_in_step_can_lower_the_collapsed_bound():
    """A step from expected counts raises L at those counts, VB's bound; CVB's (12) it can lower.

    Two documents of three tokens, all gamma 1/2: by the plug-in every topic has 1.5 tokens in every document and alpha
    wants to be large; under q(z) the counts scatter as a coin's do, and alpha = 1 is nearer the best.
    """
    c, s = lda.Corpus.from_documents([[0, 1, 2], [0, 1, 2]]), lda.State(np.full((6, 2), 0.5))
    p = lda.Prior(hyper.newton(hyper.expected(s, c, "alpha"), 1.0, Gamma(1.0, 0.1)), 0.5)
    plug_in, exactly = (hyper.learner("symmetric", None, "newton", x, Gamma(1.0, 0.1)) for x in hyper.COUNTS)
    bounds = [lda.ALGORITHMS["cvb_exact"].bound(s, c, q) - 0.1 * q.alpha for q in (p, plug_in(s, c, p), exactly(s, c, p))]
    assert bounds[1] < bounds[0] - 0.01
    assert bounds[2] == pytest.approx(bounds[0], abs=1e-9)


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 2**32), st.booleans())
def test_no_step_from_expected_counts_was_seen_to_lower_its_own_objective(seed, asymmetric):
    """For counts below 1 log Gamma(a + n) - log Gamma(a) is concave in log a, so there is no proof."""
    rng = np.random.default_rng(seed)
    counts = known(np.exp(rng.uniform(-8, 3, (rng.integers(1, 5), 3))))
    a = np.exp(rng.uniform(-8, 4, 3)) if asymmetric else float(np.exp(rng.uniform(-8, 4)))
    assert objective(counts, minka(counts, a)) >= objective(counts, a) - 1e-9


def test_exact_expectations_are_those_of_the_enumeration():
    c, K = lda.Corpus.from_documents([[0, 1, 1], [2, 0]]), 2
    gamma = np.random.default_rng(0).dirichlet([0.5, 0.5], c.N)
    s = lda.State(gamma)
    for side, values in (("alpha", (0.05, np.array([0.4, 2.0]))), ("eta", (0.05, np.array([0.3, 1.0, 2.0])))):
        counts = hyper.expected(s, c, side)
        for a in values:
            total = 0.0
            for z in np.ndindex((K,) * c.N):
                weight = gamma[np.arange(c.N), z].prod()
                total += weight * objective(hyper.plug_in(lda.State(np.eye(K)[list(z)]), c, side), a)
            assert objective(counts, a) == pytest.approx(total, abs=1e-10)
    # and the bound (12) moves as L does
    A = lda.ALGORITHMS["cvb_exact"]
    for x, y in ((0.05, 0.5), (0.01, 3.0)):
        moved = A.bound(s, c, lda.Prior(x, 0.2)) - A.bound(s, c, lda.Prior(y, 0.2))
        counts = hyper.expected(s, c, "alpha")
        assert moved == pytest.approx(objective(counts, x) - objective(counts, y), abs=1e-9)


@pytest.mark.parametrize("a", [1e-3, 0.1, 5.0, 700.0])
def test_exact_expectations_of_many_tokens_in_high_precision(a):
    """E[Ψ(a + n) - Ψ(a)] of 400 tokens, by convolution at 40 digits."""
    g = np.random.default_rng(1).dirichlet([0.05, 0.05], 400)[:, 0]
    with mpmath.workdps(40):
        v = [mpmath.mpf(1)]
        for x in map(mpmath.mpf, g.tolist()):
            v = [(v[i] if i < len(v) else 0) * (1 - x) + (v[i - 1] * x if i else 0) for i in range(len(v) + 1)]
        forms = (mpmath.loggamma, mpmath.digamma, lambda x: mpmath.psi(1, x))
        true = [float(sum(q * (f(a + n) - f(a)) for n, q in enumerate(v))) for f in forms]
    t = bernoulli.nodes(hyper.LOW)
    log_G = bernoulli.log_generating_function(g, t).sum(1)[:, None]
    m, V = g.sum(), (g * (1 - g)).sum()
    side = hyper.Expected(t, -np.expm1(log_G), np.array([m]), np.array([m * m + V]))
    for order in (0, 1, 2):
        assert side.rise(np.array([a]), order)[0] == pytest.approx(true[order], rel=1e-10)


@pytest.mark.parametrize("a", [0.1, 700.0])
def test_what_lies_left_of_the_first_node_counts_where_counts_are_large(a):
    t, n = bernoulli.nodes(hyper.LOW), np.array([400_000.0])  # tokens of probability 1
    side = hyper.Expected(t, -np.expm1(-n * t[:, None]), n, n * n)
    for order, f, digits in ((0, mpmath.loggamma, 1e-9), (1, mpmath.digamma, 1e-11)):
        with mpmath.workdps(40):
            true = float(f(mpmath.mpf(a) + 400_000) - f(mpmath.mpf(a)))
        assert side.rise(np.array([a]), order)[0] == pytest.approx(true, rel=digits)


@pytest.mark.parametrize("n", [1, 7, 5000])
@pytest.mark.parametrize("a", [1e-6, 0.5, 999.0, 1001.0, 1e6, 1e8])
def test_differences_keep_their_digits(a, n):
    with mpmath.workdps(50):
        forms = (mpmath.loggamma, mpmath.digamma, lambda x: mpmath.psi(1, x))
        true = [float(f(mpmath.mpf(a) + n) - f(mpmath.mpf(a))) for f in forms]
    for order in (0, 1, 2):
        assert Known(np.array([[float(n)]])).rise(np.array([a]), order)[0] == pytest.approx(true[order], rel=2e-11)


def test_a_vector_is_updated_as_sato_and_others_print_it():
    counts, alpha = polya(2), np.array([0.1, 0.5, 1.0, 2.0])
    n = counts.parts.n
    new = []
    for k in range(4):
        above = sum(digamma(row[k] + alpha[k]) - digamma(alpha[k]) for row in n)
        below = sum(digamma(row.sum() + alpha.sum()) - digamma(alpha.sum()) for row in n)
        new.append(alpha[k] * above / below)
    np.testing.assert_allclose(minka(counts, alpha), new, rtol=1e-13)


def test_a_number_is_updated_as_asuncion_and_others_print_it():
    counts, alpha, c, d, K = polya(3), 0.4, 1.7, 0.6, 4
    above = c - 1 + alpha * sum(digamma(x + alpha) - digamma(alpha) for x in counts.parts.n.flat)
    below = d + K * sum(digamma(row.sum() + K * alpha) - digamma(K * alpha) for row in counts.parts.n)
    assert minka(counts, alpha, Gamma(c, d)) == pytest.approx(above / below, rel=1e-13)


@pytest.mark.parametrize(("name", "counts"), [("vb", "plug-in"), ("cvb_exact", "exact"), ("vb", "newton")])
def test_learning_raises_the_bound_it_belongs_to(name, counts):
    """VB's bound (2) by plug-in, CVB's bound (12) by exact expectations."""
    rng = np.random.default_rng(0)
    c, p = lda.synthetic.draw(rng, [12] * 15, 3, 8, lda.Prior(0.3, 0.3)).corpus.types(), lda.Prior(0.5, 0.5)
    A = lda.ALGORITHMS[name]
    step = "newton" if counts == "newton" else "minka"
    prior = Gamma(1.0, 0.1) if counts == "newton" else FLAT
    learn = hyper.learner("asymmetric", "symmetric", step, "exact" if counts == "exact" else "plug-in", prior, prior)

    def climbed(s, p):
        return A.bound(s, c, p) - prior.rate * (np.sum(p.alpha) + p.eta)

    p = lda.Prior(np.full(3, 0.5), 0.5)
    s, last = A.init(c, 3, p, rng=rng), -np.inf
    for _ in range(25):
        s = A.sweep(s, c, p, schedule="token")
        between = climbed(s, p)
        p = learn(s, c, p)
        bound = climbed(s, p)
        assert last - 1e-9 <= between <= bound + 1e-9
        last = bound


def test_exact_and_plug_in_are_one_for_a_sampler():
    c = CORPORA["types"]
    s = lda.ALGORITHMS["cgs"].init(c, 3, lda.Prior(), rng=np.random.default_rng(0))
    s = lda.State(np.eye(3)[s.z], s.z)
    p = lda.Prior(0.5, 0.5)
    a, b = (hyper.learner(counts=x)(s, c.tokens(), p) for x in hyper.COUNTS)
    assert (a.alpha, a.eta) == (pytest.approx(b.alpha, rel=1e-10), pytest.approx(b.eta, rel=1e-10))


def test_learners_find_the_prior_that_made_the_corpus():
    true = lda.Prior(0.3, 0.05)
    drawn = lda.synthetic.draw(np.random.default_rng(0), [200] * 300, 5, 100, true)
    s = lda.State(np.eye(5)[drawn.z], drawn.z)
    p = hyper.learner(step="newton")(s, drawn.corpus, lda.Prior(0.5, 0.5))
    assert p.alpha == pytest.approx(0.3, rel=0.1)
    assert p.eta == pytest.approx(0.05, rel=0.1)


def test_fit_learns_from_its_name_and_resumes():
    c = lda.synthetic.bars(np.random.default_rng(0), side=3, D=40).corpus
    settings_ = {"algorithm": "cvb0", "learn": "alpha:asymmetric,eta", "seed": 3}
    whole = lda.fit(c, 6, sweeps=25, **settings_)
    part = lda.fit(c, 6, sweeps=20, **settings_)
    resumed = lda.fit(c, 6, sweeps=25, algorithm="cvb0", seed=3, resume=part)
    np.testing.assert_array_equal(resumed.prior.alpha, whole.prior.alpha)
    assert resumed.prior.eta == whole.prior.eta != 0.5
    assert lda.fit(c, 6, sweeps=15, **settings_).prior.eta == 0.5  # on after 15 sweeps
    assert lda.fit(c, 6, sweeps=3, learn_after=2, **settings_).prior.eta != 0.5
    with refused("the run to resume has learn alpha:asymmetric,eta, this one eta: they must be equal"):
        lda.fit(c, 6, sweeps=30, algorithm="cvb0", seed=3, resume=part, learn="eta")
    assert pickle.loads(pickle.dumps(hyper.learner()))


def test_bad_learners_are_refused():
    c = CORPORA["types"]
    for what in ("gamma", "alpha:", "alpha:best", "alpha,", ""):
        with refused("learn has"):
            fitting.learner(what)
    with refused("learn is 'alpha,alpha', expected alpha once"):
        fitting.learner("alpha,alpha")
    with refused("alpha is 'best', expected one of symmetric, asymmetric"):
        hyper.learner("best")
    with refused("alpha_prior is Gamma(shape=0.5, rate=0.0), expected a shape of 1 or more"):
        hyper.learner(alpha_prior=Gamma(0.5, 0.0))
    for name, why in (("ml", "it has no prior"), ("map", "Minka's update is of the evidence of counts")):
        with refused(f"{name} has nothing to learn of its prior: {why}"):
            lda.fit(c, 2, name, learn="alpha")
    s = lda.ALGORITHMS["vb"].init(c, 2, lda.Prior(), rng=np.random.default_rng(0), replicates=2)
    with refused("alpha: the state's gamma has shape"):
        hyper.learner()(s, c, lda.Prior())
    s = lda.State(s.gamma[:, 0])
    with refused("alpha is a vector, expected a number to start a symmetric one from"):
        hyper.learner()(s, c, lda.Prior([0.1, 0.2], 0.1))


def test_the_evidence_of_counts_is_the_collapsed_joint():
    N = np.random.default_rng(0).integers(0, 5, (6, 3)).astype(float)
    counts = known(N)
    zero = np.zeros((1, 3))
    for x, y in ((0.3, 1.7), (2.0, 0.01)):
        moved = [log_joint_collapsed(N, zero, lda.Prior(a, 1.0)) for a in (x, y)]
        assert objective(counts, x) - objective(counts, y) == pytest.approx(moved[0] - moved[1], abs=1e-9)
