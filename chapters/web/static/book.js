/* Formulas that are typeset where the reader is, the cards over links to equations, names of buttons, folds that open
   for print, and what is too wide for the page. */
"use strict";

/* At scale 1 a lower case letter is as tall as the text's, and a capital much taller. */
window.MathJax = {
  loader: { load: ["ui/lazy"] },
  options: {
    enableMenu: false, lazyMargin: "300px",
    ignoreHtmlClass: "tex2jax_ignore|mathjax_ignore|document", processHtmlClass: "tex2jax_process|mathjax_process|math|output_area",
  },
  chtml: { scale: 0.93 },
  startup: {
    ready() { // no formula needs the macros or numbers of one above it, so those above are not read before it
      MathJax.startup.defaultReady();
      MathJax.startup.document.compileEarlierItems = () => {};
    },
  },
};

(function () {
  const root = document.documentElement.dataset.content_root || "./";
  let card = null, timer = 0, mathjax = null;

  /* A page without formulas loads MathJax when a card has one. */
  function loaded() {
    if (MathJax.startup.promise) return MathJax.startup.promise;
    mathjax ??= new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = root + "_static/mathjax/tex-chtml-full.js";
      script.onload = () => resolve(MathJax.startup.promise);
      document.head.append(script);
    });
    return mathjax;
  }

  function typeset(element) {
    return element.querySelector(".math") ? loaded().then(() => MathJax.typesetPromise([element])) : Promise.resolve();
  }

  function close() {
    if (card) card.remove();
    card = null;
  }

  function later(action, wait) {
    clearTimeout(timer);
    timer = setTimeout(action, wait);
  }

  /* The card stands below its link, or above it if there is more room, and is no taller than the room. */
  function place(link) {
    const at = link.getBoundingClientRect(), wide = document.documentElement.clientWidth;
    const above = at.top - 14, below = window.innerHeight - at.bottom - 14;
    card.style.maxHeight = "none";
    const tall = card.offsetHeight, under = tall <= below || below >= above;
    const height = Math.min(tall, Math.max(under ? below : above, 80), 0.7 * window.innerHeight);
    card.style.maxHeight = height + "px";
    card.style.left = Math.max(8, Math.min(at.left, wide - card.offsetWidth - 8)) + window.scrollX + "px";
    card.style.top = (under ? at.bottom + 6 : at.top - height - 6) + window.scrollY + "px";
  }

  function show(link) {
    const html = EQUATION_CARDS[decodeURIComponent(link.hash.slice(1))];
    close();
    if (!html) return;
    card = document.createElement("div");
    card.className = "equation-card";
    card.setAttribute("role", "tooltip");
    card.innerHTML = html.replaceAll("{{root}}", root);
    card.addEventListener("mouseenter", () => clearTimeout(timer));
    card.addEventListener("mouseleave", () => later(close, 250));
    document.body.append(card);
    place(link);
    typeset(card);
    const here = card;
    new MutationObserver(() => here === card && place(link)).observe(card, { childList: true, subtree: true });
  }

  document.querySelectorAll("a.tag, .tag > a").forEach((link) => {
    link.addEventListener("mouseenter", () => later(() => show(link), 150));
    link.addEventListener("mouseleave", () => later(close, 250));
    link.addEventListener("focus", () => later(() => show(link), 150));
    link.addEventListener("blur", () => later(close, 250));
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });

  /* Names for readers of a screen, which the theme leaves out. */
  document.querySelectorAll(".bd-sidebar summary:not([aria-label])").forEach((x) => x.setAttribute("aria-label", "pages below"));
  document.querySelectorAll("article summary[aria-label], .search-button-field").forEach((x) => x.removeAttribute("aria-label"));

  /* Names of modules, objects and tests may break where their parts end. */
  document.querySelectorAll(".bd-article :is(h1, h2), .bd-article li > a, .bd-sidebar-secondary a, .toctree-wrapper a, .sig-name, td code").forEach((x) => {
    const words = document.createTreeWalker(x, NodeFilter.SHOW_TEXT), long = [];
    while (words.nextNode()) if (/[\w.\/:]{18}/.test(words.currentNode.data)) long.push(words.currentNode);
    long.forEach((text) => {
      const parts = text.data.split(/(?<=[.\/]|::)(?=\w)|(?<=_)(?=\w{3})|(?<=[a-z])(?=[A-Z])/);
      text.replaceWith(...parts.flatMap((part, n) => (n ? [document.createElement("wbr"), part] : [part])));
      if (parts.length > 3) x.classList.add("parts");
    });
  });

  /* In a narrow column "K = 8" and "kos-400" stay on one line. */
  document.querySelectorAll(".pst-scrollable-table-container :is(td, th)").forEach((x) => {
    const words = document.createTreeWalker(x, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
      const text = words.currentNode, data = text.data.replace(/\b([KT]) = (?=\d)/g, "$1\u00a0=\u00a0")
        .replace(/(?<![\w-])(\w{1,9}-)(?=(?:\d{3,4}|hat)\b)/g, "$1\u2060");
      if (data !== text.data) text.data = data;
    }
  });

  /* The spaces at the beginning of a line stay with its first letter: a long word does not leave an empty line. */
  function join(line) {
    const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT), range = document.createRange();
    while (texts.nextNode() && !/\S/.test(texts.currentNode.data));
    const first = texts.currentNode;
    if (first.nodeType !== 3 || first.parentElement.closest("a")) return;
    range.setStart(line, 0);
    range.setEnd(first, first.data.search(/\S|$/) + (/\S/.test(first.data) ? 1 : 0));
    const span = document.createElement("span");
    span.className = "indentation";
    span.append(range.extractContents());
    line.prepend(span);
  }

  /* A line of code or of an output that is too long continues below, further in than its beginning. The lines
     of a table scroll together: it has two rows or more with two spaces between words, or three numbers in a row. */
  document.querySelectorAll("article :is(.highlight-python, .highlight-none, .doctest, .cell_output) pre").forEach((x) => {
    const shown = x.closest(".highlight-none"); // what a command prints: its lines stand unless they are very long
    if (shown && Math.max(...x.textContent.split("\n").map((line) => line.length)) < 120) return;
    const lines = x.innerHTML.replace(/\n$/, "").split("\n").map((html) => {
      const line = document.createElement("span");
      line.className = "line";
      line.innerHTML = html;
      const indent = line.textContent.search(/\S|$/);
      line.style.setProperty("--indent", indent + "ch");
      if (indent) join(line);
      return line;
    });
    x.replaceChildren(...lines.flatMap((line) => [line, "\n"]));
    const isDoctest = x.querySelector(".gp");
    const printed = shown || x.closest(".cell_output") ? lines : lines.filter((line) => isDoctest && !line.querySelector(".gp"));
    const isRow = (line) => /\S {2,}\S|(?:^| )(?:[-±]?\d[\d.e+-]* +){3}/.test(line.textContent);
    if (printed.filter(isRow).length < 2) return; // no table
    printed.forEach((line) => line.classList.toggle("columns", Boolean(shown) || line.textContent.length < 110));
  });

  window.addEventListener("beforeprint", () => {
    document.querySelectorAll("article details:not([open])").forEach((x) => { x.open = true; x.dataset.printed = ""; });
  });
  window.addEventListener("afterprint", () => {
    document.querySelectorAll("article details[data-printed]").forEach((x) => { x.open = false; delete x.dataset.printed; });
  });

  /* A formula keeps the punctuation beside it, and long names in code may break after a dot or an underscore. */
  function keep() {
    document.querySelectorAll("article span.math").forEach((x) => {
      const before = x.previousSibling, after = x.nextSibling;
      const opens = before?.nodeType === 3 ? before.data.match(/[(“]+$/) : null;
      const closes = after?.nodeType === 3 ? after.data.match(/^[.,;:!?)”’]+/) : null;
      if (!opens && !closes) return;
      const together = document.createElement("span");
      together.className = "together";
      x.replaceWith(together);
      if (opens) { before.data = before.data.slice(0, -opens[0].length); together.append(opens[0]); }
      together.append(x);
      if (closes) { after.data = after.data.slice(closes[0].length); together.append(closes[0]); }
    });
    document.querySelectorAll("article :not(pre) > code .pre").forEach((x) => {
      if (/^-\S{1,20}$/.test(x.textContent)) x.style.whiteSpace = "nowrap"; // an option of a command
      if (x.childElementCount || x.textContent.length < 24) return;
      const parts = x.textContent.split(/(?<=[._])/);
      x.replaceChildren(...parts.flatMap((part, n) => (n ? [document.createElement("wbr"), part] : [part])));
    });
  }

  /* A formula that is wider than its place becomes smaller; one that would become too small scrolls. */
  const SMALLEST = 0.7, SCROLLING = 0.85;
  function fit(which = "") {
    const formulas = [...document.querySelectorAll(`article .math mjx-container${which}`)]
      .filter((x) => x.querySelector("mjx-math") && x.offsetParent);
    formulas.forEach((x) => {
      x.dataset.size ??= parseFloat(x.style.fontSize) || 100;
      x.style.fontSize = x.dataset.size + "%";
      x.closest(".math").classList.remove("long");
    });
    const places = formulas.map((x) => {
      const box = x.closest("div.math") || x.closest("p, li, dd, td, th, figcaption");
      const room = box ? inside(box) - (x.closest(".together") ? 10 : 2) : Infinity;
      return [x, x.querySelector("mjx-math").getBoundingClientRect().width, room];
    });
    places.filter(([, wide, room]) => wide > room).forEach(([x, wide, room]) => {
      const fits = room / wide >= SMALLEST, span = x.closest("span.math");
      x.style.fontSize = x.dataset.size * (fits ? room / wide : SCROLLING) + "%";
      if (span && !fits) span.classList.add("long");
    });
  }

  function inside(box) {
    const style = getComputedStyle(box);
    return box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  }

  /* What scrolls can be reached by the keyboard, and fades at its right edge while there is more. */
  const SCROLLS = "article pre, article mjx-container, article .math.long, .output, .pst-scrollable-table-container, "
    + "figure .image-reference, #the-papers-claims-tested p:has(> img)";
  function fade(x) {
    x.classList.toggle("more", x.scrollWidth - x.clientWidth - x.scrollLeft > 3);
  }
  function scrolling() {
    document.querySelectorAll(SCROLLS).forEach((x) => {
      if (x.scrollWidth > x.clientWidth && x.tagName !== "A") x.tabIndex = 0;
      fade(x);
    });
  }
  document.addEventListener("scroll", (event) => { if (event.target.matches?.(SCROLLS)) fade(event.target); }, true);

  /* Lines that stand as they are become smaller where they nearly fit, so that nothing at their right is hidden. */
  const SMALLEST_CODE = 10.4; // pixels
  function fitLines() {
    document.querySelectorAll("article pre.verbatim, article .highlight-none pre").forEach((x) => {
      x.style.fontSize = "";
      const style = getComputedStyle(x), size = parseFloat(style.fontSize);
      const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
      const ratio = (x.clientWidth - padding - 1) / (x.scrollWidth - padding);
      if (x.scrollWidth > x.clientWidth && size * ratio >= SMALLEST_CODE) x.style.fontSize = size * ratio + "px";
    });
    document.querySelectorAll(".pst-scrollable-table-container > table").forEach((x) => {
      x.style.fontSize = "";
      const place = x.parentElement, ratio = 0.96 * place.clientWidth / place.scrollWidth, size = parseFloat(getComputedStyle(x).fontSize);
      if (place.scrollWidth > place.clientWidth && size * ratio >= SMALLEST_CODE) x.style.fontSize = size * ratio + "px";
    });
  }

  function arrange() {
    fit();
    fitLines();
    scrolling();
  }
  /* The list of the page's parts follows the reader. */
  const contents = document.querySelector(".bd-sidebar-secondary");
  function follow() {
    const now = [...contents.querySelectorAll(".nav-link.active")].pop();
    if (!now) return;
    const at = now.getBoundingClientRect(), box = contents.getBoundingClientRect();
    if (at.top < box.top + 40 || at.bottom > Math.min(box.bottom, window.innerHeight) - 40)
      contents.scrollTop += at.top - box.top - box.height / 2;
  }
  if (contents) new MutationObserver(follow).observe(contents, { subtree: true, attributeFilter: ["class"] });

  /* Formulas that have just been typeset are fitted. Until the reader moves, the target of the address stays in view. */
  let waits = false, still = true, last = 0;
  const moved = () => { still = false; };
  ["wheel", "touchstart", "keydown", "pointerdown"].forEach((name) => window.addEventListener(name, moved, { passive: true }));
  window.addEventListener("hashchange", () => { still = true; setTimeout(moved, 2000); });
  function settle() {
    waits = false;
    fit(":not([data-size])");
    clearTimeout(last);
    last = setTimeout(scrolling, 300);
    if (still && location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView({ behavior: "instant" });
  }
  function typesetting(changes) {
    if (waits || !changes.some((x) => [...x.addedNodes].some((node) => node.nodeName.startsWith("MJX")))) return;
    waits = true;
    requestAnimationFrame(settle);
  }

  window.addEventListener("load", () => {
    setTimeout(moved, 4000);
    if (MathJax.startup.promise) {
      const article = document.querySelector("article");
      new MutationObserver(typesetting).observe(article, { childList: true, subtree: true });
      MathJax.startup.promise.then(() => { keep(); arrange(); });
    } else {
      arrange();
    }
    window.addEventListener("resize", arrange);
    document.addEventListener("toggle", arrange, true); // a fold has no width before it opens
  });
})();
