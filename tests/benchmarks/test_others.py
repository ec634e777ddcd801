"""The other benchmarks run, and their contenders compute the right scores."""

import numpy as np
import pandas as pd
import pytest

import irx_measures
from irx_measures.distributed import evaluate
from tests.oracles import rank_biased

from . import contenders, query_log, scaling
from .generate import pairs


@pytest.mark.parametrize("name", contenders.PUBLISHED)
def test_pairs_score_as_the_oracle_and_rbstar(name):
    reference, runs = pairs(runs=2, queries=3, depth=20)
    oracle = getattr(rank_biased, name.lower())
    ranked = list if name == "RBO" else lambda docs: [[doc] for doc in docs]
    expected = [
        oracle(ranked(docs), ranked(reference[query]), contenders.PHI)
        for run in runs.values()
        for query, docs in run.items()
    ]
    scores = contenders.agreement(name, reference, runs)
    assert scores == pytest.approx(expected, rel=1e-12)
    assert min(scores) > 0.1
    if contenders.HAS_RBSTAR:
        assert scores == pytest.approx(contenders.rbstar(name, reference, runs), rel=1e-9)


@pytest.mark.slow
def test_scaling_prints_a_line_for_every_size_and_draws(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(scaling, "BASE", {"runs": 2, "queries": 2, "depth": 20, "judged": 8})
    monkeypatch.setattr(scaling, "SIZES", dict.fromkeys(scaling.SIZES, (6, 8, 10)))
    picture = tmp_path / "scaling.png"
    scaling.main(["--repeats", "1", "--points", "2", "--plot", str(picture)])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines][:3] == ["queries", "runs", "depth"]
    assert picture.stat().st_size > 1000


@pytest.mark.slow
# Dask causes this pandas warning when it reads Parquet in this process.
@pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index")
def test_a_query_log_scores_as_on_one_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(query_log, "QUERIES_PER_PART", 4)
    qrels, runs = query_log.write_log(tmp_path, queries=10, systems=2)
    assert len(list(qrels.iterdir())) == 3
    read = {name: pd.read_parquet(folder) for name, folder in {**runs, "qrels": qrels}.items()}
    whole = irx_measures.evaluate(
        {name: read[name] for name in runs}, read["qrels"], query_log.MEASURES
    )
    split = evaluate(runs, qrels, query_log.MEASURES, aligned=True)
    assert split.query_ids == whole.query_ids
    assert len(split.query_ids) == 10
    np.testing.assert_allclose(split.scores, whole.scores, rtol=1e-12)


@pytest.mark.slow
def test_a_query_log_has_a_row_for_every_size():
    first, second = query_log.measure([8, 20], repeats=1)
    assert (first.queries, second.queries) == (8, 20)
    for row in (first, second):
        assert min(row.alone, row.aligned, row.shuffled) > 0
        assert min(row.alone_memory, row.worker_memory) > 50
    assert query_log.cells(second)[0] == "20"


def test_the_exponent_is_that_of_a_power_law():
    sizes = np.array([1, 2, 4, 8])
    assert scaling.Curve("n", sizes, 3.0 * sizes**1.5).exponent == pytest.approx(1.5)
