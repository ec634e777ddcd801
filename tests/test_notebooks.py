"""The notebooks run, with and without TREC data, and their claims hold on TREC data."""

import gzip
import json
import re
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests import ir_datasets_home
from tests.conftest import data_folder
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
WIDTH = 80
OPEN = "open"  # builds its systems, so it needs a collection and no runs
# One runs in the gate. Where the data is present, all run on it on the schedule.
MORE = [] if data_folder() else sorted(CLAIMS.keys() - {OPEN, "residual_gain"})
WITHOUT_DATA = ["residual_gain", *(pytest.param(name, marks=pytest.mark.whole) for name in MORE)]


def run(notebook):
    """Write the outputs of a notebook into its cells; its first error is raised."""
    from nbclient import NotebookClient
    from traitlets.config import Config

    with TemporaryDirectory() as sockets:
        NotebookClient(
            notebook,
            startup_timeout=3600,  # a busy machine starts slowly
            record_timing=False,
            resources={"metadata": {"path": str(NOTEBOOKS)}},
            # Files, because notebooks that start at the same time might choose the same ports.
            config=Config(KernelManager={"transport": "ipc", "ip": f"{sockets}/kernel"}),
        ).execute()


def shown(name, data, monkeypatch, claims="", before=""):
    """What a notebook shows outside of the cell for the reader's runs, as text.

    No output has a path of this machine or a long number.
    """
    import nbformat

    monkeypatch.setenv("IRX_DATA", str(data))
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(before))
    notebook.cells.append(nbformat.v4.new_code_cell(claims))
    run(notebook)
    own_runs = [cell for cell in notebook.cells if cell.source.startswith("QRELS = None")]
    texts = list(texts_of(cell for cell in notebook.cells if cell not in own_runs))
    for text in [*texts, *texts_of(own_runs)]:
        assert not MACHINE.findall(text), text
        assert str(data) not in text
        assert not LONG_NUMBER.findall(re.sub("<svg.*?</svg>|<style.*?</style>", "", text)), text
    return "\n".join(texts)


def texts_of(cells):
    """The outputs of cells as text; the site leaves out what stands on stderr."""
    for cell in cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                if output.name == "stdout":
                    assert all(len(line) <= WIDTH for line in output.text.split("\n")), output.text
                    yield output.text
            else:
                yield from (text for kind, text in output.data.items() if "image" not in kind)


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
def test_without_the_data_it_runs_on_a_simulation_and_says_so(name, tmp_path, monkeypatch):
    assert SIMULATED in shown(name, tmp_path, monkeypatch)


@pytest.mark.whole
def test_systems_are_built_for_a_small_corpus(tmp_path, monkeypatch):
    write_small_corpus(tmp_path)
    monkeypatch.setenv("IR_DATASETS_HOME", str(tmp_path))
    text = shown(OPEN, tmp_path, monkeypatch, CLAIMS[OPEN])
    assert "180 documents, 12 topics" in text


@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_a_notebook_fits_a_page_is_stripped_of_outputs_and_takes_the_readers_runs(name):
    """A lesson has a question, an equation, documents by hand, a figure and an exercise."""
    cells = json.loads(NOTEBOOKS.joinpath(f"{name}.ipynb").read_text())["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    assert [line for line in "\n".join(texts).split("\n") if len(line) > WIDTH] == []
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert len(code) > 3
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code)
    place = next(place for place, text in enumerate(texts) if text.startswith("## Your runs\n"))
    assert texts[place + 1].startswith("QRELS = None")
    assert "load_data(QRELS, RUNS" in texts[place + 1]
    if name in (OPEN, "unjudged"):
        return
    assert texts[0].splitlines()[0].endswith("?")
    assert "$$" in texts[0]
    assert texts[1].startswith("## Three documents by hand")
    assert "irx_measures.evaluate(" in texts[4]
    assert any("image" in cell["metadata"].get("mystnb", {}) for cell in cells)  # its description
    assert any("## Exercise\n" in text for text in texts)
    assert "reproduce(" in texts[-1] or name == "upper_expected"  # which trains rankers before
