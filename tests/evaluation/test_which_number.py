"""Numbers that libraries report are named by their definitions, and decoys are not."""

import json
import math
import pickle
from functools import cache

import numpy as np
import pytest
from scipy.special import gammaln, polygamma

import lda_reference as lda
from lda_reference.algorithms.vb import bound_of_parameters, e_step
from lda_reference.evaluation import definitions
from lda_reference.evaluation.which_number import known_of

from ..helpers import log_p_of_urns, refusals
from . import reported_numbers

RECORD = json.loads(reported_numbers.PATH.read_text("utf-8"))
NUMBERS = [tuple(number_row) for number_row in RECORD["numbers"]]
BOUND = "VB's bound on log p(x), with q(theta) where {} stops by default, with the divergence of the topics"
MEAN = "exp of minus log p(x | theta, phi), with theta and phi at the means of q, with q(theta) where {} stops by default, per word"
DEFINITION_NAMES = {  # what is named, of the numbers of each model
    "scikit-learn": {"perplexity": f"exp of minus {BOUND}, per word".format("scikit-learn"), "theta phi": MEAN.format("scikit-learn")},
    "gensim": {
        "log_perplexity": f"{BOUND}, per word".format("gensim"),
        "perplexity in the log": f"2 to the power of minus {BOUND}, per word, which is in nats".format("gensim"),
        "exp(-log_perplexity)": f"exp of minus {BOUND}, per word".format("gensim"), "theta phi": MEAN.format("gensim"),
    },
    "gensim, one pass": {"bound": f"{BOUND}, in total".format("gensim")},
    "tomotopy": {
        "perplexity": "exp of minus log p(x, z), per word", "exp(-ll_per_word)": "exp of minus log p(x, z), per word",
        "theta phi": "exp of minus log p(x | theta, phi), with theta and phi from the counts and priors, per word",
    },
    "lda": {"loglikelihood": "log p(x, z), in total"},
}  # fmt: skip
# gensim starts at random, and the second of the first five documents ends elsewhere by chance; tomotopy's log Gamma
# function is off by 2.5e-4 here, and arrays do not say that they are of tomotopy
UNNAMED = {("exp(-log_perplexity) of 5", "gensim"), ("log p(x, z)", "tomotopy, two words")}


@cache
def stored_model(model_name):
    """The arrays of a model and its corpus. gensim and tomotopy compute in single precision."""
    dtype = np.float32 if model_name.startswith(("gensim", "tomotopy")) else np.float64
    arrays = {array_name: np.array(array, dtype) for array_name, array in RECORD["models"][model_name].items() if array_name != "X"}
    return arrays, np.array(RECORD["models"][model_name].get("X", RECORD["X"]))


def says(number, model_name, n_documents):
    arrays, X = stored_model(model_name)
    return [definition.says for definition in lda.which_number(number, arrays, X[:n_documents])]


def test_sixteen_of_eighteen_numbers_are_named_and_by_their_own_names():
    definitions_of_number = {(number_name, model_name): says(number, model_name, n_documents) for number_name, number, model_name, n_documents in NUMBERS}
    assert len(definitions_of_number) == 18
    assert {number_and_model for number_and_model, definition_names in definitions_of_number.items() if not definition_names} == UNNAMED
    for (number_name, model_name), definition_names in definitions_of_number.items():
        assert not definition_names or DEFINITION_NAMES[model_name][number_name.partition(" of ")[0]] in definition_names, (number_name, model_name)


@pytest.fixture
def cached_definitions(monkeypatch):
    """The definitions of a model are computed once."""
    original_function, cached_by_key = definitions.definitions, {}

    def definitions_once(model_numbers):
        pickled_numbers = pickle.dumps(model_numbers)
        return cached_by_key[pickled_numbers] if pickled_numbers in cached_by_key else cached_by_key.setdefault(pickled_numbers, original_function(model_numbers))

    monkeypatch.setattr("lda_reference.evaluation.which_number.definitions", definitions_once)


