"""topica's LDA: collapsed Gibbs sampling after MALLET, and CVB0. It reads and writes topics in MALLET's format."""

import gzip
import os
import tempfile
from functools import partial

import numpy as np
import topica

from figures.peers.conformance_cases import counts_of_topics, prior_of, tokens_of

from . import Case, Skip, corpus, only_numbers, rows

NAME, PACKAGE = "topica", "topica"
STATE = f"/proc/self/fd/{os.memfd_create('state')}"  # in memory, because the sampler test writes 60,000 states


def texts_of(case: Case) -> list[list[str]]:
    texts: list[list[str]] = [[] for _ in range(case["corpus"]["D"])]
    for j, w in zip(*tokens_of(case), strict=True):
        texts[j].append(str(w))
    return texts


def fitted(case: Case, iters: int = 100, seed: int = 0, sampler: str = "sparse", num_samples: int = 1) -> Case:
    """theta, phi, the log likelihood, and the topics of the last sweep with their counts."""
    only_numbers(case, "alpha", "eta")
    texts, K, W, p = texts_of(case), case["K"], case["corpus"]["W"], case["prior"]
    if not all(texts) or K > W:
        raise Skip("the library leaves out empty documents, and takes no more topics than words")
    prior_options = {"alpha_sum": K * p["alpha"], "beta": p["eta"], "optimize_interval": 0}
    model, words = topica.LDA(K, seed=seed, sampler=sampler, **prior_options), [str(w) for w in range(W)]
    documents = topica.Corpus.from_documents(texts, vocabulary=words)
    model.fit(documents, iters=iters, num_samples=num_samples, keep_theta_draws=False, progress=False)
    estimates = {"theta_jk": model.doc_topic, "phi_wk": model.topic_word.T}
    if sampler == "cvb0":
        return estimates
    model.save_state(STATE)
    with gzip.open(STATE) as state_file:
        z = [int(x.split()[-1]) for x in state_file.readlines()[3:]]
    topic_counts = dict(zip(("N_jk", "N_wk"), counts_of_topics(case, z), strict=True))
    return estimates | topic_counts | {"log_joint": model.log_likelihood(), "z": z}


def sample(case: Case) -> Case:
    return {"z": [fitted(case, 50, seed)["z"] for seed in range(case["draws"])]}


def evidence(case: Case) -> Case:
    """phi_wk has four digits, so it is that of a state with 10,000 tokens of each topic."""
    token_counts = np.rint(1e4 * np.array(case["phi_wk"])).astype(int)
    state_lines = (f"0 NA 0 {w} {w} {k}\n" * n for (w, k), n in np.ndenumerate(token_counts))
    alpha = " ".join(str(x) for x in prior_of(case)[0])
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(f"#doc source pos typeindex type topic\n#alpha : {alpha}\n#beta : 1e-12\n{''.join(state_lines)}")
        file.flush()
        model = topica.LDA.load_state(file.name)
    log_p_j = [model.evaluate([x], num_particles=1000, seed=0)["log_likelihood"] if x else 0 for x in texts_of(case)]
    return {"log_evidence": log_p_j}


def coherence(case: Case, **options: object) -> Case:
    """Of the words that the case's topics have first: `coherence` takes lists of words."""
    best_w = np.argsort(-np.transpose(case["phi_wk"]), 1, kind="stable")[:, : case["words"]]
    return {"coherence": topica.coherence(best_w.astype(str).tolist(), texts_of(case), n=case["words"], **options)}


def apples_and_bananas():
    texts = [["apple"] * 10 + ["banana"] * 2, ["banana"] * 10 + ["cherry"] * 2, ["apple"] * 3]
    model = topica.LDA(2, alpha_sum=0.2, beta=0.1, sampler="cvb0")
    model.fit(texts, num_samples=1)
    n, theta, phi = np.array([[10, 2, 0], [0, 10, 2], [3, 0, 0]])[:, :, None], model.doc_topic, model.topic_word

    def limit(copies):  # of the update without some copies of the word, where topica ends
        gamma = theta[:, None] * phi.T
        for _ in range(1000):
            gamma = gamma / gamma.sum(2, keepdims=True)
            N, out = n * gamma, copies * gamma
            gamma = (N.sum(1, keepdims=True) - out + 0.1) * (N.sum(0) - out + 0.1) / (N.sum((0, 1)) - out + 0.3)
        return np.max(N[0].sum(0) + 0.1) / 12.2

    return {"theta": theta[0].max(), "all_copies": limit(n), "one_copy": limit(1)}


def words_in_order():
    words = ["both"] * 5 + ["apple"] * 5 + ["both"] * 5 + ["cherry"] * 5  # ten of each topic: phi is 1/2
    state_lines = "".join(f"0 NA 0 {'bac'.index(w[0])} {w} {i // 10}\n" for i, w in enumerate(words))
    with tempfile.NamedTemporaryFile("w") as state_file:
        state_file.write(f"#doc source pos typeindex type topic\n#alpha : 0.1 0.1\n#beta : 1e-12\n{state_lines}")
        state_file.flush()
        model, text = topica.LDA.load_state(state_file.name), ["both"] * 6 + ["cherry"] * 3
    log_ps = [model.evaluate([x], num_particles=100_000, seed=1)["log_likelihood"] for x in (text, text[::-1])]
    right_log_p = np.log(0.5**9 * (0.1 * 1.1 * 2.1) / (0.2 * 1.2 * 2.2))  # each cherry has the second topic
    return {"order": log_ps[0], "reverse": log_ps[1], "right": right_log_p}


def theta_and_coherence():
    texts = [[str(w) for w in np.repeat(np.arange(200), x)] for x in corpus()]
    model = topica.LDA(5, optimize_interval=0, alpha_sum=0.5, beta=0.1, seed=1)
    model.fit(texts)
    with tempfile.NamedTemporaryFile(suffix=".gz") as state_file:
        model.save_state(state_file.name)
        N_jk = np.zeros((60, 5))
        np.add.at(N_jk, tuple(np.genfromtxt(state_file.name, int, skip_header=3, usecols=(0, 5)).T), 1)
    npmi = partial(topica.coherence, [["a", "b"]], coherence_type="c_npmi")
    met_npmi, never_npmi = npmi([["a", "b"], ["a"], ["c"], []]), npmi([["a"], ["b"]])
    return {"theta": np.abs(model.doc_topic - (N_jk + 0.1) / 50.5).max(), "empty": met_npmi[0], "never": never_npmi[0]}


cvb0, of_one, as_it_is = partial(fitted, iters=10_000, sampler="cvb0"), fitted, partial(fitted, num_samples=5)
umass, npmi = partial(coherence, coherence_type="u_mass"), partial(coherence, coherence_type="c_npmi")
npmi_of_documents = partial(npmi, window_size=10**6)
ROWS = rows(globals())
