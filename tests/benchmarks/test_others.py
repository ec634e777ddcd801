"""The other benchmarks run, and their contenders compute the right scores."""

import numpy as np
import pandas as pd
import pytest

import irx_measures
from irx_measures.distributed import evaluate

from . import pairs, query_log, scaling


def test_every_way_to_score_pairs_gives_the_same():
    observed, reference = pairs.rankings(3, 20)
    runs = {"reference": pairs.as_run(reference)}
    irx_measures.register_runs("pairs", runs, replace=True)
    for name, plain in pairs.PLAIN.items():
        measure = irx_measures.parse_measure(f"{name}(phi={pairs.PHI},reference=pairs)")
        scores = [metric.value for metric in measure.iter_calc({}, pairs.as_run(observed))]
        assert scores == pytest.approx(list(map(plain, observed, reference)), rel=1e-12)
        assert min(scores) > 0.1
    made = pairs.contenders(3, 20)
    for name, plain in pairs.PLAIN.items():
        assert made[name, "kernel, from ranks"]() == pytest.approx(
            list(map(plain, observed, reference)), rel=1e-12
        )
    together = made[pairs.ALL, "evaluate, from dicts"]().scores[:, 0]
    assert together == pytest.approx(np.array(made[pairs.ALL, "loops over lists"]()), rel=1e-12)


def test_pairs_have_a_row_for_every_measure_and_way(capsys):
    pairs.main(["--pairs", "3", "--depth", "10", "--repeats", "1"])
    header, *lines = capsys.readouterr().out.splitlines()
    assert header.split() == ["measure", "how", "us", "a", "pair", "x", "loops", "x", "rbstar"]
    names = ["RBR"] * 3 + ["RBA"] * 3 + ["RBO"] * 3 + ["all"] * 2
    assert [line.split()[0] for line in lines] == names
    assert all(float(line.split()[-3]) > 0 for line in lines)


@pytest.mark.slow
def test_scaling_prints_a_line_for_every_size_and_draws(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(scaling, "BASE", {"runs": 2, "queries": 2, "depth": 20, "judged": 8})
    monkeypatch.setattr(scaling, "SIZES", dict.fromkeys(scaling.SIZES, (2, 4, 8)))
    picture = tmp_path / "scaling.png"
    scaling.main(["--repeats", "1", "--points", "2", "--plot", str(picture)])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines][:3] == ["queries", "runs", "depth"]
    assert picture.stat().st_size > 1000


@pytest.mark.slow
# Dask causes this pandas warning when it reads Parquet in this process.
@pytest.mark.filterwarnings("ignore:The inplace keyword in DataFrame.reset_index")
def test_a_query_log_scores_as_on_one_machine_and_has_a_row_for_every_way(
    capsys, tmp_path, monkeypatch
):
    monkeypatch.setattr(query_log, "QUERIES_PER_PART", 4)
    qrels, runs = query_log.write_log(tmp_path, queries=10, systems=2, depth=10)
    assert len(list(qrels.iterdir())) == 3
    read = {name: pd.read_parquet(folder) for name, folder in {**runs, "qrels": qrels}.items()}
    whole = irx_measures.evaluate({name: read[name] for name in runs}, read["qrels"], query_log.OWN)
    split = evaluate(runs, qrels, query_log.OWN, aligned=True)
    assert split.query_ids == whole.query_ids
    assert len(split.query_ids) == 10
    np.testing.assert_allclose(split.scores, whole.scores, rtol=1e-12)
    query_log.main(["--queries", "8", "--systems", "2", "--repeats", "1"])
    _, *lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines] == [
        ["8", "160", how] for how in ("aligned:", "shuffled:", "aligned:")
    ]


def test_the_exponent_is_that_of_a_power_law():
    sizes = np.array([1, 2, 4, 8])
    assert scaling.Curve("n", sizes, 3.0 * sizes**1.5).exponent == pytest.approx(1.5)
