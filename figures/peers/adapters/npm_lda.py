"""The package lda of npm: collapsed Gibbs sampling in JavaScript. `figures.wild.adapters.npm_lda` asks it for draws."""

import json
import shutil

import numpy as np

from figures.peers.conformance_cases import counts_of_topics, tokens_of
from figures.wild.adapters import Checkouts, npm_lda, question

from . import Case, Skip, built, only_numbers, output, rows

NAME, VERSION, FILE = "npm lda", "0.2.0", built(npm_lda.FILE)
if not shutil.which("node"):
    raise ImportError("node", name="node")
LOAD = """
const fs = require('fs'), x = JSON.parse(fs.readFileSync(0, 'utf8')), own = require('module').createRequire(x.file);
const text = fs.readFileSync(x.file, 'utf8') + '; return [lda, process];';
const [lda, printed] = new Function('require', 'module', text)(own, {});
const begin = () => {
  lda.configure(x.documents, x.W, 1, 0, 1, 0, 1);
  lda.K = x.K; lda.alpha = x.alpha; lda.beta = x.eta; lda.initialState(x.K);
};
const sweep = () => lda.z.forEach((z, m) => z.forEach((_, t) => { z[t] = lda.sampleFullConditional(m, t); }));
const tell = y => console.log(JSON.stringify(y));
"""
SAMPLE = """
begin();
const z = [];
for (let t = -100; t < x.draws; t++) { sweep(); if (t >= 0) z.push(lda.z.flat()); }
tell(z);"""
ESTIMATE = "begin(); for (let t = 0; t < 10; t++) sweep(); tell([lda.z.flat(), lda.getTheta(), lda.getPhi()]);"
PRINTED = "lda.gibbs = lda.getTheta = () => {}; lda.getPhi = () => x.phi_kw; tell(printed([x.text], x.K, 3));"


def node(code: str, **sent):
    return json.loads(output("node", "-e", LOAD + code, text=json.dumps({"file": str(FILE), **sent})))


def ask(case: Case, code: str):
    only_numbers(case, "alpha", "eta")
    documents = [[] for _ in range(case["corpus"]["D"])]
    for j, w in zip(*tokens_of(case), strict=True):
        documents[j].append(w)
    W, draws = case["corpus"]["W"], case.get("draws")
    return node(code, documents=documents, W=W, K=case["K"], draws=draws, **case["prior"])


def draw(case: Case) -> Case:
    only_numbers(case, "alpha", "eta")
    if case.get("schedule") == "interleaved":
        raise Skip("the library sweeps document after document")
    return npm_lda.answer(Checkouts(FILE.parents[3]), question(case))


def sample(case: Case) -> Case:
    return {"z": ask(case, SAMPLE)}


def estimate(case: Case) -> Case:
    z, theta, phi = ask(case, ESTIMATE)
    N_jk, N_wk = counts_of_topics(case, z)
    return {"theta_jk": theta, "phi_wk": np.transpose(phi), "N_jk": N_jk.tolist(), "N_wk": N_wk.tolist()}


def name(w: int) -> str:
    """A word that its stemmer leaves as it is."""
    return "k" + "bdfgmnpt"[w // 8] + "bdfgmnpt"[w % 8]


def top_words(case: Case) -> Case:
    """The case's phi of the words that it prints for it."""
    words, phi_kw = [name(w) for w in range(case["corpus"]["W"])], np.transpose(case["phi_wk"])
    told_topics = node(PRINTED, text=" ".join(words), K=case["K"], phi_kw=phi_kw.tolist())
    word_places = [[words.index(x["term"]) for x in topic] for topic in told_topics]
    return {"phi_kt": [[*phi_k[w], *[0] * (3 - len(w))] for phi_k, w in zip(phi_kw, word_places, strict=True)]}


# Reproductions -------------------------------------------------------------------------------------------------------


def words_of_one_topic():
    """How many of 60 equal words it prints, and the first of four words."""
    even_topics = node(PRINTED, text=" ".join(map(name, range(60))), K=1, phi_kw=[[1 / 60] * 60])
    phi_k = [0.5, 0.3, 0.2 - 3e-9, 3e-9]
    small_topics = node(PRINTED, text=" ".join(map(name, range(4))), K=1, phi_kw=[phi_k])
    return {"even": len(even_topics[0]), "first": small_topics[0][0]["probability"]}


ROWS = rows(globals())
