/* The port's updates, swept fast enough to watch: the sums are kept from row to row, which the port counts anew. */
"use strict";

const SWEEPS = (() => {
  const { read, counts, weights, normalised, oneHot, draw, EXCLUDES } = PORT;

  /** A corpus, a prior and a start as the port reads them; samplers start from z, the others from gamma or z. */
  function model(name, corpus, K, prior, state) {
    return read({ algorithm: name, corpus, K, prior, state });
  }

  /** One sweep, gamma to new gamma, in `token` or `corpus` order; with uniforms each row draws its topic. */
  function sweep(m, gamma, schedule, uniforms) {
    const { N_jk, N_wk, N_k } = counts({ ...m, gamma });
    const kept = { ...m, sums: (i) => ({ N_jk: N_jk[m.j[i]], N_wk: N_wk[m.w[i]], N_k }) };
    const excluded = EXCLUDES[m.name] === "token" ? 1 : 0;
    const now = gamma.slice();

    function add(i, tokens, x) {
      const N_j = N_jk[m.j[i]], N_w = N_wk[m.w[i]];
      for (let k = 0; k < m.K; k++) {
        const mean = tokens * x[k];
        N_j[k] += mean;
        N_w[k] += mean;
        N_k[k] += mean;
      }
    }
    for (let i = 0; i < m.M; i++) {
      const old = gamma[i];
      if (excluded) add(i, -excluded, old);
      const x = weights(kept, gamma, i);
      now[i] = uniforms ? oneHot(draw(x, uniforms[i]), m.K) : normalised(x);
      if (schedule === "token") {
        add(i, excluded - m.n[i], old);
        add(i, m.n[i], now[i]);
      } else if (excluded) add(i, excluded, old);
    }
    return now;
  }

  /** Topics as columns, phi[k][w], and the perplexity of the corpus itself. */
  function fitted(m, gamma) {
    const now = { ...m, gamma };
    const { phi_wk } = PORT.estimate(now);
    const topics = phi_wk[0].map((_, k) => phi_wk.map((row) => row[k]));
    return { topics, perplexity: PORT.predict(now, m).perplexity };
  }

  /** Half the sum of the absolute differences of two topics. */
  function distance(a, b) {
    return a.reduce((total, p, w) => total + Math.abs(p - b[w]) / 2, 0);
  }

  /** The topics in the order of the true ones: the nearest pair first, then the nearest of those that are left. */
  function matched(topics, truth) {
    const pairs = topics.flatMap((a, k) => truth.map((b, t) => ({ k, t, far: distance(a, b) })));
    const found = new Array(topics.length), used = new Set();
    for (const { k, t } of pairs.sort((a, b) => a.far - b.far)) {
      if (!found[t] && !used.has(k)) {
        found[t] = topics[k];
        used.add(k);
      }
    }
    return found;
  }

  /** A row of K probabilities from Dirichlet(1). */
  function anyRow(K, uniform) {
    return normalised(Array.from({ length: K }, () => -Math.log(1 - uniform())));
  }

  return { model, sweep, fitted, distance, matched, anyRow };
})();
