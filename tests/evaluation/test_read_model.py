"""Models in the files of other programs, with the numbers that these programs printed of them.

`programs` has them as MALLET 2.1.1, R's topicmodels 0.2-16 and lda 1.5.2, lda-c and Vowpal Wabbit 9.11.9 wrote them, of
the documents X with two topics.
"""

import math
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import digamma

import lda_reference as lda

from ..app.helpers import printed, rows_of
from ..helpers import log_p_of_urns, refused, write_corpus

PROGRAMS, VOCAB = Path(__file__).with_name("programs"), ("apple", "banana", "cherry", "date", "kiwi")
X = np.array([[2, 1, 1, 0, 0], [1, 1, 1, 0, 0], [0, 0, 0, 1, 0], [0] * 5, [1, 0, 0, 2, 2], [0, 0, 0, 1, 1], [0] * 5])
FULL = X[X.any(1)]  # without its empty documents, which R's topicmodels refuses
BOUND = "the bound of variational EM on log p(x | phi), with q(theta)"
EM = f"{BOUND} of the mean theta"
MALLET = "log p(x, z), with MALLET 2.1.1's error for documents of one word or none, per word"
PRINTED_NUMBERS = [  # the program, its number, the documents, and what the number is
    ("mallet", "-2.37903", X, MALLET),
    ("state.txt", "-2.37903", None, MALLET),
    ("topicmodels-vem", "-18.9077519008", FULL, f"{EM}, in total"),
    ("topicmodels-vem", "3.52724387273", FULL, f"exp of minus {EM}, per word"),
    ("topicmodels-gibbs", "-22.486659917", FULL, "log p(x | z), in total"),
    ("r-lda", "-30.0423243671", X, "log p(x, z), in total"),
    ("r-lda", "-22.4866599170", X, "log p(x | z), in total"),
]


def corpus(counts):
    return None if counts is None else lda.Corpus.from_csr(counts, VOCAB)


def model_of(program):
    return lda.read_model(PROGRAMS / program, D=len(X) if program == "state.txt" else None)


@pytest.mark.parametrize(("program", "number", "counts", "definition_text"), PRINTED_NUMBERS)
def test_the_numbers_that_the_programs_print_are_named_and_decoys_are_not(program, number, counts, definition_text):
    assert definition_text in [definition.says for definition in lda.which_number(number, model_of(program), corpus(counts))]
    for decoy in (1.001 * float(number), 0.999 * float(number)):
        assert lda.which_number(f"{decoy:.6g}", model_of(program), corpus(counts)) == []


@pytest.mark.parametrize(("program", "counts", "alpha", "eta"), [("mallet", X, 0.8, 0.05), ("state.txt", None, 0.8, 0.05), ("topicmodels-gibbs", FULL, 0.5, 0.1), ("r-lda", X, 0.2, 0.1)])  # fmt: skip
def test_log_p_of_x_and_z_is_that_of_the_counts_by_hand(program, counts, alpha, eta):
    """All samplers ended at the same topics: dates and kiwis in one, and the rest in the other."""
    N_jk, N_kw = np.stack([X[:, :3].sum(1), X[:, 3:].sum(1)], 1), X.sum(0) * [[1, 1, 1, 0, 0], [0, 0, 0, 1, 1]]
    log_joint = log_p_of_urns(N_jk, alpha) + log_p_of_urns(N_kw, eta)
    assert lda.judge(model_of(program), corpus(counts))["log p(x, z) per token"] == pytest.approx(log_joint / 15, rel=1e-9)


def expected_log(parameters):
    return digamma(parameters) - digamma(sum(parameters))


def bound_of_document(counts, phi_wk, alpha):
    """Variational EM's bound of one document, by a loop over its words."""
    parameters = np.ones(2)
    for _ in range(2000):
        weight_rows = [np.exp(expected_log(parameters)) * phi_w for phi_w in phi_wk]
        parameters = alpha + sum(count * weight_row / weight_row.sum() for count, weight_row in zip(counts, weight_rows, strict=True))
    log_p_w = sum(count * math.log((np.exp(expected_log(parameters)) * phi_w).sum()) for count, phi_w in zip(counts, phi_wk, strict=True))
    log_normaliser = math.lgamma(2 * alpha) - 2 * math.lgamma(alpha) - math.lgamma(sum(parameters)) + sum(map(math.lgamma, parameters))
    return log_p_w + log_normaliser + (alpha - parameters) @ expected_log(parameters)


