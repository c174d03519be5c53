"""Coherence in windows: against the plain text, and numbers of gensim and tomotopy.

coherences.json has 40 results of `random_texts`, and what gensim 4.4.0 (`CoherenceModel`) and tomotopy 0.14.0
(`coherence.Coherence`) print for them.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from lda_reference.evaluation.windows import windowed_coherence
from lda_reference.plain import numbers_of, windows

from ..helpers import refusals, refused

MEASURES = ("c_uci", "c_npmi", "c_v")
TEXTS = [text.split() for text in ("ash bay ash elm fig bay", "bay elm", "gum bay gum fig ash ash gum elm", "gum gum", "ash fig elm")]
TOPICS = [["ash", "bay", "elm"], ["gum", "fig", "ash", "elm"]]
RECORD = json.loads(Path(__file__).with_name("coherences.json").read_text("utf-8"))


def random_texts(seed):
    rng = np.random.default_rng(seed)
    W = int(rng.integers(4, 9))
    texts = [rng.integers(0, W, length).tolist() for length in rng.integers(0, 13, rng.integers(1, 6))]
    used_words = sorted({word for text in texts for word in text})
    if len(used_words) < 3:
        return random_texts(seed + 10**6)
    topics = [rng.permutation(used_words)[: rng.integers(2, len(used_words) + 1)].tolist() for _ in range(2)]
    return texts, topics, int(rng.integers(1, 8))


@pytest.mark.parametrize("measure", MEASURES)
def test_coherence_in_windows_is_that_of_the_plain_text(measure):
    for seed in range(1000):
        texts, topics, window_size = random_texts(seed)
        coherences = windowed_coherence(topics, texts, measure, window_size)
        plain_coherences = [windows.coherence(topic, texts, window_size, measure, numbers_of(float)) for topic in topics]
        np.testing.assert_allclose(coherences, plain_coherences, rtol=0, atol=1e-12, err_msg=str(seed))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("convention", ["gensim", "tomotopy"])
def test_conventions_give_the_stored_numbers_of_the_libraries(convention, measure):
    is_single_precision = convention == "tomotopy" and measure == "c_v"
    for case in RECORD:
        coherences = windowed_coherence(case["topics"], case["texts"], measure, case["window"], convention=convention)
        np.testing.assert_allclose(coherences, case[convention][measure], rtol=0, atol=1e-6 if is_single_precision else 1e-12)


def test_words_in_no_text_are_named_or_left_out():
    topics = [["ash", "bay", "oak"], ["oak", "ash"], ["oak", "yew"]]
    with refused("topics[0][2] is 'oak', expected a word that is in a text"):
        windowed_coherence(topics, TEXTS)
    for measure, single_coherence in (("c_npmi", np.nan), ("c_v", 1)):
        pair_coherence = windowed_coherence([["ash", "bay"]], TEXTS, measure, 3, convention="tomotopy")[0]
        coherences = windowed_coherence(topics, TEXTS, measure, 3, convention="tomotopy")
        np.testing.assert_allclose(coherences, [pair_coherence, single_coherence, np.nan], rtol=1e-12)


def test_many_tokens_are_counted_in_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    texts = [rng.integers(0, 30, length).tolist() for length in rng.integers(0, 60, 200)]
    topics = [[0, 1, 2, 3], [3, 4, 5]]
    coherences = [windowed_coherence(topics, texts, measure) for measure in MEASURES]
    monkeypatch.setattr("lda_reference.evaluation.windows.TABLE_SIZE", 100)
    np.testing.assert_array_equal(coherences, [windowed_coherence(topics, texts, measure) for measure in MEASURES])


ARGUMENTS = {"topics": TOPICS, "texts": TEXTS}

test_other_arguments_are_refused = refusals(lambda change: windowed_coherence(**ARGUMENTS | change), [
    ({"topics": [["ash", "ash"]]}, "topics[0] is ['ash', 'ash'], expected two or more words, each once"),
    ({"texts": ["ash bay"]}, "texts[0] is 'ash bay', expected a sequence of words or ids"),
    ({"measure": "c_p"}, "measure is 'c_p', expected one of c_uci, c_npmi, c_v"),
    ({"epsilon": 0, "convention": "gensim"}, "epsilon is 0, expected a number from 0 below 1, above 0 in the convention of a library"),
])
