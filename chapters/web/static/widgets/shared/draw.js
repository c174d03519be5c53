/* What the widgets share: elements, sliders, buttons, a player, and pictures in SVG as wide as the page. */
"use strict";

const WIDGETS = (() => {
  const makers = {}; // {name: function of its box that returns what it shows, as numbers}
  const captions = {}; // {name: what stands below it instead of the still's caption}
  const data = {}; // {name: numbers computed by Python when the site is built}
  const SVG = new Set(["svg", "g", "line", "rect", "circle", "path", "text", "tspan"]);
  let ids = 0;

  /** An element of HTML or SVG; a function is a listener, and nothing an attribute left out. */
  function make(name, attributes = {}, ...children) {
    const space = SVG.has(name) ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml";
    const made = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) {
      if (typeof value === "function") made.addEventListener(key, value);
      else if (value !== undefined) made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  /** A number with a minus sign, and without a sign for a zero. */
  function fixed(v, digits) {
    const words = v.toFixed(digits);
    return Number(words) === 0 ? words.replace("-", "") : words.replace("-", "−");
  }

  // Controls --------------------------------------------------------------------------------------------------------

  function button(words, press) {
    return make("button", { type: "button", class: "widget-button", click: press }, words);
  }

  /** A labelled slider; `words` says its value to the reader, `move` is called with each new one. */
  function slider(label, { min, max, step, value }, words, move) {
    const id = `widget-slider-${ids++}`;
    const shown = make("output", { for: id });
    const input = make("input", {
      type: "range", id, min, max, step, value,
      input: () => { tell(); move(Number(input.value)); },
    });
    function tell() {
      shown.textContent = words(Number(input.value));
      input.setAttribute("aria-valuetext", shown.textContent);
    }
    tell();
    const box = make("div", { class: "widget-slider" }, make("label", { for: id }, label), input, shown);
    return { box, input, tell };
  }

  /** Play and step: `step` makes a step, `show` draws, `done` says whether it was the last.

      It plays by itself once a picture that is given to `whenSeen` is in view, except where motion is unwanted. */
  function player({ step, show, done, wait = 200 }) {
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches; // then only the end of a play is drawn
    let timer = 0;
    const play = button("Play", () => (timer ? stop() : tick()));
    const one = button("Step", () => { stop(); step(); update(); });
    let asked = false;
    play.addEventListener("click", () => { asked = true; });
    one.addEventListener("click", () => { asked = true; });
    const start = () => { if (!timer && !done()) tick(); };
    function whenSeen(element) {
      if (still) return;
      new IntersectionObserver(([seen], observer) => {
        if (!seen.isIntersecting) return;
        observer.disconnect();
        if (!asked) start();
      }, { threshold: 0.5 }).observe(element);
    }
    function update() {
      play.textContent = timer ? "Pause" : "Play";
      play.disabled = one.disabled = done();
      if (!timer || !still) show();
    }
    function tick() {
      const start = performance.now();
      step();
      timer = done() ? 0 : setTimeout(tick, Math.max(wait - (performance.now() - start), 10));
      update();
    }
    function stop() {
      clearTimeout(timer);
      timer = 0;
      update();
    }
    document.addEventListener("visibilitychange", () => { if (document.hidden && timer) stop(); });
    return { buttons: [play, one], stop, update, start, whenSeen };
  }

  function controls(...children) {
    return make("div", { class: "widget-controls" }, ...children);
  }

  // Pictures --------------------------------------------------------------------------------------------------------

  /** A picture that `draw(svg, width)` fills and gives its height; `name` says it to readers of a screen. */
  function picture(name, draw) {
    const svg = make("svg", { class: "widget-picture", role: "img" });
    let width = 0;
    function redraw() {
      width = svg.clientWidth || width;
      if (!width) return;
      svg.replaceChildren();
      svg.setAttribute("height", draw(svg, width));
      svg.setAttribute("aria-label", name());
    }
    new ResizeObserver(() => { if (svg.clientWidth !== width) redraw(); }).observe(svg);
    return { svg, redraw };
  }

  function text(svg, x, y, words, { anchor = "start", ink = "", small = false } = {}) {
    const css = `${small ? "small " : ""}${ink}`.trim();
    svg.append(make("text", { x, y, "text-anchor": anchor, class: css || undefined }, words));
  }

  function rect(svg, x, y, width, height, more = {}) {
    svg.append(make("rect", { x, y, width: Math.max(width, 0), height: Math.max(height, 0), ...more }));
  }

  /** About `count` round numbers from lo to hi. */
  function ticks(lo, hi, count) {
    const raw = (hi - lo) / count, power = 10 ** Math.floor(Math.log10(raw));
    const step = power * [1, 2, 5, 10].find((x) => x * power >= raw * 0.8);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const found = [];
    for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + 1e-9 * step; i++) found.push((i * step).toFixed(digits));
    return found;
  }

  /** Axes over a box [left, top, width, height]; they return the scales of x and y, and its top. Words are outside. */
  function axes(svg, [left, top, width, height], { x, y, across = "", up = "" }) {
    const X = (v) => left + ((v - x[0]) / (x[1] - x[0])) * width;
    const Y = (v) => top + height - ((v - y[0]) / (y[1] - y[0])) * height;
    for (const v of ticks(...y, height / 45)) {
      svg.append(make("line", { x1: left, x2: left + width, y1: Y(v), y2: Y(v), class: "grid" }));
      text(svg, left - 6, Y(v) + 4, v.replace("-", "−"), { anchor: "end", small: true });
    }
    for (const v of ticks(...x, width / 90)) {
      svg.append(make("line", { x1: X(v), x2: X(v), y1: top + height, y2: top + height + 4, class: "axis" }));
      text(svg, X(v), top + height + 18, v.replace("-", "−"), { anchor: "middle", small: true });
    }
    svg.append(make("path", { d: `M${left},${top}V${top + height}H${left + width}`, class: "axis" }));
    if (up) text(svg, 0, top - 12, up, { small: true });
    if (across) text(svg, left + width, top + height + 36, across, { anchor: "end", small: true });
    return { X, Y, top };
  }

  /** Lines, each with its label at its right end in its colour; labels that would overlap are moved apart. */
  function lines(svg, { X, Y, top }, all) {
    const ends = [];
    for (const { points, label, ink } of all.filter((line) => line.points.length)) {
      const d = points.map(([x, y], n) => `${n ? "L" : "M"}${X(x).toFixed(2)},${Y(y).toFixed(2)}`).join("");
      svg.append(make("path", { d, class: `line ${ink}` }));
      const [x, y] = points[points.length - 1];
      svg.append(make("circle", { cx: X(x), cy: Y(y), r: 3, class: ink }));
      if (label) ends.push({ x: X(x) + 8, y: Y(y) + 5, label, ink });
    }
    ends.sort((a, b) => a.y - b.y);
    for (let n = 0; n < 40; n++) {
      if (ends.length) ends[0].y = Math.max(ends[0].y, top + 6); // below the words above the axes
      for (let i = 1; i < ends.length; i++) {
        const short = 17 - (ends[i].y - ends[i - 1].y);
        if (short > 0) { ends[i - 1].y -= short / 2; ends[i].y += short / 2; }
      }
    }
    for (const { x, y, label, ink } of ends) text(svg, x, y, label, { ink });
  }

  /** What an empty picture will show, in lines of words inside its axes at the right of its first points. */
  function hint(svg, { X, Y }, [x, y], words) {
    words.forEach((line, n) => text(svg, X(x), Y(y) + 20 * n, line, { small: true }));
  }

  /** An image of numbers (side x side), white at 0 and ink at `top`; in the dark the other way round. */
  function pixels(svg, x, y, size, values, top) {
    const side = Math.round(Math.sqrt(values.length)), one = size / side;
    values.forEach((v, i) => {
      const strength = Math.min(v / top, 1).toFixed(3);
      if (strength < 0.01) return;
      const at = [x + (i % side) * one, y + Math.floor(i / side) * one];
      rect(svg, ...at, one, one, { class: "ink", "fill-opacity": strength, "shape-rendering": "crispEdges" });
    });
    rect(svg, x, y, size, size, { class: "frame" });
  }

  // Starting --------------------------------------------------------------------------------------------------------

  /** The caption of the widget beside that of the still, after the number of the figure, which they share. */
  function caption(figure, words) {
    const text = figure.querySelector("figcaption strong").parentNode;
    const [number, ...rest] = text.childNodes;
    const still = make("span", { class: "of-still" }, ...rest);
    text.replaceChildren(number, still, make("span", { class: "of-widget" }, ` ${words}`));
  }

  function start(figure) {
    const name = [...figure.classList].map((x) => x.match(/^is-(\w+)$/)).find(Boolean)[1];
    const box = make("div", { class: "widget-box", role: "group", "aria-label": `Widget: ${name}` });
    figure.insertBefore(box, figure.querySelector("figcaption"));
    figure.classList.add("live"); // before it draws, so that it has a width
    try {
      box.numbers = makers[name](box, data[name]);
      caption(figure, captions[name]);
    } catch (error) {
      figure.classList.remove("live"); // the still picture stays
      box.remove();
      console.error(error);
    }
  }

  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll("figure.widget").forEach(start));

  return {
    makers, captions, data, make, fixed, button, slider, player, controls, picture, text, rect, axes, lines, hint,
    pixels,
  };
})();