@pytest.mark.parametrize(("program", "counts", "alpha"), [("topicmodels-vem", FULL, 0.0149947330171031), ("lda-c", X, 0.0181343411)])
def test_variational_em_has_its_bound_given_phi_and_no_other(program, counts, alpha):
    model, counts_or_corpus = model_of(program), counts if program == "lda-c" else corpus(counts)
    numbers = lda.judge(model, counts_or_corpus)
    bound = sum(bound_of_document(count_row, model["phi_wk"], alpha) for count_row in counts if count_row.any())
    assert numbers["bound per token, given phi"] == pytest.approx(bound / 15, rel=1e-9)
    log_p = np.log(model["theta_jk"] @ model["phi_wk"].T)
    assert numbers["perplexity"] == pytest.approx(math.exp(-(counts * log_p).sum() / 15), rel=1e-9)
    assert list(numbers) == ["bound per token, given phi", "perplexity", "perplexity of halves", "tokens scored"]
    assert f"{BOUND} at its fixed point, in total" in [definition.says for definition in lda.which_number(bound, model, counts_or_corpus)]
    assert lda.which_number(1.001 * bound, model, counts_or_corpus) == []


def test_lambda_of_vowpal_wabbit_has_a_row_for_each_feature():
    model, wider_counts = model_of("vw.txt"), np.pad(X, ((0, 0), (0, 3)))
    eta_wk = np.full((8, 2), 0.1)
    eta_wk[[0, 0, 1, 2, 3, 4], [0, 1, 0, 0, 1, 1]] = [3.10002, 1.09998, 2.1, 2.1, 4.1, 3.1]
    np.testing.assert_allclose(model["eta_wk"], eta_wk, rtol=1e-7)
    assert (model["alpha"], model["eta"]) == (0.100000001490116, 0.100000001490116)
    bound = lda.judge({"eta_wk": eta_wk, "alpha": 0.1, "eta": 0.1}, wider_counts)["bound per token"]
    assert lda.judge(model, wider_counts)["bound per token"] == pytest.approx(bound, rel=1e-6)


def test_the_commands_take_the_models_of_other_programs(tmp_path, capsys):
    write_corpus(corpus(X).types(), tmp_path / "c.txt", vocab=tmp_path / "v.txt")
    corpus_options = ["--corpus", tmp_path / "c.txt", "--vocab", tmp_path / "v.txt"]
    for program in ("mallet", "r-lda", "lda-c"):
        csv_rows = rows_of(printed(capsys, "topics", PROGRAMS / program, *corpus_options, "--words", 1, "--csv").out)
        assert sorted(row["word"] for row in csv_rows) == ["apple", "date"]
    csv_rows = rows_of(printed(capsys, "compare", PROGRAMS / "mallet", PROGRAMS / "r-lda", *corpus_options, "--csv").out)
    assert all(float(row["distance"]) < 0.1 for row in csv_rows)
    which_command = ("which", "--model", PROGRAMS / "mallet", *corpus_options, "--")
    assert f"is {MALLET}\n" in printed(capsys, *which_command, "-2.37903").out
    assert printed(capsys, *which_command, "-2.38141").out.startswith("-2.38141 is the number of no definition")
    assert lda.from_model(model_of("lda-c"), X).prior == lda.Prior([0.0181343411] * 2, 1.0)
    for array_name, array in {"theta_jk": np.full((7, 2), 0.5), "phi_wk": np.full((5, 2), 0.2)}.items():
        np.savetxt(tmp_path / f"{array_name}.csv", np.column_stack([range(len(array)), array]), delimiter=",", header="a", comments="", fmt="%g")
    stdout, stderr = printed(capsys, "judge", tmp_path, *corpus_options)
    assert stdout == "perplexity: 5\n"
    assert "perplexity 5, and 5 of a single topic" in stderr


@pytest.mark.parametrize(("program", "file_name", "damaged_text", "message"), [
    ("lda-c", "final.beta", "-1 -1\n-1\n", ", line 2: 1 numbers, expected 2, as in the row before"),
    ("r-lda", "N_jk.csv", '"","V1"\n"1",NA\n', ", line 2: ['NA'], expected numbers"),
    ("topicmodels-gibbs", "eta.csv", '"","V1"\n"apple",1\n"kiwi",1\n"cherry",1\n"date",1\n"banana",1\n', ", line 3: 'kiwi', expected 'banana' as in phi_wk.csv"),
    ("topicmodels-gibbs", "phi_wk.csv", '"","2","1"\n"apple",0.5,0.5\n', ", line 1: '2', expected '1' as in theta_jk.csv"),
    ("topicmodels-gibbs", "phi_wk.csv", '"1","2"\n0.5,1e-3\n', ", line 2: '0.5', expected a name before the numbers"),
    ("topicmodels-gibbs", "phi_wk.csv", "apple,1e-3,0.5\n", ", line 1: '1e-3', expected a header"),
    ("mallet", "topic-word-weights.txt", "0\ta\t1\n0\tb\t1\n1\ta\t1\n", ": topics of different words, expected the same words"),
])  # fmt: skip
def test_a_damaged_file_is_named_with_its_line(tmp_path, program, file_name, damaged_text, message):
    shutil.copytree(PROGRAMS / program, tmp_path / "m")
    (tmp_path / "m" / file_name).write_text(damaged_text)
    with refused(f"{tmp_path / 'm' / file_name}{message}"):
        lda.read_model(tmp_path / "m")


