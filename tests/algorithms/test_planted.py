"""The check of chains finds the faults that are planted in `planted.py`, and accepts the correct algorithms.

It returns a number; 1 or more means rejection. A fault must be rejected with a margin, so that the result does not depend
on a seed. A faulty algorithm must run and give wrong results: an exception is not a rejection.
"""

import pytest

import lda_reference as lda

from .. import planted
from ..sampler_checks import ROWS, posterior_z

MARGIN = 1.5


@pytest.mark.parametrize("name", planted.SAMPLERS)
def test_faults_in_samplers_are_found(name):
    faulty, rows = planted.SAMPLERS[name]
    assert posterior_z(faulty, rows, 1.0 if name in planted.SMALL else 0.2) > MARGIN


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("name", ["cgs", "gibbs"])
def test_correct_samplers_pass_with_fewer_chains(name, rows):
    assert posterior_z(lda.ALGORITHMS[name], rows, 0.2) < 1


@pytest.mark.parametrize("rows", ROWS)
def test_drawn_parameters_without_a_fault_are_correct(rows):
    """This shows that the check finds the planted fault and nothing else."""
    assert posterior_z(planted.gibbs(), rows, 0.2) < 1
