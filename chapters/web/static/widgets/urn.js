/* Pólya's urn of three colours: a ball drawn goes back with another of its colour, so that what came comes again. */
"use strict";

WIDGETS.captions.urn =
  "Pólya's urn with three colours. The probability of the next colour is the number of its balls drawn plus "
  + "α, divided by the number of all balls drawn plus 3α. When α moves, the same random numbers are used "
  + "again.";

WIDGETS.makers.urn = (box) => {
  const { controls, slider, button, picture, make, text, rect, axes, lines } = WIDGETS;
  const K = 3, MOST = 200, LEAST = 0.05, TOP = 20, NAMES = ["blue", "orange", "green"];
  let seed = 1, alpha = 1, uniforms = [], balls = [], uniform = PORT.generator(seed);

  const count = (some) => [0, 1, 2].map((k) => some.filter((ball) => ball === k).length);

  /** The probabilities of the next colour: (n_k + alpha) / (n + K alpha). */
  function next(some = balls) {
    return count(some).map((n_k) => (n_k + alpha) / (some.length + K * alpha));
  }

  /** The same random numbers again, with the alpha of now. */
  function replay() {
    balls = [];
    for (const u of uniforms) balls.push(PORT.draw(next(), u));
    shown.redraw();
    const n = balls.length, n_k = count(balls);
    says.textContent = n
      ? `${n} ball${n > 1 ? "s" : ""} drawn: ${n_k.map((x, k) => `${x} ${NAMES[k]}`).join(", ")}.`
      : "Nothing is drawn yet: the next ball has each colour with probability ⅓.";
    one.disabled = twenty.disabled = n >= MOST;
  }

  function drawMore(more) {
    for (let i = 0; i < more && uniforms.length < MOST; i++) uniforms.push(uniform());
    replay();
  }

  function draw(svg, width) {
    const wide = width >= 560, across = wide ? (width - 50) * 0.55 : width;
    // the balls in the order of their draws
    const inRow = 20, step = Math.min(across / inRow, 18), rows = MOST / inRow;
    text(svg, 0, 14, "the balls drawn, in order", { small: true });
    for (let n = 0; n < MOST; n++) {
      const cx = step / 2 + (n % inRow) * step, cy = 33 + Math.floor(n / inRow) * step, drawn = n < balls.length;
      svg.append(make("circle", { cx, cy, r: drawn ? 6.5 : 2, class: drawn ? `ink-${balls[n]}` : "faint" }));
    }
    const tall = 24 + rows * step;
    // the next draw
    const left = wide ? across + 50 : 0, top = wide ? 0 : tall + 24;
    const size = width - left, gap = wide ? 62 : 52, n_k = count(balls);
    text(svg, left, top + 14, "probability of the next ball", { small: true });
    next().forEach((p, k) => {
      const y = top + 44 + k * gap, whole = (balls.length + K * alpha).toFixed(2);
      const words = `${NAMES[k]}: (${n_k[k]} + ${alpha.toFixed(2)}) / ${whole}`;
      text(svg, left, y - 6, words, { small: true, ink: `ink-${k}` });
      rect(svg, left, y, p * (size - 52), 20, { class: `ink-${k}` });
      text(svg, left + p * (size - 52) + 7, y + 15, p.toFixed(3));
    });
    // the history
    const start = Math.max(wide ? tall : 0, top + 26 + K * gap) + 46;
    const frame = axes(svg, [40, start, width - 106, 170], {
      x: [0, Math.max(50, balls.length)], y: [0, 1], across: "balls drawn", up: "share of each colour",
    });
    const seen = [0, 0, 0], history = [[], [], []];
    balls.forEach((ball, n) => {
      seen[ball]++;
      history.forEach((points, k) => points.push([n + 1, seen[k] / (n + 1)]));
    });
    lines(svg, frame, history.map((points, k) => ({ points, label: NAMES[k], ink: `ink-${k}` })));
    return start + 170 + 40;
  }

  const shown = picture(() => `${balls.length} balls drawn; the next is ${
    next().map((p, k) => `${NAMES[k]} with probability ${p.toFixed(3)}`).join(", ")}`, draw);
  const says = make("p", { class: "widget-says" });
  const one = button("Draw", () => drawMore(1)), twenty = button("Draw 20", () => drawMore(20));
  const empty = button("New urn", () => {
    uniforms = [];
    uniform = PORT.generator(++seed);
    replay();
  });
  const ofPlace = (t) => LEAST * (TOP / LEAST) ** (t / 100);
  const knob = slider("α", { min: 0, max: 100, step: 1, value: 50 }, (t) => ofPlace(t).toFixed(2), (t) => {
    alpha = ofPlace(t);
    replay();
  });
  box.append(controls(knob.box, one, twenty, empty), shown.svg, says);
  replay();
  return () => ({ alpha, uniforms, balls, next: next() });
};
