"""Coherence in windows: against the plain text, a loop that counts as gensim does, and numbers of gensim and tomotopy."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from lda_reference.evaluation.windows import windowed_coherence
from lda_reference.plain import numbers_of, windows

from ..helpers import refusals, refused

MEASURES = ("c_uci", "c_npmi", "c_v")
TEXTS = [text.split() for text in ("ash bay ash elm fig bay", "bay elm", "gum bay gum fig ash ash gum elm", "gum gum", "ash fig elm")]
TOPICS = [["ash", "bay", "elm"], ["gum", "fig", "ash", "elm"]]
# What the libraries print for TEXTS and TOPICS with windows of 3.
LIBRARIES = {
    "gensim": {  # 4.4.0
        "c_uci": [-0.5308177802324557, -4.536150778724035],
        "c_npmi": [-0.1991570921905592, -0.2381432229229742],
        "c_v": [0.34579338398760867, 0.2278975685714103],
    },
    "tomotopy": {  # 0.14.0
        "c_uci": [-0.5051640998587441, -0.5384019373081831],
        "c_npmi": [-0.19694895666916878, -0.20896369680639792],
        "c_v": [0.40648166338602704, 0.2415165277197957],
    },
}


def random_texts(seed):
    rng = np.random.default_rng(seed)
    W = int(rng.integers(4, 9))
    texts = [rng.integers(0, W, n).tolist() for n in rng.integers(0, 13, rng.integers(1, 6))]
    used_words = sorted({v for text in texts for v in text})
    if len(used_words) < 3:
        return random_texts(seed + 10**6)
    topics = [rng.permutation(used_words)[: rng.integers(2, len(used_words) + 1)].tolist() for _ in range(2)]
    return texts, topics, int(rng.integers(1, 8))


@pytest.mark.parametrize("measure", MEASURES)
def test_coherence_in_windows_is_that_of_the_plain_text(measure):
    for seed in range(1000):
        texts, topics, window = random_texts(seed)
        coherences = windowed_coherence(topics, texts, measure, window)
        plain_coherences = [windows.coherence(topic, texts, window, measure, numbers_of(float)) for topic in topics]
        np.testing.assert_allclose(coherences, plain_coherences, rtol=0, atol=1e-12, err_msg=str(seed))


def gensim_counts(texts, window):
    """{words: in how many windows they are}, where a window loses a word with its first copy; the windows."""
    counts, n_windows = Counter(), 0
    for text in texts:
        w_set = set(text[:window])
        for i in range(max(len(text) - window + 1, 1)):
            if i > 0:
                w_set = (w_set - {text[i - 1]}) | {text[i + window - 1]}
            counts.update(frozenset(x) for size in (1, 2) for x in itertools.combinations(w_set, size))
            n_windows += 1
    return counts, n_windows


def tomotopy_counts(texts, window, targets):
    """The same, where a window lacks its first word, unless its text is shorter, and a text without a target is none."""
    texts = [text for text in texts if set(text) & targets]
    w_sets = [set(text[i + 1 : i + window]) for text in texts for i in range(len(text) - window + 1)]
    w_sets += [set(text) for text in texts if len(text) < window]
    counts = Counter(frozenset(x) for words in w_sets for size in (1, 2) for x in itertools.combinations(words, size))
    return counts, len(w_sets)


def coherence_in(counts, n_windows, measure, topic, contexts, epsilon_below):
    """The measures, as both libraries compute them from counts."""

    def p(*words):
        return counts[frozenset(words)] / n_windows

    def pmi(v, u):
        return math.log((p(v, u) + 1e-12) / (p(v) * p(u) + epsilon_below))

    def npmi(v, u):
        return 1.0 if v == u and epsilon_below else pmi(v, u) / -math.log(p(v, u) + 1e-12)

    if measure != "c_v":
        return np.mean([{"c_uci": pmi, "c_npmi": npmi}[measure](*pair) for pair in itertools.combinations(topic, 2)])
    x = np.array([[npmi(v, u) for u in contexts] for v in topic])
    return np.mean([a @ x.sum(0) / np.linalg.norm(a) / np.linalg.norm(x.sum(0)) for a in x])


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("convention", LIBRARIES)
def test_conventions_are_loops_that_count_so(convention, measure):
    n_different = 0
    for seed in range(300):
        texts, topics, window = random_texts(seed)
        targets = {v for topic in topics for v in topic}
        for topic in topics:
            if convention == "gensim":
                by_loop = coherence_in(*gensim_counts(texts, window), measure, topic, topic, 0)
            else:
                by_loop = coherence_in(*tomotopy_counts(texts, window, targets), measure, topic, sorted(targets), 1e-12)
            score = windowed_coherence([topic, *topics], texts, measure, window, convention=convention)[0]
            assert score == pytest.approx(by_loop, abs=1e-10), seed  # where P(v, u) is almost 1, a loop loses digits
            n_different += abs(score - windowed_coherence([topic], texts, measure, window, 1e-12)[0]) > 0.01
    assert n_different > 100


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("convention", LIBRARIES)
def test_conventions_give_the_stored_numbers_of_the_libraries(convention, measure):
    stored = LIBRARIES[convention][measure]
    is_single = convention == "tomotopy" and measure == "c_v"
    coherences = windowed_coherence(TOPICS, TEXTS, measure, 3, convention=convention)
    np.testing.assert_allclose(coherences, stored, rtol=0, atol=1e-6 if is_single else 1e-12)


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
    texts = [rng.integers(0, 30, n).tolist() for n in rng.integers(0, 60, 200)]
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
