"""The upper-expected reproduction: on MQ2008, on simulated data, and on small data of a user."""

import gzip
import sys
from itertools import combinations

import numpy as np
import pytest

from irx_measures import InputError, RunSet, simulate_campaign
from irx_measures.io.trec import read_qrels
from irx_measures.measures.strings import parse_measure
from irx_measures.reproductions.material import Material, Request
from irx_measures.reproductions.upper_expected import (
    BASES,
    CUTOFFS,
    corrected_scores,
    entries,
    rank_correlations,
    rankers,
    reproduce,
    significant_differences,
)
from irx_measures.reproductions.upper_expected.rankers import letor_split, simulated_letor
from irx_measures.reproductions.upper_expected.scores import (
    Scores,
    broad_and_focused,
    left_and_right,
)
from tests.optional import needs

NUMBERS = {"nDCG": (4, 6, 7, 8, 9, 10, 11, 12, 13, 14), "AP": (16, *range(18, 27))}


def material(qrels, runs, origin="user"):
    return Material(read_qrels(qrels), RunSet(runs), origin, "data of a test")


@pytest.fixture(scope="module")
def campaign():
    found = simulate_campaign(systems=6, queries=20, depth=50, seed=3)
    return Scores.of(material(found.qrels, found.runs))


def ideal_dcg(grades, k):
    ordered = sorted(grades, reverse=True)[:k]
    return sum((2**grade - 1) / np.log2(place + 2) for place, grade in enumerate(ordered))


