/* How the search ranks pages: chapters and the pages of the papers before documents, and these before modules. */
const PLACES = { chapters: 30, papers: 20, api: -15 };
var Scorer = {
  score: ([page, , , , score]) => score + (PLACES[page.split("/")[0]] ?? 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
