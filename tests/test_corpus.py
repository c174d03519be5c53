"""Corpora: construction and its errors, types and tokens, matrices, and splits. It mirrors `lda_reference/corpus.py`."""

import dataclasses

import numpy as np
import pytest
import scipy.sparse
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lda_reference import Corpus, read_corpus, split
from lda_reference.corpus import as_corpus

from .helpers import refusals

quick_settings = settings(deadline=None, max_examples=20)
seed_strategy = st.integers(0, 2**32)
count_matrices = hnp.arrays(np.int64, st.tuples(st.integers(1, 5), st.integers(1, 6)), elements=st.integers(0, 4))
document_lists = st.lists(st.lists(st.integers(0, 5), max_size=8), min_size=1, max_size=6)


@st.composite
def corpora(draw):
    """Corpora with rows in any order within a document, repeated words, counts above 1 and empty documents."""
    return corpus_of(draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 5), st.integers(1, 4)), max_size=20)))


def corpus_of(row_list, vocab="abcdef"):
    j, w, n = np.array(sorted(row_list, key=lambda j_w_n: j_w_n[0]), np.int64).reshape(-1, 3).T
    return Corpus(j, w, n, 5, len(vocab), tuple(vocab))


def rows_of(c):
    return list(zip(c.j.tolist(), c.w.tolist(), c.n.tolist(), strict=True))


def matrix_of(c):
    """The matrix of counts, computed by adding up the rows one by one."""
    X = np.zeros((c.D, c.W), np.int64)
    for j, w, n in rows_of(c):
        X[j, w] += n
    return X


# Construction --------------------------------------------------------------------------------------------------------

VALID = {"j": [0, 0, 1], "w": [0, 2, 1], "n": [1, 2, 3], "D": 2, "W": 3}

test_construction_names_what_is_wrong_and_where = refusals(lambda changed_arguments: Corpus(**VALID | changed_arguments), [
    ({"j": [0, 1, 0]}, "j[2] is 0, expected documents in ascending order"),
    ({"w": [0, 3, 4]}, "w[1] is 3, expected a word below W = 3"),
    ({"n": [1, 0, 3]}, "n[1] is 0, expected a count of 1 or more"),
    ({"n": [1, 1.5, 0.5]}, "n[1] is 1.5, expected a whole number"),
    ({"n": [2**62, 2**62, 1]}, "n adds up to 2**63 or more, expected fewer tokens"),
    ({"j": [[0, 0, 1]]}, "j has shape (1, 3), expected one number per row"),
    ({"n": [1, 2]}, "j, w and n have lengths 3, 3 and 2, expected equal lengths"),
    ({"vocab": list("abcd")}, "vocab has 4 words, expected W = 3"),
    ({"vocab": list("aba")}, "vocab has 'a' more than once, expected each word once"),
])


@pytest.mark.parametrize("type_of_numbers", [list, np.int8, np.uint64, np.float16, np.float64, ">i4"])
def test_whole_numbers_of_any_type_are_accepted(type_of_numbers):
    array_of_letter = {letter: VALID[letter] if type_of_numbers is list else np.array(VALID[letter], type_of_numbers) for letter in "jwn"}
    c = Corpus(**VALID | array_of_letter, vocab=list("abc"))
    assert rows_of(c) == [(0, 0, 1), (0, 2, 2), (1, 1, 3)]
    assert {c.j.dtype, c.w.dtype, c.n.dtype} == {np.dtype(np.int64)}
    assert c.vocab == ("a", "b", "c")
    assert (c.N, c.M, c.D, c.W) == (6, 3, 2, 3)


def test_a_corpus_may_be_without_documents_or_rows():
    c = Corpus([], [], [], 0, 0)
    assert (c.N, c.M, c.is_types) == (0, 0, True)
    assert c.types() == c.tokens() == c
    assert Corpus([], [], [], 3, 4).to_csr().shape == (3, 4)


def test_a_corpus_cannot_be_changed_and_shares_no_array_with_its_maker():
    array_of_letter = {letter: np.array(VALID[letter]) for letter in "jwn"}
    c = Corpus(**VALID | array_of_letter)
    old_rows = rows_of(c)
    for array in array_of_letter.values():
        array[:] = 1
    assert rows_of(c) == old_rows
    for new_corpus in (c, c.types(), c.tokens(), *split(c, rng=np.random.default_rng(0))):
        for array in (new_corpus.j, new_corpus.w, new_corpus.n):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        c.j = array_of_letter["j"]