def decoys_of(n_digits):
    return [(number_name, f"{decoy:#.{n_digits}g}", model_name, n_documents) for number_name, number, model_name, n_documents in NUMBERS for decoy in (1.001 * number, 0.999 * number)]


@pytest.mark.usefixtures("cached_definitions")
def test_no_decoy_is_named():
    """Numbers that are moved, those of another model, and those of the first five documents alone."""
    decoys = [*decoys_of(17), *decoys_of(6), *decoys_of(5)]
    for number_name, number, model_name, n_documents in NUMBERS:
        decoys += [(number_name, number, other_model, 1 if "two words" in other_model else 60) for other_model in RECORD["models"] if other_model != model_name]
        if n_documents == 60:
            decoys.append((number_name, number, "scikit-learn" if model_name == "scikit-learn" else "gensim", 5))
    assert len(decoys) == 209
    assert [decoy for decoy in decoys if says(*decoy[1:])] == []


@pytest.mark.usefixtures("cached_definitions")
def test_four_digits_let_some_decoys_through():
    named_decoys = [decoy[1:3] for decoy in decoys_of(4) if says(*decoy[1:])]
    assert named_decoys == [("107.1", "gensim"), ("2337.", "gensim"), ("-1.438e+04", "gensim, one pass")]  # of 36


def test_the_numbers_of_the_live_models_are_named():
    for library in ("gensim", "tomotopy", "lda", "sklearn"):
        pytest.importorskip(library)
    models, numbers = reported_numbers.models_and_numbers()
    X = reported_numbers.corpus()
    definitions_of_number = {(number_name, model_name): lda.which_number(number, models[model_name], X[:n_documents]) for number_name, number, model_name, n_documents in numbers}
    assert {number_and_model for number_and_model, named_definitions in definitions_of_number.items() if not named_definitions} <= {("exp(-log_perplexity) of 5", "gensim")}


def test_the_table_of_tomotopy_explains_its_number():
    (number,) = (number for number_name, number, model_name, _ in NUMBERS if model_name == "tomotopy, two words")
    arrays, X = stored_model("tomotopy, two words")
    known_numbers = known_of(arrays, lda.Corpus.from_csr(X))._replace(is_tabulated=True)
    log_p = [definition.value for definition in definitions.definitions(known_numbers) if definition.says == "log p(x, z), with log Gamma interpolated in tomotopy's table, in total"]
    assert log_p == [pytest.approx(number, rel=2e-6)]
    x = np.array([0.01, 0.5, 1.01, 7.3, 100.99, 900.1, 5000])  # the chord of a convex function is above it
    gap = definitions.tabulated(x) - gammaln(x)
    assert np.all((gap >= 0) & (gap < 2.0 ** np.array([-20, -20, -12, -12, -12, -6, -6]) / 8 * polygamma(1, x - 0.001)))


N_JK, N_WK = np.array([[2.0, 1], [0, 3], [1, 0]]), np.array([[1.0, 0], [2, 0], [0, 4], [0, 0]])
COUNTS = {"N_jk": N_JK, "N_wk": N_WK, "alpha": 0.5, "eta": 0.1}


def log_last(count_rows, a):
    """The log probability of rows of counts in Pólya's urns, with = in place of +=."""
    log_p = 0.0
    for counts in count_rows:
        for n in counts:
            if n:
                log_p = math.lgamma(n + a)
        log_p -= math.lgamma(sum(counts) + len(counts) * a)
    return log_p + len(count_rows) * (math.lgamma(len(count_rows[0]) * a) - len(count_rows[0]) * math.lgamma(a))


LOG_Z, LOG_X = log_p_of_urns(N_JK, 0.5), log_p_of_urns(N_WK.T, 0.1)
WITHOUT_ZEROS = LOG_Z + LOG_X - (N_JK == 0).sum() * gammaln(0.5) - (N_WK == 0).sum() * gammaln(0.1)
CONSTANTS = 3 * (gammaln(1) - 2 * gammaln(0.5)) + 2 * (gammaln(0.4) - 4 * gammaln(0.1))


