"""Files of LDA-C."""

from lda_reference import Corpus


def test_pairs_of_ldac_may_have_any_order_and_W_is_optional(read):
    assert read(b"3 4:1 0:2 1:5\n") == Corpus([0, 0, 0], [0, 1, 4], [2, 5, 1], 1, 5)