def test_corpora_are_equal_if_rows_sizes_and_words_are():
    c = Corpus(**VALID, vocab=("a", "b", "c"))
    assert c == Corpus(**VALID, vocab=("a", "b", "c"))
    for argument_name, new_argument in {"j": [0, 1, 1], "w": [0, 2, 2], "n": [1, 2, 4], "D": 3, "vocab": ("a", "b", "d")}.items():
        assert c != Corpus(**VALID | {"vocab": ("a", "b", "c")} | {argument_name: new_argument})
    assert c != rows_of(c)
    with pytest.raises(TypeError, match="unhashable"):
        hash(c)


TEXTS = ["The 3 cats, été", "", "a cat; THE Été"]


@pytest.mark.parametrize("reading_options", [{}, {"stop": "english", "numbers": False}, {"min_documents": 2}, {"max_documents": 0.5}, {"words": ("été", "dog")}])
def test_texts_in_memory_are_read_as_those_of_a_file(reading_options, tmp_path):
    (tmp_path / "x").write_text("\n".join(TEXTS), "utf-8")
    corpus_of_file = read_corpus(tmp_path / "x", format="text", **reading_options)
    for make_container in (list, iter, np.array):
        assert Corpus.from_texts(make_container(TEXTS), **reading_options) == corpus_of_file


test_what_is_no_list_of_texts_is_refused = refusals(Corpus.from_texts, [
    ("one text", "texts is 'one text', expected a sequence of texts"),
    (["a", None], "texts[1] is None, expected a text"),
    (["", "."], "texts has no word left in 2 documents, expected one or more"),
])


# Types and tokens ----------------------------------------------------------------------------------------------------


@quick_settings
@given(corpora())
def test_types_are_sorted_and_unique_and_tokens_repeat_rows_in_their_place(c):
    X = matrix_of(c)
    assert rows_of(c.types()) == [(j, w, X[j, w]) for j in range(c.D) for w in range(c.W) if X[j, w]]
    j_w_pairs = [(j, w) for j, w, _ in rows_of(c)]
    assert c.is_types == (j_w_pairs == sorted(set(j_w_pairs)))
    assert rows_of(c.tokens()) == [(j, w, 1) for j, w, n in rows_of(c) for _ in range(n)]
    assert c.types().vocab == c.tokens().vocab == c.vocab


# Documents -----------------------------------------------------------------------------------------------------------


@quick_settings
@given(document_lists)
def test_from_documents_keeps_every_token_in_order(documents):
    c = Corpus.from_documents(documents)
    assert rows_of(c) == [(j, w, 1) for j, document in enumerate(documents) for w in document]
    assert len(documents) == c.D
    assert max((w + 1 for document in documents for w in document), default=0) == c.W


def test_from_documents_takes_W_from_the_words():
    documents = (np.array(document) for document in ([0, 1], [2]))
    assert Corpus.from_documents(documents, vocab=list("abcde")) == Corpus([0, 0, 1], [0, 1, 2], [1] * 3, 2, 5, tuple("abcde"))


test_from_documents_names_what_is_wrong = refusals(lambda arguments: Corpus.from_documents(*arguments), [
    (([[0, 1], [0, 1.0]],), "documents[1][1] is 1.0, expected a word id"),
    (([[0, 3]], None, ["a", "b"]), "w[1] is 3, expected a word below W = 2"),
])


# Matrices ------------------------------------------------------------------------------------------------------------

CONTAINERS = [scipy.sparse.csr_matrix, scipy.sparse.csr_array, scipy.sparse.csc_array, scipy.sparse.coo_array, np.array, np.ndarray.tolist]


@pytest.mark.parametrize("make_container", CONTAINERS)
@quick_settings
@given(X=count_matrices, dtype=st.sampled_from([np.int64, np.int8, np.uint64, np.float32, np.float64, bool]))
def test_from_csr_and_back(make_container, X, dtype):
    X = X.astype(dtype)
    c = Corpus.from_csr(make_container(X))
    assert c.is_types
    np.testing.assert_array_equal(matrix_of(c), X)
    csr_matrix = c.to_csr()
    assert csr_matrix.has_canonical_format
    assert csr_matrix.dtype == np.int64
    np.testing.assert_array_equal(csr_matrix.toarray(), X)
    assert Corpus.from_csr(csr_matrix) == c


@quick_settings
@given(corpora())
def test_to_csr_adds_rows_and_from_csr_gives_types(c):
    X = c.to_csr()
    assert Corpus.from_csr(X, c.vocab) == c.types()
    X.data[:] = 99
    np.testing.assert_array_equal(c.to_csr().toarray(), matrix_of(c))  # the matrix shares no memory with the corpus


