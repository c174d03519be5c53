"""Models of other programs by this package's definitions."""

import gzip
import re
from contextlib import nullcontext

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.algorithms import vb
from lda_reference.app.command_line import main
from lda_reference.evaluation import validation
from lda_reference.formats.mallet import read_state

from ..helpers import refusals, refused, write_corpus

BARS = lda.synthetic.bars(np.random.default_rng(0), side=3, D=40, length=30).corpus
X = BARS.to_csr()
NEW_DOCUMENTS = lda.Corpus.from_documents([[0, 1, 2, 2], [3, 8]], W=9)
KEYS = ("log p(x, z) per token", "bound per token", "perplexity", "perplexity of halves", "tokens scored")


def write_state(state_path, z):
    """Write topics of the drawn tokens as MALLET does."""
    state_lines = ["#doc source pos typeindex type topic", "#alpha : 0.1 0.2 0.3", "#beta : 0.05"]
    state_lines += [f"{j} a file.txt {position} {w} word{w} {k}" for position, (j, w, k) in enumerate(zip(BARS.j, BARS.w, z, strict=True))]
    with gzip.open(state_path, "wt", encoding="utf-8") as file:
        file.write("\n".join(state_lines) + "\n")


def completion(phi_wk, c, p):
    halves = validation.halves(c.types(), np.random.default_rng(0))
    return validation.completion(lda.ALGORITHMS["cvb0"], halves, phi_wk, p, 0)


def new_numbers(phi_wk, p):
    """The numbers of others of two documents, of four tokens and two, all of whose words the model has."""
    return {KEYS[3]: pytest.approx(completion(phi_wk, NEW_DOCUMENTS, p), rel=1e-12), KEYS[4]: 3}


@pytest.mark.filterwarnings("ignore:the topics tell nothing")
def test_a_state_of_mallet_is_read_and_judged(tmp_path, capsys):
    z, p = np.random.default_rng(1).integers(3, size=BARS.N), lda.Prior([0.1, 0.2, 0.3], 0.05)
    write_state(tmp_path / "state.gz", z)
    c, read_z, read_prior = read_state(tmp_path / "state.gz")
    assert (read_z, read_prior.alpha.tolist(), read_prior.eta) == (z.tolist(), [0.1, 0.2, 0.3], 0.05)
    A = lda.ALGORITHMS["cgs"]
    s = A.init(BARS, 3, p, z=z)
    phi_wk = A.estimate(s, BARS, p)[1]
    numbers = lda.judge({"z": read_z, "alpha": read_prior.alpha, "eta": read_prior.eta}, c)
    assert numbers["log p(x, z) per token"] == pytest.approx(lda.log_joint_collapsed(*lda.model.counts_of(z, BARS, 3), p) / BARS.N, rel=1e-12)
    assert numbers["perplexity"] == pytest.approx(lda.perplexity(BARS, *A.estimate(s, BARS, p)), rel=1e-12)
    assert numbers["perplexity of halves"] == pytest.approx(completion(phi_wk, BARS, p), rel=1e-12)
    assert lda.judge(tmp_path / "state.gz") == numbers
    new_documents = lda.Corpus([0, 0, 0, 1, 1], [0, 1, 2, 3, 8], [1, 1, 2, 1, 1], 2, 9, c.vocab)
    assert lda.judge(tmp_path / "state.gz", new_documents) == new_numbers(phi_wk, p)
    assert main(["judge", str(tmp_path / "state.gz")]) == 0
    assert capsys.readouterr().out == "".join(f"{number_name}: {number:.6g}\n" for number_name, number in numbers.items())


