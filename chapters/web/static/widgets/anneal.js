/* VB on the bars while both priors fall from a top to their own value: the topics part one after the other. */
"use strict";

WIDGETS.captions.anneal =
  "VB in corpus order on 100 images of 5 × 5 pixels, from one random start. Both priors fall from the top to 0.1 in "
  + "150 sweeps and then stay. Each square is a topic, dark where a pixel is probable. An orange frame marks a topic "
  + "that is far from its bar: more than 0.3 in total variation. With a top of 0.1 nothing is annealed.";

WIDGETS.makers.anneal = (box, { corpus, K, prior, true: bars }) => {
  const { controls, slider, button, player, picture, make, pixels, rect, axes, lines, fixed } = WIDGETS;
  const TOPS = [0.1, 0.5, 1, 2, 3, 5, 10, 30], FALLING = 150, MOST = 180, DARK = 0.25, FAR = 0.3, SEED = 1;
  const uniform = PORT.generator(SEED), start = corpus.j.map(() => SWEEPS.anyRow(K, uniform));
  let place = 5, gamma = start, topics = [], history = [];

  /** The prior of a sweep, from 1. */
  const own = prior.alpha;
  const at = (sweep) => own * (TOPS[place] / own) ** Math.max(0, 1 - (sweep - 1) / FALLING);
  const model = (a) => SWEEPS.model("vb", corpus, K, { alpha: a, eta: a }, { gamma });
  const sweeps = () => history.length - 1;

  /** The topics by the own prior, in the order of the bars, and how far a token's gamma is from 1/K. */
  function note() {
    topics = SWEEPS.matched(SWEEPS.fitted(model(own), gamma).topics, bars);
    const squares = gamma.reduce((total, x) => total + x.reduce((sum, v) => sum + (v - 1 / K) ** 2, 0), 0);
    history.push([history.length, Math.sqrt(squares / (gamma.length * K))]);
  }
  function begin() {
    [gamma, history] = [start, []];
    note();
  }
  function step() {
    gamma = SWEEPS.sweep(model(at(history.length)), gamma, "corpus");
    note();
  }

  begin();
  const far = () => topics.filter((topic, k) => SWEEPS.distance(topic, bars[k]) > FAR).length;
  const tiles = picture(() => `Ten topics after ${sweeps()} sweeps, ${far()} of them far from a bar`, (svg, width) => {
    const inRow = width >= 560 ? K : K / 2, one = Math.min(width / inRow, 64);
    topics.forEach((topic, k) => {
      const corner = [(k % inRow) * one + 2, Math.floor(k / inRow) * one + 2], size = one - 10;
      pixels(svg, ...corner, size, topic, DARK);
      if (SWEEPS.distance(topic, bars[k]) > FAR) {
        rect(svg, ...corner, size, size, { class: "hollow ink-4", "stroke-width": 2.5 });
      }
    });
    return (K / inRow) * one;
  });
  const curve = picture(
    () => `Distance of gamma from uniform rows: ${history[sweeps()][1].toPrecision(2)} after ${sweeps()} sweeps`,
    (svg, width) => {
      const frame = axes(svg, [50, 26, width - 70, 150], {
        x: [0, MOST], y: [0, 0.3], across: "sweeps", up: "distance of γ from 1/K",
      });
      lines(svg, frame, [{ points: history, ink: "ink-0" }]);
      return 216;
    },
  );
  const says = make("p", { class: "widget-says" });
  const play = player({
    step,
    wait: 60,
    done: () => sweeps() >= MOST,
    show() {
      tiles.redraw();
      curve.redraw();
      const now = sweeps() ? `prior ${fixed(at(sweeps()), 2)}` : `random rows, top ${TOPS[place]}`;
      says.textContent = `sweep ${sweeps()} · ${now} · ${far()} of ${K} topics far from a bar`;
    },
  });
  const restart = () => { begin(); play.stop(); };
  const top = slider("top", { min: 0, max: TOPS.length - 1, step: 1, value: place }, (n) => String(TOPS[n]), (n) => {
    place = n;
    restart();
  });
  box.append(top.box, controls(...play.buttons, button("Start again", restart)), tiles.svg, says, curve.svg);
  play.update();
  return () => ({ start, gamma, top: TOPS[place], history });
};
