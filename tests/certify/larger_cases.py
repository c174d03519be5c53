"""Cases of larger corpora, which programs fail that are right in all smaller ones.

Documents that are divided into blocks in a wrong way, numbers of documents and words in 16 bits, a perplexity from the
product of all probabilities, steps that end early, draws at a boundary that several topics share.
"""

from __future__ import annotations

from typing import Any, cast

from lda_reference.oracle.fresh.inputs import Documents
from lda_reference.plain.updates import COLLAPSED, SAMPLERS

from .plan import Plan
from .small_corpora import COUNTS, FULL, SINGLE

# Documents of 2, 1, 0, 1, 2, 1, 1 and 1 rows. In six blocks they begin at the rows 0, 2, 3, 6 and 8. Of the two words
# each document has one that the document before it has, so that each refresh shows.
UNEVEN: Documents = [
    [(0, 1), (1, 1)], [(0, 1)], [], [(0, 1)], [(0, 1), (1, 1)], [(1, 1)], [(1, 1)], [(1, 2)],
]  # fmt: skip
FOUR: Documents = [[(0, 2), (1, 1), (2, 1)], [(1, 3)], [(2, 1)], [(0, 1), (1, 2)]]  # 3 words
SPREAD: Documents = [[(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 1)], [], [], [], [(1, 1)], [(4, 1)]]  # 6 words
# theta and u: the mistake with < gives another topic than the right draw and the other mistakes
TIES = (
    ([0.125, 0.125, 0.25, 0.25, 0.0, 0.25], 0.75),
    ([0.0, 0.125, 0.0, 0.5, 0.125, 0.25], 0.125),
    ([0.25, 0.0, 0.0, 0.5, 0.25], 0.25),
    ([0.25, 0.125, 0.0, 0.25, 0.125, 0.25], 0.375),
    ([0.25, 0.125, 0.0, 0.0, 0.5, 0.125], 0.375),
)
TIED_SWEEPS = {  # the topic of the first token, and the uniforms
    1: (0.25, 0.6105, 0.6945, 0.7245, 0.3465),
    3: (0.75, 0.3725, 0.5725, 0.7215, 0.6845),
}
BITS = 2**16
MANY = 70_000  # words or documents


def larger(plan: Plan) -> None:
    """Add the cases of an algorithm."""
    if plan.name in SAMPLERS:
        ties(plan)
    else:
        blocks(plan)
    if plan.name != "gibbs":  # which would be given 70,000 rows of theta or phi
        ids(plan)
    if plan.name not in COLLAPSED or plan.name == "cvb0":  # the collapsed algorithms share what is no step
        note = "a thousand test tokens: the product of their probabilities is 0"
        test = {"j": [0, 1], "w": [3, 0], "n": [999, 2]}
        cast(Any, plan.add)("predict", note, FULL, 4, 2, 0.5, 0.4, test=test)


def blocks(plan: Plan) -> None:
    """Add divisions of documents into blocks, and more steps of `nested`."""
    name, add = plan.name, cast(Any, plan.add)
    documents = [[(w, 1) for w, _ in d] for d in UNEVEN] if name == "cvb1s" else UNEVEN  # its counts are 1
    add("sweep", "eight uneven documents in six blocks", documents, 2, 2, 0.5, 0.3, "block", blocks=6)
    if name in ("vb", "vem", "cvb0"):
        add("sweep", "as many blocks as documents", FOUR, 3, 2, 0.5, 0.3, "block", blocks=4)
        note = "as many blocks as documents that have rows, and fewer than documents"
        add("sweep", note, SPREAD, 6, 2, 0.5, 0.3, "block", blocks=3)
    if name in ("vb", "vem"):
        add("sweep", "thirty steps for each document", COUNTS, 4, 2, 0.5, 0.3, "nested", inner=30)
    if name == "cvb1s":
        add("sweep", "five samples", FULL, 4, 3, 0.1, 0.2, uniforms=FIVE_SAMPLES)


FIVE_SAMPLES = [[(2 * ((37 * (5 * i + s)) % 100) + 1) / 200 for s in range(5)] for i in range(10)]


def ids(plan: Plan) -> None:
    """Add sweeps with words and documents that 16 bits do not tell apart, and a count of 70,000."""
    name, add = plan.name, cast(Any, plan.add)
    # No token of a large count has a topic, and in single precision tcvb0 loses what a count of 70,000 leaves.
    few = name in (*SAMPLERS, "cvb_exact", "tcvb0", "cvb1", "cvb1s")
    n = 2 if few else MANY
    # In single precision these uniforms are far from all boundaries, and these rows move little with a sum over words.
    uniforms = [[0.0005, 0.9995, (0.0005, 0.9995)[i % 2]] for i in range(11)]
    rows = [[(5 + i) / 100, (95 - i) / 100] for i in range(11)]
    samples = {"uniforms": uniforms, "state": {"gamma": rows}} if name == "cvb1s" else {}
    words: Documents = [[(3, 2), (BITS + 3, n), (MANY - 1, 2)], [(3, 1), (MANY - 1 - BITS, 1), (BITS + 3, 3)]]
    add("sweep", "word 65,536 and beyond", words, MANY, 2, 0.1, 0.01, **samples)
    documents: Documents = [[] for _ in range(MANY)]
    documents[3], documents[259], documents[BITS + 3] = [(0, 2), (1, 1)], [(1, 1), (2, 2)], [(0, 1), (1, 2)]
    documents[MANY - 1 - BITS], documents[MANY - 1] = [(2, 1)], [(0, 1)]
    add("sweep", "document 65,536 and beyond", documents, 3, 2, 0.1, 0.2)


def ties(plan: Plan) -> None:
    """Add draws on a boundary, where a mistake with < gives an answer of its own."""
    add: Any = plan.add
    if plan.name == "gibbs":
        for theta, u in TIES:
            given = {"theta_jk": [theta], "phi_wk": [[0.5] * len(theta)] * 2}
            note = "partial sums of several topics are u, as those between them have weight 0: all are counted"
            add("draw", note, SINGLE, 2, len(theta), 0.5, 0.5, row=0, token=0, uniform=u, tie=True, **given)
    else:
        documents: Documents = [[(0, 1)], [(1, 1), (2, 1), (3, 1), (4, 1)]]
        for topic, uniforms in TIED_SWEEPS.items():
            given = {"state": {"z": [0, 0, 1, 2, 3]}, "uniforms": list(uniforms)}
            u = uniforms[0]
            note = f"the first of five tokens has equal weights and u = {u}, on a partial sum: its topic is {topic}"
            add("sweep", note, documents, 6, 4, 0.5, 0.5, tie=True, **given)
