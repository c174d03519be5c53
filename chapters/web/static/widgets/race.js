/* CGS, CVB0 and VB side by side on the bars, each in its default order, from the same random topic for each token. */
"use strict";

WIDGETS.captions.race =
  "CGS, CVB0 and VB on 100 images of 5 × 5 pixels with 50 tokens each, α\u00a0=\u00a00.3, η\u00a0=\u00a00.1. "
  + "All three begin with the same random topics. CGS and CVB0 update one token after the other, VB all tokens at "
  + "once. Each square is a topic, dark where a pixel is probable, at the place of the bar nearest to it. A bar is "
  + "found if its topic is within 0.3 of it in total variation.";

WIDGETS.makers.race = (box, { corpus, K, prior, true: bars }) => {
  const { controls, button, player, picture, make, pixels, axes, lines, hint } = WIDGETS;
  const RUNNERS = [["cgs", "CGS", "token"], ["cvb0", "CVB0", "token"], ["vb", "VB", "corpus"]];
  const MOST = 60, DARK = 0.2, FAR = 0.3;
  let seed = 1, uniform = null, runs = [], start = [];

  function begin() {
    uniform = PORT.generator(++seed);
    start = corpus.j.map(() => Math.floor(uniform() * K));
    runs = RUNNERS.map(([name, title, schedule]) => {
      const m = SWEEPS.model(name, corpus, K, prior, { z: start });
      const run = { m, title, schedule, ink: `of-${name}`, gamma: m.gamma, history: [] };
      note(run);
      return run;
    });
  }

  function note(run) {
    run.topics = SWEEPS.matched(SWEEPS.fitted(run.m, run.gamma).topics, bars);
    const found = run.topics.filter((topic, k) => SWEEPS.distance(topic, bars[k]) < FAR).length;
    run.history.push([run.history.length, found]);
  }

  function step() {
    for (const run of runs) {
      const uniforms = run.m.name === "cgs" ? corpus.j.map(uniform) : undefined;
      run.gamma = SWEEPS.sweep(run.m, run.gamma, run.schedule, uniforms);
      note(run);
    }
  }

  const sweeps = () => runs[0].history.length - 1;
  const last = (run) => run.history[run.history.length - 1][1];

  begin();
  const panels = RUNNERS.map(([name, title], n) => {
    const shown = picture(
      () => `${title}: ${K} topics after ${sweeps()} sweeps, ${last(runs[n])} bars found`,
      (svg, width) => {
        const one = Math.min(width / 5, 60), size = one - 8;
        runs[n].topics.forEach((topic, k) => {
          pixels(svg, (k % 5) * one + 1, Math.floor(k / 5) * one + 1, size, topic, DARK);
        });
        return 2 * one;
      },
    );
    const says = make("p", { class: "widget-says" });
    const head = make("p", { class: `widget-title of-${name}` }, title);
    return { shown, says, box: make("div", {}, head, shown.svg, says) };
  });
  const curve = picture(
    () => `Bars found by sweep: ${runs.map((run) => `${run.title} ${last(run)} of ${K}`).join(", ")}`,
    (svg, width) => {
      const frame = axes(svg, [36, 26, width - 100, 150], {
        x: [0, MOST], y: [0, K], across: "sweeps", up: "bars found",
      });
      lines(svg, frame, runs.map((run) => ({ points: run.history, label: run.title, ink: run.ink })));
      if (!sweeps()) {
        hint(svg, frame, [4, 7], ["Play draws a line for each algorithm."]);
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
        says.textContent = `sweep ${sweeps()} · ${last(runs[n])} of ${K} bars found`;
      });
      curve.redraw();
    },
  });
  const again = button("Another start", () => { begin(); play.stop(); });
  box.append(controls(...play.buttons, again),
    make("div", { class: "widget-columns" }, ...panels.map((panel) => panel.box)), curve.svg);
  play.update();
  play.whenSeen(curve.svg);
  return () => ({ start, runs: runs.map(({ m, gamma, history }) => ({ name: m.name, gamma, history })) });
};
