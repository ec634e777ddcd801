"""The notebooks run, with and without TREC data, and their claims hold on TREC data.

Without TREC data they show what is stored in them.
"""

import gzip
import json
import re
import symtable
from itertools import islice
from pathlib import Path

import pytest

from tests import ir_datasets_home
from tests.reproductions.small_corpus import write_small_corpus

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
SIMULATED = "SIMULATED"
# Code to run after the last cell, if the TREC data is present.
CLAIMS = {
    "open": """
ndcg = systems.tables["Systems"]["here"].unstack()["nDCG@10"]
assert len(ndcg) >= 10
assert len(set(families.values())) == 5
assert len(papers) == 5
assert all(len(paper.tables) and len(paper.claims) for paper in papers.values())
""",
    # Their claims are those of reproductions/test_printed.py, which has every printed number.
    **dict.fromkeys(
        ["rareness", "residual_gain", "rank_biased", "bootstrap"],
        """
assert set(found.claims["verdict"]) & {"holds", "does not hold"}
""",
    ),
    "unjudged": """
errors = left_out.errors().set_index("method").drop(["learned, q05", "learned, q95"])
error, of_means = errors["rmse"], errors["rmse_of_means"]
assert error["learned"] < .037 and error["learned + UMBRELA"] < .029
assert of_means["learned"] < .008 and abs(errors["bias"]["learned"]) < .003
assert error["learned"] < error.drop(["learned", "learned + UMBRELA"]).min()
assert .87 < coverage < .97
truth = {"ANCE": .735, "ColBERT": .734, "TAS-B": .555}
off = {row: sum(abs(table[row][name] - of) for name, of in truth.items()) for row in estimates}
assert all(abs(table["learned"][name] - of) < .05 for name, of in truth.items())
assert all(abs(table["actual"][name] - of) < .0005 for name, of in truth.items())
assert off["learned"] == min(off.values())
assert compared["p_better"].between(0, 1).all()
""",
    # Its claims are those of reproductions/test_upper_expected.py, where rankers are trained once.
    "upper_expected": "",
}
# Code to run before the first cell: most of the time goes into the trees of a forest.
FEWER_TREES = """
from irx_measures.reproductions import upper_expected
upper_expected.TREES = 3
"""
MACHINE = re.compile(r"(?<![\w.:/])/(?:home|root|tmp|usr|work|Users|private|var)/|[A-Z]:\\\\")
LONG_NUMBER = re.compile(r"\d\.?\d*e[+-]\d\d|\.\d{5}")  # 4 places are those that papers print
NUMBER_OR_WORD = re.compile(r"-?\d+(?:\.\d+)?|[^\s\d]+")
DECIMAL = re.compile(r"-?\d+\.\d+")
WIDTH = 80
STORE = "the notebook shows something else than is stored: python -m scripts.notebooks stores it"
LARGEST = 300_000  # bytes of a notebook with its outputs
OPEN = "open"  # builds its systems, so it needs a collection and no runs
STORED = sorted(CLAIMS.keys() - {OPEN})
# One runs in the gate, and all on the schedule.
MORE = [pytest.param(name, marks=pytest.mark.whole) for name in STORED if name != "residual_gain"]
WITHOUT_DATA = ["residual_gain", *MORE]


def shown(name, data, monkeypatch, claims="", before=""):
    """What a notebook shows outside of the cell for the reader's runs, as text."""
    import nbformat

    from scripts.notebooks import read, run

    monkeypatch.setenv("IRX_DATA", str(data))
    notebook = read(name)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(before))
    notebook.cells.append(nbformat.v4.new_code_cell(claims))
    run(notebook)
    own_runs = [cell for cell in notebook.cells if cell.source.startswith("QRELS = None")]
    texts = list(texts_of(cell for cell in notebook.cells if cell not in own_runs))
    check([*texts, *texts_of(own_runs)], data)
    return "\n".join(texts)


def check(texts, data):
    """No output has a path of this machine or a long number."""
    for text in texts:
        assert not MACHINE.findall(text), text
        assert str(data) not in text
        assert not LONG_NUMBER.findall(re.sub("<svg.*?</svg>|<style.*?</style>", "", text)), text


def texts_of(cells):
    """The outputs of cells as text; the site leaves out what stands on stderr."""
    for cell in cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                if output.name == "stdout":
                    assert all(len(line) <= WIDTH for line in output.text.split("\n")), output.text
                    yield output.text
            else:
                yield from (
                    text for kind, text in sorted(output.data.items()) if "image" not in kind
                )


