"""Macro means over groups of queries and collections: both questions against slow loops."""

import re
from dataclasses import replace

import numpy as np
import pytest
from ir_measures import AP, NumRet, P, nDCG
from numpy.testing import assert_allclose

from irx_measures import GroupedScores, InputError, ScoreMatrix
from irx_measures.comparison.forest import forest_of
from tests.oracles.strata import groups_question, heterogeneity, mean_freedom, queries_question

SYSTEMS = ("a", "b", "c", "d")
SIZES = {"scifact": 30, "nfcorpus": 12, "fiqa": 50, "arguana": 8}


def collections(sizes=SIZES, systems=SYSTEMS, measures=(nDCG @ 10, AP), seed=0, spread=0.02):
    rng = np.random.default_rng(seed)
    quality = np.linspace(0.4, 0.5, len(systems))[:, np.newaxis]
    parts = {}
    for name, size in sizes.items():
        own = quality + rng.normal(0, spread, (len(systems), 1))
        scores = own + rng.normal(0, 0.08, (len(measures), len(systems), size))
        ids = tuple(str(number) for number in range(size))
        parts[name] = ScoreMatrix(tuple(measures), tuple(systems), ids, scores.clip(0, 1))
    return GroupedScores.of(parts)


SCORES = collections()
TWO = collections({"scifact": 20, "fiqa": 30})


@pytest.fixture(scope="module")
def result():
    return SCORES.compare(macro="queries")


def parts_of(scores):
    return dict(zip(scores.groups, scores.parts, strict=True))


def of_system(scores, measure, system):
    return [part[measure][part.systems.index(system)].tolist() for part in scores.parts]


@pytest.mark.parametrize("how", [{}, {"baseline": "a"}, {"baseline": ["a", "c"]},
                                 {"correction": "bonferroni", "level": 0.9}])  # fmt: skip
def test_both_questions_are_the_slow_loops(how):
    result = SCORES.compare(macro="queries", **how)
    level = how.get("level", 0.95)
    frame = result.to_frame()
    factor = result.tested[0].in_family
    assert len(frame) == 2 * len(result.tested[0].tested)
    rows = frame.to_dict("records")
    pairs = {}  # from one side
    for row in rows:
        measure = nDCG @ 10 if row["measure"] == "nDCG@10" else AP
        row["scores"] = [of_system(SCORES, measure, row[name]) for name in ("system", "baseline")]
        names = frozenset((row["system"], row["baseline"]))
        pairs.setdefault(row["measure"], {})[names] = row["scores"]
    for row in rows:
        pair, most = row["scores"], mean_freedom(pairs[row["measure"]].values())
        found = queries_question(*pair, level, factor, most) | groups_question(*pair, level, factor)
        found |= heterogeneity(*pair, level)
        del found["error"]
        for name, value in found.items():
            assert row[name] == pytest.approx(value, rel=1e-9, abs=1e-12), name
        assert row["wins"] + row["ties"] + row["losses"] == len(SIZES)
        assert row["macro"] == "queries"


def test_groups_as_the_sample_is_compare_of_their_means():
    """Equal to the comparison of a matrix whose queries are the collections."""
    result = SCORES.compare(macro="groups", test="moderated-t")
    macro = SCORES.macro
    plain = ScoreMatrix(macro.measures, macro.systems, macro.query_ids, macro.scores)
    expected = plain.compare(test="moderated-t").to_frame()
    found = result.to_frame()
    assert (found.pop("macro") == "groups").all()
    for name in expected.columns:
        assert (found[name] == expected[name]).all(), name


def test_the_interval_of_a_macro_mean(result):
    board = result.leaderboard("AP").set_index("system")
    zeros = [[0.0] * size for size in SIZES.values()]
    for system in SYSTEMS:
        found = queries_question(of_system(SCORES, AP, system), zeros, 0.95)
        row = board.loc[system]
        assert (row["mean"], row["lower"], row["upper"]) == pytest.approx(
            (found["difference"], found["lower"], found["upper"])
        )
    assert board["mean"].is_monotonic_decreasing


