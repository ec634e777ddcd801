"""The benchmarks run in small, and what they time computes the right scores."""

import re

import numpy as np
import pandas as pd
import pytest

import irx_measures
from benchmarks import compare, contenders, query_log
from benchmarks.generate import generate, pairs
from irx_measures import evaluate
from tests.doubts import NO_PRIOR
from tests.oracles import rank_biased

pytestmark = NO_PRIOR  # NRG@10 without a prior is timed


@pytest.mark.slow
def test_every_row_of_a_workload_is_printed_with_its_ratio_and_memory(capsys):
    sizes = ["--runs", "3", "--queries", "4", "--depth", "30", "--repeats", "1"]
    compare.main([*sizes, "--workloads", "W1", "--forms", "dict"])
    out, err = capsys.readouterr()
    peers = contenders.peers(None)
    asked = [row for row in contenders.ROWS if row.workload == "W1" and "dict" in row.forms]
    expected = {(row.work, row.against) for row in asked if peers[row.against].installed}
    assert (len(expected) < len(asked)) == ("left out" in err)
    rows = [line.split(" | ") for line in out.splitlines() if " | dict | " in line]
    assert {(work, against) for work, against, *_ in rows} == expected
    for *_, ratio, memory in rows:
        assert re.fullmatch(r"[\d.e+-]+ \([\d.e+-]+\)", ratio)
        assert re.fullmatch(r"\d+( / \d+)? MB", memory)


def test_a_collection_scores_alike_in_every_form(tmp_path):
    made = generate(runs=3, queries=4, depth=30, judged=12, unjudged=0.5)
    measures = ["NRG(prior=others)@10", "AP_Rareness(systems=others)", "nDCG@10"]
    expected = evaluate(*made.dicts()[::-1], measures)
    assert expected.scores.any(axis=2).all()
    for qrels, runs in (made.frames("str"), made.frames("object"), made.write(tmp_path)):
        np.testing.assert_array_equal(evaluate(runs, qrels, measures).scores, expected.scores)


@pytest.mark.parametrize("name", contenders.PUBLISHED)
def test_pairs_score_as_the_oracle(name):
    reference, runs = pairs(runs=2, queries=3, depth=20)
    ranked = list if name == "RBO" else lambda docs: [[doc] for doc in docs]
    oracle = getattr(rank_biased, name.lower())
    expected = [
        oracle(ranked(docs), ranked(reference[query]), contenders.PHI)
        for run in runs.values()
        for query, docs in run.items()
    ]
    assert contenders.agreement(name, reference, runs) == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
# Dask causes this pandas warning when it reads Parquet in this process.
@pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index")
def test_a_query_log_scores_as_on_one_machine(tmp_path, monkeypatch):
    pytest.importorskip("dask")
    monkeypatch.setattr(query_log, "QUERIES_PER_PART", 4)
    qrels, runs = query_log.write_log(tmp_path, queries=10, systems=2)
    read = {name: pd.read_parquet(folder) for name, folder in {**runs, "qrels": qrels}.items()}
    whole = evaluate({name: read[name] for name in runs}, read["qrels"], query_log.MEASURES)
    split = irx_measures.distributed.evaluate(runs, qrels, query_log.MEASURES, aligned=True)
    assert split.query_ids == whole.query_ids
    np.testing.assert_allclose(split.scores, whole.scores, rtol=1e-12)