@pytest.mark.parametrize(
    ("change_lines", "message"),
    [
        (lambda lines: lines[1:], "line 2: no line `#alpha : ...` and `#beta : ...`, expected a state file of MALLET"),
        (lambda lines: [*lines[:5], "0 a 1 2 three", *lines[5:]], "line 6: '0 a 1 2 three', expected document source position type"),
        (lambda lines: [*lines, "0 a 1 0 other 1"], "type 0 is 'other', expected 'word0', as before"),
        (lambda lines: [*lines, "0 a 1 0 word0 3"], "topic 3, expected a topic below 3"),
    ],
)
def test_what_is_no_state_is_refused(tmp_path, change_lines, message):
    write_state(tmp_path / "state.gz", np.zeros(BARS.N, int))
    state_lines = gzip.decompress((tmp_path / "state.gz").read_bytes()).decode().splitlines()
    (tmp_path / "state.txt").write_text("\n".join(change_lines(state_lines)) + "\n")
    with pytest.raises(ValueError, match=rf"state\.txt.*{re.escape(message)}"):
        read_state(tmp_path / "state.txt")


def test_a_model_of_scikit_learn_has_its_bound():
    decomposition_module = pytest.importorskip("sklearn.decomposition")
    model = decomposition_module.LatentDirichletAllocation(3, max_iter=30, random_state=0).fit(X)
    numbers, p = lda.judge(model, X), lda.Prior(model.doc_topic_prior_, model.topic_word_prior_)
    assert tuple(numbers) == KEYS[1:]
    library_bound = -np.log(model.perplexity(X))  # their loop over q(theta) stops earlier
    assert library_bound - 1e-9 < numbers["bound per token"] < library_bound + 0.02
    phi_wk = (model.components_ / model.components_.sum(1, keepdims=True)).T
    assert numbers["perplexity of halves"] == pytest.approx(completion(phi_wk, BARS, p), rel=1e-12)


def test_a_model_of_gensim_has_its_bound_and_finds_its_words_by_name():
    gensim_models, words = pytest.importorskip("gensim.models"), [*"abcdefghi"]
    c = BARS.types()
    bows = [[(int(w), int(n)) for w, n in zip(c.w[c.j == j], c.n[c.j == j], strict=True)] for j in range(c.D)]
    model = gensim_models.LdaModel(bows, 3, id2word=dict(enumerate(words)), passes=20, random_state=0)
    numbers = lda.judge(model, lda.from_bows(bows, vocab=words))
    assert tuple(numbers) == KEYS[1:]
    assert numbers["bound per token"] == pytest.approx(model.log_perplexity(bows), abs=0.02)
    wider_corpus = lda.Corpus(c.j, c.w, c.n, c.D, 10, [*words, "another"])
    assert lda.judge(model, wider_corpus) == pytest.approx(numbers, rel=1e-9)
    reversed_corpus = lda.Corpus(c.j, 8 - c.w, c.n, c.D, 9, words[::-1]).types()
    assert lda.judge(model, reversed_corpus)["bound per token"] == pytest.approx(numbers["bound per token"], rel=1e-9)
    del model.id2word[3]
    with refused("the number of a word of the model is 3, expected one that id2word has"):
        lda.judge(model, wider_corpus)


def of_tomotopy(**options):
    model = pytest.importorskip("tomotopy").LDAModel(k=3, seed=0, **options)
    for j in range(BARS.D):
        model.add_doc([str(w) for w in BARS.w[BARS.j == j]])
    model.train(50, workers=1)
    return model


def test_a_model_of_tomotopy_has_its_likelihood_and_finds_its_words_by_name():
    model, cut_model = of_tomotopy(), of_tomotopy(rm_top=2, min_cf=20)
    assert tuple(lda.judge(model)) == (KEYS[0], *KEYS[2:])
    assert lda.judge(cut_model)["log p(x, z) per token"] == pytest.approx(cut_model.ll_per_word, rel=1e-4)
    words = [*"30184627", "a new word"]  # in another order than that of the model, and without its word 5
    new_documents = lda.Corpus([0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 7, 8], [1, 1, 2, 1, 1, 1], 2, 9, words)
    numbers = lda.judge(lda.from_model(model), new_documents)
    assert lda.judge(model, new_documents) == pytest.approx(numbers, rel=1e-5)
    with refused("c has no word of the model, expected one at least"):
        lda.judge(model, lda.Corpus.from_documents([[0, 0]], vocab=["none"]))


