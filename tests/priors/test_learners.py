"""Learners: what they find, what they do to bounds, the limits to which they go, their names and their errors."""

import pickle

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.priors import learners, minka
from lda_reference.priors.evidence import GammaPrior, plug_in_counts, random_counts
from lda_reference.priors.hyperpriors import bound, q_phi, q_theta
from lda_reference.priors.learners import conjugate, em2, in_turn

from ..helpers import K, plain_log_B, random_state, refusals, refused
from .test_hyperpriors import CORPUS, PRIOR, VB

# The evidence of the counts --------------------------------------------------------------------------------------------


def test_a_plug_in_step_can_lower_the_collapsed_bound():
    """A step from expected counts raises L at those counts, which is VB's bound, but it can lower CVB's bound (12).

    All gamma are 1/2. By the plug-in every topic has 1.5 tokens in every document, which makes alpha large.
    """
    c, s = lda.Corpus.from_documents([[0, 1, 2], [0, 1, 2]]), lda.State(np.full((6, 2), 0.5))
    gamma_prior, bound_12 = GammaPrior(1.0, 0.1), lda.ALGORITHMS["cvb_exact"].bound
    exact_alpha, plug_in_alpha = 1.0, 1.0
    for _ in range(300):
        exact_alpha = minka.step(random_counts(s, c, "alpha"), exact_alpha, gamma_prior)
        plug_in_alpha = minka.step(plug_in_counts(s, c, "alpha"), plug_in_alpha, gamma_prior)
    bounds = [bound_12(s, c, lda.Prior(alpha, 0.5)) - 0.1 * alpha for alpha in (exact_alpha, plug_in_alpha)]
    assert bounds[1] < bounds[0] - 0.01


@pytest.mark.parametrize(("A_name", "expectation"), [("vb", "plug-in"), ("cvb_exact", "exact")])
def test_learning_raises_the_bound_it_belongs_to(A_name, expectation):
    """VB's bound (2) by plug-in, CVB's bound (12) by exact expectations."""
    rng = np.random.default_rng(0)
    c = lda.synthetic.draw(rng, [12] * 15, 3, 8, lda.Prior(0.3, 0.3)).corpus.types()
    A, learn = lda.ALGORITHMS[A_name], learners.evidence("asymmetric", "symmetric", expectation)
    p = lda.Prior(np.full(3, 0.5), 0.5)
    s, last_bound = A.init(c, 3, p, rng=rng), -np.inf
    for _ in range(25):
        s = A.sweep(s, c, p, schedule="token")
        bound_of_sweep = A.bound(s, c, p)
        p = learn(s, c, p)
        learned_bound = A.bound(s, c, p)
        assert last_bound - 1e-9 <= bound_of_sweep <= learned_bound + 1e-9
        last_bound = learned_bound


def test_fit_learns_from_its_name():
    c = lda.synthetic.bars(np.random.default_rng(0), side=3, D=10).corpus
    fit_options = {"algorithm": "cvb0", "learn": "alpha:asymmetric,eta", "seed": 3}
    first_fit = lda.fit(c, 3, sweeps=20, **fit_options)
    assert first_fit.prior.eta != 0.5
    assert lda.fit(c, 3, sweeps=15, **fit_options).prior.eta == 0.5  # on after 15 sweeps
    assert lda.fit(c, 3, sweeps=3, learn_after=2, **fit_options).prior.eta != 0.5
    with refused("learn is 'eta', expected 'alpha:asymmetric,eta' as in the run to resume"):
        lda.fit(c, 3, sweeps=30, algorithm="cvb0", seed=3, resume=first_fit, learn="eta")
    for learner in (learners.evidence(), in_turn(em2(alpha="vector"), conjugate([0.5] * 4))):
        assert pickle.loads(pickle.dumps(learner))


EMPTY, EVEN = [[9, 0, 2], [1, 0, 5], [4, 0, 1]], [[300, 500, 200]] * 9  # documents by topics: topic 1 has no token; all alike


@pytest.mark.parametrize(
    ("N_jk", "learn_name", "start_number", "expected_limits"),
    [
        (EMPTY, "alpha:asymmetric", 1, {"alpha_floored": [1]}),
        (EMPTY, "alpha:asymmetric:1.1:1", 1, {}),
        (np.diag([9, 7, 8]), "alpha", 1.0005e-6, {"alpha_floored": [0]}),
        (EVEN, "alpha:asymmetric", 9999, {"alpha_capped": [1]}),
        (EVEN, "alpha:asymmetric:1:1", 9999, {}),
        (EMPTY, "eta:asymmetric", 1, {"eta_floored": [3]}),
    ],
)
def test_learning_goes_to_its_limit_and_says_so(N_jk, learn_name, start_number, expected_limits):
    j, k = np.nonzero(N_jk)
    c = lda.Corpus(j, (j + k) % 3, np.array(N_jk)[j, k], len(N_jk), 4)  # no topic has word 3
    p = lda.Prior(start_number, start_number)
    for _ in range(300):
        p = learners.parse(learn_name)(lda.State(np.eye(3)[k]), c, p)
    assert {limit_name: indices.tolist() for limit_name, indices in minka.at_limits(learn_name, p).items()} == expected_limits


