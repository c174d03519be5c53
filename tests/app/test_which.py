"""The command `which` names the definition of a number, or says that none gives it."""

import numpy as np

import lda_reference as lda

from .helpers import printed, write_bars


def test_a_model_folder_and_an_npz_are_models(tmp_path, capsys):
    c, p = write_bars(tmp_path, 10, 10), lda.Prior(0.1, 0.1)
    f = lda.fit(c, 2, "vb", p, sweeps=100)
    lda.save(f, tmp_path / "m", c.vocab)
    N_wk = np.zeros((c.W, 2))
    np.add.at(N_wk, c.w, c.n[:, None] * f.state.gamma)
    np.savez(tmp_path / "a.npz", eta_wk=p.eta + N_wk, alpha=0.1, eta=0.1)
    per_word = f.algorithm.bound(f.state, c, p) / c.N
    for model, name in (("m", "the bound of vb at gamma, per word"), ("a.npz", "VB's bound on log p(x), with q(theta) at its fixed point, with the divergence of the topics, per word")):  # fmt: skip
        command = ["--model", tmp_path / model, "--corpus", tmp_path / "docword.txt"]
        answer = printed(capsys, "which", f"{per_word:.5f}", *command).out.splitlines()
        assert name in [line.partition(" is ")[2] for line in answer]
        moved = f"{1.001 * per_word:.5f}"
        out = printed(capsys, "which", *command, "--", moved).out
        assert out == f"{moved} is the number of no definition that this model and this corpus allow\n"