def test_what_is_no_model_is_refused(tmp_path):
    with refused(f"{tmp_path}: a folder without a model, expected model.json, theta_jk.csv or the like, final.beta or"):
        lda.read_model(tmp_path)
    model_lines = (PROGRAMS / "vw.txt").read_text().splitlines()
    (tmp_path / "vw.txt").write_text("\n".join([*model_lines[:12], *model_lines[13:]]))
    with refused(f"{tmp_path / 'vw.txt'}, line 13: row 3, expected row 2: all rows, in order"):
        lda.read_model(tmp_path / "vw.txt")


GIBBS = model_of("topicmodels-gibbs")
PRIOR, PHI_KW = {"alpha": [0.5, 0.5], "beta": 0.1}, GIBBS["phi_wk"].T
TOPICA_PARTS = {"doc_topic": GIBBS["theta_jk"], "topic_word": PHI_KW, "vocabulary": VOCAB, "save_state": None, **PRIOR}
TOPICA = type("LDA", (), {"__module__": "topica", **TOPICA_PARTS})()
PYRMALLET = {"doc_topic_distributions_": GIBBS["theta_jk"], "components_": PHI_KW, "feature_names_in_": np.array(VOCAB)}
FRAME = GIBBS["phi_wk"].view(type("Frame", (np.ndarray,), {"index": [("@default_class", w) for w in VOCAB]}))
ARTM = SimpleNamespace(phi_=FRAME, get_theta=lambda: GIBBS["theta_jk"].T, **PRIOR)


@pytest.mark.parametrize("model", [TOPICA, SimpleNamespace(_model=SimpleNamespace(**PRIOR), **PYRMALLET), ARTM])
def test_models_of_topica_pyrmallet_and_bigartm_are_judged_by_their_theta_phi_and_words(model):
    turned_corpus = lda.Corpus.from_csr(FULL[:, ::-1], VOCAB[::-1])
    assert lda.judge(model, turned_corpus) == pytest.approx(lda.judge(GIBBS, corpus(FULL)), rel=1e-9)
    with refused("c has no vocab, expected words: the model has an order of its own"):
        lda.judge(model, FULL)
    with refused("model is of the type DMR, which is not LDA, expected a Fit"):
        lda.judge(type("DMR", (), {"__module__": "topica", **TOPICA_PARTS})(), corpus(FULL))


def test_weights_of_words_are_said_and_the_likelihood_is_per_unit_of_weight():
    tomotopy = pytest.importorskip("tomotopy")
    model = tomotopy.LDAModel(tw=tomotopy.TermWeight.IDF, k=2, alpha=0.5, eta=0.1, seed=1)
    model.optim_interval = 0
    for count_row in FULL:
        model.add_doc([*np.repeat(VOCAB, count_row)])
    model.train(50, workers=1)
    with pytest.warns(UserWarning, match="tokens have weights in the model, tw=1: the model's own likelihood and perplexity are per"):
        numbers = lda.judge(model)
    theta_jk, word_columns = np.array([document.get_topic_dist() for document in model.docs]), [list(model.used_vocabs).index(w) for w in VOCAB]
    log_p = np.log(theta_jk @ [model.get_topic_word_dist(k) for k in range(2)])[:, word_columns]
    assert numbers["perplexity"] == pytest.approx(math.exp(-(FULL * log_p).sum() / 15), rel=1e-5)
    assert "log p(x, z) per token" not in numbers
    weight_of_word, weight_jk, weight_wk = np.log(len(FULL) / (FULL > 0).sum(0)), np.zeros((5, 2)), np.zeros((5, 2))
    for j, document in enumerate(model.docs):
        for w, k in zip(document.words, document.topics, strict=True):
            weight_jk[j, k] += weight_of_word[word_columns.index(w)]
            weight_wk[w, k] += weight_of_word[word_columns.index(w)]
    log_joint = (log_p_of_urns(weight_jk, 0.5) + log_p_of_urns(weight_wk.T, 0.1)) / weight_jk.sum()
    assert model.ll_per_word == pytest.approx(log_joint, rel=2e-4)
    assert "log p(x, z), per unit of weight" in [definition.says for definition in lda.which_number(f"{log_joint:.5f}", model)]
    assert lda.which_number(f"{1.001 * log_joint:.5f}", model) == []