def test_a_fit_of_a_sampler_is_judged():
    f = lda.fit(BARS, 3, "cgs", sweeps=5, seed=0)
    assert lda.judge(f, BARS)["log p(x, z) per token"] < 0


def test_a_fit_has_its_own_bound_and_halves_of_other_documents(tmp_path, capsys):
    for A, alpha in (("map", 1.2), ("vem", 0.2), ("cgs", 0.2)):  # MAP adds alpha - 1 to the counts
        f = lda.fit(BARS, 3, A, sweeps=60, prior=lda.Prior(alpha, 1.1))
        numbers = lda.judge(f, BARS)
        assert numbers[KEYS[2]] == lda.perplexity(BARS, f.theta_jk, f.phi_wk)
        assert numbers[KEYS[3]] == pytest.approx(completion(f.phi_wk, BARS, lda.Prior(0.2, 1.0)), rel=1e-12)
    f = lda.fit(BARS, 3, "vb", sweeps=5, seed=0)
    numbers = lda.judge(f, BARS)
    assert tuple(numbers) == KEYS[1:]
    assert numbers["bound per token"] == pytest.approx(f.algorithm.bound(f.state, BARS, f.prior) / BARS.N, rel=1e-12)
    assert lda.judge(f, NEW_DOCUMENTS) == new_numbers(f.phi_wk, f.prior)
    with refused("c has 8 words, expected the 9 of the model"):
        lda.judge(f, lda.Corpus.from_documents([[0, 7]]))
    lda.save(f, tmp_path / "m")
    assert lda.judge(tmp_path / "m", BARS) == numbers
    write_corpus(NEW_DOCUMENTS, tmp_path / "others.txt")
    assert main(["judge", str(tmp_path / "m"), "--corpus", str(tmp_path / "others.txt")]) == 0
    assert capsys.readouterr().out == f"{KEYS[3]}: {completion(f.phi_wk, NEW_DOCUMENTS, f.prior):.6g}\n{KEYS[4]}: 3\n"


def test_topics_that_tell_nothing_are_said_and_good_ones_of_few_documents_are_not():
    rng = np.random.default_rng(0)
    count_matrix = np.array([rng.multinomial(20, np.outer(np.eye(3)[j % 3], [0.6, 0.25, 0.1, 0.04, 0.01]).ravel()) for j in range(60)])
    f = lda.fit(count_matrix, 3, sweeps=60)
    for D, order in ((1, 1), (3, 1), (60, 1), (60, -1)):
        arrays = {"theta_jk": f.theta_jk[:D][::order], "phi_wk": f.phi_wk, "alpha": 0.1}
        with pytest.warns(UserWarning, match="of a single topic") if order < 0 else nullcontext():
            lda.judge(arrays, count_matrix[:D])
    with pytest.warns(UserWarning, match="perplexity of halves .* 15 if all words were equally probable"):
        lda.judge(f, count_matrix[:, rng.permutation(15)])


@pytest.mark.parametrize("model_kind", ["fit", "folder", "estimator"])
def test_the_words_of_our_models_are_found_by_name(tmp_path, model_kind):
    words, new_documents = tuple("abcdefghi"), lda.Corpus.from_documents([[0, 1, 2, 2], [3, 8]], W=9, vocab=tuple("abcdefghi"))
    c, word_order = lda.Corpus.from_csr(X, words), np.arange(9)[::-1]
    model = f = lda.fit(c, 3, seed=0)
    assert f.vocab == words
    lda.save(f, tmp_path / "m")
    assert lda.load(tmp_path / "m").vocab == words
    if model_kind == "folder":
        model = tmp_path / "m"
    if model_kind == "estimator":
        model = pytest.importorskip("lda_reference.sklearn").LDA(3, random_state=0).fit(c)
    reversed_corpus = lda.Corpus.from_csr(X[:, word_order], words[::-1])  # the training documents, their words in another order
    assert [lda.judge(model, reversed_corpus)[number_name] for number_name in KEYS[1:3]] == [lda.judge(model, c)[number_name] for number_name in KEYS[1:3]]
    reversed_new_documents = lda.Corpus.from_csr(new_documents.to_csr()[:, word_order], words[::-1])
    assert lda.judge(model, reversed_new_documents) == lda.judge(model, new_documents) == new_numbers(f.phi_wk, f.prior)
    bound_text = str(lda.judge(model, c)["bound per token"])
    if model_kind != "folder":
        assert lda.which_number(bound_text, model, reversed_corpus)[0].says == "the bound of cvb0 at gamma, per word"
    assert lda.judge(model, lda.Corpus.from_documents([[0, 0, 1]], vocab=["a", "new"]))["tokens scored"] == 1


