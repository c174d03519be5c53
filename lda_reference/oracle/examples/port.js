'use strict';
// LDA inference in JavaScript, an example of a port that the oracle checks. It needs only node:
//
//     lda-reference oracle check --samplers -- node port.js
//
// It reads one JSON case per line on stdin and writes one JSON answer per line on stdout, with numbers that read back
// exactly. It recounts every sum from nothing for every row, which is slow and short; use it to test a faster version.
// Only the last lines need node: above them are functions for any page.

// What the update of a row leaves out of the sums, and the schedules of a sweep.
const EXCLUDES = {
  ml: 'nothing', map: 'nothing', vb: 'nothing', vem: 'nothing', gibbs: 'nothing', tcvb0: 'type',
  cgs: 'token', cvb: 'token', cvb0: 'token', cvb1d: 'token',
};
const SCHEDULES = { cgs: ['token', 'interleaved'], gibbs: ['corpus'] }; // the others have all of these
const ALL_SCHEDULES = ['token', 'document', 'corpus', 'block'];
for (const name of ['vb', 'vem']) SCHEDULES[name] = [...ALL_SCHEDULES, 'nested'];
const SAMPLERS = ['cgs', 'gibbs'];

// Reading a case ------------------------------------------------------------------------------------------------------

class Illegal extends Error {}

function demand(legal, text) {
  if (!legal) throw new Illegal(text);
}

function isWhole(x, from, below) {
  return Number.isInteger(x) && x >= from && x < below;
}

function sum(x) {
  return x.reduce((a, b) => a + b, 0);
}

/** A prior as a vector of `size` numbers. */
function vector(x, size, least, name) {
  const out = Array.isArray(x) ? x : new Array(size).fill(x);
  demand(out.length === size, `${name} has ${out.length} entries, expected ${size}`);
  for (const v of out) demand(Number.isFinite(v) && v > least, `${name} is ${v}, expected a number above ${least}`);
  return out;
}

function oneHot(k, K) {
  return Array.from({ length: K }, (_, topic) => (topic === k ? 1 : 0));
}

/** gamma of rows whose tokens have topics: the fraction of the tokens in each. */
function fractions(z, n, K) {
  let first = 0;
  return n.map((count) => {
    const row = new Array(K).fill(0);
    for (const k of z.slice(first, first += count)) row[k] += 1 / count;
    return row;
  });
}

/** The model of a case: its rows, priors and gamma. The rows of a sampler are its tokens, their gamma one-hot. */
function read(problem) {
  const { corpus, K, algorithm: name } = problem;
  let { j, w, n } = corpus;
  const { D, W } = corpus;
  demand(isWhole(K, 1, Infinity), `K is ${K}, expected a number of topics from 1`);
  demand(isWhole(D, 0, Infinity) && isWhole(W, 0, Infinity), 'D and W must be whole numbers');
  demand(j.length === w.length && j.length === n.length, 'j, w and n differ in length');
  for (let i = 0; i < j.length; i++) {
    demand(isWhole(j[i], i ? j[i - 1] : 0, D), `j[${i}] is ${j[i]}, expected a document below D, in order`);
    demand(isWhole(w[i], 0, W), `w[${i}] is ${w[i]}, expected a word below W`);
    demand(isWhole(n[i], 1, Infinity), `n[${i}] is ${n[i]}, expected a count from 1`);
  }
  const least = name === 'map' ? 1 : 0;
  const alpha = vector(problem.prior.alpha, K, least, 'alpha');
  const eta = vector(problem.prior.eta, W, least, 'eta');

  let gamma = (problem.state || {}).gamma;
  if (SAMPLERS.includes(name)) {
    const tokens = j.flatMap((_, i) => new Array(n[i]).fill(i)); // the row of each token
    [j, w, n] = [tokens.map((i) => j[i]), tokens.map((i) => w[i]), tokens.map(() => 1)];
    if (problem.state) {
      const { z } = problem.state;
      demand(z && z.length === j.length, 'z must have a topic for each token');
      z.forEach((k, i) => demand(isWhole(k, 0, K), `z[${i}] is ${k}, expected a topic below K`));
      gamma = z.map((k) => oneHot(k, K));
    }
  } else {
    if (!gamma && problem.state.z) gamma = fractions(problem.state.z, n, K);
    demand(gamma && gamma.length === j.length, 'gamma must have a row for each row of the corpus');
    gamma.forEach((x, i) => {
      const legal = x.length === K && x.every((v) => v >= 0) && Math.abs(sum(x) - 1) <= 1e-9;
      demand(legal, `gamma[${i}] is ${x}, expected ${K} probabilities`);
    });
  }
  if (name === 'tcvb0') {
    const pairs = new Set(j.map((_, i) => `${j[i]} ${w[i]}`));
    demand(pairs.size === j.length, 'a word has two rows in a document, expected types');
  }
  return {
    name, j, w, n, D, W, K, M: j.length, alpha, eta, gamma,
    A: sum(alpha), // K alpha where they are all alike
    H: sum(eta), // W eta
    theta: problem.theta_jk, phi: problem.phi_wk, // of gibbs
    blocks: problem.blocks, inner: problem.inner, // of the schedules block and nested
  };
}

