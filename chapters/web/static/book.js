/* The cards over links to equations, names of buttons, folds that open for print, and long formulas within a line. */
"use strict";

(function () {
  const root = document.documentElement.dataset.content_root || "./";
  let card = null, timer = 0;

  function typeset(element) {
    return MathJax.startup.promise.then(() => MathJax.typesetPromise([element]));
  }

  function close() {
    if (card) card.remove();
    card = null;
  }

  function later(action, wait) {
    clearTimeout(timer);
    timer = setTimeout(action, wait);
  }

  function place(link) {
    const at = link.getBoundingClientRect(), wide = document.documentElement.clientWidth;
    const left = Math.max(8, Math.min(at.left, wide - card.offsetWidth - 8));
    const below = at.bottom + 6, fits = below + card.offsetHeight < window.innerHeight;
    card.style.left = left + window.scrollX + "px";
    card.style.top = (fits ? below : Math.max(8, at.top - card.offsetHeight - 6)) + window.scrollY + "px";
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
    typeset(card).then(() => card && place(link));
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
  document.querySelectorAll(".bd-article :is(h1, h2), .bd-sidebar-secondary a, .toctree-wrapper a, .sig-name, td code").forEach((x) => {
    const words = document.createTreeWalker(x, NodeFilter.SHOW_TEXT), long = [];
    while (words.nextNode()) if (/[\w.\/:]{18}/.test(words.currentNode.data)) long.push(words.currentNode);
    long.forEach((text) => {
      const parts = text.data.split(/(?<=[._\/]|::)(?=\w)|(?<=[a-z])(?=[A-Z])/);
      text.replaceWith(...parts.flatMap((part, n) => (n ? [document.createElement("wbr"), part] : [part])));
      if (parts.length > 3) x.classList.add("parts");
    });
  });

  window.addEventListener("beforeprint", () => {
    document.querySelectorAll("article details:not([open])").forEach((x) => { x.open = true; x.dataset.printed = ""; });
  });
  window.addEventListener("afterprint", () => {
    document.querySelectorAll("article details[data-printed]").forEach((x) => { x.open = false; delete x.dataset.printed; });
  });

  function mark() {
    document.querySelectorAll("article span.math").forEach((x) => {
      const inner = x.querySelector("mjx-math") || x, room = x.closest("p, li, dd, td, figcaption");
      x.classList.toggle("long", Boolean(room) && inner.offsetWidth > room.clientWidth);
    });
  }
  /* What scrolls can be reached by the keyboard. */
  function focusable() {
    document.querySelectorAll("article pre, article .math, mjx-container, .output, .pst-scrollable-table-container").forEach((x) => {
      if (x.scrollWidth > x.clientWidth) x.tabIndex = 0;
    });
  }
  window.addEventListener("load", () => {
    MathJax.startup.promise.then(() => { mark(); focusable(); });
    window.addEventListener("resize", () => { mark(); focusable(); });
  });
})();
