"""The benchmarks run in small, and what they time computes the right scores."""

import re

import numpy as np
import pytest

from benchmarks import compare, contenders
from benchmarks.generate import generate
from irx_measures import evaluate
from tests.doubts import NO_PRIOR

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
