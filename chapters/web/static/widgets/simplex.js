/* The Dirichlet distribution over three topics: 300 mixtures, the first of them also as bars. */
"use strict";

WIDGETS.captions.simplex =
  "Mixtures drawn from a symmetric Dirichlet over three topics, 300 as points and 12 of these as bars. The "
  + "ring is the mean: it stays at the centre for every α, and α sets how far the mixtures stray from it.";

WIDGETS.makers.simplex = (box) => {
  const { controls, slider, button, picture, make, text, rect } = WIDGETS;
  const COUNT = 300, BARS = 12, LEAST = 0.05, MOST = 20;
  let seed = 1, alpha = 1, points = draws();

  /** The log of a Gamma(a) variable: Marsaglia and Tsang's method at a + 1, times the power 1/a of a uniform. */
  function logGammaDraw(a, uniform) {
    const d = a + 1 - 1 / 3, c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(1 - uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) {
        return Math.log(d * v) + Math.log(1 - uniform()) / a;
      }
    }
  }

  /** Each number has a generator of its own, so that the points move with alpha instead of jumping. */
  function draws() {
    return Array.from({ length: COUNT }, (_, i) => {
      const logs = [0, 1, 2].map((k) => logGammaDraw(alpha, PORT.generator(seed * 10000 + 3 * i + k)));
      const top = Math.max(...logs);
      return PORT.normalised(logs.map((x) => Math.exp(x - top)));
    });
  }

  const average = (f) => points.reduce((total, x) => total + f(x), 0) / COUNT;

  function draw(svg, width) {
    const wide = width >= 560;
    const side = Math.min(wide ? width - 270 : width - 60, 400), high = (side * Math.sqrt(3)) / 2;
    const left = wide ? 45 : (width - side) / 2, top = 30, low = top + high;
    const corners = [[left, low], [left + side, low], [left + side / 2, top]];
    const at = (x) => [0, 1].map((axis) => x.reduce((total, p, k) => total + p * corners[k][axis], 0));

    svg.append(make("path", { d: `M${corners.map((x) => x.join(",")).join("L")}Z`, class: "axis" }));
    text(svg, left - 8, low + 21, "topic 0", { anchor: wide ? "middle" : "start", ink: "ink-0" });
    text(svg, left + side + 8, low + 21, "topic 1", { anchor: wide ? "middle" : "end", ink: "ink-1" });
    text(svg, left + side / 2, top - 9, "topic 2", { anchor: "middle", ink: "ink-2" });
    points.forEach((x) => {
      const [cx, cy] = at(x);
      svg.append(make("circle", { cx, cy, r: 2.6, class: "ink", "fill-opacity": 0.4 }));
    });
    const [cx, cy] = at([1 / 3, 1 / 3, 1 / 3]);
    svg.append(make("circle", { cx, cy, r: 7, class: "hollow ink-4" }));
    svg.append(make("circle", { cx, cy, r: 2.5, class: "ink-4" }));

    const x = wide ? left + side + 65 : 0, y = wide ? top + 8 : low + 65, across = width - x;
    const step = Math.min((wide ? high - 8 : 260) / BARS, 29);
    text(svg, x, y - 12, `${BARS} of the mixtures`, { small: true });
    points.slice(0, BARS).forEach((p, n) => {
      let from = x;
      p.forEach((share, k) => {
        rect(svg, from, y + n * step, share * across, step - 5, { class: `ink-${k}` });
        from += share * across;
      });
    });
    return wide ? low + 32 : y + BARS * step + 4;
  }

  const shown = picture(
    () => `${COUNT} mixtures of three topics as points in a triangle, alpha ${alpha.toFixed(2)}`, draw,
  );
  const says = make("p", { class: "widget-says" });
  function redraw() {
    points = draws();
    shown.redraw();
    const largest = average((x) => Math.max(...x));
    says.textContent = `A mixture's largest share is ${largest.toFixed(2)} on average.`;
  }
  const ofPlace = (t) => LEAST * (MOST / LEAST) ** (t / 100);
  const knob = slider("α", { min: 0, max: 100, step: 1, value: 50 }, (t) => ofPlace(t).toFixed(2), (t) => {
    alpha = ofPlace(t);
    redraw();
  });
  box.append(controls(knob.box, button("Draw again", () => { seed++; redraw(); })), shown.svg, says);
  redraw();
  return () => ({ alpha, points });
};
