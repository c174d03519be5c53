/* One update of CVB0 taken apart: what a token sees of its document, its word and the corpus, term by term. */
"use strict";

WIDGETS.captions.token =
  "One update of CVB0 taken apart. The expected counts, without the token itself, give a document term, a "
  + "word term and a topic term for each topic. The new γ is document times word over topic, divided by its "
  + "sum.";

WIDGETS.makers.token = (box, { corpus, K, prior, gamma: first, row }) => {
  const { controls, button, picture, make, text, rect } = WIDGETS;
  const m = SWEEPS.model("cvb0", corpus, K, prior, { gamma: first });
  const LETTERS = "abcdefghijklmnopqrstuvwxyz";
  let gamma = first, chosen = row, applied = 0;

  /** The three terms of a row without its own token, and their normalised product: AWST09 (13). */
  function terms(i) {
    const { N_jk, N_wk, N_k } = PORT.sums(m, gamma, i);
    return {
      document: N_jk.map((N, k) => N + m.alpha[k]),
      word: N_wk.map((N) => N + m.eta[m.w[i]]),
      topic: N_k.map((N) => 1 / (N + m.H)),
      gamma: PORT.normalised(PORT.weights(m, gamma, i)),
    };
  }

  const NAMES = [
    ["document", "document term", "N_jk + α_k", "term-0"],
    ["word", "× word term", "N_wk + η", "term-1"],
    ["topic", "× 1 / topic term", "1 / (N_k + Wη)", "term-2"],
    ["gamma", "= new γ_k", "normalised", "ink"],
  ];

  /** Words in which what follows an underscore, up to a space or bracket, is a subscript. */
  function formula(svg, x, y, words, small) {
    const made = make("text", { x, y, "text-anchor": "end", class: small ? "small" : undefined });
    words.split(/(_\w+)/).forEach((part, n) => {
      const attributes = n % 2 ? { dy: 3, class: "sub" } : { dy: n ? -3 : 0 };
      made.append(make("tspan", attributes, n % 2 ? part.slice(1) : part));
    });
    svg.append(made);
  }

  function draw(svg, width) {
    const now = terms(chosen), left = width < 480 ? 130 : 160, one = (width - left) / K, high = 78;
    NAMES.forEach(([name, title, words, ink], n) => {
      const low = (n + 1) * high + n * 12, top = Math.max(...now[name]);
      formula(svg, left - 12, low - 27, title, false);
      formula(svg, left - 12, low - 8, words, true);
      now[name].forEach((value, k) => {
        const tall = (value / top) * (high - 24), x = left + (k + 0.18) * one;
        rect(svg, x, low - tall, one * 0.64, tall, { class: ink });
        text(svg, left + (k + 0.5) * one, low - tall - 6, value.toFixed(3), { anchor: "middle", small: true });
        if (name !== "gamma") return;
        const old = low - (gamma[chosen][k] / top) * (high - 24); // may be above the bar
        svg.append(make("path", { d: `M${x - 6},${old}h${one * 0.64 + 12}`, class: "old" }));
      });
      svg.append(make("path", { d: `M${left},${low}H${width}`, class: "axis" }));
    });
    const low = 4 * high + 3 * 12;
    for (let k = 0; k < K; k++) {
      const middle = left + (k + 0.5) * one;
      rect(svg, middle - 36, low + 10, 11, 11, { class: `topic-${k}` });
      text(svg, middle - 20, low + 20, `topic ${k}`, { small: true });
    }
    return low + 30;
  }

  const tokens = corpus.j.map((_, i) => {
    const shares = make("span", { class: "shares", "aria-hidden": "true" });
    const letter = LETTERS[corpus.w[i]];
    const choose = () => { chosen = i; show(); };
    const made = make("button", { type: "button", class: "widget-letter", click: choose }, letter, shares);
    return { button: made, shares, letter };
  });
  const documents = Array.from({ length: corpus.D }, (_, j) => make("div", { class: "widget-document" },
    make("span", { class: "name" }, `document ${j}`),
    ...tokens.filter((_, i) => corpus.j[i] === j).map((x) => x.button)));
  const says = make("p", { class: "widget-says", "aria-live": "polite" });
  const shown = picture(() => {
    const now = terms(chosen);
    return NAMES.map(([name, title]) => `${title}: ${now[name].map((x) => x.toFixed(3)).join(", ")}`).join("; ");
  }, draw);

  const two = (x) => x.map((v) => v.toFixed(2)).join(", ");

  function show() {
    tokens.forEach(({ button: token, shares, letter }, i) => {
      token.setAttribute("aria-pressed", String(i === chosen));
      token.setAttribute("aria-label", `token ${i}, word ${letter}, gamma ${two(gamma[i])}`);
      const part = (x, k) => make("i", { class: `topic-${k}`, style: `flex-grow: ${x.toFixed(4)}` });
      shares.replaceChildren(...gamma[i].map(part));
    });
    shown.redraw();
    const { letter } = tokens[chosen];
    says.textContent = `Token ${chosen}, the word ${letter} in document ${corpus.j[chosen]}.`
      + ` The counts leave out its own γ, ${two(gamma[chosen])} (the orange lines below).`
      + ` Updates so far: ${applied}.`;
  }

  function apply() {
    gamma = gamma.map((x, i) => (i === chosen ? terms(i).gamma : x));
    applied++;
    show();
  }
  function sweep() {
    gamma = SWEEPS.sweep(m, gamma, "token");
    applied += m.M;
    show();
  }
  function again() {
    gamma = first;
    applied = 0;
    show();
  }
  box.append(
    make("p", {}, "Choose a token. The bar below its letter shows its γ, the probabilities of the three topics."),
    make("div", { class: "widget-documents" }, ...documents),
    controls(button("Apply this update", apply), button("Sweep all tokens", sweep), button("Start again", again)),
    says, shown.svg,
  );
  show();
  return () => ({ gamma, chosen, terms: terms(chosen) });
};
