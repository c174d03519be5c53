"""A port of the two measures of coherence in plain Python, in which each known mistake can be planted by its name."""

import math

EPSILON = 1e-12


def answer(case, fault=None):
    """The answer to a case of coherence; "-inf" where a mistake takes the logarithm of 0."""
    port = Port(case, fault)
    of_topic = port.umass if case["operation"] == "coherence_umass" else port.npmi
    values = [of_topic(port.words(k)) for k in range(case["K"])]
    return {"id": case["id"], "coherence": [x if math.isfinite(x) else "-inf" for x in values]}


def log(x):
    return math.log(x) if x > 0 else -math.inf


def total(values):
    return math.fsum(values) if all(map(math.isfinite, values)) else -math.inf


class Port:
    def __init__(self, case, fault):
        c = case["corpus"]
        self.phi, self.T, self.f, self.D = case["phi_wk"], case["words"], fault, c["D"]
        self.x = [[0] * c["W"] for _ in range(c["D"])]  # the count of each word in each document
        self.rows = c["w"]
        for j, w, n in zip(c["j"], c["w"], c["n"], strict=True):
            self.x[j][w] += n

    def words(self, k):
        order = list(range(len(self.phi)))
        if self.f == "ties-by-larger-id":
            order.reverse()
        sign = 1 if self.f == "least-probable-words" else -1
        return sorted(order, key=lambda w: sign * self.phi[w][k])[: self.T]

    def alone(self, v):
        if self.f == "tokens-for-documents":
            return sum(x[v] for x in self.x)
        if self.f == "counts-multiplied":
            return sum(x[v] ** 2 for x in self.x)
        if self.f == "rows-for-documents":
            return self.rows.count(v)
        return sum(x[v] > 0 for x in self.x)

    def together(self, v, u):
        if self.f in ("tokens-for-documents", "counts-multiplied"):
            return sum(x[v] * x[u] for x in self.x)
        return sum(x[v] > 0 and x[u] > 0 for x in self.x)

    def umass(self, words):
        f, values = self.f, []
        for m in range(len(words)):
            for l in range(len(words) if f == "pairs-in-both-orders" else m):
                if l == m:
                    continue
                both, below = self.together(words[m], words[l]), self.alone(words[m if f == "later-word-below" else l])
                if not below:
                    return -math.inf
                if f == "one-forgotten":
                    values.append(log(both / below))
                elif f == "one-added-to-probability":
                    values.append(log((both / self.D + 1) / (below / self.D)))
                elif f == "mean-with-epsilon":
                    values.append(log((both / self.D + EPSILON) / (below / self.D)))
                else:
                    values.append(log((both + 1) / below))
        found = total(values) / (math.log(2) if f == "umass-in-bits" else 1)
        return found / len(values) if f in ("mean-over-pairs", "mean-with-epsilon") else found

    def npmi(self, words):
        f, values = self.f, []
        for m in range(len(words)):
            for l in range(len(words) if f == "words-paired-with-themselves" else m):
                both = self.together(words[m], words[l])
                if f == "pairs-that-never-meet-left-out" and not both:
                    continue
                values.append(self.npmi_of_pair(both, self.alone(words[l]), self.alone(words[m])))
        if not values:
            return -math.inf
        return total(values) / (1 if f == "sum-over-pairs" else len(values))

    def npmi_of_pair(self, both, v, u):
        f = self.f
        D = sum(any(x) for x in self.x) if f == "empty-documents-left-out" else self.D
        if not v or not u:
            return -math.inf
        if f == "pmi-not-normalised":
            return log(both * D / (v * u))
        p = both / D
        if f == "epsilon-added":
            return log((p + EPSILON) * D * D / (v * u)) / -log(p + EPSILON)
        if both == 0:
            return 0.0 if f == "zero-for-pairs-that-never-meet" else -1.0
        if both == D:
            return 0.0 if f == "zero-for-pairs-in-every-document" else 1.0
        return log(p * D * D / (v * u)) / -log(p)
