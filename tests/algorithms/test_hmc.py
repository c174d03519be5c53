"""Hamiltonian Monte Carlo: the density, its gradient, the trajectory, and the posterior."""

import itertools
import math
from operator import call

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp
from scipy.stats import dirichlet, gamma

import lda_reference as lda
from lda_reference import plain
from lda_reference.algorithms import hamiltonian, hmc, named
from lda_reference.algorithms.hamiltonian import Coordinates
from lda_reference.model import log_joint
from lda_reference.truth import table_posterior

from .. import sampler_checks as checks
from ..fuzz import ALL
from ..helpers import law_of_assignments, refusals, slopes

K = 3
C = lda.Corpus([0, 0, 2, 2, 2], [0, 2, 0, 1, 3], [2, 1, 1, 1, 2], D=3, W=4)  # document 1 is empty
P = lda.Prior([0.4, 0.15, 1.2], [0.5, 0.2, 0.9, 0.7])
HELD_PHI = default_rng(5).dirichlet(np.ones(4), K).T


def random_u(seed, c=C, K=K, scale=1.0, R=None):
    rng, replicate_axis = default_rng(seed), () if R is None else (R,)
    return Coordinates(rng.normal(0, scale, (c.D, *replicate_axis, K)), rng.normal(0, scale, (c.W, *replicate_axis, K)))


def replicate(u, r):
    return Coordinates(u.jk[:, r], u.wk[:, r])


class HeldPhi(plain.Algorithm):
    """The density with phi held."""

    def theta_and_phi(self, u):
        return super().theta_and_phi(u)._replace(wk=self.given("held"))


def density(u, held_phi=None):
    case = plain.case_of("hmc", "gradient", [], C, P, K=K, u_jk=u.jk, u_wk=u.wk, held=held_phi)
    return plain.answer(case, float, *([] if held_phi is None else [HeldPhi]))["log_density"]


def change_of_variables(u, dirichlet_parameters, axis):
    """log p(u) from the Dirichlet density of the proportions, the Gamma density of the sum, and the Jacobian."""
    log_p = 0.0
    for x in np.moveaxis(np.exp(u), axis, -1).reshape(-1, u.shape[axis]):
        x_sum, n_coordinates = x.sum(), len(x)
        log_p += dirichlet(dirichlet_parameters).logpdf(x / x_sum) + gamma(dirichlet_parameters.sum()).logpdf(x_sum)
        log_p += np.log(x).sum() - (n_coordinates - 1) * np.log(x_sum)  # |d(proportions, sum) / du| = prod x / sum^(N-1)
    return log_p


def test_density_is_the_joint_summed_over_z_in_new_coordinates():
    c, p, K = lda.Corpus.from_documents([[0, 1, 0], [2, 1]], W=3), lda.Prior([0.3, 0.8], [0.5, 0.2, 0.9]), 2
    u = random_u(1, c, K)
    theta_jk, phi_wk = map(np.exp, hamiltonian.logs(u))
    alpha, eta = p.vectors(K, c.W)
    log_px = logsumexp([log_joint(np.array(z), theta_jk, phi_wk, c, p) for z in itertools.product(range(K), repeat=c.N)])
    log_u = change_of_variables(u.jk, alpha, 1) + change_of_variables(u.wk, eta, 0)
    log_u -= sum(dirichlet(alpha).logpdf(theta_j / theta_j.sum()) for theta_j in theta_jk) + sum(dirichlet(eta).logpdf(phi_k / phi_k.sum()) for phi_k in phi_wk.T)
    assert float(hamiltonian.log_density(u, c, p)[0]) == pytest.approx(log_px + log_u, rel=1e-12)


@pytest.mark.parametrize("held_phi", [None, HELD_PHI])
def test_gradient_is_that_of_finite_differences(held_phi):
    u = random_u(2, scale=2.0)
    gradient = hamiltonian.log_density(u, C, P, held_phi)[1]
    slope_jk = slopes(lambda x: density(u._replace(jk=x), held_phi), u.jk)
    slope_wk = slopes(lambda x: density(u._replace(wk=x), held_phi), u.wk)
    assert max(np.abs(slope_jk - gradient.jk).max(), np.abs(slope_wk - gradient.wk).max()) < 1e-8


def test_density_far_from_the_origin():
    """theta and phi that vanish as floats: the density and its gradient stay finite."""
    u = Coordinates(np.array([[0.0, -2000.0]]), np.array([[-1500.0, 0.0], [0.0, 0.0]]))
    c = lda.Corpus.from_documents([[0]], W=2)
    log_p, gradient = hamiltonian.log_density(u, c, lda.Prior(1, 1))
    # the token: theta_00 phi_00 = e^-1500, and e^-2000 / 2 is less; the prior: the six u, and five x that are 1
    assert float(log_p) == pytest.approx(-1500 - 3500 - 4, rel=1e-12)
    assert np.isfinite(gradient.jk).all()
    assert np.isfinite(gradient.wk).all()


