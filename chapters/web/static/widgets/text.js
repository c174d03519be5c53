/* CVB0 on the reader's own text: topics, the words of the text in their colours, and how the run settles. */
"use strict";

WIDGETS.captions.text =
  "CVB0 in token order, from random probabilities. A paragraph is a document. Common English words are left out, "
  + "in grey. A word has the colour of its most probable topic, the darker, the more certain. The run has settled "
  + "when a sweep changes the probabilities of a token by less than 0.001 on average.";

WIDGETS.makers.text = (box) => {
  const { controls, slider, button, player, picture, make, axes, lines } = WIDGETS;
  const MOST = 200, SETTLED = 1e-3, WORDS = 8, COLOURS = 6;
  const STOP = new Set((
    "a about after all also am an and any are as at be because been before being but by can could did do does for from "
    + "had has have he her him his how i if in into is it its just like may me more most my no not of on one only or "
    + "other our out over s she so some such t than that the their them then there these they this those to too up "
    + "very was we were what when where which while who will with would you your"
  ).split(" "));
  const GIVEN = `The dough rests in a warm kitchen while the oven heats. Flour, water, salt and yeast make bread.

A loaf is baked when its crust is brown. Let the bread cool, then serve it with butter, cheese or a bowl of soup.

The boat left the harbour at dawn. A strong wind filled the sails, and the captain kept the coast on the left.

Waves broke over the boat in the storm. The sailors took in the sails and waited for the wind to fall.

The telescope showed the rings of the planet and four of its moons. Stars near the planet were too faint to see.

On a clear night the stars fill the sky. With a telescope the moon has mountains, and a planet has moons of its own.

The captain baked bread on board, with flour and salt water. The sailors ate it under the stars.`;
  let seed = 1, K = 3, alpha = 0.1, eta = 0.1;
  let m = null, vocab = [], documents = [], start = [], gamma = [], changes = [];

  /** Documents as runs of letters and what stands between; rows (document, word) with their counts. */
  function read() {
    const number = new Map(), rows = new Map(), corpus = { j: [], w: [], n: [] };
    documents = input.value.split(/\n\s*\n/).filter((x) => x.trim()).map((words, j) => words.split(/([\p{L}\p{M}]+)/u)
      .map((piece, n) => {
        const word = piece.toLowerCase();
        if (n % 2 === 0 || STOP.has(word) || word.length < 2) return { piece };
        if (!number.has(word)) number.set(word, number.size);
        const key = `${j} ${number.get(word)}`;
        if (!rows.has(key)) {
          rows.set(key, corpus.n.length);
          corpus.j.push(j);
          corpus.w.push(number.get(word));
          corpus.n.push(0);
        }
        corpus.n[rows.get(key)]++;
        return { piece, row: rows.get(key) };
      }));
    vocab = [...number.keys()];
    return { ...corpus, D: documents.length, W: vocab.length };
  }

  function begin() {
    const corpus = read(), uniform = PORT.generator(seed);
    changes = [];
    m = null;
    if (corpus.D < 2 || corpus.W < 2) return;
    start = corpus.j.map(() => SWEEPS.anyRow(K, uniform));
    m = SWEEPS.model("cvb0", corpus, K, { alpha, eta }, { gamma: start });
    gamma = m.gamma;
  }

  function step() {
    const now = SWEEPS.sweep(m, gamma, "token"), N = m.n.reduce((a, b) => a + b, 0);
    const moved = now.map((x, i) => m.n[i] * SWEEPS.distance(x, gamma[i]));
    gamma = now;
    changes.push([changes.length + 1, moved.reduce((a, b) => a + b, 0) / N]);
  }
  const last = () => (changes.length ? changes[changes.length - 1][1] : 1);
  const colour = (k, share) => (
    `background: color-mix(in srgb, var(--ink-${k}) ${Math.round(45 * share)}%, transparent)`);

  const curve = picture(() => `The change of the last sweep is ${last().toFixed(4)}`, (svg, width) => {
    const frame = axes(svg, [46, 26, width - 60, 90], {
      x: [0, Math.max(20, changes.length)], y: [0, 1], across: "sweeps", up: "change of a token by a sweep",
    });
    lines(svg, frame, [{ points: changes, label: "", ink: "of-cvb0" }]);
    return 156;
  });
  const topics = make("div", { class: "widget-columns" }), shown = make("div", { class: "widget-text" });
  const says = make("p", { class: "widget-says", "aria-live": "polite" });

  function show() {
    again.disabled = !m;
    curve.svg.style.display = m ? "" : "none";
    topics.replaceChildren();
    shown.replaceChildren();
    if (!m) {
      says.textContent = "This needs two paragraphs or more, with an empty line between them, and some words.";
      return;
    }
    curve.redraw();
    const { phi_wk } = PORT.estimate({ ...m, gamma });
    for (let k = 0; k < K; k++) {
      const first = vocab.map((_, w) => w).sort((a, b) => phi_wk[b][k] - phi_wk[a][k]).slice(0, WORDS);
      const words = make("p", {}, first.map((w) => vocab[w]).join(" "));
      const title = make("p", { class: "widget-title", style: colour(k, 1) }, `topic ${k + 1}`);
      topics.append(make("div", {}, title, words));
    }
    shown.append(...documents.map((pieces) => make("p", {}, ...pieces.map(({ piece, row }) => {
      if (row === undefined) return make("span", { class: "left-out" }, piece);
      const share = Math.max(...gamma[row]), k = gamma[row].indexOf(share);
      const certain = (share - 1 / K) / (1 - 1 / K);
      return make("span", { style: colour(k, certain), title: `topic ${k + 1}, ${share.toFixed(2)}` }, piece);
    }))));
    const count = `${m.D} documents, ${m.n.reduce((a, b) => a + b, 0)} words, ${vocab.length} of them different`;
    says.textContent = `${count}. Sweep ${changes.length}, change ${last().toFixed(4)}${done() ? ": settled" : ""}.`;
  }
  const done = () => !m || last() < SETTLED || changes.length >= MOST;
  const play = player({ step, show, done, wait: 60 });
  const restart = () => { begin(); play.stop(); play.start(); };
  const again = button("Another start", () => { seed++; restart(); });
  const input = make("textarea", { rows: 9, "aria-label": "your text", class: "widget-input", input: restart });
  input.value = GIVEN;
  const knobs = [
    slider("topics K", { min: 2, max: COLOURS, step: 1, value: K }, (x) => String(x), (x) => { K = x; restart(); }),
    ...[["α", (x) => { alpha = x; }], ["η", (x) => { eta = x; }]].map(([name, set]) => slider(
      name, { min: -2, max: 0.3, step: 0.05, value: -1 }, (x) => (10 ** x).toFixed(2),
      (x) => { set(10 ** x); restart(); },
    )),
  ];
  box.append(
    make("p", {}, "Replace the text by your own; an empty line begins a new document. It stays in this page."), input,
    controls(...knobs.map((x) => x.box)), controls(...play.buttons, again), says, topics, shown, curve.svg,
  );
  begin();
  play.update();
  play.whenSeen(topics);
  return () => ({
    K, alpha, eta, start, gamma, vocab, changes, corpus: m && { j: m.j, w: m.w, n: m.n, D: m.D, W: m.W },
  });
};