function legalSchedule(m, schedule) {
  const legal = SCHEDULES[m.name] || ALL_SCHEDULES;
  demand(legal.includes(schedule), `schedule is ${schedule}, expected one of ${legal}`);
  return schedule;
}

function legalUniforms(m, uniforms) {
  demand(uniforms && uniforms.length === m.M, 'uniforms must have one a token');
  uniforms.forEach((u, i) => demand(u >= 0 && u < 1, `uniforms[${i}] is ${u}, expected a number in [0, 1)`));
  return uniforms;
}

// Functions -----------------------------------------------------------------------------------------------------------

/** Ψ(x) for x > 0: the recurrence up to 10, then the asymptotic series. */
function digamma(x) {
  let shift = 0;
  for (; x < 10; x++) shift -= 1 / x;
  const y = 1 / (x * x);
  const series = [1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12];
  return shift + Math.log(x) - 0.5 / x - series.reduceRight((s, c) => (s + c) * y, 0);
}

/** log Γ(x) for x > 0: likewise, with Stirling's series. */
function logGamma(x) {
  let shift = 1;
  for (; x < 10; x++) shift *= x;
  const y = 1 / (x * x);
  const series = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156];
  const rest = series.reduceRight((s, c) => (s + c) * y, 0) * x;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + rest - Math.log(shift);
}

// The update ----------------------------------------------------------------------------------------------------------

/** How many tokens of row i are in the sums that the update of `row` sees. */
function remaining(m, i, row) {
  if (i !== row) return m.n[i];
  switch (EXCLUDES[m.name]) {
    case 'token': return m.n[i] - 1;
    case 'type': return 0;
    default: return m.n[i];
  }
}

/** Means and variances of the counts that the update of `row` sees: of its document, its word, and in all. */
function sums(m, gamma, row) {
  if (m.sums) return m.sums(row); // of a caller that keeps them
  const zeros = () => new Array(m.K).fill(0);
  const S = { N_jk: zeros(), N_wk: zeros(), N_k: zeros(), V_jk: zeros(), V_wk: zeros(), V_k: zeros() };
  for (let i = 0; i < m.M; i++) {
    const left = remaining(m, i, row);
    const sameDocument = m.j[i] === m.j[row];
    const sameWord = m.w[i] === m.w[row];
    for (let k = 0; k < m.K; k++) {
      const mean = left * gamma[i][k];
      const variance = left * gamma[i][k] * (1 - gamma[i][k]); // TNW06 (16)
      if (sameDocument) { S.N_jk[k] += mean; S.V_jk[k] += variance; }
      if (sameWord) { S.N_wk[k] += mean; S.V_wk[k] += variance; }
      S.N_k[k] += mean;
      S.V_k[k] += variance;
    }
  }
  return m.held ? { ...sums({ ...m, held: null }, m.held, row), N_jk: S.N_jk } : S;
}

/** exp of x, up to a factor: with the largest at 1, nothing overflows. */
function exp(x) {
  const top = Math.max(...x);
  return x.map((v) => Math.exp(v - top));
}

/** log(a + n) for n of mean N and variance V, to second order: TNW06 (17). */
function secondOrder(mean, V) {
  return Math.log(mean) - V / (2 * mean ** 2);
}