def flat(*coordinates):
    return np.concatenate([array.ravel() for u in coordinates for array in u])


def test_masses_by_hand():
    masses, N_j, N_w = hamiltonian.masses(C, K, P), [3, 0, 4], [3, 1, 1, 2]
    assert_allclose(masses.jk, [[1 + P.alpha[k] + N_j[j] / K for k in range(K)] for j in range(3)], rtol=1e-15)
    assert_allclose(masses.wk, [[1 + P.eta[w] + N_w[w] / K for k in range(K)] for w in range(4)], rtol=1e-15)


@pytest.mark.parametrize("held_phi", [None, HELD_PHI])
def test_a_trajectory_runs_back(held_phi):
    u, momentum, masses = random_u(5), random_u(6), hamiltonian.masses(C, K, P)
    end_u, end_momentum = hamiltonian.leapfrog(u, momentum, masses, C, P, 0.3, 7, held_phi)
    assert np.abs(flat(end_u) - flat(u)).max() > 0.5
    returned_u, end_momentum = hamiltonian.leapfrog(end_u, Coordinates(-end_momentum.jk, -end_momentum.wk), masses, C, P, 0.3, 7, held_phi)
    assert np.abs(flat(returned_u, end_momentum) - flat(u, Coordinates(-momentum.jk, -momentum.wk))).max() < 1e-12


def test_the_energy_error_falls_as_the_square_of_the_step():
    """The largest |H - H'| of trajectories of length 0.8, from places near the mode."""
    u, normals = random_u(9, scale=0.3, R=20), random_u(10, R=20)
    transitions = [hamiltonian.transition(u, C, P, step, round(0.8 / step), normals, np.zeros(20)) for step in (0.1, 0.05, 0.025)]
    energy_errors = [np.abs(transition.log_ratio).max() for transition in transitions]
    assert_allclose([energy_errors[0] / energy_errors[1], energy_errors[1] / energy_errors[2]], 4, rtol=0.1)


def test_a_transition_is_accepted_by_its_energies():
    u, normals, masses, R = random_u(11, R=40), random_u(12, R=40), hamiltonian.masses(C, K, P), 40
    uniforms = default_rng(0).random(R)
    move = hamiltonian.transition(u, C, P, 1.2, 3, normals, uniforms)
    assert 5 < move.accepted.sum() < 35
    for r in range(R):
        start_u, normal_r = replicate(u, r), replicate(normals, r)
        start_momentum = Coordinates(normal_r.jk * np.sqrt(masses.jk), normal_r.wk * np.sqrt(masses.wk))
        end_u, end_momentum = hamiltonian.leapfrog(start_u, start_momentum, masses, C, P, 1.2, 3)
        H = [sum(momentum_i**2 / (2 * mass_i) for momentum_i, mass_i in zip(flat(momentum), flat(masses), strict=True)) - density(position) for position, momentum in ((start_u, start_momentum), (end_u, end_momentum))]
        assert move.log_ratio[r] == pytest.approx(H[0] - H[1], abs=1e-9)
        assert move.accepted[r] == (uniforms[r] < math.exp(min(0, H[0] - H[1])))
        assert_allclose(flat(replicate(move.u, r)), flat(end_u if move.accepted[r] else start_u), rtol=0, atol=1e-12)


def test_a_trajectory_that_leaves_the_floats_is_rejected():
    u = random_u(13)
    move = hamiltonian.transition(u, C, P, 1e4, 5, random_u(14), 0.0)
    assert move.log_ratio == -np.inf
    assert not move.accepted
    assert_array_equal(flat(move.u), flat(u))


def test_a_sweep_is_a_transition_and_gamma_is_the_distribution_of_z():
    A = hmc.with_steps(0.4, 3)
    s = A.init(C, K, P, default_rng(0), replicates=2)
    new_state = A.sweep(s, C, P, rng=default_rng(1))
    move = hamiltonian.transition(s.own, C, P, 0.4, 3, *hamiltonian.randomness(s.own, default_rng(1)))
    assert_array_equal(flat(new_state.own), flat(move.u))
    theta_jk, phi_wk = map(np.exp, hamiltonian.logs(new_state.own))
    for i in range(C.M):
        for r in range(2):
            weights = [theta_jk[C.j[i], r, k] * phi_wk[C.w[i], r, k] for k in range(K)]
            assert_allclose(new_state.gamma[i, r], np.array(weights) / sum(weights), rtol=1e-12)
    held_state = A.sweep(s, C, P, rng=default_rng(1), held_topics=HELD_PHI)
    weights = np.exp(hamiltonian.logs(held_state.own)[0])[C.j] * HELD_PHI[C.w][:, None]
    assert_allclose(held_state.gamma, weights / weights.sum(-1, keepdims=True), rtol=1e-12)


