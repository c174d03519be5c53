"""The cases of the sampler test: tiny corpora, their posteriors, and the laws of mistaken samplers."""

from __future__ import annotations

from typing import Any

from lda_reference.oracle.fresh.inputs import Documents, corpus
from lda_reference.plain.problem import Case

from .posterior import posterior, together, topics
from .released import cases, kept
from .rounding import difference, rounded
from .stationary import mistaken_laws

# documents, W, K, alpha, eta
CORPORA: list[tuple[Documents, int, int, Any, Any]] = [
    ([[(0, 1), (1, 1), (0, 1)], [(1, 1), (2, 1), (2, 1)]], 3, 2, 0.5, 0.3),
    ([[(0, 2), (1, 1)], [(1, 1), (2, 3)]], 3, 2, 1.0, 0.1),
    ([[(0, 1), (1, 1), (1, 1)], [(0, 1), (2, 1)]], 3, 3, 0.3, 0.8),
    ([[(0, 1), (0, 1), (1, 1)], [(2, 1), (1, 1), (2, 1)]], 3, 2, [0.4, 1.6], [0.2, 0.5, 1.5]),
    ([[(0, 2), (1, 2)], [(1, 1), (2, 2)]], 3, 2, [0.3, 1.2], 0.4),
    ([[(0, 2), (2, 1)], [(0, 1), (1, 1)]], 3, 3, 0.6, [0.2, 0.9, 0.4]),
]


def sampler_cases() -> list[Case]:
    """For each sampler and corpus, how often two tokens share a topic: under p(z | x), and with each mistake.

    With an asymmetric alpha, topics can be told apart, and there is also how often a token has each topic.
    """
    out = []
    for name in ("cgs", "gibbs"):
        for number, (documents, W, K, alpha, eta) in enumerate(CORPORA, 1):
            case: Case = {
                "id": f"sampler/{name}/{number}", "algorithm": name, "operation": "sample",
                "corpus": corpus(name, documents, W), "K": K, "prior": {"alpha": alpha, "eta": eta},
            }  # fmt: skip
            N = sum(case["corpus"]["n"])
            right = posterior(case)
            seen = {"together": rounded(together(right, N))}
            if isinstance(alpha, list):
                seen["topics"] = rounded(topics(right, N, K))
            wrong: dict[str, dict[str, Any]] = {field: {} for field in seen}
            for mistake, law in mistaken_laws(case):
                of = {"together": together(law, N), "topics": topics(law, N, K)}
                if any(difference(of[field], seen[field]) > 1e-6 for field in seen):
                    for field in seen:
                        wrong[field][mistake] = rounded(of[field])
            of_topics = {"mistaken_topics": wrong["topics"]} if "topics" in wrong else {}
            # power iteration in floats ends within some units of the last place
            made = case | seen | {"mistakes": wrong["together"]} | of_topics
            out.append(kept(made, cases().get(case["id"]), 50))
    return out