def test_words_need_a_model_that_has_words():
    sklearn_module = pytest.importorskip("lda_reference.sklearn")
    sklearn_model = pytest.importorskip("sklearn.decomposition").LatentDirichletAllocation(3, max_iter=2, random_state=0)
    worded_corpus = lda.Corpus.from_csr(X, tuple("abcdefghi"))
    for model in (lda.fit(X, 3), sklearn_module.LDA(3, random_state=0).fit(X), sklearn_model.fit(X)):
        with refused("c has words and the model has none, expected a matrix of counts in the model's columns"):
            lda.judge(model, worded_corpus)
    sklearn_model.feature_names_in_ = np.array([*"abcdefghi"], object)  # as after a data frame
    reversed_corpus = lda.Corpus.from_csr(X[:, ::-1], tuple("ihgfedcba"))
    assert lda.judge(sklearn_model, reversed_corpus) == pytest.approx(lda.judge(sklearn_model, worded_corpus), rel=1e-9)
    bound_text = str(lda.judge(sklearn_model, worded_corpus)["bound per token"])
    assert [definition.says for definition in lda.which_number(bound_text, sklearn_model, reversed_corpus)] == [definition.says for definition in lda.which_number(bound_text, sklearn_model, X)]


def test_an_estimator_is_judged_as_its_model():
    sklearn_module = pytest.importorskip("lda_reference.sklearn")
    estimator = sklearn_module.LDA(3, "vb", random_state=0).fit(X)
    assert lda.judge(estimator, X) == lda.judge(estimator.model_, X)
    assert lda.which_number(estimator.bound_, estimator, X)[0].says == "the bound of vb at gamma, per word"
    with refused("c is None, expected the documents that the model was trained on, or others"):
        lda.judge(estimator)
    estimator.partial_fit(X)
    assert not hasattr(estimator, "model_")
    arrays = {"eta_wk": estimator.components_.T, "alpha": 0.1, "eta": 0.1}
    assert lda.judge(estimator, X) == lda.judge(arrays, X)


COUNTS = {"N_jk": np.array([[2.0, 1], [0, 4]]), "N_wk": np.array([[2.0, 0], [0, 5]]), "alpha": 0.5, "eta": 0.2}
SOFT = {"N_jk": np.array([[1.5, 1.5], [0.5, 3.5]]), "N_wk": np.array([[1.5, 0.5], [0.5, 4.5]]), "alpha": 0.5, "eta": 0.2}
LAMBDA = COUNTS["N_wk"] + 0.2
X_2, X_EQUAL = np.array([[2, 1], [0, 4]]), np.array([[2, 1], [0, 3]])  # EQUAL: documents of equal lengths
KINDS = "expected a Fit, arrays by name, or a fitted LatentDirichletAllocation of scikit-learn, LdaModel of gensim,"


