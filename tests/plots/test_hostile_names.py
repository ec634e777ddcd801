"""Names of any kind in pictures: SVG files stay well-formed and hold the names as text."""

from xml.etree import ElementTree

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irx_measures import ScoreMatrix, meta, plots
from irx_measures.meta.residual_gain import ResidualGainMatrix
from irx_measures.meta.unjudged import UnjudgedByRank
from irx_measures.plots.canvas import LONGEST_NAME, cut, plain_name
from tests.examples import examples

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "]]>&amp;",
    "\u202egnirts\u202c",
    "x" * 10_000,
    "$\\frac{$",
    "\x00\x1b[31m\n\ud800",
    "_hidden",
]

pytestmark = [pytest.mark.filterwarnings("ignore:Glyph .* missing from font")]


def matrix_of(names):
    rng = np.random.default_rng(0)
    measures = (ir_measures.nDCG @ 10, ir_measures.AP)
    queries = tuple(f"{name}?" for name in names)
    return ScoreMatrix(measures, names, queries, rng.random((2, len(names), len(names))), names)


def power(matrix):
    return meta.discriminative_power(matrix["AP"], matrix.systems, test="t")


def correlated(matrix):
    return meta.rank_correlation(matrix["AP"], matrix["nDCG@10"], samples=5)


def added(matrix):
    score = matrix["AP"].copy()
    np.fill_diagonal(score, np.nan)
    others = np.nan_to_num(score[0])
    return ResidualGainMatrix(matrix.systems, matrix.systems[0], score, others)


def holes(matrix):
    counts = np.ones((len(matrix.systems), 3), int)
    return UnjudgedByRank(matrix.systems, 2, counts, counts)


PLOTS = {
    "scatter": lambda m: plots.system_scatter(m, "AP", "nDCG@10"),
    "front": lambda m: plots.pareto_front(
        meta.pareto_front(*m.aggregates, m.systems), measure=m.systems[0], cost=m.systems[0]
    ),
    "distributions": lambda m: plots.score_distributions(
        {query: [0.2, 0.6] for query in m.query_ids}, m, measure=m.systems[0]
    ),
    "histogram": lambda m: plots.score_histogram(m, "AP"),
    "asl": lambda m: plots.asl_curves(dict.fromkeys(m.systems, power(m))),
    "heat map": lambda m: plots.significance_heatmap(power(m), measure=m.systems[0]),
    "bars": lambda m: plots.correlation_bars(
        dict.fromkeys(m.systems, correlated(m)), reference=m.systems[0]
    ),
    "curves": lambda m: plots.correlation_curves(
        {m.systems[0]: {1.0: correlated(m)}}, m.systems[0], reference=m.systems[0]
    ),
    "leaderboard": lambda m: plots.leaderboard(m.compare(baseline=m.systems[0]), "AP"),
    "pairs": lambda m: plots.significance_pairs(m.compare(), "AP"),
    "topics": lambda m: plots.topic_differences(m.compare(), *m.systems[:2], "AP"),
    "residual gain": lambda m: plots.residual_gain_matrix(added(m)),
    "unjudged": lambda m: plots.unjudged_by_rank(holes(m)),
}


def texts_of(path):
    """The texts and the kinds of elements of an SVG file."""
    root = ElementTree.fromstring(path.read_bytes())
    kinds = {element.tag.rpartition("}")[2] for element in root.iter()}
    texts = ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("text")]
    return " ".join(" ".join(texts).split()), kinds


def check(draw, names, path):
    plots.save(draw(matrix_of(tuple(names))), path)
    texts, kinds = texts_of(path)
    assert not kinds & {"script", "img", "foreignObject", "a"}
    return texts


@pytest.mark.slow
@pytest.mark.parametrize("plot", PLOTS)
def test_hostile_names_are_text(plot, tmp_path):
    assert "script" in check(PLOTS[plot], HOSTILE, tmp_path / "it.svg")


@pytest.mark.slow
@settings(max_examples=examples(8))
@given(
    plot=st.sampled_from(["scatter", "leaderboard", "residual gain", "unjudged"]),
    names=st.lists(
        st.text(st.characters(exclude_categories=()), min_size=1, max_size=60),
        min_size=3, max_size=5, unique=True,
    ),
)  # fmt: skip
def test_any_name_makes_a_well_formed_file(plot, names, tmp_path_factory):
    check(PLOTS[plot], names, tmp_path_factory.mktemp("svg") / "it.svg")


def test_long_names_are_cut_in_the_middle():
    name = cut("a" * 50 + "b" * 50)
    assert len(name) == LONGEST_NAME
    assert name.startswith("a" * 20 + "…b")
    assert cut("a" * LONGEST_NAME) == "a" * LONGEST_NAME
    assert plain_name("a\nb\u202e") == "a\ufffdb\ufffd"


@pytest.mark.slow
def test_a_plot_gives_the_same_svg_twice_and_its_text_is_text(tmp_path):
    written = []
    for number in range(2):
        path = tmp_path / f"{number}.svg"
        plots.save(plots.leaderboard(matrix_of(("first", "second", "third")).compare(), "AP"), path)
        written.append(path.read_bytes())
    assert written[0] == written[1]
    assert {"first", "second", "third"} <= set(texts_of(path)[0].split())
