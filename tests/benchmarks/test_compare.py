"""The benchmark runs and prints; how fast is for its reader to see."""

import numpy as np
import pytest

from irx_measures import evaluate

from . import compare
from .generate import generate

SIZE = ["--runs", "3", "--queries", "2", "--depth", "20", "--judged", "8", "--repeats", "2"]
FORMS = ["DataFrame, str", "DataFrame, object", "dict"]


def rows(printed):
    header, *lines = printed.splitlines()
    assert header.split() == ["input", "what", "median", "s", "share", "faster"]
    return {(line[:18].strip(), line[19:71].strip()): line[71:].split() for line in lines}


def test_every_contender_has_a_row_for_every_form(capsys):
    compare.main(SIZE)
    found = rows(capsys.readouterr().out)
    assert list(found) == [(form, name) for form in FORMS for name in compare.CONTENDERS]
    for seconds, share, faster in found.values():
        assert float(seconds) > 0
        assert float(share) > 0
        assert faster.endswith("x")
    assert [found[form, compare.BASELINE][1:] for form in FORMS] == [["1.000", "1.0x"]] * 3


def test_real_runs_are_compared_as_dataframes(data, capsys, monkeypatch):
    if not (data / "trec-dl-2019-passage").is_dir():
        pytest.skip(f"no TREC DL 2019 at {data}")
    monkeypatch.setenv("IRX_DATA", str(data))
    contenders = {name: compare.CONTENDERS[name] for name in (compare.BASELINE, "evaluate: NRG@10")}
    monkeypatch.setattr(compare, "CONTENDERS", contenders)
    qrels, runs = compare.dl19_frames("str")
    assert (len(runs), qrels["query_id"].nunique()) == (37, 43)
    compare.main(["--dl19", "--repeats", "1"])
    assert len(rows(capsys.readouterr().out)) == 4


def test_missing_real_runs_are_told(tmp_path, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(tmp_path))
    with pytest.raises(SystemExit, match=r"no runs at .*IRX_DATA names another"):
        compare.main(["--dl19"])


def test_a_collection_has_the_shape_asked_for():
    made = generate(runs=3, queries=5, depth=40, judged=10, relevant=0.3, unjudged=0.9, seed=1)
    qrels, runs = made.dicts()
    assert len(runs) == 3
    assert [len(grades) for grades in qrels.values()] == [10] * 5
    for run in runs.values():
        assert list(run) == list(qrels)
        for query, scored in run.items():
            assert len(scored) == 40
            assert len(scored.keys() & qrels[query].keys()) == 4
            assert list(scored.values()) == sorted(scored.values(), reverse=True)
    grades = generate(runs=1, judged=400, relevant=0.3).qrels.value
    assert np.isin(grades, range(4)).all()
    assert np.mean(grades > 0) == pytest.approx(0.3, abs=0.02)


def test_a_collection_follows_from_its_seed():
    sizes = {"runs": 2, "queries": 3, "depth": 10, "judged": 5}
    first, second, other = (generate(**sizes, seed=seed).dicts() for seed in (1, 1, 2))
    assert first == second != other


def test_a_collection_scores_alike_in_every_form(tmp_path):
    made = generate(runs=3, queries=4, depth=30, judged=12, unjudged=0.5)
    measures = ["NRG(prior=others)@10", "AP_Rareness(systems=others)", "nDCG@10"]
    expected = evaluate(*made.dicts()[::-1], measures)
    assert expected.scores.any(axis=2).all()
    for qrels, runs in (made.frames("str"), made.frames("object"), made.write(tmp_path)):
        np.testing.assert_array_equal(evaluate(runs, qrels, measures).scores, expected.scores)
