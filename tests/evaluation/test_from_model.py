"""Models of other programs as Fits: their numbers are kept, the commands show them, and what is not known is said."""

import numpy as np
import pytest

import lda_reference as lda

from ..app.helpers import printed, refusal, rows_of
from ..helpers import refusals, write_corpus
from .test_judge import BARS, X, of_tomotopy, write_state

C, P = BARS.types(), lda.Prior([0.1, 0.2, 0.3], 0.05)
Z = np.random.default_rng(1).integers(3, size=BARS.N)
N_jk, N_wk = lda.model.counts_of(Z, BARS, 3)
PRIOR = {"alpha": P.alpha, "eta": P.eta}
THETA, PHI = (N_jk + P.alpha) / (N_jk + P.alpha).sum(1, keepdims=True), (N_wk + P.eta) / (N_wk + P.eta).sum(0)
MODELS = {
    "theta": PRIOR | {"theta_jk": THETA.astype(np.float32), "phi_wk": PHI},
    "counts": PRIOR | {"N_jk": N_jk, "N_wk": N_wk},
    "q": PRIOR | {"alpha_jk": N_jk + P.alpha, "eta_wk": N_wk + P.eta},
    "z": PRIOR | {"z": Z},
}


@pytest.mark.filterwarnings("ignore:the topics tell nothing")  # they are random
@pytest.mark.parametrize("model_kind", MODELS)
def test_the_numbers_of_a_model_are_kept(tmp_path, model_kind):
    f = lda.from_model(MODELS[model_kind], BARS if model_kind == "z" else X)
    np.testing.assert_allclose(f.theta_jk, THETA, rtol=1e-6)
    np.testing.assert_allclose(f.phi_wk, PHI, rtol=1e-12)
    assert lda.judge(f, BARS if model_kind == "z" else X)["perplexity"] == pytest.approx(lda.perplexity(C, f.theta_jk, f.phi_wk), rel=1e-6)  # not of counts by gamma
    for j, w, gamma_row in zip(C.j, C.w, f.state.gamma, strict=True):
        topic_weights = np.bincount(Z[(BARS.j == j) & (BARS.w == w)], minlength=3) if model_kind == "z" else f.theta_jk[j] * f.phi_wk[w]
        np.testing.assert_allclose(gamma_row, topic_weights / topic_weights.sum(), rtol=1e-12)
    lda.save(f, tmp_path)
    assert lda.load(tmp_path) == f
    with pytest.raises(ValueError, match="expected an Algorithm of this package"):
        lda.explain(f.algorithm, f.state, C, f.prior, 0)


def test_counts_are_not_invented_where_those_of_gamma_are_whole():
    disjoint = PRIOR | {"alpha": 0.1, "theta_jk": np.array([[0.9, 0.1], [0.2, 0.8]]), "phi_wk": np.array([[0.7, 0], [0.3, 0], [0, 0.6], [0, 0.4]])}
    counts = np.array([[60, 10, 0, 3], [0, 3, 40, 9]])
    assert lda.judge(lda.from_model(disjoint, counts), counts) == pytest.approx(lda.judge(disjoint, counts), rel=1e-12)


@pytest.mark.parametrize("model_path", ["state", "a.npz"])
def test_the_commands_show_it_and_say_what_is_not_known(tmp_path, monkeypatch, capsys, model_path):
    monkeypatch.chdir(tmp_path)
    write_corpus(C, tmp_path / "c.txt")
    write_state(tmp_path / "state", Z)
    np.savez(tmp_path / "a.npz", **MODELS["counts"])
    corpus_options = ["--corpus", "c.txt"] if model_path == "a.npz" else []
    theta = [[float(row[f"topic_{k}"]) for k in range(3)] for row in rows_of(printed(capsys, "documents", model_path, *corpus_options, "--csv").out)]
    np.testing.assert_allclose(theta, THETA, rtol=1e-12)
    assert [float(row["probability"]) for row in rows_of(printed(capsys, "topics", model_path, "--words", 1, *corpus_options, "--csv").out)] == PHI.max(0).tolist()
    assert {row["distance"] for row in rows_of(printed(capsys, "compare", model_path, model_path, *corpus_options, "--csv").out)} == {"0.0"}
    printed(capsys, "report", model_path, *corpus_options, "--document", 7, "--out", "r.html")
    report_html = (tmp_path / "r.html").read_text("utf-8")
    assert "schedule, start, seed and sweeps are not known" in report_html
    assert "<dt>seed</dt>" not in report_html
    lda.save(lda.from_model(tmp_path / "state") if model_path == "state" else lda.from_model(MODELS["counts"], X), "m")
    assert "it cannot go on" in refusal(capsys, "fit", "--corpus", "c.txt", "--resume", "--sweeps", 3, "--out", "m")
    command = ("perplexity", "m", "--corpus", "c.txt", "--train", "c.txt", "--estimator", "mean")
    message = refusal(capsys, *command) if model_path == "a.npz" else printed(capsys, *command).err
    assert ("m does not have the topics of its tokens" in message) == (model_path == "a.npz")
    (tmp_path / "t.csv").write_text("text\n" + " ".join(f"w{w:02}" for w in range(C.W)))
    assert "a.npz has no vocab, expected its words" in refusal(capsys, "judge", "a.npz", "--corpus", "t.csv", "--column", "text")


test_what_is_no_model_of_the_documents_is_named = refusals(lambda arguments: lda.from_model(*arguments), [
    ((PRIOR | {"theta_jk": THETA.T, "phi_wk": PHI}, X), "theta_jk has shape (3, 40), expected (40, K): (D, K), for the 40 documents and 9 words of c"),
    ((PRIOR | {"theta_jk": THETA, "phi_wk": PHI * np.nan}, X), "phi_wk[0, 0] is nan, expected a finite number"),
    ((PRIOR | {"theta_jk": np.eye(3)[[0] * 40], "phi_wk": np.eye(9, 3)}, X), "document 0 has word 1, which theta_jk and phi_wk make impossible"),
    ((MODELS["counts"], X > 0), "N_jk[0] adds up to 30, expected"),
    ((MODELS["counts"], None), "c is None or has no token"),
    ((PRIOR | {"theta_jk": THETA}, X), "model has too little, expected theta_jk and phi_wk"),
    ((MODELS["counts"] | {"eta": 1e-200}, X), "eta is 1e-200, expected a number from 1e-100 to 1e+10"),
])  # fmt: skip


def test_theta_and_phi_are_those_of_the_libraries():
    model = pytest.importorskip("sklearn.decomposition").LatentDirichletAllocation(3, random_state=0).fit(X)
    sklearn_triple = lda.from_model(model, X), model.transform(X), model.components_.T / model.components_.sum(1)
    model = of_tomotopy()
    phi_wk = np.array([model.get_topic_word_dist(k) for k in range(3)]).T
    tomotopy_triple = lda.from_model(model), np.array([document.get_topic_dist() for document in model.docs]), phi_wk
    model = pytest.importorskip("lda").LDA(3, n_iter=20, random_state=0).fit(X.toarray())
    for f, theta_jk, phi_wk in (sklearn_triple, tomotopy_triple, (lda.from_model(model, X), model.doc_topic_, model.topic_word_.T)):
        np.testing.assert_allclose(f.theta_jk, theta_jk, atol=1e-6)
        np.testing.assert_allclose(f.phi_wk, phi_wk, atol=1e-6)
