"""The cases of the sampler test: tiny corpora, their posteriors, and the laws of mistaken samplers."""

from __future__ import annotations

from typing import Any

from .arithmetic import Case, difference, rounded
from .inputs import Documents, corpus
from .mistakes.chains import mistaken_laws
from .posterior import posterior, together

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
    """For each sampler and corpus, how often two tokens share a topic: under p(z | x), and with each mistake."""
    out = []
    for name in ("cgs", "gibbs"):
        for number, (documents, W, K, alpha, eta) in enumerate(CORPORA, 1):
            case: Case = {
                "id": f"sampler/{name}/{number}", "algorithm": name, "operation": "sample",
                "corpus": corpus(name, documents, W), "K": K, "prior": {"alpha": alpha, "eta": eta},
            }  # fmt: skip
            N = sum(case["corpus"]["n"])
            right = rounded(together(posterior(case), N))
            wrong = {mistake: rounded(together(law, N)) for mistake, law in mistaken_laws(case)}
            visible = {mistake: x for mistake, x in wrong.items() if difference(x, right) > 1e-6}
            out.append(case | {"together": right, "mistakes": visible})
    return out
