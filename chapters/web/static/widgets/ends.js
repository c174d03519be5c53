/* VB from two starts, which ends in two places; and from where CVB0 ends, which VB then leaves for a higher place. */
"use strict";

WIDGETS.captions.ends =
  "VB in corpus order on 100 images of 5 × 5 pixels, α\u00a0=\u00a0η\u00a0=\u00a00.1, from two random starts. "
  + "Each square is a topic, dark where a pixel is probable. An orange frame marks a topic that is far from its "
  + "bar: more than 0.3 in total variation.";

WIDGETS.makers.ends = (box, { corpus, K, prior, true: bars }) => {
  const { controls, button, player, picture, make, pixels, axes, lines, hint } = WIDGETS;
  const SEEDS = [12, 10], MOST = 80, OF_CVB0 = 30, DARK = 0.25, FAR = 0.3, LOW = -3;
  const N = corpus.n.reduce((a, b) => a + b, 0);
  let runs = [];

  function run(title, gamma, ink) {
    const m = SWEEPS.model("vb", corpus, K, prior, { gamma });
    const made = { m, title, ink, gamma, history: [] };
    note(made);
    return made;
  }
  function note(one) {
    one.topics = SWEEPS.fitted(one.m, one.gamma).topics;
    one.history.push([one.history.length, PORT.bound({ ...one.m, gamma: one.gamma }).bound / N]);
  }
  function random(seed) {
    const uniform = PORT.generator(seed);
    return corpus.j.map(() => SWEEPS.anyRow(K, uniform));
  }
  const starts = SEEDS.map(random);
  const begin = () => { runs = starts.map((gamma, n) => run(`start ${"AB"[n]}`, gamma, n ? "ink-5" : "of-vb")); };

  /** CVB0 from start A, and VB from its end. */
  function fromCvb0() {
    const m = SWEEPS.model("cvb0", corpus, K, prior, { gamma: starts[0] });
    let { gamma } = m;
    for (let t = 0; t < OF_CVB0; t++) gamma = SWEEPS.sweep(m, gamma, "token");
    runs[2] = run("from CVB0's end", gamma, "of-cvb0");
  }

  function step() {
    for (const one of runs.filter(({ history }) => history.length <= MOST)) {
      one.gamma = SWEEPS.sweep(one.m, one.gamma, "corpus");
      note(one);
    }
  }
  const last = ({ history }) => history[history.length - 1][1];
  const value = (one) => WIDGETS.fixed(last(one), 3);

  /** The part of a curve above the foot of its picture, from where it crosses it. */
  function above(history) {
    const seen = history.filter(([, y]) => y >= LOW), n = history.length - seen.length;
    if (!n || !seen.length) return seen;
    const [[x0, y0], [x1, y1]] = [history[n - 1], seen[0]];
    return [[x0 + ((LOW - y0) / (y1 - y0)) * (x1 - x0), LOW], ...seen];
  }

  begin();
  const curve = picture(
    () => `VB's bound by sweep, nats a token: ${runs.map((one) => `${one.title} ${value(one)}`).join(", ")}`,
    (svg, width) => {
      const frame = axes(svg, [50, 26, width - 165, 220], {
        x: [0, MOST], y: [LOW, -2.5], across: "sweeps", up: "VB's bound, nats a token",
      });
      lines(svg, frame, runs.map(({ history, title, ink }) => ({ points: above(history), label: title, ink })));
      if (runs.every((one) => last(one) < LOW)) {
        const below = ["Both starts are below, at", `${value(runs[0])} and ${value(runs[1])}.`];
        hint(svg, frame, [4, -2.7], [...below, "Play draws the bound", "after each sweep."]);
      }
      return 286;
    },
  );
  const tiles = picture(() => `The topics of ${runs.map((one) => one.title).join(", ")}`, (svg, width) => {
    const wide = width >= 560, inRow = wide ? K : K / 2, left = wide ? 138 : 0;
    const one = Math.min((width - left) / inRow, 64);
    let y = 0;
    for (const { title, ink, topics } of runs) {
      WIDGETS.text(svg, 0, wide ? one / 2 + y + 2 : y + 14, title, { ink });
      if (!wide) y += 22;
      SWEEPS.matched(topics, bars).forEach((topic, k) => {
        const at = [left + (k % inRow) * one + 2, y + Math.floor(k / inRow) * one + 2], size = one - 10;
        pixels(svg, ...at, size, topic, DARK);
        if (SWEEPS.distance(topic, bars[k]) > FAR) {
          WIDGETS.rect(svg, ...at, size, size, { class: "hollow ink-4", "stroke-width": 2.5 });
        }
      });
      y += (K / inRow) * one + 8;
    }
    return y;
  });
  const says = make("p", { class: "widget-says" });

  const play = player({
    step,
    wait: 120,
    done: () => runs.every(({ history }) => history.length > MOST),
    show() {
      curve.redraw();
      tiles.redraw();
      const words = runs.map((one) => `${one.title}, sweep ${one.history.length - 1}: ${value(one)}`);
      if (runs.length > 2) words.push(`CVB0 made ${OF_CVB0} sweeps from start A.`);
      says.textContent = words.join(" · ");
      more.disabled = runs.length > 2;
    },
  });
  const more = button("Continue from CVB0's end", () => { fromCvb0(); play.stop(); play.start(); });
  const again = button("Start again", () => { begin(); play.stop(); });
  box.append(controls(...play.buttons, more, again), curve.svg, says, tiles.svg);
  play.update();
  play.whenSeen(curve.svg);
  return () => ({ starts, runs: runs.map(({ title, gamma, history }) => ({ title, gamma, history })) });
};