def test_a_macro_comparison_is_an_ordinary_one(result):
    assert (result.macro, result.unit, result.groups, result.topics) == (
        "queries", "collection", (), 4,
    )  # fmt: skip
    assert result.matrix.query_ids == tuple(SIZES)
    assert result.grouped is SCORES
    with pytest.raises(KeyError, match=r"within it: compare\(macro='none'\)\['fiqa'\]"):
        result["fiqa"]
    with pytest.raises(InputError, match="topics cannot be planned for macro means"):
        result.topics_needed("a", "b")
    assert result.renamed({"a": "BM25"}).matrix.systems[0] == "BM25"
    pair = result.difference("d", "a", "AP")
    assert len(pair.by_topic) == 4
    assert list(SCORES.compare(macro="none").to_frame().columns)[:2] == ["collection", "measure"]


def test_pairs_of_baselines_are_one_hypothesis_and_views_are_oriented():
    result = SCORES.compare(macro="queries", baseline=["a", "d"])
    frame = result.to_frame().set_index(["measure", "system", "baseline"])
    one, other = frame.loc["AP", "a", "d"], frame.loc["AP", "d", "a"]
    assert one["p_adjusted"] == other["p_adjusted"]
    assert (one["groups_lower"], one["new_upper"]) == (-other["groups_upper"], -other["new_lower"])
    minus = result.board("AP").minus("a")
    place = result.board("AP").place["d"]
    assert minus["new_lower"][place] == other["new_lower"]


def test_one_more_collection_is_seen_from_both_sides(result):
    frame = result.to_frame().set_index(["measure", "system", "baseline"])
    one, other = forest_of(result, "a", "d", "AP").new, forest_of(result, "d", "a", "AP").new
    assert (one.lower, one.upper) == tuple(frame.loc[("AP", "a", "d"), ["new_lower", "new_upper"]])
    assert (other.lower, other.upper) == (-one.upper, -one.lower)


def test_macro_scores_are_the_means_of_the_collections():
    assert SCORES.macro.query_ids == tuple(SIZES)
    for place, part in enumerate(SCORES.parts):
        assert_allclose(SCORES.macro.scores[:, :, place], part.scores.mean(axis=2))


def test_a_mean_near_the_end_of_the_range_has_its_interval_cut_there():
    scores = collections(measures=(P @ 5,), spread=0.0)
    parts = {}
    for name, part in parts_of(scores).items():
        near_1 = 1 - part.scores / 40
        if name == "nfcorpus":
            near_1[:, :, 0] = 0.0
        parts[name] = replace(part, scores=near_1)
    for result in (GroupedScores.of(parts).compare(macro="queries"), parts["nfcorpus"].compare()):
        board = result.leaderboard()
        assert (board["upper"] == 1.0).all()
        assert (board["lower"] < board["mean"]).all()


def test_unlike_directions_are_refused_in_both_orders():
    rows = SCORES["fiqa"].select("AP").to_frame().assign(measure="latency")
    rising = ScoreMatrix.from_frame(rows, higher_is_better=True)
    falling = ScoreMatrix.from_frame(rows, higher_is_better=False)
    for parts in ({"x": rising, "y": falling}, {"y": falling, "x": rising}):
        with pytest.raises(InputError, match="must have the same direction"):
            GroupedScores.of(parts)


def test_sentences_have_no_raw_control_character():
    sign = "\x1b[31m"
    (matrix,) = collections({"one": 20}, systems=(f"x{sign}", "y")).parts
    scores = matrix.by({query: f"{sign}{int(query) % 2}" for query in matrix.query_ids})
    result = scores.compare(macro="queries")
    difference = result.difference(f"x{sign}", "y", "AP")
    shown = [scores, scores.compare(), result, difference]
    for text in (text for each in shown for text in (each.summary, repr(each))):
        assert "\x1b" not in text


def test_bh_has_an_interval_for_a_new_group_only():
    frame = SCORES.compare(macro="queries", correction="bh").to_frame()
    assert frame[["lower", "upper", "groups_lower", "groups_upper"]].isna().all(axis=None)
    assert frame[["new_lower", "new_upper", "groups_p_adjusted"]].notna().all(axis=None)


def test_two_collections_say_nothing_of_others():
    result = TWO.compare(macro="queries")
    frame = result.to_frame()
    assert frame[["groups_p", "groups_p_adjusted", "groups_lower"]].isna().all(axis=None)
    assert "other collections" not in result.summary


def pair(spread, seed=5):
    return collections(systems=("bm25", "dense"), measures=(P @ 5,), spread=spread, seed=seed)


