"""The script of the page says what Python says, of every pair, and has no words of its own."""

import itertools
import re
from importlib.resources import files

import ir_measures
import numpy as np
import pytest

import irx_measures
from irx_measures.measures.naming.named_score import NamedScore
from irx_measures.reporting.report.content import REPORT
from irx_measures.reporting.report.script_data import NOT_TESTED

FOLDER = files("irx_measures.reporting.report")

SYSTEMS, TOPICS = 7, 12


def scores_of_pairs():
    """Scores with all that a sentence may say: equal systems, ties, one topic, tiny differences."""
    draw = np.random.default_rng(1)
    level = np.array([0.2, 0.2, 0.3, 0.35, 0.5, 0.9, 0.9])
    noise = draw.normal(0, 0.05, (2, SYSTEMS, TOPICS))
    scores = np.clip(level[:, np.newaxis] + noise, 0, 1).round(2)
    scores[:, 1] = scores[:, 0]
    scores[0, 1, 3] += 4e-7  # a difference that no decimal shows
    scores[:, 6] = scores[:, 5]
    scores[1] *= 1e4  # seconds
    measures = (ir_measures.AP, NamedScore("seconds", higher_is_better=False))
    names = tuple(f"s{number}" for number in range(SYSTEMS))
    topics = tuple(f"q{number}" for number in range(TOPICS))
    return irx_measures.ScoreMatrix(measures, names, topics, scores)


HOW = {
    "pairs": {},
    "pairs of bh, without intervals": {"correction": "bh"},
    "pairs without a correction": {"correction": "none", "level": 0.9},
    "two baselines": {"baseline": ["s3", "s6"]},
    "moderated": {"test": "moderated-t", "baseline": "s5"},
}


SENTENCES = """measure => {
  const [one, other] = document.querySelectorAll("#choose select");
  const found = {};
  const chosen = (menu, value) => {
    menu.value = value;
    menu.dispatchEvent(new Event("change"));
  };
  document.querySelectorAll("input[name=measure]")[measure].click();
  for (const first of one.options) for (const second of other.options) {
    chosen(one, first.value);
    chosen(other, second.value);
    const pair = first.textContent + " " + second.textContent;
    found[pair] = document.querySelector(".of-pair .sentence").textContent;
  }
  return found;
}"""


@pytest.mark.slow
@pytest.mark.parametrize("how", HOW)
def test_the_script_says_of_every_pair_what_python_says(browser, tmp_path, how):
    result = scores_of_pairs().compare(**HOW[how])
    irx_measures.report(result, tmp_path / "r.html")
    page = browser.new_page()
    page.goto((tmp_path / "r.html").as_uri())
    for place, board in enumerate(result.boards):
        said = page.evaluate(SENTENCES, place)
        for one, other in itertools.permutations(board.systems, 2):
            sentence = said[f"{one} {other}"]
            if result.baselines and not {one, other} & {*result.baselines}:
                assert NOT_TESTED in sentence
                continue
            found = result.difference(one, other, board.measure)
            assert sentence == f"{one} minus {other}: {found.sentence(board.head, REPORT)}"
    page.close()


def test_the_pairs_have_every_case():
    """Or the test above would not see it."""
    results = [scores_of_pairs().compare(**how) for how in HOW.values()]
    said = [
        result.difference(one, other, board.measure).sentence("it")
        for result in results
        if not result.baselines
        for board in result.boards
        for one, other in itertools.permutations(board.systems, 2)
    ]
    for part in (
        "equal it on all 12 topics", "not significant after", "; significant after", "(p <.001)",
        "(adjusted p <.001)", "contains 0", "Higher on 12 topics", "Lower on 12 topics",
    ):  # fmt: skip
        assert any(part in sentence for sentence in said), part


OF_THE_WEB = """
use strict http www w3 org 2000 svg en true input name scope 0 100 M V H
p b li ol span div button select option label summary details table path circle line rect text
title id class d aria-hidden aria-sort ascending descending click change toggle pointermove
pointerleave copy
"""  # what a script must name: elements, attributes, events, and values of them

COLUMNS = {"wins", "losses", "difference", "lower", "upper", "measure"}  # of the data


def names_of_the_page():
    """The classes and ids of the templates, and the classes of the style."""
    names = set(re.findall(r"\.([a-z][\w-]*)", (FOLDER / "style.css").read_text(encoding="utf-8")))
    for file in (FOLDER / "templates").iterdir():
        for value in re.findall(r'(?:class|id)="([^"]*)"', file.read_text(encoding="utf-8")):
            names.update(re.findall(r"[\w-]+", value))
    return names


def own_words(script):
    """The texts of a script with a word that is no name of the page, the data or the web."""
    known = {*OF_THE_WEB.split()} | COLUMNS | names_of_the_page()
    code = re.sub(r"/\*.*?\*/", "", script, flags=re.DOTALL)
    texts = re.findall(r'"([^"]*)"', code) + re.findall(r"[`'][^`']*[`']", code)
    return [text for text in texts if not {*re.findall(r"\w[\w-]*", text)} <= known]


def own_colours(script):
    """Colours, and the properties that have one."""
    return re.findall(r"#[0-9a-fA-F]{3,8}\b|rgb|hsl|fill\"|stroke|\bstyle\b|--\w", script)


def test_the_script_has_no_word_and_no_colour_of_its_own():
    script = (FOLDER / "script.js").read_text(encoding="utf-8")
    assert own_words(script) == []
    assert own_colours(script) == []


@pytest.mark.parametrize(
    ("written", "text", "words", "colours"),
    [
        ("words.copy[0]", '"Copy"', ["Copy"], []),
        ("words.nothing", '"returns no document"', ["returns no document"], []),
        ("words.wide", "`too ${wide}`", ["`too ${wide}`"], []),
        ("words.minus", '"#0b5fa5"', ["#0b5fa5"], ["#0b5fa5"]),
        ("x1: zero", "style: zero", [], ["style"]),
    ],
)
def test_a_word_or_a_colour_of_the_script_would_be_seen(written, text, words, colours):
    script = (FOLDER / "script.js").read_text(encoding="utf-8")
    assert written in script
    changed = script.replace(written, text, 1)
    assert (own_words(changed), own_colours(changed)) == (words, colours)
