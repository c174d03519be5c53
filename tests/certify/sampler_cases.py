"""The cases of the sampler test: tiny corpora, their posteriors, and the laws of mistaken samplers."""

from .plan import questions
from .posterior import posterior, together, topics
from .released import cases, kept
from .rounding import difference, rounded
from .stationary import mistaken_laws

FIELDS = ("id", "algorithm", "operation", "corpus", "K", "prior")


def sampler_cases():
    """For each sampler and corpus, how often two tokens share a topic: under p(z | x), and with each mistake.

    With an asymmetric alpha, topics can be told apart, and there is also how often a token has each topic.
    """
    return [sampler_case({name: case[name] for name in FIELDS}) for case in questions("samplers")]


def sampler_case(case):
    """A sampler case with its answers."""
    N, K, right = sum(case["corpus"]["n"]), case["K"], posterior(case)
    seen = {"together": rounded(together(right, N))}
    if isinstance(case["prior"]["alpha"], list):
        seen["topics"] = rounded(topics(right, N, K))
    wrong = {field: {} for field in seen}
    for mistake, law in mistaken_laws(case):
        of_law = {"together": together(law, N), "topics": topics(law, N, K)}
        if any(difference(of_law[field], seen[field]) > 1e-6 for field in seen):
            for field in seen:
                wrong[field][mistake] = rounded(of_law[field])
    of_topics = {"mistaken_topics": wrong["topics"]} if "topics" in wrong else {}
    # power iteration in floats ends within some units of the last place
    return kept(case | seen | {"mistakes": wrong["together"]} | of_topics, cases().get(case["id"]), 50)