/** The right-hand side of the update of a row, topic by topic. */
function weights(m, gamma, row) {
  if (m.name === 'gibbs') {
    return m.alpha.map((_, k) => m.theta[m.j[row]][k] * m.phi[m.w[row]][k]); // SOL14 (7)
  }
  const { N_jk, N_wk, N_k, V_jk, V_wk, V_k } = sums(m, gamma, row);
  const eta = m.eta[m.w[row]];
  const each = (f) => m.alpha.map((alpha, k) => f(k, N_jk[k] + alpha, N_wk[k] + eta, N_k[k] + m.H));
  switch (m.name) {
    case 'ml': return each((k) => (N_k[k] > 0 ? N_jk[k] * N_wk[k] / N_k[k] : 0)); // AWST09 (4)
    case 'map': return each((k, a, b, c) => (a - 1) * (b - 1) / (c - m.W)); // AWST09 (5)
    case 'vb': return exp(each((k, a, b, c) => digamma(a) + digamma(b) - digamma(c))); // TNW06 (6), AWST09 (10)
    case 'vem': // AWST09 (10), (4)
      return exp(each((k, a) => (N_wk[k] > 0 ? digamma(a) + Math.log(N_wk[k] / N_k[k]) : -Infinity)));
    case 'cvb': // TNW06 (18), AWST09 (12)
      return exp(each((k, a, b, c) => secondOrder(a, V_jk[k]) + secondOrder(b, V_wk[k]) - secondOrder(c, V_k[k])));
    case 'cvb1d': return each((k, a, b, c) => a * b / c * (1 + V_k[k] / c ** 2)); // SN12 (50)
    default: return each((k, a, b, c) => a * b / c); // cvb0 AWST09 (13), cgs TNW06 (8), tcvb0 SN12 (55)
  }
}

function normalised(x) {
  const total = sum(x);
  return x.map((v) => v / total);
}

/** The number of the first K-1 partial sums, added in topic order, that are <= u times the last. */
function draw(x, u) {
  const partial = [];
  x.reduce((s, v) => { partial.push(s + v); return s + v; }, 0);
  const bar = u * partial[partial.length - 1];
  return partial.slice(0, -1).filter((s) => s <= bar).length;
}

/** Whether row i, the first of a document, begins a block: some b M / B is after the document before and at most i. */
function beginsBlock(m, i) {
  const before = i === 0 ? -1 : m.j.indexOf(m.j[i - 1]);
  return m.blocks >= m.D || i === 0 || Math.floor((i * m.blocks) / m.M) > Math.floor((before * m.blocks) / m.M);
}

/** Each document from uniform rows, in `inner` steps; the sums of words and corpus are those of gamma. */
function nestedSweep(m, gamma) {
  let now = gamma.map((x) => x.map(() => 1 / m.K));
  for (let t = 0; t < m.inner; t++) now = now.map((_, i) => normalised(weights({ ...m, held: gamma }, now, i)));
  return now;
}

/** The first token of each document, then the second of each, and so on. */
function interleaved(j) {
  const place = j.map((document, i) => i - j.indexOf(document));
  return [...j.keys()].sort((a, b) => place[a] - place[b]); // a stable sort
}

/** One sweep, gamma to new gamma. Rows are replaced, never written to. */
function sweep(m, gamma, schedule, uniforms) {
  if (schedule === 'nested') return nestedSweep(m, gamma);
  const now = gamma.slice();
  let seen = gamma.slice();
  for (const i of schedule === 'interleaved' ? interleaved(m.j) : now.keys()) {
    const newDocument = i === 0 || m.j[i] !== m.j[i - 1];
    if (schedule === 'token' || schedule === 'interleaved' || (schedule === 'document' && newDocument)) seen = now.slice();
    else if (schedule === 'block' && newDocument && beginsBlock(m, i)) seen = now.slice();
    const x = weights(m, seen, i);
    now[i] = SAMPLERS.includes(m.name) ? oneHot(draw(x, uniforms[i]), m.K) : normalised(x);
  }
  return now;
}

function topics(gamma) {
  return gamma.map((x) => x.indexOf(1));
}

// Estimates -----------------------------------------------------------------------------------------------------------

