"""What the sums exclude."""

from __future__ import annotations

from lda_reference.plain.numbers import Number
from lda_reference.plain.problem import Row
from lda_reference.plain.updates import CVB0

from .mistaken import TOKENWISE, WEIGHTS, Mistaken


class AllCopiesExcluded(Mistaken):
    name = "all-copies-excluded"
    text = (
        "all copies of the word in the document are excluded: TNW06 (8)(15)(18), AWST09 (12)(13)(14) and SN12 "
        "(48)-(50) exclude one token"
    )
    algorithms = TOKENWISE
    operations = WEIGHTS

    def excluded(self, part: str, i: int, r: int) -> int:
        return int(self.n[r]) if (self.j[r], self.w[r]) == (self.j[i], self.w[i]) else 0


class NothingExcluded(Mistaken):
    name = "nothing-excluded"
    text = (
        "nothing is excluded from the sums: TNW06 (8)(15)(18) and AWST09 (12)(13)(14) exclude the current token, "
        "SN12 (55) all tokens of the type"
    )
    algorithms = (*TOKENWISE, "tcvb0")
    operations = WEIGHTS

    def excluded(self, part: str, i: int, r: int) -> int:
        return 0


class TokenExcluded(Mistaken):
    name = "token-excluded"
    text = "the current token is excluded from the sums: AWST09 (4)(5)(10) and TNW06 (6) exclude nothing"
    algorithms = ("ml", "map", "vb", "vem")
    operations = WEIGHTS

    def excluded(self, part: str, i: int, r: int) -> int:
        return 1 if r == i else 0


class OneTokenExcluded(Mistaken):
    name = "one-token-excluded"
    text = "one token is excluded, as in CVB0, AWST09 (13): TCVB0, SN12 (55), excludes all tokens of the type"
    algorithms = ("tcvb0",)
    operations = WEIGHTS
    instead = CVB0


class TopicCountNotExcluded(Mistaken):
    name = "topic-count-not-excluded"
    text = (
        "the row is excluded from the sums of its document and its word and not from the topic's: all three "
        "exclude it in TNW06 (8)(15)(18), AWST09 (12)(13)(14), SN12 (48)-(50)(55)"
    )
    algorithms = (*TOKENWISE, "tcvb0")
    operations = WEIGHTS

    def excluded(self, part: str, i: int, r: int) -> int:
        return 0 if part == "topic" else super().excluded(part, i, r)


class DocumentCountNotExcluded(Mistaken):
    name = "document-count-not-excluded"
    text = "the row is excluded from the sums of its word and of the topics and not from its document's"
    algorithms = (*TOKENWISE, "tcvb0")
    operations = WEIGHTS

    def excluded(self, part: str, i: int, r: int) -> int:
        return 0 if part == "document" else super().excluded(part, i, r)


class WordCountNotExcluded(Mistaken):
    name = "word-count-not-excluded"
    text = "the row is excluded from the sums of its document and of the topics and not from its word's"
    algorithms = (*TOKENWISE, "tcvb0")
    operations = WEIGHTS

    def excluded(self, part: str, i: int, r: int) -> int:
        return 0 if part == "word" else super().excluded(part, i, r)


class ExcludedFromDocumentOnly(Mistaken):
    name = "excluded-from-document-only"
    text = "the row is excluded from the sums of its document alone, and not from its word's and the topics'"
    algorithms = (*TOKENWISE, "tcvb0")
    operations = WEIGHTS

    def excluded(self, part: str, i: int, r: int) -> int:
        return super().excluded(part, i, r) if part == "document" else 0


class ExcludedFromWordOnly(Mistaken):
    name = "excluded-from-word-only"
    text = "the row is excluded from the sums of its word alone, and not from its document's and the topics'"
    algorithms = (*TOKENWISE, "tcvb0")
    operations = WEIGHTS

    def excluded(self, part: str, i: int, r: int) -> int:
        return super().excluded(part, i, r) if part == "word" else 0


class VarianceNotExcluded(Mistaken):
    name = "variance-not-excluded"
    text = "the token is excluded from the mean and not from the variance: TNW06 (16) excludes it from both"
    algorithms = ("cvb", "cvb1d")
    operations = WEIGHTS

    def V(self, part: str, gamma: list[Row], i: int, k: int) -> Number:
        return self.sum(self.n[r] * gamma[r][k] * (1 - gamma[r][k]) for r in self.rows(part, i))


MISTAKES: tuple[type[Mistaken], ...] = (
    AllCopiesExcluded,
    NothingExcluded,
    TokenExcluded,
    OneTokenExcluded,
    TopicCountNotExcluded,
    DocumentCountNotExcluded,
    WordCountNotExcluded,
    ExcludedFromDocumentOnly,
    ExcludedFromWordOnly,
    VarianceNotExcluded,
)