def cells_of(name):
    """The cells of a notebook as its file has them, each with its source as one text."""
    cells = json.loads(NOTEBOOKS.joinpath(f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    return [{**cell, "source": "".join(cell["source"])} for cell in cells]


def numbers_and_words(texts):
    """What is read in outputs: a number is a number, also where it is written as -0.0."""
    found = NUMBER_OR_WORD.findall("\n".join(texts))
    return [float(part) if part[-1].isdigit() else part for part in found]


def test_every_notebook_states_its_claims():
    assert {path.stem for path in NOTEBOOKS.glob("*.ipynb")} == set(CLAIMS)


def write_few_queries(source, folder, lines=1500):
    """The first lines of LETOR files; rankers learn from them in a moment."""
    folder.mkdir()
    for part in ("train", "test"):
        with gzip.open(source / f"letor-{part}.txt.gz", "rt") as whole:
            folder.joinpath(f"{part}.txt").write_text("".join(islice(whole, lines)))


@pytest.mark.whole
@pytest.mark.parametrize("name", sorted(CLAIMS.keys() - {OPEN}))
def test_it_runs_on_the_real_data_and_its_claims_hold(name, data, tmp_path, monkeypatch):
    monkeypatch.setenv("IR_DATASETS_HOME", str(ir_datasets_home.lay_papers(tmp_path, data)))
    if name == "upper_expected":
        write_few_queries(data / "mq2008-fold1", tmp_path / "mq2008-fold1")
        text = shown(name, tmp_path, monkeypatch, before=FEWER_TREES)
    else:
        text = shown(name, data, monkeypatch, CLAIMS[name])
    assert SIMULATED not in text
    assert "qrels from ir_datasets" in text or name == "upper_expected"  # LETOR has no id


@pytest.mark.slow
@pytest.mark.parametrize("name", WITHOUT_DATA)
def test_without_the_data_it_shows_what_is_stored(name, tmp_path, monkeypatch):
    """It runs on a simulation and says so."""
    from scripts.notebooks import code_cells, read, store

    monkeypatch.setenv("IRX_DATA", str(tmp_path))
    stored, fresh = read(name), read(name)
    store(fresh)
    for before, now in zip(code_cells(stored), code_cells(fresh), strict=True):
        texts = list(texts_of([now]))
        assert numbers_and_words(texts) == numbers_and_words(texts_of([before])), STORE
        check(texts, tmp_path)
    assert SIMULATED in "".join(texts_of(stored.cells))


@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_its_outputs_are_stored_whole_and_small(name):
    """The site runs a notebook of which a cell has no output."""
    code = [cell for cell in cells_of(name) if cell["cell_type"] == "code"]
    if name == OPEN:
        assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code)
        return
    assert NOTEBOOKS.joinpath(f"{name}.ipynb").stat().st_size < LARGEST
    assert [cell["execution_count"] for cell in code] == [*range(1, len(code) + 1)]
    assert [cell["source"] for cell in code if not cell["outputs"]] == []
    outputs = [output for cell in code for output in cell["outputs"]]
    assert {output.get("name") for output in outputs} == {"stdout", None}
    assert any("image/png" in output.get("data", {}) for output in outputs)
    described = [cell for cell in code if "image" in cell["metadata"].get("mystnb", {})]
    assert all("image/png" in json.dumps(cell["outputs"]) for cell in described)


def assigned(source):
    """The names that a cell gives to values."""
    code = "\n".join(line for line in source.split("\n") if not line.startswith("%"))
    symbols = symtable.symtable(code, "cell", "exec").get_symbols()
    return {symbol.get_name() for symbol in symbols if symbol.is_assigned()}


@pytest.mark.parametrize("name", sorted(CLAIMS.keys() - {OPEN, "unjudged"}))
def test_exercises_have_answers_that_are_folded_and_computed(name):
    """Folded on the site, in Jupyter and where Markdown is shown; the next cell computes them."""
    cells = cells_of(name)
    place = next(place for place, cell in enumerate(cells) if "## Exercise\n" in cell["source"])
    exercise, answers, code = (cells[place + offset] for offset in range(3))
    assert answers["source"].startswith("<details>\n<summary>Answers</summary>\n\n")
    assert answers["source"].endswith("\n\n</details>")
    of_exercise = exercise["source"].partition("## Exercise\n")[2]
    asked, answered = (
        re.findall(r"^\d\.", text, re.MULTILINE) for text in (of_exercise, answers["source"])
    )
    assert asked == answered == ["1.", "2.", "3."]
    assert code["metadata"]["tags"] == ["hide-cell"]  # of the site
    assert code["metadata"]["jupyter"] == {"source_hidden": True, "outputs_hidden": True}
    computed = {float(number) for number in DECIMAL.findall(json.dumps(code["outputs"]))}
    prose = re.sub(r"`[^`]*`|\$[^$]*\$", "", answers["source"])
    stated = {float(number) for number in DECIMAL.findall(prose)}
    assert stated
    assert stated <= computed
    others = [cell for cell in cells if cell["cell_type"] == "code" and cell is not code]
    used_elsewhere = set().union(*(assigned(cell["source"]) for cell in others))
    assert not assigned(code["source"]) & used_elsewhere  # a reader may leave the answers out


@pytest.mark.whole
def test_systems_are_built_for_a_small_corpus(tmp_path, monkeypatch):
    write_small_corpus(tmp_path)
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path))
    text = shown(OPEN, tmp_path, monkeypatch, CLAIMS[OPEN])
    assert "180 documents, 12 topics" in text


@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_a_notebook_fits_a_page_and_takes_the_readers_runs(name):
    """A lesson has a question, an equation, documents by hand, a figure and an exercise."""
    cells = cells_of(name)
    texts = [cell["source"] for cell in cells]
    assert [line for line in "\n".join(texts).split("\n") if len(line) > WIDTH] == []
    assert len([cell for cell in cells if cell["cell_type"] == "code"]) > 3
    place = next(place for place, text in enumerate(texts) if text.startswith("## Your runs\n"))
    assert texts[place + 1].startswith("QRELS = None")
    assert "load_data(QRELS, RUNS" in texts[place + 1]
    assert any("image" in cell["metadata"].get("mystnb", {}) for cell in cells)  # its description
    if name == OPEN:
        return
    assert texts[0].splitlines()[0].endswith("?")
    assert "$$" in texts[0]
    assert texts[1].startswith("## Three documents by hand")
    assert "evaluate(" in texts[4]
    if name == "unjudged":
        return
    assert any("## Exercise\n" in text for text in texts)
    assert "reproduce(" in texts[-1] or name == "upper_expected"  # which trains rankers before