@pytest.mark.filterwarnings("ignore:the topics tell nothing")
def test_counts_of_the_documents_are_judged():
    equal_lengths_model = COUNTS | {"N_jk": np.array([[2.0, 1], [0, 3]]), "N_wk": np.array([[2.0, 0], [0, 4]])}
    lossy_model = SOFT | {"N_jk": 0.9 * SOFT["N_jk"]}  # as in gensim, with rare words
    late_e_step_model = SOFT | {"N_jk": np.array([[0.1, 2.9], [0.1, 3.9]])}  # of an E-step after the M-step
    unused_topic_model = COUNTS | {table_name: np.pad(COUNTS[table_name], ((0, 0), (0, 1))) for table_name in ("N_jk", "N_wk")}  # a topic without a token
    topic_eta_model = COUNTS | {"eta": np.full((2, 2), 0.2)}
    mixed_model = COUNTS | {"N_wk": SOFT["N_wk"]}
    for model in (COUNTS, equal_lengths_model, unused_topic_model, topic_eta_model, SOFT, lossy_model, late_e_step_model, mixed_model):
        count_matrix = X_EQUAL if model is equal_lengths_model else X_2
        alpha_jk, eta_wk = model["N_jk"] + 0.5, model["N_wk"] + 0.2
        p_jw = alpha_jk / alpha_jk.sum(1, keepdims=True) @ (eta_wk / eta_wk.sum(0)).T
        numbers = lda.judge(model, count_matrix)
        assert numbers["perplexity"] == pytest.approx(np.exp(-(count_matrix * np.log(p_jw)).sum() / count_matrix.sum()), rel=1e-12)
        assert (KEYS[0] in numbers) == (model["N_wk"][1, 0] == 0)


def test_parameters_of_q_are_judged_whatever_eta_was_learned():
    for eta in (1e-9, 0.2, 0.9):
        c, p = lda.Corpus.from_csr(X_2), lda.Prior(0.5, eta)
        bound = vb.bound_of_parameters(vb.e_step(np.ones((2, 2)), LAMBDA, c, p, 200), LAMBDA, c, p) / 7
        assert lda.judge({"eta_wk": LAMBDA, "alpha": 0.5, "eta": eta}, X_2)[KEYS[1]] == pytest.approx(bound, rel=1e-12)
    f = lda.fit(X_2, 2, "vb", prior=lda.Prior(0.5, [[2.0, 0.1], [0.1, 2.0]]), sweeps=3)
    assert lda.judge(f, X_2)[KEYS[1]] == f.algorithm.bound(f.state, c, f.prior) / 7


def numbers_of(model_and_documents):
    model, count_matrix = model_and_documents
    return lda.judge({"eta_wk": model, "alpha": 0.5, "eta": 0.2} if isinstance(model, np.ndarray) else model, count_matrix)


class Frame(np.ndarray):
    index, columns = ("b", "a"), (0, 1)


test_what_is_no_model_of_the_documents_is_refused = refusals(numbers_of, [
    ((COUNTS | {"N_jk": COUNTS["N_jk"][::-1]}, X_2), "N_jk[0] adds up to 4, expected 3, the tokens of this document: another"),
    ((COUNTS | {"N_wk": np.array([[1.0, 1], [0, 5]])}, X_2), "N_jk[:, 0] adds up to 2, expected 1, the tokens of this topic"),
    ((SOFT | {"N_jk": SOFT["N_jk"] / [[3], [4]]}, X_2), "N_jk[1] adds up to 1, expected 4, the tokens of this document"),
    ((COUNTS | {"N_jk": np.array([[0.0, 3], [2, 1]]), "N_wk": np.array([[2.0, 0], [0, 4]])}, X_EQUAL),
     "N_jk[0, 1] is 3.0, expected no more than N_wk allows for the words of this document"),
    (({"eta_wk": LAMBDA}, X_2), "model has no alpha and eta"),
    (({"eta_wk": LAMBDA.view(Frame)}, lda.Corpus.from_csr(X_2, ["a", "b"])), "eta_wk has the words in another order, expected 'a' in the first row"),
    ((LAMBDA, None), "c is None, expected the documents, which this model does not contain"),
    ((LAMBDA, np.eye(2, dtype=int)), "c has no document of two tokens whose second half has a word of the model"),
    ((LAMBDA / LAMBDA.sum(0), X_2), "eta_wk[:, 0] adds up to 1, as probabilities do, expected eta plus an expected count"),
    ((SOFT["N_wk"], X_2), "eta_wk[0] adds up to the tokens of word 0, as N_wk would, expected eta plus an expected count"),
    ((lda.fit(X_2, 2, sweeps=2, replicates=2), X_EQUAL), "model is a Fit, expected one of a single run"),
])