# EM type 2 and full conjugacy ------------------------------------------------------------------------------------------

LEARNERS = {
    "fixed": (None, {}),
    "em2 vector, symmetric": (em2("vector", "symmetric"), {}),
    "em2 symmetric, vector": (em2("symmetric", "vector"), {}),
    "conjugate eta": (conjugate(0.5), {"zeta_eta": 0.5}),
    "conjugate alpha": (conjugate(0.1, True, False), {"zeta_alpha": 0.1}),
    "conjugate both": (conjugate(0.2, True), {"zeta_alpha": 0.2, "zeta_eta": 0.2}),
    "Figure 3": (in_turn(em2(alpha="vector"), conjugate()), {"zeta_eta": 0}),
}


@pytest.mark.parametrize("schedule", ["corpus", "token"])
@pytest.mark.parametrize("learner_name", LEARNERS)
def test_the_bound_rises_with_every_update(learner_name, schedule):
    learn, zetas = LEARNERS[learner_name]
    s, p = random_state(0, CORPUS, K), lda.Prior(0.5, 0.5)
    last_bound = first_bound = bound(s, CORPUS, p, **zetas)
    learning_gain = 0.0
    for _ in range(12 if schedule == "corpus" else 4):
        s = VB.sweep(s, CORPUS, p, schedule=schedule)
        new_bound = bound(s, CORPUS, p, **zetas)
        assert new_bound >= last_bound - 1e-10 * abs(last_bound)
        if learn is not None:
            swept_bound, p = new_bound, learn(s, CORPUS, p)
            new_bound = bound(s, CORPUS, p, **zetas)
            assert new_bound >= swept_bound - 1e-10 * abs(swept_bound)
            learning_gain += new_bound - swept_bound
        last_bound = new_bound
    assert last_bound > first_bound + 1
    assert (learning_gain > 0.1) == (learn is not None)


def test_each_learner_takes_its_block_to_the_maximum():
    """The terms of the bound in the prior, with q(theta) and q(phi) of the old prior, are largest at the new prior."""
    s = random_state(6, CORPUS, K)
    N_jk, N_wk, _ = lda.engine.sums(s.gamma, CORPUS)
    u_theta = q_theta(N_jk, PRIOR.alpha)[1].sum(0)
    alpha = em2(alpha="vector")(s, CORPUS, PRIOR).alpha
    u_phi, zeta = q_phi(N_wk, PRIOR.eta)[1].sum(1), 0.3
    eta = conjugate(zeta)(s, CORPUS, PRIOR).eta
    rng = np.random.default_rng(0)
    for _ in range(20):
        step_factors = np.exp(1e-3 * rng.normal(size=K))
        assert -CORPUS.D * plain_log_B(alpha * step_factors) - u_theta @ (alpha * step_factors) < -CORPUS.D * plain_log_B(alpha) - u_theta @ alpha
        step_factors = np.exp(1e-3 * rng.normal(size=CORPUS.W))
        assert np.sum(np.log(eta * step_factors) - (zeta + u_phi) * eta * step_factors) < np.sum(np.log(eta) - (zeta + u_phi) * eta)


def test_one_dimension_is_refused():
    c, s = lda.Corpus.from_documents([[0, 0]]), lda.State(np.ones((2, 1)))
    with pytest.raises(ValueError, match="alpha has 1 entry, expected 2 or more"):
        em2(alpha="vector")(s, c, lda.Prior())
    with pytest.raises(ValueError, match=r"the rate of eta\[0\] is 0.0, .* has run to infinity"):
        conjugate()(s, c, lda.Prior())
    assert conjugate(0.5)(s, c, lda.Prior()).eta == pytest.approx([2.0])


test_errors_name_the_argument = refusals(lambda call: call(random_state(0, CORPUS, K)), [
    *((lambda s, text=text: learners.parse(text), "learn has") for text in ("gamma", "alpha:best", "alpha:em2:1", "eta:symmetric:x")),
    (lambda s: learners.parse("alpha:symmetric:1:-1"), "rate is -1.0, expected a finite number from 0"),
    (lambda s: learners.evidence()(s, CORPUS, PRIOR), "alpha is a vector, expected a number, because one number is to be learned"),
    (lambda s: bound(s, CORPUS, PRIOR, zeta_alpha=[1, 2]), "zeta has shape (2,), expected a number or K = 3 numbers"),
    (lambda s: em2(alpha="scalar"), "alpha is 'scalar', expected"),
    (lambda s: conjugate([1, 2], alpha=True), "zeta has shape (2,), expected a number if alpha and eta are both"),
    (lambda s: conjugate([1, 2])(s, CORPUS, PRIOR), "zeta has shape (2,), expected a number or W = 7 numbers"),
])
