"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const UNIT = 1e6, MOST_TOPICS = 100, MOST_SHOWN = 40, ROW = 24;
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

  function number(value) {
    const digits = Math.abs(value).toFixed(3), text = digits.replace(/^0\./, ".");
    return value < 0 && Number(digits) ? "−" + text : text;
  }

  function difference(value) {
    return (value > 0 && Number(value.toFixed(3)) ? "+" : "") + number(value);
  }

  function counted(count, noun) {
    return count.toLocaleString("en") + " " + noun + (count === 1 ? "" : "s");
  }

  function short(value) {
    return String(Math.round(value * 10) / 10);
  }

  /* Sorting: a button in each head; equal cells keep the order of the means. */

  function value(cell, isName) {
    const text = cell.textContent.trim();
    if (isName) return text.toLowerCase();
    if (text === "baseline" || text === "best") return 0;
    if (text.startsWith("<")) return 0;
    const found = text.replace("−", "-").replace("(", "").match(/^[-+]?\d*\.?\d+/);
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

  function found(tests, values, place) {
    return { tests, significant: values.rejected[place] === "1", p: values.p[place], half: values.half[place] / UNIT };
  }

  function ofAll(board, one, two) {
    const [low, high] = one < two ? [one, two] : [two, one];
    return found(board.tests, board.tests.of, (high * (high - 1)) / 2 + low);
  }

  /* With baselines, only pairs with one of them were tested: undefined for other pairs. */

  function ofPair(board, one, two) {
    const baselines = board.tests.against, places = [one, two].map((system) => board.order.indexOf(system));
    if (!baselines) return ofAll(board, ...places);
    if (two in baselines) return found(board.tests, baselines[two], places[0]);
    if (one in baselines) return found(board.tests, baselines[one], places[1]);
  }

  function verdict({ tests, significant, p }) {
    const text = p ? "= " + number(p / 1000) : "<.001";
    return (significant ? "" : "not ") + "significant" + tests.family + " (" + tests.p + " " + text + ")";
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
      const names = [column, row].map((place) => data.systems[board.order[place]]);
      output.textContent = names.join(" − ") + ": " + verdict(ofAll(board, column, row));
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
    const note = make("p", "note screen", "Wider than the screen: scroll to the right.");
    const beside = frame.parentElement.querySelector(":scope > .text");
    if (beside) beside.append(note);
    else frame.before(note);
    new ResizeObserver(function () {
      const widths = Array.from(frame.children, (part) => part.getBoundingClientRect().width);
      note.hidden = widths.reduce((sum, width) => sum + width, 0) <= frame.clientWidth;
    }).observe(frame);
  }

  document.querySelectorAll(".figure.scroll").forEach(tellWide);

  /* Two systems, topic by topic. */

  /* Without the script, there is only a table of the default pair. */

  const part = document.querySelector(".of-pair");
  document.querySelector(".unscripted").remove();
  part.hidden = false;
  const list = part.querySelector(".topics"), sentence = part.querySelector(".sentence");
  const choose = document.getElementById("choose"), ticks = part.querySelector(".ticks");
  const documents = data.documents;
  let measure = 0, chosen = false;

  function shade(grade) {
    return grade === null ? "u" : Math.min(Math.max(grade, 0), 4);
  }

  function entries(system, topic, own, other, counts, side) {
    const items = own.map(function (code, place) {
      const grade = documents.grades[topic][code], judged = grade !== null;
      const spoken = make("span", "vh", judged ? "grade " : "unjudged");
      const digit = make("span", "", judged ? String(grade) : "?");
      if (!judged) digit.setAttribute("aria-hidden", "true");
      const item = make("li", "", make("span", "n", String(place + 1)),
        make("span", "g g" + shade(grade), spoken, digit),
        make("span", "id", documents.pools[topic][code]));
      if (counts.get(code) === 1) {
        const mark = make("span", "u", "◆");
        mark.setAttribute("aria-hidden", "true");
        item.append(mark, make("span", "vh", "only here"));
      }
      const rank = other.indexOf(code) + 1, text = data.texts[documents.pools[topic][code]];
      if (rank) item.append(make("span", "vh", ", rank " + rank + " in the other"));
      if (text) item.append(make("span", "doc", text));
      return item;
    });
    if (!items.length) items.push(make("li", "muted", "returns no document"));
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
      if (documents.grades[topic][code] > 0) line.setAttribute("class", "rel");
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

  function show(one, two) {
    const board = data.measures[measure], places = [one, two].map((system) => board.order.indexOf(system));
    const strong = [["a", one], ["b", two]].map(([side, system]) => make("b", side, data.systems[system]));
    if (places.includes(-1) || one === two) {
      const why = one === two ? ": choose two different systems." : ": no score on " + board.label + ".";
      sentence.replaceChildren(strong[0], " minus ", strong[1], why);
      list.replaceChildren();
      return;
    }
    const scores = data.topics.map((_, topic) => places.map((place) => board.scores[place][topic] / UNIT));
    const gaps = scores.map(([a, b]) => Math.round((a - b) * UNIT) / UNIT);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const decision = ofPair(board, one, two), half = decision ? decision.half : 0;
    const wins = gaps.filter((gap) => gap > 0).length, losses = gaps.filter((gap) => gap < 0).length;
    const ties = gaps.length - wins - losses;
    const tested = decision ? verdict(decision) + "." : (board.untested || "not tested, because neither is a baseline") + ".";
    const interval = decision && decision.tests.interval
      ? " (" + decision.tests.interval + " " + difference(mean - half) + " to " + difference(mean + half) + ")" : "";
    const found = wins + losses === 0
      ? "equal " + board.label + " on all " + counted(ties, "topic") + "; " + tested
      : "mean difference " + difference(mean) + " in " + board.label + interval + "; " + tested +
        (board.rising ? " Higher" : " Lower") + " on " + counted(board.rising ? wins : losses, "topic") +
        (board.rising ? ", lower" : ", higher") + " on " + (board.rising ? losses : wins).toLocaleString("en") +
        ", equal on " + ties.toLocaleString("en") + "." +
        (interval && decision.significant && Math.abs(mean) <= half ? data.contains_0 : "");
    sentence.replaceChildren(strong[0], " minus ", strong[1], ": " + found);
    const low = Math.min(0, ...gaps), high = Math.max(0, ...gaps), length = high - low || 1;
    axis(low, high, length);
    const order = gaps.map((_, topic) => topic).sort((a, b) => gaps[b] - gaps[a]);
    const rows = order.map((topic) => row(one, two, topic, scores[topic], low, length));
    if (rows.length > MOST_TOPICS) {
      const first = Math.min(MOST_SHOWN, wins), last = rows.length - Math.min(MOST_SHOWN, losses);
      const middle = rows.slice(first, last);
      const rest = make("details", "rest", make("summary", "", middle.length + " topics with smaller differences"), ...middle);
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
  const menus = [select("a", "System", first), select("b", "minus", second)];

  update();

  document.querySelectorAll("input[name=measure]").forEach(function (button) {
    button.addEventListener("change", function () {
      measure = Number(button.value);
      if (!chosen) data.measures[measure].pair.forEach((system, side) => (menus[side].value = system));
      update();
    });
  });

  /* Copy. */

  const bibtex = document.getElementById("bibtex");
  const copy = make("button", "copy", "Copy");
  copy.type = "button";
  copy.addEventListener("click", function () {
    const selection = getSelection();
    selection.selectAllChildren(bibtex);
    const done = document.execCommand("copy");
    copy.textContent = done ? "Copied" : "Press Ctrl+C";
  });
  bibtex.before(copy);
})();
