/* What the search finds first: the entries that a query names by tag or by name, and pages for some words. Without a
   server, pages of the chapters and papers have their questions as excerpts. */
"use strict";

(function () {
  const spelled = (text) => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, " ").trim()} `;
  const usual = Search._performSearch;

  /* Whether a tag such as SN12 (24)-(42) has a number. */
  function within(tag, asked) {
    const [, key, first, last] = tag.match(/^(\w+) \((\d+)\)-\((\d+)\)$/) ?? [];
    const [, other, number] = asked.match(/^ (\w+) (\d+) $/) ?? [];
    return key && key.toLowerCase() === other && +first <= +number && +number <= +last;
  }

  function direct(query) {
    const asked = spelled(query);
    if (asked.length < 4) return [];
    const named = ENTRIES.filter(([tag]) => spelled(tag) === asked || within(tag, asked));
    const near = ENTRIES.filter((x) => !named.includes(x) && spelled(`${x[0]} ${x[1]}`).includes(asked));
    const page = Object.entries(ANSWERS).find(([words]) => spelled(words) === asked)?.[1];
    const entries = [...named, ...near.slice(0, 12)].map(([tag, name, page, id]) => [page, `${tag}: ${name}`, `#${id}`, "", 1000, "", "title"]);
    const titles = Search._index.titles, at = Search._index.docnames.indexOf(page);
    return [...(at < 0 ? [] : [[page, titles[at], "", null, 1000, "", "title"]]), ...entries];
  }

  const offline = location.protocol === "file:";
  if (offline) DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false; // a page may not read another one
  Search._performSearch = (query, ...rest) => {
    const first = direct(query), known = new Set(first.map((x) => x[0] + x[2]));
    const found = usual(query, ...rest).filter((x) => !known.has(x[0] + x[2]));
    if (offline) [...found, ...first].forEach((x) => { x[3] ||= x[2] ? null : SUMMARIES[x[0]]; });
    return [...found, ...first.reverse()]; // the last is shown first
  };
})();
