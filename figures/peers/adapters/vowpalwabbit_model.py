"""Vowpal Wabbit's --lda: online variational Bayes in single precision, asked by the options of its command line."""

import tempfile
from functools import partial
from pathlib import Path

import numpy as np
from vowpalwabbit import Workspace

from figures.peers.conformance_cases import counts_of

from . import Case, Skip, corpus, only_numbers, rows

NAME, PACKAGE = "Vowpal Wabbit", "vowpalwabbit"
EXACT = "--math-mode 1 --lda_epsilon 1e-6"


def learned(case: Case, options: str, batch: int | None = None) -> Case:
    """eta_wk after all documents, and their alpha_jk. It counts 2^b words: those that fill them up have a 0 here."""
    only_numbers(case, "alpha", "eta")
    X, (W, K), p, t = counts_of(case), np.shape(case["eta_wk"]), case["prior"], case.get("t", 0) + case.get("tau0", 1)
    if not X.sum(1).all():
        raise Skip("an empty line is no document")
    n_bits, size_option = int(np.ceil(np.log2(W))), f"--minibatch {batch or len(X)}"
    weights = np.full((2**n_bits, K), -p["eta"])  # it keeps what eta is added to
    weights[:W] += case["eta_wk"]
    with tempfile.TemporaryDirectory() as f:
        Path(f, "texts").write_text("".join(f"| {' '.join(f'{w}:{x[w]}' for w in np.flatnonzero(x))}\n" for x in X))
        start = Workspace(f"--quiet --lda {K} --lda_alpha {p['alpha']} --lda_rho {p['eta']} -b {n_bits} {size_option}")
        for (w, k), x in np.ndenumerate(weights):
            start.set_weight(w, k, x)
        start.save(f"{f}/start")
        start.finish()
        rate_options = f"--lda_D {case.get('total_D', len(X))} --initial_t {t - 1} --power_t {case.get('kappa', 0)}"
        file_options = f"-i {f}/start -d {f}/texts -f {f}/end -p {f}/alpha_jk"
        Workspace(f"--quiet {file_options} {size_option} {rate_options} {options}").finish()
        end_model = Workspace(f"--quiet -i {f}/end")
        eta_wk = [[end_model.get_weight(w, k) + p["eta"] for k in range(K)] for w in range(W)]
        end_model.finish()
        return {"eta_wk": eta_wk, "alpha_jk": np.loadtxt(f"{f}/alpha_jk", ndmin=2).tolist()}


def totals_of_the_topics():
    with tempfile.TemporaryDirectory() as f:

        def total(documents, options):
            document_lines = ("| " + " ".join(f"{w}:{n}" for w, n in enumerate(x) if n) for x in documents)
            Path(f, "texts").write_text("\n".join([*document_lines, ""]))
            Workspace(f"--quiet {options} -d {f}/texts -f {f}/model").finish()
            model = Workspace(f"--quiet -i {f}/model")
            return sum(model.get_weight(w, 0) for w in range(256))

        X, once_options = corpus(), "--lda 1 --lda_D 60 -b 8 --minibatch 60 --power_t 1"  # 60 documents, 3000 words
        start, half, before = total([], once_options), total(X, once_options), total(X, f"{once_options} -l 1")
        return {"rho": (start - half) / (start - 3000), "before": before, "after": total(X, f"-t -i {f}/model")}


as_it_is, test_mode = partial(learned, options=""), partial(learned, options=f"-t {EXACT}", batch=1)
with_l_half, with_l_1 = partial(learned, options=EXACT), partial(learned, options=f"-l 1 {EXACT}")
ROWS = rows(globals())
