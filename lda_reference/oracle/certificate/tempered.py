"""Collapsed Gibbs sampling at an inverse temperature b, Neal (2001).

The prior of z stays as it is and the likelihood has the power b, so that the distribution is

    p_b(z)  ∝  p(z) p(x | z)^b,      p_0 = p(z),   p_1 = p(z | x)

theta and phi are integrated out. p(z) is then the documents' part of TNW06 (7), and p(x | z) that of the topics. So the
word and the topic term of TNW06 (8) have the power b, and the document term has not:

    (N_jk + alpha_k) [(N_wk + eta_w) / (N_k + W eta)]^b
"""

from __future__ import annotations

from typing import Any

from .arithmetic import Number, Row, mpf
from .updates import CGS


class TemperedCGS(CGS):
    """The probabilities of one token's topic, or the topics after a sweep."""

    def answer(self) -> dict[str, Any]:
        return self.update() if self.case["operation"] == "tempered_update" else self.sweep()

    def b(self) -> Number:
        """The inverse temperature."""
        return mpf(self.case["inverse_temperature"])

    def weight(self, gamma: list[Row], i: int, k: int) -> Number:
        likelihood = self.word(gamma, i, k) / self.topic(gamma, i, k)
        return self.document(gamma, i, k) * likelihood ** self.b()
