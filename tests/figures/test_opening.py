"""The document of chapter 00: what figures/pages/opening.py writes, and the file that is kept."""

import json
from pathlib import Path

import numpy as np
import pytest

from figures.pages import opening

KEPT = Path(opening.__file__).with_name("opening.json")


def check(described, K, alpha):
    """Shares are in falling order and are those of the words; probabilities sum to 1 up to the rounding of the file."""
    shares = np.array([topic["share"] for topic in described["topics"]])
    count = np.array([item["count"] for item in described["words"]])
    gamma = np.array([item["gamma"] for item in described["words"]])
    assert gamma.shape == (len(count), K)
    assert np.abs(gamma.sum(1) - 1).max() < 1e-3
    assert (np.diff(shares) <= 0).all()
    assert shares == pytest.approx((count @ gamma + alpha) / (count.sum() + K * alpha), abs=1e-3)
    names = [item["word"] for item in described["words"]]
    assert names == sorted(set(names))
    for topic in described["topics"]:
        assert topic["words"] == sorted(topic["words"], key=lambda word: -word[1])


def test_the_kept_file_agrees_with_itself():
    kept = json.loads(KEPT.read_text("utf-8"))
    settings = kept["settings"]
    check(kept, settings["K"], settings["alpha"])
    assert len(settings["bounds"]) == 6
    assert sum(item["count"] for item in kept["words"]) == 243
