"""MS MARCO's dev queries in small: the collection, the table, and the check of its scores."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from benchmarks import msmarco
from benchmarks.generate import dev_queries
from benchmarks.workers import builds
from irx_measures import RunSet, evaluate

SIZES = ["--queries", "30", "--depth", "20"]


def test_dev_queries_have_few_judgments_and_score_alike_in_both_layouts(tmp_path):
    made = dev_queries(queries=300, depth=50)
    qrels, trec, _ = msmarco.write_files(tmp_path / "files", 300, 50)
    assert {*made.qrels.value.tolist()} == {1}
    assert 1 < made.qrels.query.size / 300 < 1.15
    expected = evaluate(*made.dicts(), [*msmarco.MEASURES])
    for layout, suffix in ((msmarco.TREC, ".run"), (msmarco.MSMARCO, ".tsv")):
        runs = RunSet([trec.with_suffix(suffix)], format=layout)
        scores = evaluate(qrels, runs, [*msmarco.MEASURES]).scores
        np.testing.assert_array_equal(scores, expected.scores)
    assert 0.05 < expected.scores.mean() < 0.5


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the peak")
def test_every_contender_is_printed_with_its_time_and_memory(capsys, monkeypatch):
    monkeypatch.setattr(msmarco, "builds", lambda: builds()[-1:])  # one is quicker
    program = shutil.which("trec_eval")
    options = ["--trec-eval", program] if program else []
    msmarco.main([*SIZES, *options, "--repeats", "1", "--measures", "RR@10"])
    table = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert len(table) == 2 + (program is not None) + 2 + 3
    for line in table[2:]:
        assert re.search(r"\| \d+\.\d\d s, \d+ MB +\|$", line)


def test_a_score_that_differs_is_an_error():
    scores = {msmarco.REFERENCE: "0.12345678", msmarco.TREC_EVAL: "0.1235", "ours": "0.12345678"}
    msmarco.check("AP", scores)
    for name, wrong in ((msmarco.TREC_EVAL, "0.1234"), ("ours", "0.123456781")):
        with pytest.raises(RuntimeError, match=f"AP: {name} has {wrong}"):
            msmarco.check("AP", scores | {name: wrong})