@pytest.mark.parametrize(
    ("scores", "end"),
    [
        (pair(0.0), r"\); so it is on other collections like these \(.* to .*; p (= )?.*\)$"),
        (pair(0.3, 1), r"\); other collections like these: not shown \(-?.* to .*; p = .*\)$"),
    ],
)
def test_the_sentence_answers_both_questions(scores, end):
    result = scores.compare(macro="queries")
    assert result.tested[0].tested.significant.all()
    start = r"P@5, macro mean of 4 collections: \w+ is better than \w+ by 0.\d+ on these 4 "
    (said,) = result.findings
    assert re.match(start + r"collections \(95% interval .* to .*; adjusted p ", said), said
    assert re.search(end, said), said


def test_where_it_is_not_significant_nothing_is_said_of_others():
    rng = np.random.default_rng(0)
    parts = {
        name: ScoreMatrix((AP,), ("a", "b"), tuple("123456"), rng.random((1, 2, 6)))
        for name in ("x", "y", "z")
    }
    (said,) = GroupedScores.of(parts).compare(macro="queries").findings
    assert "do not differ significantly" in said
    assert "other collections" not in said


def test_groups_of_queries_have_macro_means_too():
    matrix = SCORES["fiqa"]
    groups = {query: "short" if int(query) < 20 else "long" for query in matrix.query_ids}
    result = matrix.by(groups).compare(macro="queries", baseline="a")
    assert "macro mean of 2 groups" in result.summary
    assert "group" not in result.to_frame().columns


LEAST = "must be able to reject.*with 4 collections the least p-value"


@pytest.mark.parametrize(
    ("scores", "macro", "test", "match"),
    [
        (collections({"one": 9}), "queries", "t", "at least 2 collections; got 1"),
        (
            collections({"one": 9, "two": 4, "x": 3}),
            *("queries", "t"),
            r"at least 5 queries in every collection; fewer has 'two' \(4\), 'x' \(3\)",
        ),
        (collections(measures=(AP, NumRet)), "queries", "t", "no macro mean: leave out NumRet"),
        (SCORES["fiqa"], "queries", "t", "`macro` goes with `collections` or `by`"),
        (SCORES, "queries", "wilcoxon", "has `test='t'` only; got 'wilcoxon'"),
        (SCORES, "groups", "wilcoxon", LEAST),
        (SCORES, "topics", "t", "`macro` must be"),
        (TWO, "groups", "t", "needs at least 3 collections; got 2"),
    ],
)
def test_what_cannot_be_compared(scores, macro, test, match):
    with pytest.raises(InputError, match=match):
        scores.compare(macro=macro, test=test)


def test_a_collection_of_one_query_has_a_mean_and_is_a_group():
    scores = collections({"one": 1, "two": 9, "three": 7})
    assert_allclose(scores.macro.scores[0, :, 0], scores["one"].scores[0, :, 0])
    assert len(scores.compare(macro="groups").to_frame()) == 12


def test_an_undefined_score_leaves_a_system_out():
    broken = SCORES["fiqa"].scores.copy()
    broken[1, 2] = np.nan
    fiqa = replace(SCORES["fiqa"], scores=broken)
    scores = GroupedScores.of(parts_of(SCORES) | {"fiqa": fiqa})
    with pytest.warns(UserWarning, match="not compared: 'c' has no score on AP"):
        result = scores.compare(macro="queries")
    assert set(result.leaderboard("AP")["system"]) == {"a", "b", "d"}


def test_the_table_of_a_paper_has_the_collections_and_the_marks_of_the_macro_tests():
    result = SCORES.compare(macro="queries", baseline="a")
    latex = result.paper_table("latex")
    assert latex.count(r"\begin{tabular}{l r r r r r}") == 2
    assert "macro mean & scifact & nfcorpus & fiqa & arguana" in latex
    better = result.to_frame().query("measure == 'AP' and p_adjusted <= .05 and difference > 0")
    of_ap = latex[latex.index("AP on 4 collections") :]
    assert of_ap.count("$^{a}$ &") == len(better)


def test_a_collection_that_is_too_small_is_called_one():
    with pytest.warns(UserWarning, match="collections of fewer than 3 queries have means"):
        collections({"one": 2, "two": 9}).compare(macro="none")
    with pytest.raises(InputError, match="3 queries in a collection; 2 collections have at most 2"):
        collections({"one": 2, "two": 1}).compare(macro="none")
