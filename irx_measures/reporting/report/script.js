"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const words = data.words;
  const UNIT = 1e6, THOUSAND = 1e3, MOST_TOPICS = 100, MOST_SHOWN = 40, ROW = 24;
  const SVG = "http://www.w3.org/2000/svg";

  function make(tag, className, ...children) {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
  }

  function draw(tag, attributes) {
    const element = document.createElementNS(SVG, tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    return element;
  }

  /* Python wrote all that is said: forms, in which names in braces stand for values. */

  function pieces(form, values) {
    return form.split(/\{(\w+)\}/).map((piece, place) => (place % 2 ? values[piece] : piece));
  }

  function fill(form, values) {
    return pieces(form, values).join("");
  }

  function number(value) {
    const digits = Math.abs(value).toFixed(3), text = digits.replace(/^0\./, ".");
    return value < 0 && Number(digits) ? words.minus + text : text;
  }

  function difference(value) {
    return (value > 0 && Number(value.toFixed(3)) ? words.plus : "") + number(value);
  }

  function count(number) {
    return number.toLocaleString("en");
  }

  function topics(number) {
    return fill(words.topics[number === 1 ? 0 : 1], { count: count(number) });
  }

  /* The number at a place of a column that was packed. */

  function at(column, place) {
    const start = place * column.width, text = column.text.slice(start, start + column.width);
    return Array.from(text).reduce((sum, digit) => sum * data.digits.length + data.digits.indexOf(digit), 0) + column.least;
  }

  function short(value) {
    return String(Math.round(value * 10) / 10);
  }

  /* Sorting: a button in each head; equal cells keep the order of the means. */

  function value(cell, isName) {
    const text = cell.dataset.key || cell.textContent.trim();
    if (isName) return text.toLowerCase();
    if (text.startsWith("<")) return 0;
    const found = text.replace(words.minus, "-").replace("(", "").match(/^[-+]?\d*\.?\d+/);
    return found ? Number(found[0]) : NaN;
  }

  function sorter(table) {
    const body = table.tBodies[0], original = Array.from(body.rows);
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach(function (head, column) {
      if (head.matches(".strip,.topics,.between")) return;
      const isName = head.matches(".name,.group"), rises = isName || head.matches(".rank,.p");
      const button = make("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      if (head.matches(".rank")) head.setAttribute("aria-sort", "ascending");
      button.addEventListener("click", function () {
        const before = head.getAttribute("aria-sort");
        const ascending = before ? before === "descending" : rises;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
        const keys = new Map(original.map((row) => [row, value(row.cells[column], isName)]));
        const missing = (key) => (isName ? key === "" : Number.isNaN(key));
        const rows = original.slice().sort(function (one, other) {
          const a = keys.get(one), b = keys.get(other);
          if (missing(a) || missing(b)) return missing(a) - missing(b);
          return (a < b ? -1 : a > b ? 1 : 0) * (ascending ? 1 : -1);
        });
        body.append(...rows);
      });
    });
  }

  document.querySelectorAll("table.board").forEach(sorter);

  /* Which pair differs: the name of the pair under the pointer, with a guide. */

  /* What the tests say of the pair at a place, or of the same pair from the other side. */

  function tested(pairs, place, isTurned) {
    const test = { case: at(pairs.case, place), p: at(pairs.p_adjusted, place), ties: at(pairs.ties, place) };
    const [more, less, sign] = isTurned ? ["losses", "wins", -1] : ["wins", "losses", 1];
    test.wins = at(pairs[more], place);
    test.losses = at(pairs[less], place);
    test.difference = sign * at(pairs.difference, place) / THOUSAND;
    if (!pairs.lower) return test;
    const ends = [pairs.lower, pairs.upper].map((end) => sign * at(end, place) / THOUSAND);
    [test.lower, test.upper] = isTurned ? ends.reverse() : ends;
    return test;
  }

  function ofAll(board, one, two) {
    const low = Math.min(one, two), high = Math.max(one, two);
    return tested(board.pairs.of, (high * (high - 1)) / 2 + low, one < two);
  }

  /* With baselines, only pairs with one of them were tested: undefined for other pairs. */

  function ofPair(board, one, two) {
    const baselines = board.pairs.against, places = [one, two].map((system) => board.order.indexOf(system));
    if (!baselines) return ofAll(board, ...places);
    if (two in baselines) return tested(baselines[two], places[0], false);
    if (one in baselines) return tested(baselines[one], places[1], true);
  }

  function verdict(board, test) {
    const form = test.p ? board.forms.p : board.forms.small_p;
    const p = fill(form, { number: number(test.p / THOUSAND) });
    return fill(board.forms.verdicts[test.case], { p });
  }

  /* What the scores say of a pair that was not tested. */

  function observed(board, gaps) {
    const above = gaps.filter((gap) => gap > 0).length, below = gaps.filter((gap) => gap < 0).length;
    const [wins, losses] = board.rising ? [above, below] : [below, above];
    return { difference: gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length, wins, losses, ties: gaps.length - wins - losses };
  }

  function ofUntested(board, found) {
    return found.wins + found.losses ? board.forms.differs : board.forms.equal;
  }

  function said(board, test, gaps) {
    const found = test || observed(board, gaps);
    const form = test ? board.forms.sentences[test.case] : ofUntested(board, found);
    const values = {
      measure: board.label, verdict: test ? verdict(board, test) : board.untested, topics: topics(gaps.length),
      topics_won: topics(found.wins), losses: count(found.losses), ties: count(found.ties),
    };
    ["difference", "lower", "upper"].filter((name) => name in found).forEach(function (name) {
      values[name] = difference(found[name]);
    });
    return fill(form, values);
  }

  document.querySelectorAll("svg.matrix").forEach(function (matrix) {
    const board = data.measures[matrix.dataset.board], cell = Number(matrix.dataset.cell);
    const output = matrix.closest(".beside").querySelector(".readout");
    const guide = draw("path", { class: "guide" });
    matrix.append(guide);
    matrix.addEventListener("pointermove", function (event) {
      const box = matrix.getBoundingClientRect(), scale = matrix.viewBox.baseVal.width / box.width;
      const column = Math.floor(((event.clientX - box.left) * scale) / cell);
      const row = Math.floor(((event.clientY - box.top) * scale + matrix.viewBox.baseVal.y) / cell);
      if (column < 0 || row <= column || row >= board.order.length) return clear();
      const x = (column + 0.5) * cell, y = (row + 0.5) * cell;
      guide.setAttribute("d", "M" + x + " " + x + "V" + y + "H" + y);
      const [one, other] = [column, row].map((place) => data.systems[board.order[place]]);
      output.textContent = fill(words.pointed, { one, other, found: verdict(board, ofAll(board, column, row)) });
    });
    matrix.addEventListener("pointerleave", clear);
    function clear() {
      guide.removeAttribute("d");
      output.textContent = "";
    }
  });

  document.querySelectorAll("svg.scatter").forEach(function (chart) {
    chart.querySelectorAll("circle").forEach(function (dot) {
      const title = draw("title", {});
      title.textContent = dot.dataset.name;
      dot.append(title);
    });
  });

  /* A picture that is wider than its column says so; it starts at its axis, which stays in view. */

  function tellWide(frame) {
    const note = make("p", "note screen", words.wide);
    const beside = frame.parentElement.querySelector(":scope > .text");
    if (beside) beside.append(note);
    else frame.before(note);
    new ResizeObserver(function () {
      const widths = Array.from(frame.children, (part) => part.getBoundingClientRect().width);
      note.hidden = widths.reduce((sum, width) => sum + width, 0) <= frame.clientWidth;
    }).observe(frame);
  }

  document.querySelectorAll(".figure.scroll").forEach(tellWide);

  /* Copy. */

  const bibtex = document.getElementById("bibtex");
  const copy = make("button", "copy", words.copy[0]);
  copy.type = "button";
  copy.addEventListener("click", function () {
    const selection = getSelection();
    selection.selectAllChildren(bibtex);
    const done = document.execCommand("copy");
    copy.textContent = words.copy[done ? 1 : 2];
  });
  bibtex.before(copy);

  /* Two systems, topic by topic. */

  /* Without the script, there is only a table of the default pair. */

  const part = document.querySelector(".of-pair");
  if (!part) return;
  document.querySelector(".unscripted").remove();
  part.hidden = false;
  const list = part.querySelector(".topics"), sentence = part.querySelector(".sentence");
  const choose = document.getElementById("choose"), ticks = part.querySelector(".ticks");
  const documents = data.documents;
  let measure = 0, chosen = false;

  function entries(system, topic, own, other, counts, side) {
    const items = own.map(function (code, place) {
      const grade = documents.grades[topic][code], judged = grade !== null, [unjudged, mark] = words.unjudged;
      const spoken = make("span", "vh", judged ? words.grade : unjudged);
      const digit = make("span", "", judged ? String(grade) : mark);
      if (!judged) digit.setAttribute("aria-hidden", "true");
      const item = make("li", "", make("span", "n", String(place + 1)),
        make("span", "g " + documents.chips[grade], spoken, digit),
        make("span", "id", documents.pools[topic][code]));
      if (counts.get(code) === 1) {
        const [sign, meaning] = words.unique, mark = make("span", "u", sign);
        mark.setAttribute("aria-hidden", "true");
        item.append(mark, make("span", "vh", meaning));
      }
      const rank = other.indexOf(code) + 1, text = data.texts[documents.pools[topic][code]];
      if (rank) item.append(make("span", "vh", fill(words.other_rank, { rank })));
      if (text) item.append(make("span", "doc", text));
      return item;
    });
    if (!items.length) items.push(make("li", "muted", words.nothing));
    return make("div", "", make("p", side + " head", data.systems[system]), make("ol", "", ...items));
  }

  function both(one, two, topic) {
    const own = documents.top[one][topic], other = documents.top[two][topic], counts = new Map();
    documents.top.forEach(function (_, system) {
      documents.top[system][topic].forEach((code) => counts.set(code, (counts.get(code) || 0) + 1));
    });
    const links = draw("svg", { class: "links", width: 48, height: documents.depth * ROW, "aria-hidden": "true" });
    own.forEach(function (code, place) {
      const rank = other.indexOf(code);
      if (rank < 0) return;
      const y1 = (place + 0.5) * ROW, y2 = (rank + 0.5) * ROW, line = draw("line", { x2: 48, y1, y2 });
      const className = documents.lines[documents.grades[topic][code]];
      if (className) line.setAttribute("class", className);
      links.append(line);
    });
    const className = Object.keys(data.texts).length ? "both texts" : "both";
    return make("div", className, entries(one, topic, own, other, counts, "a"), links,
      entries(two, topic, other, own, counts, "b"));
  }

  function row(one, two, topic, scores, low, length) {
    const gap = scores[0] - scores[1], title = data.titles[topic];
    const bar = draw("svg", { width: "100%", height: 12, "aria-hidden": "true" });
    const zero = short((-100 * low) / length) + "%";
    bar.append(
      draw("rect", { class: gap >= 0 ? "a" : "b", x: short((100 * (Math.min(gap, 0) - low)) / length) + "%", width: short((100 * Math.abs(gap)) / length) + "%", height: 8, y: 2 }),
      draw("line", { class: "zero", x1: zero, x2: zero, y2: 12 }));
    const cells = [make("span", "title", title || data.topics[topic]),
      make("span", "qid", title ? data.topics[topic] : ""), make("span", "diff", bar),
      make("span", "r", number(scores[0])), make("span", "r", number(scores[1])), make("span", "r", difference(gap))];
    if (!documents) return make("div", "row", ...cells);
    const details = make("details", "", make("summary", "", ...cells));
    details.addEventListener("toggle", function () {
      if (details.open && !details.querySelector(".both")) details.append(both(one, two, topic));
    });
    return details;
  }

  function axis(low, high, length) {
    const size = data.ticks.find((each) => length <= 5 * each) || length;
    ticks.replaceChildren();
    for (let place = Math.ceil(low / size - 1e-9); place * size <= high + 1e-9; place++) {
      const text = draw("text", { x: short((100 * (place * size - low)) / length) + "%", y: 11 });
      text.textContent = place ? difference(place * size).slice(0, -1) : "0";
      ticks.append(text);
    }
  }

  function tell(first, second, found) {
    const [one, other] = [["a", first], ["b", second]].map(([side, system]) => make("b", side, data.systems[system]));
    sentence.replaceChildren(...pieces(words.pair, { one, other, found }));
  }

  function show(one, two) {
    const board = data.measures[measure], places = [one, two].map((system) => board.order.indexOf(system));
    if (places.includes(-1) || one === two) {
      tell(one, two, one === two ? words.same : fill(words.without_score, { measure: board.label }));
      list.replaceChildren();
      return;
    }
    const scores = data.topics.map((_, topic) => places.map((place) => at(board.scores, place * data.topics.length + topic) / UNIT));
    const gaps = scores.map(([a, b]) => Math.round((a - b) * UNIT) / UNIT);
    tell(one, two, said(board, ofPair(board, one, two), gaps));
    const low = Math.min(0, ...gaps), high = Math.max(0, ...gaps), length = high - low || 1;
    axis(low, high, length);
    const order = gaps.map((_, topic) => topic).sort((a, b) => gaps[b] - gaps[a]);
    const rows = order.map((topic) => row(one, two, topic, scores[topic], low, length));
    if (rows.length > MOST_TOPICS) {
      const above = gaps.filter((gap) => gap > 0).length, below = gaps.filter((gap) => gap < 0).length;
      const first = Math.min(MOST_SHOWN, above), last = rows.length - Math.min(MOST_SHOWN, below);
      const middle = rows.slice(first, last);
      const rest = make("details", "rest", make("summary", "", fill(words.smaller, { count: count(middle.length) })), ...middle);
      rows.splice(first, middle.length, rest);
    }
    list.replaceChildren(...rows);
  }

  function select(side, text, first) {
    const menu = make("select"), order = data.measures[0].order;
    const others = data.systems.map((_, place) => place).filter((place) => !order.includes(place));
    order.concat(others).forEach(function (place) {
      const option = make("option", "", data.systems[place]);
      option.value = place;
      option.selected = place === first;
      menu.append(option);
    });
    menu.addEventListener("change", function () {
      chosen = true;
      update();
    });
    choose.append(make("label", side, text, menu));
    return menu;
  }

  function update() {
    show(Number(menus[0].value), Number(menus[1].value));
  }

  /* Until the reader chooses a pair, each measure has its own. */

  const [first, second] = data.measures[0].pair;
  const menus = [select("a", words.menus[0], first), select("b", words.menus[1], second)];

  update();

  document.querySelectorAll("input[name=measure]").forEach(function (button) {
    button.addEventListener("change", function () {
      measure = Number(button.value);
      if (!chosen) data.measures[measure].pair.forEach((system, side) => (menus[side].value = system));
      update();
    });
  });
})();
