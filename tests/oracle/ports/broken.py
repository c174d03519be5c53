"""The ports in `port.js`, `port.c` and `port.rs`, broken by replacing some of their text.

Each entry maps a text, which occurs once in the source, to the text that replaces it.
"""

# The known mistakes, by name
JS = {
    "all-copies-excluded": {
        "if (i !== row) return": "if (EXCLUDES[m.name] === 'token' && m.j[i] === m.j[row] && m.w[i] === m.w[row]) return 0;"
        " if (i !== row) return",
    },
    "nothing-excluded": {"return m.n[i] - 1;": "return m.n[i];", "case 'type': return 0;": ""},
    "token-excluded": {"default: return m.n[i];": "default: return m.n[i] - 1;"},
    "one-token-excluded": {"case 'type': return 0;": "case 'type': return m.n[i] - 1; "},
    "topic-count-not-excluded": {
        "S.N_k[k] += mean;": "S.N_k[k] += m.n[i] * gamma[i][k];",
        "S.V_k[k] += variance;": "S.V_k[k] += m.n[i] * gamma[i][k] * (1 - gamma[i][k]);",
    },
    "variance-not-excluded": {"const variance = left": "const variance = m.n[i]"},
    "variance-sign": {"Math.log(mean) - V": "Math.log(mean) + V", "(1 + V_k[k]": "(1 - V_k[k]"},
    "topic-variance-not-inverted": {"secondOrder(c, V_k[k])": "secondOrder(c, -V_k[k])"},
    "variance-is-mean": {"left * gamma[i][k] * (1 - gamma[i][k])": "mean"},
    "variance-without-half": {"V / (2 * mean ** 2)": "V / mean ** 2"},
    "variance-over-mean-not-squared": {"V / (2 * mean ** 2)": "V / (2 * mean)", "V_k[k] / c ** 2": "V_k[k] / c"},
    "variance-left-out": {" - V / (2 * mean ** 2)": ""},
    "cvb0-topic-term": {" * (1 + V_k[k] / c ** 2)": ""},
    "W-for-W-eta": {"H: sum(eta)": "H: W"},
    "eta-for-W-eta": {"H: sum(eta)": "H: eta[0]", "N_k[k] + m.H)": "N_k[k] + eta)"},
    "W-eta-for-sum-eta": {"H: sum(eta)": "H: W * eta[0]", "N_k[k] + m.H)": "N_k[k] + m.W * eta)"},
    "K-alpha-for-sum-alpha": {"A: sum(alpha)": "A: K * alpha[0]"},
    "no-topic-term": {
        "N_wk[k] / N_k[k] : 0": "N_wk[k] : 0", "(b - 1) / (c - m.W)": "(b - 1)", " - digamma(c)": "",
        "Math.log(N_wk[k] / N_k[k])": "Math.log(N_wk[k])", " - secondOrder(c, V_k[k])": "",
        "a * b / c * (1 + V_k[k] / c ** 2)": "a * b", "a * b / c)": "a * b)",
    },
    "alpha-forgotten": {"alpha, eta, gamma,": "alpha: alpha.map(() => 0), eta, gamma,", "A: sum(alpha)": "A: 0"},
    "eta-forgotten": {"alpha, eta, gamma,": "alpha, eta: eta.map(() => 0), gamma,", "H: sum(eta)": "H: 0"},
    "alpha-and-eta-swapped": {
        "const { corpus, K, algorithm: name } = problem;": "const { corpus, K, algorithm: name, prior: p } = problem;"
        " if (!Array.isArray(p.alpha) && !Array.isArray(p.eta)) [p.alpha, p.eta] = [p.eta, p.alpha];",
    },
    "alpha-averaged": {"alpha, eta, gamma,": "alpha: alpha.map(() => sum(alpha) / K), eta, gamma,"},
    "eta-averaged": {"alpha, eta, gamma,": "alpha, eta: new Array(W).fill(sum(eta) / W), gamma,"},
    "counts-of-rows": {
        "name, j, w, n, D, W, K,": "name, j, w, n: n.map(() => 1), D, W, K,",
        "predict(m, problem.test)":
            "predict(m, sampler ? problem.test : { ...problem.test, n: problem.test.n.map(() => 1) })",
    },
    "topics-count-rows": {
        "{ S.N_wk[k] += mean;": "{ S.N_wk[k] += mean / m.n[i];", "S.N_k[k] += mean;": "S.N_k[k] += mean / m.n[i];",
        "N_wk[m.w[i]][k] += mean;": "N_wk[m.w[i]][k] += mean / m.n[i];", "\n      N_k[k] += mean;": "N_k[k] += mean / m.n[i];",
    },
    "prior-used": {
        "(k) => (N_k[k] > 0 ? N_jk[k] * N_wk[k] / N_k[k] : 0)": "(k, a, b, c) => a * b / c",
        "theta: m.name !== 'ml', phi: m.name !== 'ml' &&": "theta: true, phi:",
    },
    "prior-without-minus-one": {"(a - 1) * (b - 1) / (c - m.W)": "a * b / c", "m.name === 'map' ? 1 : 0;\n  const smoothed": "0;\n  const smoothed"},
    "minus-one-for-minus-W": {"(c - m.W)": "(c - 1)", "m.H - less * m.W": "m.H - less"},
    "W-not-subtracted": {"(c - m.W)": "c", "m.H - less * m.W": "m.H"},
    "log-for-digamma": {
        "digamma(a) + digamma(b) - digamma(c)": "Math.log(a) + Math.log(b) - Math.log(c)",
        "digamma(a) + Math.log(N_wk": "Math.log(a) + Math.log(N_wk",
    },
    "half-subtracted": {
        "digamma(a) + digamma(b) - digamma(c)": "Math.log(a - 0.5) + Math.log(b - 0.5) - Math.log(c - 0.5)",
    },
    "phi-smoothed": {
        "(k, a) => (N_wk[k] > 0 ? digamma(a) + Math.log(N_wk[k] / N_k[k]) : -Infinity)":
            "(k, a, b, c) => digamma(a) + Math.log(b / c)",
        " && m.name !== 'vem'": "",
    },
    "vb-for-vem": {"case 'vb':": "case 'vem': case 'vb':", " && m.name !== 'vem'": ""},
    "sums-refreshed-late": {"if (schedule === 'token' || (schedule === 'document' && newDocument))": "if (false)"},
    "sums-refreshed-early": {"if (schedule === 'token' || (schedule === 'document' && newDocument))": "if (true)"},
    "sums-refreshed-by-document": {"if (schedule === 'token' || (schedule === 'document' && newDocument))": "if (newDocument)"},
    "topic-count-late": {
        "weights(m, seen, i)": "weights(m, seen, i, gamma)",
        "function weights(m, gamma, row)": "function weights(m, gamma, row, start)",
        "const { N_jk, N_wk, N_k, V_jk, V_wk, V_k } = sums(m, gamma, row);":
            "const { N_jk, N_wk, V_jk, V_wk } = sums(m, gamma, row); const { N_k, V_k } = sums(m, start || gamma, row);",
    },
    "stopped-early": {"change > 1e-15": "change > 1e-4"},
    "draw-off-by-one": {"partial.slice(0, -1)": "partial.slice(1)"},
    "draw-strict": {"s <= bar": "s < bar"},
    "draw-unnormalised": {"const bar = u * partial[partial.length - 1];": "const bar = u;"},
    "topics-added-backwards": {
        "function draw(x, u) {": "function draw(forwards, u) { const x = forwards.slice().reverse();",
        "return partial.slice(0, -1)": "return x.length - 1 - partial.slice(0, -1)",
    },
    "most-probable-drawn": {"return partial.slice(0, -1).filter((s) => s <= bar).length": "return x.indexOf(Math.max(...x))"},
    "topics-from-one": {"x.indexOf(1)": "x.indexOf(1) + 1", "topic: draw": "topic: 1 + draw"},
    "one-draw-for-row": {
        "theta: problem.theta_jk,": "rows: corpus.n.flatMap((n, i) => new Array(n).fill(i)), theta: problem.theta_jk,",
        "now[i] = SAMPLERS.includes(m.name) ?":
            "now[i] = SAMPLERS.includes(m.name) && i && m.rows[i] === m.rows[i - 1] ? now[i - 1] : SAMPLERS.includes(m.name) ?",
    },
    "theta-left-out": {"m.theta[m.j[row]][k] * ": ""},
    "phi-left-out": {" * m.phi[m.w[row]][k]": ""},
    "estimates-without-prior": {
        "smoothed.theta ? alpha - less : 0": "0", "smoothed.phi ? eta - less : 0": "0",
        "smoothed.theta ? m.A - less * m.K : 0": "0", "smoothed.phi ? m.H - less * m.W : 0": "0",
    },
    "estimates-by-digamma": {
        "N.map((N_k, k) => ratio(N_k + a[k], sum(N) + A, m.K))": "normalised(N.map((x, k) => Math.exp(digamma(x + a[k]))))",
        "ratio(N_k_of_w + e[w], N_k[k] + H, m.W)":
            "Math.exp(digamma(N_k_of_w + e[w])) / sum(N_wk.map((other, v) => Math.exp(digamma(other[k] + e[v]))))",
    },
    "phi-normalised-over-topics": {
        "N.map((N_k_of_w, k) => ratio(N_k_of_w + e[w], N_k[k] + H, m.W))": "normalised(N.map((x) => x + e[w]))",
    },
    "topics-first": {
        "process.stdout.write(": "for (const name of ['gamma', 'theta_jk', 'phi_wk']) { const x = out[name]; if (x) {"
        " const flat = x[0].flatMap((_, k) => x.map((y) => y[k])); out[name] = x.map((y) => flat.splice(0, y.length)); } }"
        " process.stdout.write(",
    },
    "perplexity-base-2": {"Math.exp(-logs / tokens)": "2 ** (-logs / tokens)"},
    "perplexity-of-mean-probability": {
        "Math.exp(-logs / tokens)": "tokens / sum(p.map((v, i) => test.n[i] * v))",
    },
    "perplexity-by-document": {
        "const perplexity = Math.exp(-logs / tokens);":
            "const documents = [...new Set(test.j)]; const perplexity = sum(documents.map((j) => { const n = test.n.map((x, i) =>"
            " (test.j[i] === j ? x : 0)); return Math.exp(-sum(p.map((v, i) => (n[i] ? n[i] * Math.log(v) : 0))) / sum(n)); }))"
            " / documents.length;",
    },
    "perplexity-without-exp": {"Math.exp(-logs / tokens)": "-logs / tokens"},
    "test-counts-ignored": {"sum(test.n)": "p.length", "test.n[i] * Math.log(v)": "Math.log(v)"},
    "constants-without-K": {"total += m.K * (logGamma": "total += (logGamma"},
    "constants-without-D": {"let total = m.D * (logGamma": "let total = (logGamma"},
    "log-base-2": {"{ bound: total }": "{ bound: total / Math.LN2 }"},
    "entropy-forgotten": {"total -= m.n[i] * sum(": "total -= 0 * sum("},
    "entropy-without-counts": {"total -= m.n[i] * sum(": "total -= sum("},
    "free-energy-sign": {"{ bound: total }": "{ bound: -total }"},
    "divided-by-tokens": {"{ bound: total }": "{ bound: total / sum(m.n) }"},
    "minka-without-K": {"rate + a.length * total": "rate + total"},
    "minka-K-alpha": {"const A = sum(a);": "const A = a.length * a[0];"},
    "minka-shape": {"(shape - 1 + x": "(shape + x", "(shape - 1 + a[0]": "(shape + a[0]"},
    "minka-rate-forgotten": {"(rate + total)": "total", "(rate + a.length * total)": "(a.length * total)"},
    "minka-prior-for-each": {"(shape - 1 + a[0]": "(a.length * (shape - 1) + a[0]", "(rate + a.length": "(a.length * rate + a.length"},
    "minka-without-factor": {"x * rise[s]": "rise[s]", "a[0] * sum(rise)": "sum(rise)"},
    "minka-log-for-digamma": {
        "digamma(sum(N) + A) - digamma(A)": "Math.log(sum(N) + A) - Math.log(A)",
        "digamma(N[s] + x) - digamma(x)": "Math.log(N[s] + x) - Math.log(x)",
    },
}  # fmt: skip
C = {
    "nothing-excluded": {"return m->n[i] - 1;": "return m->n[i];", "case TCVB0: return 0;": ""},
    "W-for-W-eta": {"m->W_eta = sum(m->eta, m->W);": "m->W_eta = m->W;"},
    "no-topic-term": {"x[k] = a * b / c;": "x[k] = a * b;"},
    "alpha-taken-as-sum": {"a[i] = m->alpha[i % K];": "a[i] = m->alpha[i % K] / K;"},
    "theta-in-digamma": {
        "expected_log(a + j * m->K, m->K, 1, log_theta + j * m->K);":
            "{ double *x = numbers(m->K), total = sum(a + j * m->K, m->K); for (int k = 0; k < m->K; k++)"
            " x[k] = a[j * m->K + k] / total; expected_log(x, m->K, 1, log_theta + j * m->K); }",
    },
    "eta-taken-as-sum": {"b[i] += m->eta[i / m->K];": "b[i] += m->eta[i / m->K] / m->W;"},
    "parameters-normalised": {
        "b[i] += m->eta[i / m->K];": "b[i] = (b[i] + m->eta[i / m->K]) / (counts(m).k[i % m->K] + m->W_eta);",
    },
    "terms-of-phi-left-out": {"total += less_log_q(m->eta,": "total += 0 * less_log_q(m->eta,"},
    "terms-of-theta-left-out": {"total += less_log_q(m->alpha,": "total += 0 * less_log_q(m->alpha,"},
    "one-sweep-more": {"t < sweeps; t++)\n        sweep(m, m->gamma, seen, schedule, NULL);": "t <= sweeps; t++)\n        sweep(m, m->gamma, seen, schedule, NULL);"},
    "factorial-for-gamma": {
        "total += lgamma(m->alpha[k] + N.jk": "total += lgamma(1 + m->alpha[k] + N.jk",
        "total += lgamma(m->eta[w] + N.wk": "total += lgamma(1 + m->eta[w] + N.wk",
        "lgamma(m->W_eta + N.k[k])": "lgamma(1 + m->W_eta + N.k[k])",
        "lgamma(m->sum_alpha + N.j[j])": "lgamma(1 + m->sum_alpha + N.j[j])",
    },
}  # fmt: skip
RS = {"nothing-excluded": {"if i == row && !m.vb { m.n[i] - 1.0 } else { m.n[i] }": "m.n[i]"}}
BROKEN = {"js": JS, "c": C, "rs": RS}


def of_one_count(case):
    """Whether all rows that the update sees in its document have count 1, or there is one topic and theta is 1."""
    j, n, row = case["corpus"]["j"], case["corpus"]["n"], case.get("row")
    return case["K"] == 1 or (row is not None and all(n[i] == 1 for i in range(len(j)) if j[i] == j[row] and i != row))


# (planted, named): (algorithms, which cases, why both give the same answer there)
ALIKE = {
    ("estimates-without-prior", "alpha-forgotten"): (
        ("vem",), lambda case: True, "phi of vem has no prior, so that only alpha can be left out",
    ),
    ("topics-count-rows", "counts-of-rows"): (
        ("tcvb0", "vb"), lambda case: case["operation"] == "m_step" or (case["algorithm"] == "tcvb0" and of_one_count(case)),
        "they differ in how documents count, which makes no difference here",
    ),
}  # fmt: skip


def alike(name, other, case):
    """Whether two mistakes give the same answer to a case."""
    algorithms, fits, _ = ALIKE.get((name, other), ((), None, ""))
    return case["algorithm"] in algorithms and fits(case)