@pytest.mark.parametrize(("dtype", "count_list"), [(np.uint8, [200] * 2), (np.int8, [100] * 2), (bool, [1] * 300), (np.float32, [2**24, 1, 1])])
def test_entries_of_few_bits_are_added_up_in_64(dtype, count_list, tmp_path):
    coo_matrix = scipy.sparse.coo_array((np.array(count_list, dtype), np.zeros((2, len(count_list)), int)), shape=(1, 1))
    scipy.sparse.save_npz(tmp_path / "x.npz", coo_matrix)
    for c in (Corpus.from_csr(coo_matrix), read_corpus(tmp_path / "x.npz")):
        assert sum(count_list) == c.N


INVALID_MATRICES = [
    ([[1, 0], [0, 0.5]], "X[1, 1] is 0.5, expected a count"),
    ([[1, np.nan], [0, -1]], "X[0, 1] is nan, expected a count"),
    (np.array([[2**63]], np.uint64), "X[0, 0] is 9223372036854775808, expected a count"),
    ([[1j]], "X holds complex128, expected counts"),
    ([1, 2], "X has 1 axes, expected 2: documents by words"),
]
test_from_csr_names_the_first_entry_that_is_not_a_count = refusals(Corpus.from_csr, [
    (type("Frame", (), {"columns": ["Unnamed: 0", "ash"]})(), "X has the column 'Unnamed: 0', expected words alone: read the file with index_col=0"),
    *[(make_container(X), message) for make_container in (np.asarray, scipy.sparse.csr_array) for X, message in INVALID_MATRICES],
    (np.array([[1, 2], [None, 3]], object), "X[1, 0] is None, expected a count"),
])


# Splits --------------------------------------------------------------------------------------------------------------


def is_types_where_counts_are(c, part_corpora):
    return all(part_corpus.is_types for part_corpus in part_corpora) if c.M < c.N else all(part_corpus.M == part_corpus.N for part_corpus in part_corpora)