NAMED_HMC = named("hmc, step 0.4, leapfrogs 1")
S, RNG = NAMED_HMC.init(C, K, P, default_rng(0)), default_rng(0)

test_what_it_cannot_do_is_refused = refusals(call, [
    (lambda: named("hmc, step x"), "algorithm is 'hmc, step x', expected one of"),
    (lambda: hmc.with_steps(0, 1), "step is 0.0, expected a positive finite number"),
    (lambda: NAMED_HMC.sweep(S, C, P), "rng is missing"),
    (lambda: NAMED_HMC.sweep(S._replace(own=None), C, P, rng=RNG), "the state has no u"),
])


PRIOR = checks.TINY_PRIORS["vectors"]


def posterior_draws(R, rng):
    """u from p(u | x): z by enumeration, then Gamma variables given its counts; the sums have their prior."""
    c, p = checks.TINY, PRIOR
    _, N_jk, N_wk, law = law_of_assignments(c, K, p)
    (alpha, eta), drawn_assignments, log_x_arrays = p.vectors(K, c.W), rng.choice(len(law), R, p=law), []
    N_jk, N_wk = N_jk[:, drawn_assignments], N_wk[:, drawn_assignments]
    for a, prior_sum, axis in ((N_jk + alpha, alpha.sum(), -1), (N_wk + eta[:, None, None], eta.sum(), 0)):
        log_gammas = np.log(rng.standard_gamma(a + 1)) - rng.standard_exponential(a.shape) / a  # log Gamma(a), also for small a
        sum_shape = list(log_gammas.shape)
        sum_shape[axis] = 1
        log_x_arrays.append(log_gammas - logsumexp(log_gammas, axis, keepdims=True) + np.log(rng.standard_gamma(prior_sum, sum_shape)))
    return Coordinates(*log_x_arrays)


@pytest.mark.parametrize("leapfrogs", [1, 3] if ALL else [3])
def test_transitions_preserve_the_enumerated_posterior(leapfrogs):
    """Chains that start from the posterior, so without burn-in. The step is so large that a quarter of the trajectories is
    rejected. The sums of x keep their prior means, because words tell nothing of them."""
    A, c, rng, R, token_pairs = hmc.with_steps(1.3, leapfrogs), checks.TINY, default_rng(0), 3000, np.triu_indices(checks.TINY.N, 1)
    exact_posterior = lda.exact.posterior(c, K, PRIOR)
    means = np.concatenate((exact_posterior.together[token_pairs], exact_posterior.gamma.ravel(), np.repeat([PRIOR.alpha.sum(), PRIOR.eta.sum()], [c.D, K])))
    s = hmc.state_at(posterior_draws(R, rng), lda.State(np.full((c.M, R, K), 1 / K)), c, PRIOR)

    def functionals(s):  # given theta and phi tokens are independent: products of gamma are p(z_i = z_i' | x) on average
        p_together = np.einsum("mrk,nrk->rmn", s.gamma, s.gamma)[:, *token_pairs]
        sums = np.exp(s.own.jk).sum(-1).T, np.exp(s.own.wk).sum(0)
        return np.concatenate((p_together, s.gamma.transpose(1, 0, 2).reshape(len(p_together), -1), *sums), 1)

    assert checks.largest_z(checks.averages(A, s, c, PRIOR, functionals, rng, 4, 6), means) < 1


def test_chains_agree_with_sums_over_tables():
    """Sixty tokens: moments of the drawn theta and phi, and the predictive probability of draws and of estimates."""
    c = lda.Corpus.from_csr(np.array([[16, 4, 2], [1, 14, 3], [5, 5, 10]]))
    p, R, A = lda.Prior(0.7, 0.6), 300, hmc.with_steps(0.7, 4)
    exact_moments = table_posterior.moments(c, 2, p)

    def moments(s):
        theta_jk, phi_wk = map(np.exp, hamiltonian.logs(s.own))
        theta, phi = A.estimate(s, c, p)
        factor_pairs = [(theta_jk, theta_jk), (phi_wk, phi_wk), (theta_jk, phi_wk), (theta, phi)]
        return np.concatenate([np.einsum("arK,brK->rab", left_factor, right_factor).reshape(R, -1) for left_factor, right_factor in factor_pairs], 1)

    means = np.concatenate([moment_array.ravel() for moment_array in (exact_moments.theta, exact_moments.phi, exact_moments.predictive, exact_moments.predictive)])
    s = A.init(c, 2, p, default_rng(1), replicates=R)
    averages_of_chains = checks.averages(A, s, c, p, moments, default_rng(0), 60, 80)
    assert checks.largest_z(averages_of_chains, means) < 1
    assert (averages_of_chains.std(0) / np.sqrt(R)).max() < 0.006  # so that the check has power
