"""The simulated campaign: reproducible, grouped, incompletely judged."""

from importlib.util import find_spec

import numpy as np
import pytest

from irx_measures import evaluate, simulate_campaign
from irx_measures.io.groups import read_groups
from irx_measures.io.trec import read_qrels, read_run
from tests.console import python


def test_equal_seeds_give_equal_campaigns_of_the_size_asked_for():
    first, again, other = (simulate_campaign(4, 3, 20, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    judged = sum(map(len, first.qrels.values()))
    assert repr(first) == f"<Campaign: 4 systems, 3 queries, {judged} judged documents>"
    rankings = [scores for run in first.runs.values() for scores in run.values()]
    assert len(rankings) == 12
    for scores in rankings:
        assert len(scores) == 20
        assert list(scores.values()) == sorted(scores.values(), reverse=True)


def test_families_have_names_of_the_field_with_numbers_from_the_fifth_on():
    groups = simulate_campaign(systems=14, queries=1, depth=5).groups
    assert [*dict.fromkeys(groups.values())][-3:] == ["hybrid", "reranker", "lexical2"]


@pytest.fixture(scope="module")
def campaign():
    return simulate_campaign(systems=12, queries=50, depth=200)


def test_only_groups_outside_the_pool_bring_unjudged_documents(campaign):
    """Also where scores tie: the bounds of nDCG are equal if all of the top 10 is judged."""
    asked = ["Judged@10", "nDCGBound(bound=lower)@10", "nDCGBound(bound=upper)@10"]
    judged, lower, upper = evaluate(campaign.qrels, campaign.runs, asked).scores
    pooled = np.array([group in campaign.pooled for group in campaign.groups.values()])
    assert 0 < pooled.sum() < 12
    assert (judged[pooled] == 1).all()
    assert (lower[pooled] == upper[pooled]).all()
    assert (judged[~pooled].mean(axis=1) < 0.95).all()


def test_systems_differ_and_those_of_a_family_less(campaign):
    grades = {grade for judged in campaign.qrels.values() for grade in judged.values()}
    assert grades == {0, 1, 2, 3}
    assert np.ptp(evaluate(campaign.qrels, campaign.runs, "nDCG@10").means()) > 0.05
    first, same, *_, other = (
        {(query, doc) for query, scores in run.items() for doc in list(scores)[:10]}
        for run in list(campaign.runs.values())[:4]
    )
    assert len(first & same) > 1.5 * len(first & other)


def test_written_files_hold_the_campaign(tmp_path):
    campaign = simulate_campaign(systems=3, queries=2, depth=15)
    files = campaign.write(tmp_path / "a" / "b")
    assert len(files) == 5
    run = read_run(tmp_path / "a" / "b" / "runs" / "lexical-c.run.gz")
    assert list(run.value) == [s for q in campaign.runs["lexical-c"].values() for s in q.values()]
    qrels = read_qrels(tmp_path / "a" / "b" / "qrels.txt")
    assert len(qrels) == sum(map(len, campaign.qrels.values()))
    assert read_groups(tmp_path / "a" / "b" / "groups.csv") == campaign.groups
    with pytest.raises(FileExistsError, match="nothing was written"):
        campaign.write(tmp_path / "a" / "b")


FULL = """
import resource, sys
from irx_measures.cli.main import main

resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
sys.exit(main(["simulate", sys.argv[1], *"--systems 4 --queries 5 --depth 900".split()]))
"""


def tree(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*"))


@pytest.mark.slow
@pytest.mark.skipif(find_spec("resource") is None, reason="no limits on the size of files")
@pytest.mark.parametrize(
    ("folder", "named", "left"),
    [("new", "new", []), (".", "runs/lexical-a.run.gz", ["groups.csv", "qrels.txt", "runs"])],
)
def test_a_full_disk_leaves_no_half_of_a_file(tmp_path, folder, named, left):
    (tmp_path / "mine.txt").write_text("mine")
    done = python("-c", FULL, folder, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("irx simulate: error: ")
    assert done.stderr.endswith(f"{named}: File too large\n")
    assert len(done.stderr.splitlines()) == 1
    assert tree(tmp_path) == sorted(["mine.txt", *left])


def test_a_campaign_is_written_beside_other_files(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    written = simulate_campaign(systems=2, queries=2, depth=5).write(tmp_path)
    assert {*map(str, written)} < {str(tmp_path / name) for name in tree(tmp_path)}
    assert "mine.txt" in tree(tmp_path)


LEAST, MOST = "must be a whole number of at least", "must be at most 20000000 rows; got"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        *((bad, LEAST) for bad in ({"systems": 1}, {"queries": 0}, {"depth": 0}, {"depth": 2.5})),
        ({"seed": -1}, LEAST),
        *(({size: 10**20}, MOST) for size in ("systems", "queries", "depth")),
        ({"systems": 401}, MOST),
    ],
)
def test_numbers_out_of_range_are_refused(wrong, told):
    with pytest.raises(ValueError, match=told):
        simulate_campaign(**{"systems": 400, "queries": 50, "depth": 1000, **wrong})