# MQ2008 -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def on_mq2008(data):
    """The reproduction with fewer trees, in which most of its time goes."""
    folder = data / "mq2008-fold1"
    if not folder.is_dir():
        pytest.skip(f"no LETOR data at {folder}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rankers, "TREES", 60)
        return reproduce(Request(letor=folder))


def of_base(found, base):
    kinds = ("scores", "corrected", "tau", "conflicts", "significant")
    return {
        kind: found.table(f"Table {number}")
        for kind, number in zip(kinds, NUMBERS[base], strict=False)
    }


@pytest.mark.slow
@pytest.mark.parametrize("base", BASES)
def test_on_mq2008_versions_score_lower_and_version_2_spreads_the_rankers(on_mq2008, base):
    tables = of_base(on_mq2008, base)
    scores = tables["scores"].in_shape().mean(axis=1)
    corrected = tables["corrected"].in_shape()
    versions = {
        version: corrected.filter(like=f"{version}@").mean(axis=1) for version in ("V1", "V2")
    }
    assert all((values < scores).all() for values in versions.values())
    assert np.ptp(versions["V2"]) > np.ptp(scores)


@pytest.mark.slow
@pytest.mark.parametrize("base", BASES)
def test_on_mq2008_version_2_orders_the_rankers_differently(on_mq2008, base):
    tau = of_base(on_mq2008, base)["tau"].in_shape()
    first, second = (tau.loc[f"{BASES[base]} vs {version}"] for version in ("V1", "V2"))
    assert first["All"] > second["All"]
    assert second["Uninformative"] < second["Ideal"]


@pytest.mark.slow
@pytest.mark.parametrize("base", BASES)
def test_on_mq2008_only_bm25_differs_significantly(on_mq2008, base):
    counts = of_base(on_mq2008, base)["significant"].in_shape()
    assert counts["Uninformative"].eq(0).all()
    assert counts["All"].eq(5 * len(CUTOFFS)).all()


@pytest.mark.slow
def test_on_mq2008_the_numbers_of_the_paper_are_not_set_beside_other_data(on_mq2008):
    assert not any(table.printed for table in on_mq2008.tables)
    assert all("cannot be compared" in table.remark for table in on_mq2008.tables)
    statistics = on_mq2008.table("Table 1").in_shape()
    assert statistics.loc["test"].tolist() == [2874, 156, 46]


@pytest.mark.slow
def test_on_mq2008_claims_have_numbers_and_no_verdict(on_mq2008):
    assert len({claim.text for claim in on_mq2008.claims}) == len(on_mq2008.claims) == 27
    assert {claim.verdict for claim in on_mq2008.claims} == {"other data"}
    assert "every number is 0" in on_mq2008.table("Table 8").why_not_shown


@pytest.mark.slow
def test_every_repeated_table_and_figure_is_there_or_names_its_table(on_mq2008):
    made = {item.label for item in (*on_mq2008.tables, *on_mq2008.figures)}
    for entry in entries():
        named = {f"Table {word}" for word in entry.data.split() if word.isdigit()}
        assert bool({entry.label, *named} & made) == (entry.status.startswith("repeated"))
    assert made <= {entry.label for entry in entries()}


@pytest.mark.slow
def test_the_figures_can_be_drawn(on_mq2008):
    assert [figure.draw().get_ylabel() for figure in on_mq2008.figures] == [
        "expected nDCG@10",
        "queries",
        "queries",
    ]


# Learning-to-rank data ----------------------------------------------------------------------


def test_simulated_data_has_queries_of_8_to_40_documents_and_repeats_with_its_seed():
    one, other = simulated_letor(20, seed=1), simulated_letor(20, seed=1)
    assert len(one.group_sizes) == 20
    assert one.group_sizes.min() >= 8
    assert one.group_sizes.max() <= 40
    assert (one.features == other.features).all()
    assert np.corrcoef(one.features[:, 0], one.grade)[0, 1] > 0


@pytest.mark.slow
@needs("sklearn")
@needs("matplotlib")
def test_simulated_data_gives_all_tables(tmp_path, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(tmp_path))
    monkeypatch.setattr(rankers, "simulated_letor", lambda n, seed: simulated_letor(n // 5, seed))
    found = reproduce()
    assert "SIMULATED" in found.data[0]
    assert len(found.tables) == 1 + sum(map(len, NUMBERS.values()))


def letor_lines(data):
    for query_id, doc_id, grade, features in zip(
        data.query_ids, data.doc_ids, data.grade, data.features, strict=True
    ):
        values = " ".join(f"{place}:{value:.4f}" for place, value in enumerate(features, 1))
        yield f"{grade} qid:{query_id} {values} #docid = {doc_id}\n"


def write_letor(folder, seed=1, train="letor-train.txt.gz", test="test.txt"):
    for name, number in ((train, seed), (test, seed + 1)):
        text = "".join(letor_lines(simulated_letor(12, seed=number)))
        content = gzip.compress(text.encode()) if name.endswith(".gz") else text.encode()
        (folder / name).write_bytes(content)


def test_a_folder_may_have_the_names_of_letor_itself(tmp_path):
    write_letor(tmp_path)
    split = letor_split(tmp_path)
    assert split.bm25 is None
    assert split.origin == "user"
    assert "12 training and 12 test queries" in split.description


def test_a_folder_without_letor_files_is_one_clear_line(tmp_path):
    with pytest.raises(InputError, match=r"must hold the LETOR file letor-train\.txt\.gz or train"):
        reproduce(Request(letor=tmp_path))


def test_training_and_test_data_must_have_the_same_features(tmp_path):
    write_letor(tmp_path)
    (tmp_path / "test.txt").write_text("1 qid:1 1:0.5 #docid = A\n")
    with pytest.raises(InputError, match="same features; got 10 and 1"):
        letor_split(tmp_path)


@pytest.mark.parametrize(
    ("grades", "message"),
    [
        ((1, 1), "non-relevant documents, and documents of one query with different grades"),
        ((1, 2), "non-relevant documents, and documents of one query with different grades"),
        ((-1, 1), "grades from 0 to 30; got -1 to 1"),
        ((0, 31), "grades from 0 to 30; got 0 to 31"),
    ],
)
def test_training_grades_that_cannot_be_learned_are_one_clear_line(tmp_path, grades, message):
    write_letor(tmp_path)
    (tmp_path / "letor-train.txt.gz").unlink()
    lines = [f"{grade} qid:1 1:0.5 10:1 #docid = D{n}\n" for n, grade in enumerate(grades)]
    (tmp_path / "train.txt").write_text("".join(lines))
    with pytest.raises(InputError, match=message):
        reproduce(Request(letor=tmp_path))


@pytest.mark.slow
@needs("sklearn")
@needs("matplotlib")
def test_a_small_letor_folder_gives_all_tables(tmp_path):
    write_letor(tmp_path)
    found = reproduce(Request(letor=tmp_path))
    assert found.table("Table 1").in_shape()["Features"].tolist() == [10, 10]
    assert "BM25" not in found.data[0]
    assert len(found.table("Table 4").in_shape()) == 5


def test_without_lightgbm_the_error_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(tmp_path))
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(ImportError, match=r"irx-measures\[reproduce\]"):
        reproduce()


# Scores -------------------------------------------------------------------------------------


def test_the_original_ndcg_is_dcg_over_that_of_the_ideal_order():
    qrels = {"q": {"A": 2, "B": 1, "C": 0, "D": 1}}
    run = {"q": {"B": 4.0, "C": 3.0, "A": 2.0, "D": 1.0}}
    scores = Scores.of(material(qrels, {"a": run, "b": run}))
    dcg = sum(
        gain / np.log2(rank + 1) for rank, gain in zip((1, 2, 3, 4), (1, 0, 3, 1), strict=True)
    )
    expected = dcg / ideal_dcg(qrels["q"].values(), 5)
    assert scores.at("nDCG", "original", 5)[0, 0] == pytest.approx(expected)


def test_the_original_ap_divides_by_the_cutoff_if_more_documents_are_relevant():
    qrels = {"q": {f"d{n}": int(n != 1) for n in range(9)}}  # 8 relevant documents
    run = {"q": {f"d{n}": float(-n) for n in range(9)}}
    scores = Scores.of(material(qrels, {"a": run, "b": run}))
    expected = (1 + 2 / 3 + 3 / 4 + 4 / 5) / 5
    assert scores.at("AP", "original", 5)[0, 0] == pytest.approx(expected)


def test_query_sets_are_disjoint_and_ideal_queries_beat_chance_by_more(campaign):
    for base in BASES:
        sets = campaign.query_sets[base]
        assert len(sets["Uninformative"]) == len(sets["Ideal"]) == round(20 * 500 / 1700)
        means = [
            campaign.over_cutoffs(base, "original")[:, sets[name]].mean()
            for name in ("Uninformative", "Ideal")
        ]
        assert means[0] < means[1]


def test_broad_queries_have_half_of_their_documents_at_half_of_the_highest_grade():
    grades = {
        "broad": [2, 2, 0, 1],
        "narrow": [1, 1, 1, 4],
        "half": [2, 4, 0, 1],
        "none": [0, 0, 0, 0],
    }
    qrels = {q: {f"d{n}": grade for n, grade in enumerate(of)} for q, of in grades.items()}
    run = {q: {f"d{n}": float(n) for n in range(4)} for q in qrels}
    scores = Scores.of(material(qrels, {"a": run, "b": run}))
    broad, focused = broad_and_focused(scores)
    assert [scores.matrix.query_ids[place] for place in broad] == ["broad", "half"]
    assert [scores.matrix.query_ids[place] for place in focused] == ["narrow", "none"]


def test_halves_hold_each_judgment_and_each_result_once(campaign):
    halves = left_and_right(campaign)
    both = campaign.material
    assert sum(len(half.material.qrels) for half in halves) == len(both.qrels)
    for place, whole in enumerate(both.runs.each()):
        parts = [half.material.runs.run(place) for half in halves]
        assert sum(map(len, parts)) == len(whole)
        assert not set(parts[0].doc.all()) & set(parts[1].doc.all())


def test_halves_are_scored_as_if_the_other_documents_did_not_exist():
    docs = [f"d{n}" for n in range(40)]
    qrels = {"q": {doc: n % 3 for n, doc in enumerate(docs)}}
    runs = {
        name: {"q": {doc: float((n * step) % 41) for n, doc in enumerate(docs)}}
        for name, step in (("a", 3), ("b", 7))
    }
    for half in left_and_right(Scores.of(material(qrels, runs))):
        kept = set(half.material.qrels.doc.all())
        assert 0 < len(kept) < 40
        only = {"q": {doc: score for doc, score in runs["a"]["q"].items() if doc in kept}}
        left = {"q": {doc: grade for doc, grade in qrels["q"].items() if doc in kept}}
        expected = parse_measure("nDCG_UE@10").calc_aggregate(left, only)
        assert half.at("nDCG", "V2", 10)[0, 0] == pytest.approx(expected)


# A user's data ------------------------------------------------------------------------------


def test_a_users_runs_are_the_rankers(campaign):
    table = corrected_scores(campaign, "AP")
    assert tuple(table.in_shape().index) == campaign.matrix.systems
    expected = campaign.matrix["AP_UE@20"].mean(axis=1)
    assert table.in_shape()["V2@20"].to_numpy() == pytest.approx(expected)


def test_significant_differences_are_counted_over_pairs_and_cutoffs(campaign):
    from scipy.stats import ttest_rel

    queries = campaign.query_sets["nDCG"]["Ideal"]
    expected = 0
    for k in CUTOFFS:
        scores = campaign.matrix[f"nDCG_UE@{k}"][:, queries]
        expected += sum(ttest_rel(one, two).pvalue < 0.05 for one, two in combinations(scores, 2))
    table = significant_differences(campaign, "nDCG")
    assert table["V2", "Ideal"] == expected > 0


def test_taus_are_means_over_the_cutoffs(campaign):
    from scipy.stats import kendalltau

    expected = np.mean(
        [
            kendalltau(
                campaign.at("AP", "original", k).mean(axis=1),
                campaign.at("AP", "V2", k).mean(axis=1),
            ).statistic
            for k in CUTOFFS
        ]
    )
    assert rank_correlations(campaign, "AP")["MAP vs V2", "All"] == pytest.approx(expected)


@pytest.mark.slow
def test_a_campaign_gives_every_table(campaign):
    found = reproduce(Request(material=campaign.material))
    labels = [f"Table {number}" for numbers in NUMBERS.values() for number in numbers]
    assert [table.label for table in found.tables] == ["Table 1", *labels]
    for table in found.tables:
        numbers = [number.here for number in table.numbers if number.column != "Features"]
        undefined_here = {"Table 10", "Table 13", "Table 22", "Table 25"}
        assert table.label in undefined_here or not np.isnan(numbers).any(), table.label


TINY = {
    "one query": ({"q": {"A": 1, "B": 0, "C": 0}}, ["A", "B"]),
    "one document": ({"q": {"A": 1}}, ["A"]),
    "no relevant document": ({"q": {"A": 0, "B": 0}, "r": {"A": 0}}, ["A", "B"]),
    "two queries": ({"q": {"A": 1, "B": 0}, "r": {"C": 1, "D": 0}}, ["B", "A", "X"]),
    "negative grades": ({"q": {"A": -2, "B": -1}, "r": {"A": 1, "B": -1}}, ["A", "B"]),
}


@pytest.mark.slow
@needs("sklearn")
@needs("matplotlib")
@pytest.mark.parametrize("name", TINY)
@pytest.mark.filterwarnings("ignore::irx_measures.EvaluationWarning")
def test_tiny_data_gives_numbers_or_nothing_but_no_error(name):
    qrels, docs = TINY[name]
    ranked = {query: {doc: float(-place) for place, doc in enumerate(docs)} for query in qrels}
    turned = {query: {doc: float(place) for place, doc in enumerate(docs)} for query in qrels}
    found = reproduce(Request(material=material(qrels, {"a": ranked, "b": turned})))
    assert len(found.tables) == 21
    assert {claim.verdict for claim in found.claims} == {"other data"}
    for figure in found.figures:
        assert figure.draw().get_xlabel()


def test_one_run_cannot_be_compared():
    one = material({"q": {"A": 1}}, {"a": {"q": {"A": 1.0}}})
    with pytest.raises(InputError, match="at least 2"):
        reproduce(Request(material=one))
