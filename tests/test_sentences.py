"""Every sentence that compares algorithms is listed with its evidence, and the evidence exists."""

import pytest

from figures import sentences


def test_the_comparisons_are_those_that_are_listed():
    assert set(sentences.comparisons()) == {(entry["place"], entry["text"]) for entry in sentences.entries()}


@pytest.mark.parametrize("entry", sentences.entries(), ids=lambda entry: entry["text"][:40])
def test_the_evidence_exists(entry):
    assert sentences.evidence(entry)


@pytest.mark.parametrize(
    ("sentence", "is_comparison"),
    [
        ("CVB0 is better than VB.", True),
        ("VB ends higher in `nested` than in `corpus` order.", True),
        ("CVB0 and VB have terms of the same form.", False),
        ("CVB0 ends lower from this start.", False),
    ],
)
def test_comparisons_are_found(sentence, is_comparison):
    assert sentences.compares(sentence) is is_comparison


def test_missing_evidence_is_refused():
    for entry in ({"csv": "search/runs.csv", "where": {"study": ["none"]}, "column": "perplexity"},
                  {"place": "chapters/09_approximations.ipynb", "cell": "no such code"},
                  {"test": "tests/test_sentences.py::test_none"}):  # fmt: skip
        with pytest.raises(ValueError, match="has no"):
            sentences.evidence(entry)
