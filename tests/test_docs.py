"""The site builds without warnings, and has a page for everything that users name."""

import fcntl
import os
import re
import shlex
import shutil
import subprocess
from importlib import resources
from pathlib import Path

import pytest

from docs import tables
from docs.public_names import in_reference
from irx_measures import all_measures, plots
from irx_measures.cli.main import COMMANDS
from tests.console import python
from tests.reproductions.small_corpus import write_small_corpus

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "irx_measures" / "pt_docs"
TYPES = "irx_measures.typing"  # all on one page
# By name: its page in the reference.
PUBLIC = {
    f"{module}.{name}": f"{module}.{name}"
    for module, names in in_reference().items()
    for name in names
}
PUBLIC |= {f"{TYPES}.{name}": TYPES for name in in_reference()[TYPES]}


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site as Read the Docs builds it, with warnings as errors, once for all workers.

    The notebooks run on simulated runs and a small corpus, so that they need no network.
    IRX_SITE names the folder of a site that was built already.
    """
    if "IRX_SITE" in os.environ:
        return Path(os.environ["IRX_SITE"]).resolve()
    pytest.importorskip("sphinx")
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # of all workers
    out = folder / "site" / "html"
    with open(folder / "site.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # until it is closed: other workers wait for the site
        if not out.joinpath("objects.inv").exists():
            data = folder / "small_corpus"
            write_small_corpus(data)
            places = {"IRX_DATA": f"{data}", "IR_DATASETS_HOME": f"{data}"}
            environment = {**os.environ, **places, "READTHEDOCS_OUTPUT": f"{out.parent}"}
            _, build = commands_of_read_the_docs()
            done = subprocess.run(
                ["bash", "-c", build], cwd=ROOT, env=environment, capture_output=True, text=True
            )
            assert done.returncode == 0, done.stderr
    return out


def commands_of_read_the_docs():
    """The commands in `.readthedocs.yaml`: one that installs, and one that builds."""
    yaml = pytest.importorskip("yaml")
    text = ROOT.joinpath(".readthedocs.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)["build"]["commands"]


def test_read_the_docs_calls_what_is_there():
    """The first command installs the tests' environment; the fixture `site` runs the second one."""
    pytest.importorskip("sphinx")
    from scripts.docs import command_line

    install, build = (shlex.split(command) for command in commands_of_read_the_docs())
    assert os.access(ROOT / install[0], os.X_OK)
    assert install[1:] == []
    assert build[:3] == ["python", "-m", "scripts.docs"]
    assert command_line().parse_args(build[3:]).out == Path("$READTHEDOCS_OUTPUT/html")


def links(page):
    """The targets of a page's links, by their text."""
    found = re.findall(r'<a [^>]*href="([^"]+)"[^>]*>(.*?)</a>', page.read_text(), re.DOTALL)
    return {re.sub(r"<[^>]+>", "", text): target for target, text in found}


def test_tables_in_pages_are_those_of_the_package():
    in_pages = set()
    for page in sorted(PAGES.rglob("*.rst")):
        text = page.read_text(encoding="utf-8")
        assert tables.filled(text) == text, "run python -m docs.tables"
        in_pages |= {place["name"] for place in tables.PLACE.finditer(text)}
    assert in_pages == {*tables.TABLES}


@pytest.mark.whole
def test_the_reference_has_every_public_object_and_nothing_else(site):
    folder = site / "reference"
    pages = {path: folder.joinpath(f"{page}.html").read_text() for path, page in PUBLIC.items()}
    assert [path for path, page in pages.items() if f'id="{path}"' not in page] == []
    assert {path.stem for path in folder.glob("*.html")} == {*PUBLIC.values()}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("path", "module", "written"),
    [
        ("compare", "comparison.compare", "def compare("),
        ("Comparison", "comparison.result", "class Comparison("),
        ("Comparison.paper_table", "comparison.result", "def paper_table("),
        ("meta.Stability", "meta.topic_sets", "class Stability("),
        ("judging.JudgingState", "judging.planning.records", "class JudgingState"),
        ("NRG", "measures.residual_gain", "class NormalizedResidualGain("),
    ],
)
def test_a_page_links_the_line_of_the_source(site, path, module, written):
    page = site / "reference" / f"irx_measures.{path}.html"
    if path == "NRG":
        page = site / "measures" / "residual_gain.html"
    if path == "Comparison.paper_table":
        page = site / "reference" / "irx_measures.Comparison.html"
    linked = f"_modules/irx_measures/{module.replace('.', '/')}.html"
    anchors = re.findall(rf'href="\.\./{re.escape(linked)}#([\w.]+)"', page.read_text())
    source = site.joinpath(linked).read_text()
    lines = [source.split(f'id="{anchor}"', 1)[1].split("\n\n", 1)[0] for anchor in anchors]
    assert any(written in re.sub(r"<[^>]+>", "", line) for line in lines)


