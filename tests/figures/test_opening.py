"""The document of chapter 00: the file that figures/pages/opening.py has written."""

import json
from pathlib import Path

import numpy as np
import pytest

from figures.pages import opening

KEPT = Path(opening.__file__).with_name("opening.json")


def test_the_kept_file_agrees_with_itself():
    """Shares are in falling order and are those of the words; probabilities sum to 1 up to the rounding of the file."""
    kept = json.loads(KEPT.read_text("utf-8"))
    K, alpha, words = kept["settings"]["K"], kept["settings"]["alpha"], kept["words"]
    shares = np.array([topic["share"] for topic in kept["topics"]])
    count = np.array([item["count"] for item in words])
    gamma = np.array([item["gamma"] for item in words])
    assert gamma.shape == (len(count), K)
    assert np.abs(gamma.sum(1) - 1).max() < 1e-3
    assert (np.diff(shares) <= 0).all()
    assert shares == pytest.approx((count @ gamma + alpha) / (count.sum() + K * alpha), abs=1e-3)
    names = [item["word"] for item in words]
    assert names == sorted(set(names))
    for topic in kept["topics"]:
        assert topic["words"] == sorted(topic["words"], key=lambda word: -word[1])
    assert len(kept["settings"]["bounds"]) == 6
    assert count.sum() == 243
