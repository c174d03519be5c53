/* CGS, CVB0 and VB side by side on the bars, each in its default order, from the same random topic for each token. */
"use strict";

WIDGETS.captions.race =
  "CGS, CVB0 and VB on 100 images of 5 × 5 pixels with 50 tokens each, α\u00a0=\u00a00.3, η\u00a0=\u00a00.1. "
  + "All three begin with the same random topics. CGS and CVB0 update one token after the other, VB all tokens at "
  + "once. Each square is a topic, dark where a pixel is probable, at the place of the bar nearest to it. The "
  + "perplexity is that of the corpus itself.";

WIDGETS.makers.race = (box, { corpus, K, prior, true: bars }) => {
  const { controls, button, player, picture, make, pixels, axes, lines, hint } = WIDGETS;
  const RUNNERS = [["cgs", "CGS", "token"], ["cvb0", "CVB0", "token"], ["vb", "VB", "corpus"]];
  const MOST = 60, DARK = 0.2;
  let seed = 1, uniform = null, runs = [], start = [];

  function begin() {
    uniform = PORT.generator(++seed);
    start = corpus.j.map(() => Math.floor(uniform() * K));
    runs = RUNNERS.map(([name, title, schedule], n) => {
      const m = SWEEPS.model(name, corpus, K, prior, { z: start });
      const first = SWEEPS.fitted(m, m.gamma);
      const history = [[0, first.perplexity]];
      return { m, title, schedule, ink: `ink-${n}`, gamma: m.gamma, topics: first.topics, history };
    });
  }

  function step() {
    for (const run of runs) {
      const uniforms = run.m.name === "cgs" ? corpus.j.map(uniform) : undefined;
      run.gamma = SWEEPS.sweep(run.m, run.gamma, run.schedule, uniforms);
      const { topics, perplexity } = SWEEPS.fitted(run.m, run.gamma);
      run.topics = topics;
      run.history.push([run.history.length, perplexity]);
    }
  }

  const sweeps = () => runs[0].history.length - 1;
  const last = (run) => run.history[run.history.length - 1][1];

  begin();
  const panels = RUNNERS.map(([, title], n) => {
    const shown = picture(
      () => `${title}: ${K} topics after ${sweeps()} sweeps, perplexity ${last(runs[n]).toFixed(2)}`,
      (svg, width) => {
        const one = Math.min(width / 5, 60), size = one - 8;
        SWEEPS.matched(runs[n].topics, bars).forEach((topic, k) => {
          pixels(svg, (k % 5) * one + 1, Math.floor(k / 5) * one + 1, size, topic, DARK);
        });
        return 2 * one;
      },
    );
    const says = make("p", { class: "widget-says" });
    return { shown, says, box: make("div", {}, make("p", { class: `widget-title ink-${n}` }, title), shown.svg, says) };
  });
  const curve = picture(
    () => `Perplexity by sweep: ${runs.map((run) => `${run.title} ${last(run).toFixed(2)}`).join(", ")}`,
    (svg, width) => {
      const highest = Math.ceil(Math.max(...runs.map((run) => run.history[0][1])));
      const frame = axes(svg, [36, 26, width - 100, 150], {
        x: [0, MOST], y: [14, highest], across: "sweeps", up: "perplexity of the corpus",
      });
      lines(svg, frame, runs.map((run) => ({ points: run.history, label: run.title, ink: run.ink })));
      if (!sweeps()) {
        hint(svg, frame, [13, 20.6], ["Play draws the perplexity", "after each sweep, a line", "for each algorithm."]);
      }
      return 216;
    },
  );

  const play = player({
    step,
    done: () => sweeps() >= MOST,
    show() {
      panels.forEach(({ shown, says }, n) => {
        shown.redraw();
        says.textContent = `sweep ${sweeps()} · perplexity ${last(runs[n]).toFixed(2)}`;
      });
      curve.redraw();
    },
  });
  const again = button("Another start", () => { begin(); play.stop(); });
  box.append(controls(...play.buttons, again),
    make("div", { class: "widget-columns" }, ...panels.map((panel) => panel.box)), curve.svg);
  play.update();
  return () => ({ start, runs: runs.map(({ m, gamma, history }) => ({ name: m.name, gamma, history })) });
};
