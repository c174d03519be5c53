"""The document of chapter 00: what figures/pages/opening.py writes, and the file that is kept."""

import json
from pathlib import Path

import numpy as np
import pytest

import lda_reference as lda
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


def test_a_document_is_described_by_its_words_and_topics():
    c = lda.Corpus.from_documents([[0, 1, 1, 2], [3, 4, 3], [0, 3, 4, 4, 1]], W=5).types()
    fit = lda.fit(c, 3, "cvb0", opening.PRIOR, sweeps=5, seed=0)
    described = opening.described(fit, c, ["fig", "elm", "date", "cherry", "beech"], "A title", 2)
    check(described, 3, opening.PRIOR.alpha)
    assert described["title"] == "A title"
    assert [(item["word"], item["count"]) for item in described["words"]] == [
        ("beech", 2), ("cherry", 1), ("elm", 1), ("fig", 1),
    ]  # fmt: skip
    share = fit.theta_jk[2].max()
    assert described["topics"][0]["share"] == pytest.approx(share, abs=1e-4)