@pytest.mark.parametrize(
    ("number", "definition_text"),
    [
        (LOG_Z + LOG_X, "log p(x, z), in total"),
        (LOG_Z, "log p(z), in total"),
        (LOG_X, "log p(x | z), in total"),
        (log_p_of_urns(N_WK[:3].T, 0.1), "log p(x | z), in a vocabulary of the words that occur, in total"),
        (WITHOUT_ZEROS, "log p(x, z), without the zero counts, whose log Gamma(prior) is subtracted all the same, in total"),
        (log_last(N_JK, 0.5) + log_last(N_WK.T, 0.1), "log p(x, z), where each log Gamma of a count replaces the sum so far (= stands for +=), in total"),
        (LOG_Z + LOG_X - CONSTANTS, "log p(x, z), without the constants of the priors, in total"),
        (-LOG_Z / 3, "minus log p(z), per document"),
        (LOG_Z / 7 / math.log(2), "log p(z), per word, in bits"),
    ],
)
def test_a_number_of_counts_is_named(number, definition_text):
    assert definition_text in [definition.says for definition in lda.which_number(number, COUNTS)]
    assert definition_text not in [definition.says for definition in lda.which_number(1.001 * number, COUNTS)]


X = np.array([[3, 1, 0, 0], [0, 1, 4, 2], [1, 0, 0, 1], [0, 0, 0, 0]])
ETA_WK = np.array([[4.1, 0.1], [1.1, 1.1], [0.1, 4.1], [1.1, 2.1]])
Q_MODEL = {"eta_wk": ETA_WK, "alpha": 0.3, "eta": 0.1}


def converged(counts):
    """q(theta) by the package's own E step, and the bound and the part of the documents of VB."""
    c, p = lda.Corpus.from_csr(counts), lda.Prior(0.3, 0.1)
    alpha_jk = e_step(np.ones((c.D, 2)), ETA_WK, c, p, 3000)
    bound = bound_of_parameters(alpha_jk, ETA_WK, c, p)
    no_documents = lda.Corpus.from_documents([[]], W=4)
    phi_part = bound_of_parameters(np.full((1, 2), 0.3), ETA_WK, no_documents, p)
    return c, alpha_jk, bound, phi_part


def test_the_bound_and_its_parts_are_named():
    c, alpha_jk, bound_value, phi_part = converged(X)
    prefix = "VB's bound on log p(x), with q(theta) at its fixed point, "
    for number, suffix, D in (
        (bound_value, "with the divergence of the topics, in total", None),
        (bound_value - phi_part, "without the divergence of the topics, in total", None),
        (np.exp2(-bound_value / c.N), "with the divergence of the topics, per word, which is in nats", None),
        (bound_value / c.M, "with the divergence of the topics, per distinct word of a document", None),
        (bound_value - phi_part + phi_part * 4 / 10, "with 4/10 of the divergence of the topics, in total", 10),
        ((bound_value - phi_part) * 10 / 4 + phi_part, "with the part of the documents divided by 4/10, in total", 10),
    ):
        definition_texts = [definition.says for definition in lda.which_number(number, Q_MODEL, X, D)]
        assert any(prefix + suffix in definition_text for definition_text in definition_texts), suffix
    names_of_alpha_jk = [definition.says for definition in lda.which_number(bound_value, Q_MODEL | {"alpha_jk": alpha_jk}, X)]
    assert "VB's bound on log p(x), with the divergence of the topics, in total" in names_of_alpha_jk


def test_averages_over_documents_are_named():
    theta, phi = np.array([[0.7, 0.3], [0.2, 0.8], [0.5, 0.5], [0.5, 0.5]]), ETA_WK / ETA_WK.sum(0)
    log_p_j = (X * np.log(theta @ phi.T)).sum(1)[:3] / X.sum(1)[:3]
    for number, definition_text in (
        (np.exp(-log_p_j).mean(), "mean over the documents of exp of minus log p(x | theta, phi), with theta and phi as given, per word"),
        (np.exp(-log_p_j.mean()), "exp of minus log p(x | theta, phi), with theta and phi as given, per word of each document, averaged over the documents"),
    ):  # fmt: skip
        assert definition_text in [definition.says for definition in lda.which_number(number, {"theta_jk": theta, "phi_wk": phi}, X)]