/** N_jk, N_wk and N_k of the state. */
function counts(m) {
  const zeros = (rows) => Array.from({ length: rows }, () => new Array(m.K).fill(0));
  const N_jk = zeros(m.D);
  const N_wk = zeros(m.W);
  const N_k = new Array(m.K).fill(0);
  for (let i = 0; i < m.M; i++) {
    for (let k = 0; k < m.K; k++) {
      const mean = m.n[i] * m.gamma[i][k];
      N_jk[m.j[i]][k] += mean;
      N_wk[m.w[i]][k] += mean;
      N_k[k] += mean;
    }
  }
  return { N_jk, N_wk, N_k };
}

/** Posterior means AWST09 (15); of map the mode (6); of ml proportions (2)(3), of vem those of phi. */
function estimate(m) {
  const { N_jk, N_wk, N_k } = counts(m);
  const less = m.name === 'map' ? 1 : 0;
  const smoothed = { theta: m.name !== 'ml', phi: m.name !== 'ml' && m.name !== 'vem' };
  const a = m.alpha.map((alpha) => (smoothed.theta ? alpha - less : 0));
  const e = m.eta.map((eta) => (smoothed.phi ? eta - less : 0));
  const A = smoothed.theta ? m.A - less * m.K : 0;
  const H = smoothed.phi ? m.H - less * m.W : 0;
  const ratio = (part, whole, size) => (whole > 0 ? part / whole : 1 / size); // without mass uniform
  return {
    theta_jk: N_jk.map((N) => N.map((N_k, k) => ratio(N_k + a[k], sum(N) + A, m.K))),
    phi_wk: N_wk.map((N, w) => N.map((N_k_of_w, k) => ratio(N_k_of_w + e[w], N_k[k] + H, m.W))),
  };
}

/** TNW06 (19), AWST09 §4. */
function predict(m, test) {
  const { theta_jk, phi_wk } = estimate(m);
  const p = test.j.map((j, i) => sum(theta_jk[j].map((theta, k) => theta * phi_wk[test.w[i]][k])));
  const tokens = sum(test.n);
  const logs = sum(p.map((v, i) => test.n[i] * Math.log(v)));
  const perplexity = Math.exp(-logs / tokens);
  return { token_probability: p, perplexity: perplexity === Infinity ? 'inf' : perplexity };
}

/** TNW06 (2), the parameters at their optimum: the log joint (7) at the expected counts, and the entropy of q(z). */
function bound(m) {
  const { N_jk, N_wk, N_k } = counts(m);
  let total = m.D * (logGamma(m.A) - sum(m.alpha.map(logGamma)));
  total += m.K * (logGamma(m.H) - sum(m.eta.map(logGamma)));
  for (const N of N_jk) total += sum(N.map((x, k) => logGamma(m.alpha[k] + x))) - logGamma(m.A + sum(N));
  N_wk.forEach((N, w) => { total += sum(N.map((x) => logGamma(m.eta[w] + x))); });
  for (const N of N_k) total -= logGamma(m.H + N);
  m.gamma.forEach((x, i) => {
    total -= m.n[i] * sum(x.map((g) => (g > 0 ? g * Math.log(g) : 0)));
  });
  return { bound: total };
}

/** One step of Minka's fixed point, AWST09 §3.1, SN12 §10: of rows of counts, one column a component of the prior a. */
function minka(rows, a, isVector, { shape, rate }) {
  const A = sum(a);
  const total = sum(rows.map((N) => digamma(sum(N) + A) - digamma(A)));
  const rise = a.map((x, s) => sum(rows.map((N) => digamma(N[s] + x) - digamma(x))));
  if (isVector) return a.map((x, s) => (shape - 1 + x * rise[s]) / (rate + total));
  return (shape - 1 + a[0] * sum(rise)) / (rate + a.length * total);
}

function hyperparameters(m, problem) {
  const { N_jk, N_wk, N_k } = counts(m);
  const N_kw = N_k.map((_, k) => N_wk.map((N) => N[k]));
  const { prior, gamma_prior: on } = problem;
  return {
    alpha: minka(N_jk, m.alpha, Array.isArray(prior.alpha), on),
    eta: minka(N_kw, m.eta, Array.isArray(prior.eta), on),
  };
}

// Draws of one's own --------------------------------------------------------------------------------------------------

