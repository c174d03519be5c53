/* What MAP, VB and CVB0 make of a count, as its prior number moves. */
"use strict";

WIDGETS.captions.offsets =
  "The factor that a count N gets with the prior number a: N + a - 1 in MAP, exp Ψ(N + a) in VB, and N + a in CVB0 "
  + "and CGS. A factor below 0 is no weight. VB's is about half a count below that of CVB0, except where N + a is "
  + "small.";

WIDGETS.makers.offsets = (box) => {
  const { controls, slider, picture, make, axes, lines, fixed } = WIDGETS;
  const COUNTS = [0, 1, 2, 3, 4, 5];
  const RULES = [
    ["cvb0", "CVB0, CGS", (x) => x], ["vb", "VB", (x) => Math.exp(PORT.digamma(x))], ["map", "MAP", (x) => x - 1],
  ];
  let a = 0.1;
  const values = () => RULES.map(([name, label, rule]) => ({ name, label, at: COUNTS.map((N) => rule(N + a)) }));
  const shown = picture(
    () => `The factors of a count of 1: ${values().map(({ label, at }) => `${label} ${fixed(at[1], 3)}`).join(", ")}`,
    (svg, width) => {
      const frame = axes(svg, [36, 26, width - 130, 250], { x: [0, 5], y: [-1, 7], across: "count N", up: "factor" });
      svg.append(make("path", { d: `M${frame.X(0)},${frame.Y(0)}H${frame.X(5)}`, class: "axis" }));
      const all = values().map(({ name, label, at }) => (
        { points: at.map((y, N) => [N, y]), label, ink: `of-${name}` }));
      lines(svg, frame, all);
      all.forEach(({ points, ink }) => points.forEach(([x, y]) => {
        svg.append(make("circle", { cx: frame.X(x), cy: frame.Y(y), r: 4, class: ink }));
      }));
      return 322;
    },
  );
  const says = make("p", { class: "widget-says" });
  function redraw() {
    shown.redraw();
    const of = (N) => values().map(({ label, at }) => `${label} ${fixed(at[N], 3)}`).join(", ");
    says.textContent = [0, 1, 5].map((N) => `N = ${N}: ${of(N)}`).join(" · ");
  }
  const knob = slider("prior a", { min: 0.02, max: 2, step: 0.02, value: a }, (x) => x.toFixed(2), (x) => {
    a = x;
    redraw();
  });
  box.append(controls(knob.box), shown.svg, says);
  redraw();
  return () => ({ a, values: Object.fromEntries(values().map(({ name, at }) => [name, at])) });
};