@pytest.mark.whole
def test_every_measure_and_every_command_has_its_place(site):
    papers = "".join(page.read_text() for page in site.glob("measures/*.html"))
    missing = [m.NAME for m in all_measures() if f"<h2>{m.NAME}<" not in papers]
    assert missing == []
    for name in COMMANDS:
        assert f"<h1>irx {name}<" in site.joinpath("commands", f"{name}.html").read_text()
    assert "--fail-if-worse" in site.joinpath("commands", "options.html").read_text()
    assert 'href="options.html"' in site.joinpath("commands", "compare.html").read_text()
    assert 'id="irx-meta-power"' in site.joinpath("commands", "meta.html").read_text()
    assert 'id="irx-judge-audit"' in site.joinpath("commands", "judge.html").read_text()


@pytest.mark.slow
def test_pages_need_nothing_that_pyterriers_documentation_has_not(tmp_path):
    """PyTerrier copies the folder from the installed package, and uses its own configuration."""
    pytest.importorskip("sphinx")
    source, out = tmp_path / "source", tmp_path / "out"
    shutil.copytree(resources.files("irx_measures") / "pt_docs", source / "irx-measures")
    source.joinpath("index.rst").write_text(
        "Site\n====\n\n.. toctree::\n\n    irx-measures/index\n"
    )
    source.joinpath("conf.py").write_text(
        "extensions = ['sphinx.ext.autodoc', 'sphinx.ext.napoleon', 'sphinx.ext.viewcode']\n"
        "autodoc_typehints, autoclass_content = 'description', 'both'\n"
    )
    done = python("-m", "sphinx", "-q", "-W", "--keep-going", source, out)
    assert (done.returncode, done.stderr) == (0, "")
    page = out.joinpath("irx-measures", "measures", "residual_gain.html").read_text()
    assert "The persistence of RBP." in page
    assert "SIGIR-AP 2024" in page


@pytest.mark.whole
def test_every_plot_has_a_picture_in_the_gallery(site):
    for name in plots.__all__:
        page = site.joinpath("reference", f"irx_measures.plots.{name}.html").read_text()
        assert "sphx-glr-thumbcontainer" in page, name
    assert len(list(site.glob("_images/sphx_glr_*_thumb.png"))) >= len(plots.__all__)


@pytest.mark.whole
def test_annotations_and_examples_link_and_words_in_prose_do_not(site):
    assert "pt.Experiment" not in links(site / "index.html")
    paper = links(site / "measures" / "residual_gain.html")
    assert "irx_measures.evaluate.html" in paper["irx_measures.evaluate"]  # in an example
    evaluate = links(site / "reference" / "irx_measures.evaluate.html")
    assert evaluate["bool"].startswith("https://docs.python.org/")


@pytest.mark.whole
def test_search_finds_a_measure_in_the_browser(browser, site):
    page = browser.new_page()
    page.goto(f"{site.joinpath('search.html').as_uri()}?q=NRG")
    page.wait_for_selector("ul.search li a")
    page.wait_for_function("document.querySelector('.search-summary').textContent.includes('page')")
    found = [link.get_attribute("href") for link in page.query_selector_all("ul.search li a")]
    page.close()
    assert any("measures/residual_gain.html" in target for target in found[:5])


# How far the page, or its article, which scrolls on a phone, is wider than the screen.
WIDER = """() => Math.max(...[document.documentElement, ...document.querySelectorAll("article")]
    .map(element => element.scrollWidth - element.clientWidth))"""


@pytest.mark.whole
def test_no_page_names_a_path_of_the_machine_that_built_it(site):
    for page in site.rglob("*.html"):
        text = page.read_text()
        for folder in (ROOT, Path.home(), site.parent):
            assert f"{folder}/" not in text, page


@pytest.mark.whole
@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_the_screen(browser, site, width):
    page = browser.new_page(viewport={"width": width, "height": 800}, java_script_enabled=False)
    wide = {}
    for path in sorted(site.rglob("*.html")):
        page.goto(path.as_uri())
        wide[path] = page.evaluate(WIDER)
    page.close()
    assert not {path: by for path, by in wide.items() if by > 9}  # headings stand out by 8
