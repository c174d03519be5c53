"""The document of chapter 00: the file that figures/pages/opening.py has written."""

import json
from pathlib import Path

import numpy as np
import pytest

from figures.pages import opening

OPENING_PATH = Path(opening.__file__).with_name("opening.json")


def test_the_kept_file_agrees_with_itself():
    """Shares are in falling order and are those of the words; probabilities sum to 1 up to the rounding of the file."""
    document = json.loads(OPENING_PATH.read_text("utf-8"))
    K, alpha, words_with_counts = document["settings"]["K"], document["settings"]["alpha"], document["words"]
    shares = np.array([topic["share"] for topic in document["topics"]])
    counts = np.array([word_entry["count"] for word_entry in words_with_counts])
    gamma = np.array([word_entry["gamma"] for word_entry in words_with_counts])
    assert gamma.shape == (len(counts), K)
    assert np.abs(gamma.sum(1) - 1).max() < 1e-3
    assert (np.diff(shares) <= 0).all()
    assert shares == pytest.approx((counts @ gamma + alpha) / (counts.sum() + K * alpha), abs=1e-3)
    sorted_words = [word_entry["word"] for word_entry in words_with_counts]
    assert sorted_words == sorted(set(sorted_words))
    for topic in document["topics"]:
        assert topic["words"] == sorted(topic["words"], key=lambda word_and_p: -word_and_p[1])
    assert len(document["settings"]["bounds"]) == 6
    assert counts.sum() == 243
