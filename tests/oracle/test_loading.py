"""Loading and choosing cases."""

import pytest

from lda_reference import oracle
from lda_reference.oracle.asking import loading

from .helpers import case


def test_cases_are_chosen_by_algorithm_id_and_operation():
    given = [case(0), case(1), case(2, algorithm="vb", id="vb/bound/002", operation="bound")]
    def chosen(**how):
        return [c["id"] for c in loading.select(given, **how)]

    assert chosen(only="vb") == ["vb/bound/002"]
    assert chosen(only="cvb0/update/001") == ["cvb0/update/001"]
    assert chosen(only="cvb0/update,vb") == [c["id"] for c in given]
    assert chosen(only=["cvb0"], operation="bound") == []
    with pytest.raises(ValueError, match=r"only has 'cvb', expected an algorithm \(cvb0, vb\) or the beginning of an id"):
        loading.select(given, only="cvb")
    with pytest.raises(ValueError, match="operation is 'updates', expected one of update, sweep"):
        loading.select(given, operation="updates")
    with pytest.raises(ValueError, match="no case has these algorithms"):
        oracle.check(lambda c: c, only="vb", operation="update", given=given)
