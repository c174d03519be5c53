"""The posterior p(z | x) of the topics of a tiny corpus, by enumeration: the probability of each assignment."""

import itertools
import math
from fractions import Fraction


def assignments(K, N):
    """All assignments of K topics to N tokens."""
    return itertools.product(range(K), repeat=N)


def posterior(case):
    """p(z | x). The tokens are assigned one after the other, each given those before it, as in a Pólya urn."""
    c, K = case["corpus"], case["K"]
    j = [a for a, n in zip(c["j"], c["n"], strict=True) for _ in range(n)]
    w = [a for a, n in zip(c["w"], c["n"], strict=True) for _ in range(n)]
    alpha, eta = case["prior"]["alpha"], case["prior"]["eta"]
    alpha = [Fraction(a) for a in (alpha if isinstance(alpha, list) else [alpha] * K)]
    eta = [Fraction(a) for a in (eta if isinstance(eta, list) else [eta] * c["W"])]
    law = {}
    for z in assignments(K, len(j)):
        p = Fraction(1)
        for i in range(len(j)):
            N_jk = sum(j[a] == j[i] and z[a] == z[i] for a in range(i))
            N_wk = sum(w[a] == w[i] and z[a] == z[i] for a in range(i))
            N_k = sum(z[a] == z[i] for a in range(i))
            N_j = sum(j[a] == j[i] for a in range(i))
            p *= (alpha[z[i]] + N_jk) / (sum(alpha) + N_j)
            p *= (eta[w[i]] + N_wk) / (sum(eta) + N_k)  # TNW06 (7)
        law[z] = p
    total = sum(law.values())
    return {z: p / total for z, p in law.items()}


def together(law, N):
    """p(z_i = z_i') under a law of z, for each pair of N tokens."""
    numerators, unit = in_units(law)
    return [[Fraction(sum(p for z, p in numerators if z[a] == z[b]), unit) for b in range(N)] for a in range(N)]


def topics(law, N, K):
    """p(z_i = k) under a law of z, for each of N tokens and K topics."""
    numerators, unit = in_units(law)
    return [[Fraction(sum(p for z, p in numerators if z[i] == k), unit) for k in range(K)] for i in range(N)]


def in_units(law):
    """Each probability as a whole number of parts, and how many parts make 1: sums of whole numbers are fast."""
    unit = math.lcm(*(p.denominator for p in law.values()))
    return [(z, p.numerator * (unit // p.denominator)) for z, p in law.items()], unit
