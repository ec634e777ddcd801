// Sphinx's scores, and more for pages that explain than for lists of names.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: {0: 15, 1: 5, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: ([page, , , , score]) => {
    const first = ["tasks/", "measures/", "index"];
    const last = ["changelog", "command_line/", "notebooks/", "gallery/", "reference/"];
    if (first.some((start) => page.startsWith(start))) return score + 20;
    return last.some((start) => page.startsWith(start)) ? score - 10 : score;
  },
};