def test_other_models_of_scikit_learn_are_refused():
    decomposition_module = pytest.importorskip("sklearn.decomposition")
    for wrong_model in (decomposition_module.NMF(2).fit(X), decomposition_module.LatentDirichletAllocation(2)):
        with refused(f"model is of the type {type(wrong_model).__name__}, {KINDS}"):
            lda.judge(wrong_model, X)


@pytest.mark.filterwarnings("ignore:.*deprecated", "ignore:the topics tell nothing")
def test_other_models_of_gensim_and_tomotopy_are_refused(tmp_path):
    gensim, tomotopy = pytest.importorskip("gensim"), pytest.importorskip("tomotopy")
    bows, dictionary, gensim_models = [[(0, 2), (1, 1)], [(1, 4)]], gensim.corpora.Dictionary([["a", "b"]]), gensim.models
    wrong_models = [gensim_models.HdpModel(bows, dictionary), gensim_models.LsiModel(bows, 2, dictionary)]
    wrong_models.append(gensim_models.AuthorTopicModel(bows, 2, id2word=dictionary, author2doc={"x": [0], "y": [1]}))
    wrong_models += [getattr(tomotopy, class_name)() for class_name in dir(tomotopy) if class_name.endswith("Model") and class_name != "LDAModel"]
    assert len(wrong_models) == 16
    c = lda.from_bows(bows, vocab=["a", "b"])
    for wrong_model in wrong_models:
        with refused(f"model is of the type {type(wrong_model).__name__}, which is not LDA, {KINDS}"):
            lda.judge(wrong_model, c)
    topic_eta_model = gensim_models.LdaModel(bows, 2, id2word=dictionary, eta=np.array([[0.1, 2], [0.3, 3]]), random_state=0)
    arrays_of_model = {"eta_wk": topic_eta_model.state.get_lambda().T, "alpha": topic_eta_model.alpha, "eta": [[0.1, 0.3], [2, 3]]}
    assert lda.judge(topic_eta_model, c) == pytest.approx(lda.judge(arrays_of_model, X_2), rel=1e-6)
    seeded_model, untrained_model = type("Derived", (tomotopy.LDAModel,), {})(k=2, seed=0), tomotopy.LDAModel()
    for model in (seeded_model, untrained_model):
        model.add_doc(["a", "a", "b", "b", "b"])
    seeded_model.set_word_prior("a", [2.0, 0.1])
    seeded_model.train(5, workers=1)
    assert lda.judge(seeded_model)[KEYS[0]] == pytest.approx(seeded_model.ll_per_word, rel=1e-3)
    seeded_model.save(str(tmp_path / "m"), full=False)
    for empty_model in (untrained_model, tomotopy.LDAModel(tw=1), tomotopy.LDAModel.load(str(tmp_path / "m"))):
        with refused("model has no token with a topic, expected a trained model with its documents"):
            lda.judge(empty_model)


def test_parameters_in_single_precision_are_added_up_in_double():
    """As Vowpal Wabbit prints them: with 2**16 features, whose sums in single precision were far off."""
    eta_wk = np.full((2**16, 2), 0.1, np.float32)
    eta_wk[:3] = [[2.1, 0.1], [0.1, 3.1], [1.1, 0.1]]
    c = lda.Corpus([0, 0, 1, 1], [0, 2, 1, 2], [2, 1, 3, 1], 2, len(eta_wk))
    judgements = [lda.judge({"eta_wk": parameters, "alpha": 0.1, "eta": 0.1}, c) for parameters in (eta_wk, eta_wk.astype(float))]
    assert judgements[0]["bound per token"] == judgements[1]["bound per token"] < 0
