"""AD-LDA, collapsed Gibbs sampling in parts: the plain text, and its stationary law on all assignments."""

from functools import cache
from itertools import product

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import plain
from lda_reference.algorithms.cgs import sweep_in_parts
from lda_reference.plain.updates import ADLDA

from ..helpers import joint, refusals

CGS = lda.ALGORITHMS["cgs"]
DOCS = lda.Corpus([0, 0, 1, 2, 2, 3], [0, 2, 1, 3, 0, 2], [2, 1, 3, 1, 4, 2], D=4, W=4)
PRIOR = lda.Prior([0.5, 0.3, 0.9], [0.2, 1.0, 0.4, 0.7])


@pytest.mark.parametrize("part_of_document", [[0, 0, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [3, 1, 2, 0]])
def test_a_sweep_is_that_of_the_plain_text(part_of_document):
    rng = np.random.default_rng(0)
    z, uniforms = rng.integers(3, size=DOCS.N), rng.random((5, DOCS.N))
    s = CGS.init(DOCS, 3, PRIOR, z=z)
    for u in uniforms:
        case = plain.case_of("cgs", "sweep", s.z, DOCS, PRIOR, K=3, schedule="token", uniforms=u, parts=part_of_document)
        expected_z = plain.answer(case, float, ADLDA)["z"]
        s = sweep_in_parts(s, DOCS, PRIOR, part_of_document, u)
        assert s.z.tolist() == expected_z
    assert lda.engine.State(s.gamma) == lda.engine.State(CGS.init(DOCS, 3, PRIOR, z=s.z).gamma)


TINY, K, P = lda.Corpus.from_documents([[0, 0, 1], [1, 0, 1]], W=2), 2, lda.Prior([0.3, 0.6], 0.2)
STATES = list(product(range(K), repeat=TINY.N))


@cache
def transition(part_of_document):
    """The matrix of a sweep in parts, from conditionals of the enumerated joint probability: (64, 64)."""
    joint_of_z = {z: joint(z, TINY, K, P) for z in STATES}
    part_of_token = np.asarray(part_of_document)[TINY.j]
    transition_matrix = np.ones((len(STATES), len(STATES)))
    for (old_index, old_z), (new_index, new_z) in product(enumerate(STATES), repeat=2):
        for i in range(TINY.N):
            mixed_z = [new_z[other_i] if other_i < i and part_of_token[other_i] == part_of_token[i] else old_z[other_i] for other_i in range(TINY.N)]
            weights = np.array([joint_of_z[(*mixed_z[:i], k, *mixed_z[i + 1 :])] for k in range(K)])
            transition_matrix[old_index, new_index] *= weights[new_z[i]] / weights.sum()
    return transition_matrix


def law(transition_matrix):
    equation_matrix = np.vstack([transition_matrix.T - np.eye(len(transition_matrix)), np.ones(len(transition_matrix))])
    return np.linalg.lstsq(equation_matrix, np.append(np.zeros(len(transition_matrix)), 1), rcond=None)[0]


def test_the_law_is_the_posterior_with_one_part_and_another_with_two():
    posterior = np.array([joint(z, TINY, K, P) for z in STATES])
    posterior /= posterior.sum()
    distance_1, distance_2 = (0.5 * np.abs(law(transition(part_of_document)) - posterior).sum() for part_of_document in ((0, 0), (0, 1)))
    assert distance_1 < 1e-12
    assert 0.01 < distance_2 < 0.2


def test_the_sampler_has_the_transitions_of_the_matrix():
    transition_matrix, rng, z = transition((0, 1)), np.random.default_rng(2), (0, 1, 0, 1, 1, 0)
    s, n_draws = CGS.init(TINY, K, P, z=z), 1000
    state_counts = np.zeros(len(STATES))
    for _ in range(n_draws):
        state_counts[STATES.index(tuple(sweep_in_parts(s, TINY, P, [0, 1], rng.random(TINY.N)).z))] += 1
    row_of_transitions = transition_matrix[STATES.index(z)]
    assert np.all(np.abs(state_counts / n_draws - row_of_transitions) < 5 * np.sqrt(row_of_transitions / n_draws) + 3e-3)


test_what_is_refused = refusals(lambda change: sweep_in_parts(CGS.init(DOCS, 3, PRIOR, z=[0] * DOCS.N), DOCS, PRIOR, **change), [
    ({"parts": [0, 1], "uniforms": []}, "parts has shape (2,), expected (4,): a part for each document"),
    ({"parts": [0] * 4, "uniforms": [0.5]}, "uniforms has shape"),
])
