/* The distribution of a count grows token by token, by the convolution of Appendix A, with the Gaussian over it. */
"use strict";

WIDGETS.captions.count =
  "The distribution of the number n of tokens in a topic, by convolution (TNW06, Appendix A), and the Gaussian of "
  + "the same mean and variance. Every second token is in the topic with a high probability, the others with a low "
  + "one. The mean and the variance are all that the approximation (17) knows of the count.";

WIDGETS.makers.count = (box) => {
  const { controls, slider, picture, make, axes, lines, rect, fixed } = WIDGETS;
  const A = 0.1;
  let tokens = 4, certain = 0.5;
  const gammas = () => Array.from({ length: tokens }, (_, i) => 0.5 + (i % 2 ? -certain : certain) / 2);

  /** The distribution of the sum: each token moves a part of the mass up by one. */
  function distribution() {
    return gammas().reduce((p, g) => [...p, 0].map((x, n) => x * (1 - g) + (n ? p[n - 1] * g : 0)), [1]);
  }
  function moments() {
    const g = gammas(), m = g.reduce((a, b) => a + b, 0), V = g.reduce((a, x) => a + x * (1 - x), 0);
    const p = distribution();
    const exact = p.reduce((total, x, n) => total + x * Math.log(A + n), 0);
    return { m, V, exact, second: Math.log(A + m) - V / (2 * (A + m) ** 2), zeroth: Math.log(A + m) };
  }
  const shown = picture(
    () => `${tokens} tokens: the count has mean ${moments().m.toFixed(2)} and variance ${moments().V.toFixed(2)}`,
    (svg, width) => {
      const p = distribution(), { m, V } = moments(), most = Math.max(...p);
      const frame = axes(svg, [46, 26, width - 60, 220], {
        x: [-0.5, tokens + 0.5], y: [0, 1.1 * most], across: "count n", up: "probability",
      });
      const one = 0.8 * (frame.X(1) - frame.X(0));
      p.forEach((x, n) => {
        rect(svg, frame.X(n) - one / 2, frame.Y(x), one, frame.Y(0) - frame.Y(x), { class: "of-cvb_exact" });
      });
      const grid = Array.from({ length: 201 }, (_, i) => -0.5 + (i / 200) * (tokens + 1));
      const normal = grid.map((x) => [x, Math.exp(-((x - m) ** 2) / (2 * V)) / Math.sqrt(2 * Math.PI * V)]);
      const points = normal.filter(([, y]) => y <= 1.1 * most);
      if (V > 0.02) lines(svg, frame, [{ points, label: "", ink: "of-cvb" }]);
      return 292;
    },
  );
  const says = make("p", { class: "widget-says" });
  function redraw() {
    shown.redraw();
    const { m, V, exact, second, zeroth } = moments();
    says.textContent = `mean ${m.toFixed(2)}, variance ${V.toFixed(2)} · E log(0.1 + n): exactly ${fixed(exact, 3)}, `
      + `to second order ${fixed(second, 3)}, to zeroth order ${fixed(zeroth, 3)}`;
  }
  const knobs = [
    slider("tokens", { min: 1, max: 30, step: 1, value: tokens }, String, (x) => { tokens = x; redraw(); }),
    slider("certainty", { min: 0, max: 0.98, step: 0.02, value: certain }, (x) => x.toFixed(2), (x) => {
      certain = x;
      redraw();
    }),
  ];
  box.append(controls(...knobs.map((x) => x.box)), shown.svg, says);
  redraw();
  return () => ({ tokens, certain, gammas: gammas(), distribution: distribution(), ...moments() });
};
