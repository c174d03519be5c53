"""The document that opens chapter 00: the words of a news item, each with its topics in a fit of CVB0.

    python -m figures.pages.opening

This fits 395 news items of Reuters (reuters_lda395 in the folder LDA_DATA) from several seeds, takes the fit with the
highest bound, and writes opening.json: the settings, the first words of each topic, and the words of one document with
their counts and probabilities of topics. The chapter reads this file, so it needs neither the corpus nor the fit. A run
takes about five minutes.
"""

import gzip
import json
import re
from typing import Any

import numpy as np

import lda_reference as lda
from figures.common import corpus, folder, options, there

K = 10
PRIOR = lda.Prior(0.1, 0.05)
SCHEDULE, START = "block", "growing"
DOCUMENT = 140  # a story about three things: the royal family, diplomacy in the war, and Nazi Germany
WORDS_SHOWN = 12  # words of each topic


def lines(file_name: str) -> list[str]:
    with gzip.open(folder("reuters395") / file_name, "rt", encoding="utf-8") as gzip_file:
        return [line.strip() for line in gzip_file]


def best_fit(c: lda.Corpus, n_seeds: int, sweeps: int) -> tuple[Any, list[float]]:
    """The fit with the highest bound, and the bounds of all seeds in nats per token."""
    best_fit_yet, bounds = None, []
    for seed in range(n_seeds):
        fit = lda.fit(c, K, "cvb0", PRIOR, sweeps=sweeps, schedule=SCHEDULE, start=START, seed=seed)
        bounds.append(float(fit.algorithm.bound(fit.state, c, fit.prior)) / c.N)
        print(f"seed {seed}: bound {bounds[-1]:.4f} nats per token", flush=True)
        if bounds[-1] == max(bounds):
            best_fit_yet = fit
    return best_fit_yet, bounds


def described(fit: Any, c: lda.Corpus, vocab: list[str], title: str, document: int) -> dict[str, Any]:
    """A document of a fit: its topics from the largest share to the smallest, and its words in alphabetical order."""
    topic_order = np.argsort(-fit.theta_jk[document], kind="stable")
    topic_records = []
    for k in topic_order:
        top_words = np.argsort(-fit.phi_wk[:, k], kind="stable")[:WORDS_SHOWN]
        words_with_p = [[vocab[w], round(float(fit.phi_wk[w, k]), 4)] for w in top_words]
        topic_records.append({"share": round(float(fit.theta_jk[document, k]), 4), "words": words_with_p})
    document_rows = sorted(np.flatnonzero(c.j == document), key=lambda document_row: vocab[c.w[document_row]])
    words_with_gamma = []
    for document_row in document_rows:
        gamma = [round(float(gamma_k), 4) for gamma_k in fit.state.gamma[document_row, topic_order]]
        words_with_gamma.append({"word": vocab[c.w[document_row]], "count": int(c.n[document_row]), "gamma": gamma})
    return {"title": title, "topics": topic_records, "words": words_with_gamma}


def main() -> None:
    opts = options(__doc__, ["opening"])
    if opts.draw or not there("reuters395"):
        return
    n_seeds, sweeps = (2, 10) if opts.quick else (6, 150)
    c = corpus("reuters395")
    fit, bounds = best_fit(c, n_seeds, sweeps)
    settings = {
        "corpus": "reuters_lda395", "documents": c.D, "vocabulary": c.W, "tokens": int(c.N), "algorithm": "cvb0",
        "schedule": SCHEDULE, "start": START, "K": K, "alpha": PRIOR.alpha, "eta": PRIOR.eta, "sweeps": sweeps,
        "bounds": [round(bound, 4) for bound in bounds],
    }  # fmt: skip
    title = lines("reuters.titles.gz")[DOCUMENT].split(" ", 1)[1]
    opening = {"settings": settings, **described(fit, c, lines("reuters.tokens.gz"), title, DOCUMENT)}
    opening_text = json.dumps(opening, indent=1)
    for one_line_pattern in (r"\[[^][{}]*\]", r"\{\s+\"word\"[^{}]*\}"):  # lists and words on a line each
        opening_text = re.sub(one_line_pattern, lambda json_match: " ".join(json_match[0].split()), opening_text)
    (opts.out / "pages/opening.json").write_text(opening_text + "\n", "utf-8")


if __name__ == "__main__":
    main()
