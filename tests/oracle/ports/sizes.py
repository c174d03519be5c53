"""Faults of the port in `port.js` that small cases do not show. Each replaces texts that occur once in the source."""

# Each fault is found, and only by cases of sizes and borders.
FAULTS = {
    "counts in 8 bits": {
        "const { D, W } = corpus;":
            "const { D, W } = corpus; n = n.map((x) => (x > 0 && Number.isInteger(x) ? x & 255 : x));",
    },
    "words in 8 bits": {
        "const { D, W } = corpus;": "const { D, W } = corpus; w = w.map((x) => (x >= 0 && x < W ? x & 255 : x));",
    },
    "a sampler's topic sums in 8 bits": {
        "return m.held ?": "if (SAMPLERS.includes(m.name)) S.N_k = S.N_k.map((x) => x & 255); return m.held ?",
    },
    "topics in groups of eight, and the last group dropped": {
        "f(k, N_jk[k] + alpha, N_wk[k] + eta, N_k[k] + m.H)":
            "(k < 8 || k < m.K - m.K % 8 ? f(k, N_jk[k] + alpha, N_wk[k] + eta, N_k[k] + m.H) : 0)",
    },
    "exponentials of which the largest is not subtracted": {"const top = Math.max(...x);": "const top = 0;"},
    "sums of 64 rows": {"i < m.M; i++) {\n    const left": "i < Math.min(m.M, 64); i++) {\n    const left"},
    "as many documents as the rows have": {
        "theta_jk: N_jk.map((N) =>": "theta_jk: N_jk.slice(0, Math.max(...m.j) + 1).map((N) =>",
        "theta_jk[j].map": "(theta_jk[j] || theta_jk[0]).map",
    },
    "test documents numbered again": {
        "const p = test.j.map((j, i) => sum(theta_jk[j].map":
            "const ids = [...new Set(test.j)]; const p = test.j.map((j, i) => sum(theta_jk[ids.indexOf(j)].map",
    },
    'the text "inf" is a prior': {
        "demand(Number.isFinite(v) && v > least": "demand(v === 'inf' || (Number.isFinite(v) && v > least)",
    },
    "rows of gamma may sum to 1.0001": {"<= 1e-9": "<= 1e-4"},
    "rows of gamma may be too long": {"x.length === K && x.every": "x.every"},
    "uniforms may be too many": {"uniforms && uniforms.length === m.M": "uniforms && uniforms.length >= m.M"},
    "topics may be too many": {"z && z.length === j.length": "z && z.length >= j.length"},
    "every input is refused": {"    case 'reject':\n": "    case 'reject': throw new Illegal('not legal');\n"},
    "alpha is averaged where eta is a number": {
        "alpha, eta, gamma,":
            "alpha: SAMPLERS.includes(name) || problem.operation === 'update' || Array.isArray(problem.prior.eta)"
            " ? alpha : alpha.map(() => sum(alpha) / K), eta, gamma,",
    },
    "eta is averaged where alpha is a number": {
        "alpha, eta, gamma,":
            "alpha, eta: SAMPLERS.includes(name) || problem.operation === 'update' || Array.isArray(problem.prior.alpha)"
            " ? eta : new Array(W).fill(sum(eta) / W), gamma,",
    },
    "blocks of documents, as in document order": {"newDocument && beginsBlock(m, i)": "newDocument"},
    "nested sweeps from the state": {"let now = gamma.map((x) => x.map(() => 1 / m.K));": "let now = gamma;"},
}  # fmt: skip