/** sfc32: uniform numbers in [0, 1), of 53 bits. */
function generator(seed) {
  let [a, b, c, counter] = [seed | 0, (seed / 2 ** 32) | 0, 0x9e3779b9 | 0, 1];
  const bits = () => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return t >>> 0;
  };
  for (let i = 0; i < 20; i++) bits();
  return () => ((bits() >>> 5) * 2 ** 26 + (bits() >>> 6)) / 2 ** 53;
}

/** Consecutive sweeps of collapsed Gibbs sampling, from any start and after a burn-in. */
function sample(m, draws, seed) {
  const uniform = generator(seed);
  let gamma = m.j.map(() => oneHot(Math.floor(uniform() * m.K), m.K));
  const z = [];
  for (let t = -200; t < draws; t++) {
    gamma = sweep(m, gamma, 'token', m.j.map(uniform));
    if (t >= 0) z.push(topics(gamma));
  }
  return { z };
}

// The port ------------------------------------------------------------------------------------------------------------

const OPERATIONS = [
  'update', 'draw', 'reject', 'sweep', 'ten_sweeps', 'converged', 'estimate', 'predict', 'bound', 'hyperparameters',
  'sample', 'summary',
];

const MOST_ROWS = 10000; // of a summary

function answer(problem) {
  const { algorithm, operation, row, token } = problem;
  if (!(algorithm in EXCLUDES)) return { skip: `no ${algorithm} here` };
  if (!OPERATIONS.includes(operation)) return { skip: `no ${operation} here` };
  if (operation === 'bound' && algorithm !== 'vb') return { skip: `no bound of ${algorithm} here` };
  if (operation === 'summary' && problem.corpus.n.length > MOST_ROWS) return { skip: 'counting every sum again takes hours' };
  if (operation === 'sample' && algorithm !== 'cgs') return { skip: `no draws of ${algorithm} here` };

  const m = read(problem);
  const sampler = SAMPLERS.includes(algorithm);
  const first = sampler && token !== undefined ? sum(problem.corpus.n.slice(0, row)) + token : row;
  switch (operation) {
    case 'update': return { gamma_k: normalised(weights(m, m.gamma, first)) };
    case 'draw': return { topic: draw(weights(m, m.gamma, first), problem.uniform) };
    case 'reject':
    case 'sweep': {
      const uniforms = sampler ? legalUniforms(m, problem.uniforms) : null;
      const gamma = sweep(m, m.gamma, legalSchedule(m, problem.schedule), uniforms);
      return sampler ? { z: topics(gamma) } : { gamma };
    }
    case 'summary': {
      const uniforms = sampler ? legalUniforms(m, problem.uniforms) : null;
      let { gamma } = m;
      for (let t = 0; t < problem.sweeps; t++) gamma = sweep(m, gamma, legalSchedule(m, problem.schedule), uniforms);
      if (sampler) return { z: topics(gamma) };
      const flat = gamma.flat();
      return { cosine: sum(flat.map((g, i) => g * Math.cos(i))), sine: sum(flat.map((g, i) => g * Math.sin(i))) };
    }
    case 'ten_sweeps': {
      let { gamma } = m;
      for (let t = 0; t < 10; t++) gamma = sweep(m, gamma, legalSchedule(m, problem.schedule));
      return { gamma };
    }
    case 'converged': {
      let { gamma } = m;
      for (let t = 0, change = 1; t < 10000 && change > 1e-15; t++) {
        const last = gamma;
        gamma = sweep(m, gamma, legalSchedule(m, problem.schedule));
        change = Math.max(...gamma.map((x, i) => Math.max(...x.map((g, k) => Math.abs(g - last[i][k])))));
      }
      return { gamma };
    }
    case 'estimate': return estimate(m);
    case 'predict': return predict(m, problem.test);
    case 'bound': return bound(m);
    case 'hyperparameters': return hyperparameters(m, problem);
    default: return sample(m, problem.draws, problem.seed);
  }
}

if (typeof process !== 'undefined') {
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const problem = JSON.parse(line);
    let out;
    try {
      out = answer(problem);
    } catch (error) {
      if (!(error instanceof Illegal)) throw error;
      out = { error: error.message };
    }
    process.stdout.write(`${JSON.stringify({ id: problem.id, ...out })}\n`);
  });
}
