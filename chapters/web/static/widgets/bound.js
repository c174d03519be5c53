/* VB's bound, the bound of exact CVB and the evidence, as one token's gamma is dragged; the gaps are divergences. */
"use strict";

WIDGETS.captions.bound =
  "The bounds of VB and of CVB as functions of the γ of one token, which can be dragged. All other γ are "
  + "held at a fixed point of VB. The line above is the evidence log p(x). "
  + "A bound lies below it by the divergence of its q from the posterior.";

WIDGETS.makers.bound = (box, { corpus, K, prior, gamma: first, row }) => {
  const { controls, slider, button, picture, make, fixed, text, axes } = WIDGETS;
  const m = SWEEPS.model("vb", corpus, K, prior, { gamma: first });
  let x = first[row][0], place = null; // from a horizontal place in the picture to gamma

  // log p(x, z) of all assignments: without entropy VB's bound is the log joint, and a row of one topic has none
  const all = Array.from({ length: K ** m.M }, (_, number) => {
    const z = m.j.map((_, i) => Math.floor(number / K ** i) % K);
    return { z, log: PORT.bound({ ...m, gamma: z.map((k) => PORT.oneHot(k, K)) }).bound };
  });
  const top = Math.max(...all.map(({ log }) => log));
  const evidence = top + Math.log(all.reduce((total, { log }) => total + Math.exp(log - top), 0));

  const at = (share) => first.map((rest, i) => (i === row ? [share, 1 - share] : rest));

  /** E_q[log p(x, z)] + H(q), TNW06 (12), assignment by assignment. */
  function collapsed(gamma) {
    return all.reduce((total, { z, log }) => {
      const q = z.reduce((product, k, i) => product * gamma[i][k], 1);
      return q > 0 ? total + q * (log - Math.log(q)) : total;
    }, 0);
  }

  const bounds = (share) => ({ vb: PORT.bound({ ...m, gamma: at(share) }).bound, cvb: collapsed(at(share)) });
  const grid = Array.from({ length: 201 }, (_, i) => i / 200);
  const curves = grid.map((share) => ({ share, ...bounds(share) }));

  /** The highest point of CVB's curve, which has only one top: by thirds. */
  function best() {
    let [lo, hi] = [0, 1];
    for (let n = 0; n < 60; n++) {
      const [a, b] = [lo + (hi - lo) / 3, hi - (hi - lo) / 3];
      if (collapsed(at(a)) < collapsed(at(b))) lo = a;
      else hi = b;
    }
    return (lo + hi) / 2;
  }

  function draw(svg, width) {
    const narrow = width < 560, high = narrow ? 330 : 360, right = narrow ? 16 : 150;
    const low = Math.min(...curves.map(({ vb }) => vb));
    const box = [46, 30, width - 46 - right, high];
    const frame = axes(svg, box, {
      x: [0, 1], y: [low - 0.1, evidence + 0.2], up: "nats", across: "γ of the token for topic 0",
    });
    const { X, Y } = frame, now = bounds(x);
    place = (at) => Math.min(1, Math.max(0, (at - X(0)) / (X(1) - X(0))));
    const curve = (name, ink) => svg.append(make("path", {
      class: `line ${ink}`, d: curves.map((p, n) => `${n ? "L" : "M"}${X(p.share)},${Y(p[name])}`).join(""),
    }));
    svg.append(make("path", { d: `M${X(0)},${Y(evidence)}H${X(1)}`, class: "line dashed ink" }));
    curve("cvb", "of-cvb_exact");
    curve("vb", "of-vb");
    // the gaps at x
    const side = X(x) < box[0] + box[2] / 2 ? 1 : -1;
    const gap = (from, to, ink, shift, words) => {
      const place = X(x) + side * shift;
      svg.append(make("path", { d: `M${place},${Y(from)}V${Y(to)}`, class: `gap ${ink}` }));
      const anchor = side > 0 ? "start" : "end";
      text(svg, place + side * 7, (Y(from) + Y(to)) / 2 + 5, words, { anchor, ink });
    };
    gap(now.cvb, evidence, "of-cvb_exact", 0, fixed(evidence - now.cvb, 3));
    gap(now.vb, now.cvb, "of-vb", 0, `${fixed(now.cvb - now.vb, 3)} more`);
    svg.append(make("circle", { cx: X(x), cy: Y(now.cvb), r: 5, class: "of-cvb_exact" }));
    svg.append(make("circle", { cx: X(x), cy: Y(now.vb), r: 5, class: "of-vb" }));
    // names at the right, or within the narrow picture
    const end = curves[narrow ? 130 : curves.length - 1];
    const name = (value, words, ink, below = false) => (narrow
      ? text(svg, X(end.share), Y(value) + (below ? 20 : -8), words, { ink, anchor: below ? "end" : "start" })
      : text(svg, X(1) + 8, Y(value) + 5, words, { ink }));
    name(evidence, narrow ? "log p(x)" : "evidence log p(x)", "ink");
    name(end.cvb, "bound of CVB", "of-cvb_exact");
    name(end.vb, "bound of VB", "of-vb", true);
    return 30 + high + 42;
  }

  const shown = picture(() => {
    const { vb, cvb } = bounds(x);
    const words = [vb, cvb, evidence].map((v) => fixed(v, 3));
    return `At gamma ${x.toFixed(3)} VB's bound is ${words[0]}, CVB's ${words[1]}, the evidence ${words[2]}`;
  }, draw);
  const says = make("p", { class: "widget-says" });
  function redraw() {
    const { vb, cvb } = bounds(x);
    shown.redraw();
    const of = (name, v) => `${name}'s bound ${fixed(v, 4)}, its divergence ${fixed(evidence - v, 4)}`;
    says.textContent = `log p(x) ${fixed(evidence, 4)} · ${of("CVB", cvb)} · ${of("VB", vb)}.`;
  }
  shown.svg.style.touchAction = "pan-y";
  ["pointerdown", "pointermove"].forEach((name) => shown.svg.addEventListener(name, (event) => {
    if (event.buttons) move(place(event.clientX - shown.svg.getBoundingClientRect().left));
  }));
  function move(share) {
    x = share;
    knob.input.value = String(share);
    knob.tell();
    redraw();
  }
  const knob = slider("γ", { min: 0, max: 1, step: 0.005, value: x }, () => x.toFixed(3), (share) => {
    x = share;
    knob.tell();
    redraw();
  });
  box.append(
    controls(knob.box, button("VB's best", () => move(first[row][0])), button("CVB's best", () => move(best()))),
    shown.svg, says,
  );
  redraw();
  return () => ({ x, evidence, ...bounds(x) });
};