@pytest.mark.parametrize(("algorithm_name", "prefix"), [("vb", "VB's bound on log p(x), with the divergence"), ("cvb0", "the bound of cvb0 at gamma"), ("cgs", "log p(x, z)")])  # fmt: skip
def test_a_fit_is_a_model(algorithm_name, prefix):
    c = lda.Corpus.from_csr(X)
    for p in (lda.Prior(0.3, 0.1), lda.Prior(0.3, ETA_WK)):  # the second has a prior for each topic
        f = lda.fit(c, 2, algorithm_name, p, sweeps=400, schedule="token")
        number = lda.log_joint_collapsed(*lda.model.counts_of(f.state.z, c, 2), p) if algorithm_name == "cgs" else f.algorithm.bound(f.state, f.algorithm.arranged(c), p)
        assert any(definition.says.startswith(prefix) for definition in lda.which_number(number, f, lda.Corpus.from_csr(X)))
    with pytest.raises(ValueError, match="expected one of a single run, with the corpus c of its training and no other"):
        lda.which_number(number, f, X + 1)


def test_the_loop_ends_at_the_fixed_point_of_the_e_step():
    c, alpha_jk, _, _ = converged(X)
    settled_alpha = definitions.settled(ETA_WK, c, lda.Prior(0.3, 0.1), definitions.Loop())
    np.testing.assert_allclose(settled_alpha, alpha_jk, rtol=1e-7)
    assert settled_alpha[3].tolist() == [0.3, 0.3]  # no word
    eta_wk, p = np.array([[1e-3, 1e-3], [9, 1]]), lda.Prior(0.1, 1e-3)  # the weights of word 0 underflow
    alpha_jk = definitions.settled(eta_wk, lda.Corpus.from_csr([[1, 1]]), p, definitions.Loop())
    np.testing.assert_allclose(alpha_jk, e_step(np.ones((1, 2)), eta_wk, lda.Corpus.from_csr([[1, 1]]), p, 200))


def test_the_printed_digits_say_how_close_a_definition_must_be():
    assert f"{NUMBERS[1][1]:.5f}" == "62.29729"
    assert [bool(says(number, "scikit-learn", 60)) for number in ("62.30", "62.31", "62.3000", "62.2973")] == [True, False, False, True]


def test_the_tolerance_is_that_of_the_bound_and_not_of_its_exponential():
    (bound,) = (-50 * math.log(number) for number_name, number, model_name, n_documents in NUMBERS if (model_name, n_documents) == ("gensim", 1))
    for relative_error, is_named in ((1.5e-5, True), (-1.5e-5, True), (4e-5, False)):
        moved_bound = (1 + relative_error) * bound
        assert [bool(says(moved_number, "gensim", 1)) for moved_number in (moved_bound, math.exp(-moved_bound / 50))] == [is_named] * 2


test_what_does_not_fit_is_refused = refusals(lambda number_and_model: lda.which_number(*number_and_model), [
    (("62.4", COUNTS), "number is '62.4', expected 4 significant digits or more"),
    (("62.30", {"z": [0], "c": lda.Corpus.from_documents([[0]])}, X), "c is given, expected none: the model has its documents"),
    (("62.30", {}), "model has too little for any definition, expected N_jk"),
    (("62.30", COUNTS | {"N_wk": -N_WK}), "N_wk[0, 0] is -1.0, expected a number of 0 or more"),
    (("62.30", COUNTS | {"N_wk": N_WK[:, :1]}), "N_wk has shape (4, 1), expected (W, 2): (W, K)"),
])


def test_a_topic_without_words_at_the_end_is_as_in_the_loop():
    padded_counts = COUNTS | {"N_jk": np.pad(N_JK, ((0, 0), (0, 1))), "N_wk": np.pad(N_WK, ((0, 0), (0, 1)))}
    log_p = log_last(padded_counts["N_jk"], 0.5) + log_last(padded_counts["N_wk"].T, 0.1)
    assert any("replaces" in definition.says for definition in lda.which_number(log_p, padded_counts))