@quick_settings
@given(corpora(), st.floats(0, 1), seed_strategy)
def test_split_draws_tokens_of_every_document(c, fraction, seed):
    for split_unit, unit_fraction in (("tokens", fraction), ("halves", None)):
        part_corpora = split(c, split_unit, unit_fraction, np.random.default_rng(seed))
        n_j, (X_train, X_test) = matrix_of(c).sum(1), map(matrix_of, part_corpora)
        np.testing.assert_array_equal(X_train + X_test, matrix_of(c))
        if split_unit == "tokens":
            assert np.all(np.abs(X_test.sum(1) - fraction * n_j) <= 0.5 + 1e-9)
        else:
            np.testing.assert_array_equal(X_test.sum(1), n_j // 2)
        assert all(part_corpus.vocab == c.vocab for part_corpus in part_corpora)
        assert is_types_where_counts_are(c, part_corpora)


@pytest.mark.parametrize(("n_tokens", "fraction", "n_held_out"), [(3, 0.5, 2), (5, 0.1, 1), (4, 0.1, 0), (10, None, 1), (7, 0.0, 0), (7, 1.0, 7)])
def test_split_rounds_to_the_nearest_and_halves_up(n_tokens, fraction, n_held_out):
    rng = np.random.default_rng(0)
    _, tokens_test_part = split(Corpus.from_documents([range(n_tokens)]), "tokens", fraction, rng)
    _, documents_test_part = split(Corpus.from_documents([[0]] * n_tokens), "documents", fraction, rng)
    assert tokens_test_part.N == documents_test_part.D == n_held_out


def test_split_tokens_keeps_the_order_of_the_text():
    # no word occurs twice in a document, and the ids of its words descend
    c = Corpus.from_documents([range(9)[::-1]] * 20)
    for part_corpus in split(c, "tokens", 0.5, np.random.default_rng(0)):
        assert np.all((np.diff(part_corpus.j) > 0) | (np.diff(part_corpus.w) < 0))


@quick_settings
@given(document_lists)
def test_split_halves_of_a_text(documents):
    c = Corpus.from_documents(documents, W=6)
    half_1, half_2 = split(c, "halves")
    middle_of_document = [-(-len(document) // 2) for document in documents]
    assert half_1 == Corpus.from_documents([document[:middle] for document, middle in zip(documents, middle_of_document, strict=True)], W=6)
    assert half_2 == Corpus.from_documents([document[middle:] for document, middle in zip(documents, middle_of_document, strict=True)], W=6)


@quick_settings
@given(corpora(), st.floats(0, 1), seed_strategy)
def test_split_documents_keeps_them_whole_and_in_order(c, fraction, seed):
    # an extra word, which occurs once in document 0, twice in document 1 and so on, identifies the documents
    marked_corpus = corpus_of(rows_of(c) + [(j, c.W, j + 1) for j in range(c.D)], "abcdefg")
    train, test = split(marked_corpus, "documents", fraction, np.random.default_rng(seed))
    assert abs(test.D - fraction * c.D) <= 0.5 + 1e-9
    document_numbers = [matrix_of(part_corpus)[:, -1] for part_corpus in (train, test)]
    for part_corpus, part_documents in zip((train, test), document_numbers, strict=True):
        np.testing.assert_array_equal(matrix_of(part_corpus), matrix_of(marked_corpus)[part_documents - 1])
        assert np.all(np.diff(part_documents) > 0)
    assert sorted(np.concatenate(document_numbers)) == list(range(1, c.D + 1))
    assert is_types_where_counts_are(marked_corpus, (train, test))


@pytest.mark.parametrize("split_unit", ["tokens", "halves", "documents"])
def test_split_is_determined_by_its_generator(split_unit):
    c = Corpus.from_csr(np.random.default_rng(0).integers(9, size=(20, 10))).tokens()
    split_1, split_1_again, split_2 = (split(c, split_unit, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert split_1 == split_1_again
    assert split_1 != split_2


test_split_names_what_is_wrong = refusals(lambda arguments: split(Corpus(**VALID), *arguments), [
    (("words",), 'by is \'words\', expected "tokens", "halves" or "documents"'),
    (("tokens", 0.1), "rng is None, expected a numpy.random.Generator with by = 'tokens'"),
    (("tokens", -0.1, np.random.default_rng(0)), "fraction is -0.1, expected a number in [0, 1]"),
    (("halves", 0.5, np.random.default_rng(0)), "fraction is 0.5, expected none with by = 'halves'"),
    (("halves",), "c has counts above 1, so its tokens have no order"),
])


def is_uniform(outcomes, frequency_of_outcome):
    """Whether the outcomes pass a chi-squared test against their expected frequencies, at a level of 1e-4."""
    distinct_outcomes, n_observed = np.unique(outcomes, return_counts=True)
    assert distinct_outcomes.tolist() == sorted(frequency_of_outcome)
    frequencies = np.array([frequency_of_outcome[outcome] for outcome in sorted(frequency_of_outcome)])
    return scipy.stats.chisquare(n_observed, frequencies / frequencies.sum() * len(outcomes)).pvalue > 1e-4


def test_held_out_tokens_are_drawn_uniformly():
    rng, D = np.random.default_rng(5), 6000
    token_corpus = Corpus.from_documents([[4, 3, 2, 1, 0]] * D)
    frequency_of_pair = {2**high_word + 2**low_word: 1 for high_word in range(5) for low_word in range(high_word)}  # the ten ways to draw two of five tokens
    _, test = split(token_corpus, "tokens", 0.4, rng)
    assert is_uniform(np.bincount(test.j, 2.0**test.w), frequency_of_pair)
    _, second_half = split(token_corpus, "halves", rng=rng)
    assert is_uniform(np.bincount(second_half.j, 2.0**second_half.w), frequency_of_pair)

    # rows have three and two tokens; draws of rows instead of tokens would not have this hypergeometric distribution
    type_corpus = Corpus(np.repeat(np.arange(D), 2), [0, 1] * D, [3, 2] * D, D, 2)
    _, test = split(type_corpus, "tokens", 0.4, rng)
    assert is_uniform(matrix_of(test)[:, 0], {0: 1, 1: 6, 2: 3})


class Frame:
    """What of a data frame is used: its columns, and an array."""

    def __init__(self, counts, columns):
        self.x, self.columns = np.array(counts), columns

    def __array__(self, dtype=None, copy=None):
        return self.x


def test_the_columns_of_a_data_frame_are_its_words():
    frame = Frame([[2, 0], [1, 3]], ["ash", "bay"])
    for c in (Corpus.from_csr(frame), as_corpus(frame)):
        assert c == Corpus.from_csr(frame.x, ["ash", "bay"])
    assert Corpus.from_csr(Frame([[1, 2]], range(2))).vocab is None
    assert Corpus.from_csr(frame, ["elm", "fir"]).vocab == ("elm", "fir")
