"""The benchmark runs, prints its table and writes it into a page; its tasks score alike."""

import importlib
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import irx_measures
from irx_measures import evaluate
from tests.doubts import NO_PRIOR

from . import compare, contenders, query_log, workers
from .generate import generate, pairs

pytestmark = NO_PRIOR  # NRG@10 without a prior is timed

SIZE = ["--runs", "3", "--queries", "4", "--depth", "30", "--repeats"]
RATIO = r"[\d.e+-]+ \([\d.e+-]+\)"


def printed(capsys):
    """Cells of the printed table, without its head."""
    lines = capsys.readouterr().out.splitlines()
    return [line.split(" | ") for line in lines if " | " in line and "work |" not in line]


def fake_trec_eval(folder):
    """A program in trec_eval's place: it prints its version, else it reads its files."""
    program = folder / "trec_eval"
    program.write_text(
        f"#!{sys.executable}\nimport sys\n"
        "if sys.argv[1] == '--version':\n    print('trec_eval version 9')\n"
        "else:\n    [open(file).read() for file in sys.argv[-2:]]\n"
    )
    program.chmod(0o755)
    return program


@pytest.mark.slow
@pytest.mark.parametrize(("workload", "repeats"), [("W1", 1), ("W2", 1), ("tiny", 1), ("pairs", 2)])
def test_every_row_is_printed_with_its_ratio_and_memory(workload, repeats, tmp_path, capsys):
    program = fake_trec_eval(tmp_path)
    forms = [form for form in compare.FORMS if form != "str"]  # as object, and slow to start
    asked = ["--workloads", workload, "--trec-eval", str(program), "--forms", *forms]
    compare.main([*SIZE, str(repeats), *asked])
    installed = contenders.peers(str(program))
    expected = {
        (row.work, row.against or "CPU time", form)
        for row in contenders.ROWS
        for form in {*row.forms} & {*forms}
        if row.workload == workload and (not row.against or installed[row.against].installed)
    }
    rows = printed(capsys)
    assert {(work, against, form) for work, against, _, form, *_ in rows} == expected
    assert len(rows) == len(expected)
    for _, against, found, _, *times, memory in rows:
        assert found == workload
        for taken in times:
            assert re.fullmatch(r"\d+\.\d s" if against == "CPU time" else RATIO, taken), taken
        assert re.fullmatch(r"\d+( / \d+)? MB", memory)


@pytest.mark.slow
def test_a_row_without_its_peer_is_left_out_and_told(capsys):
    compare.main(["--workloads", "W3", "log", "--repeats", "1"])
    out, err = capsys.readouterr()
    assert "left out: `evaluate`: nDCG@10, AP, RR, files: no trec_eval" in err
    assert "left out: `evaluate`: nDCG, NRG, P_Rareness@10, str: no earlier version" in err
    assert "W3 |" not in out


@pytest.mark.slow
def test_an_earlier_version_is_timed_from_its_checkout(tmp_path, capsys):
    package = Path(irx_measures.__file__).parent
    shutil.copytree(package, tmp_path / package.name, ignore=shutil.ignore_patterns("*.pyc"))
    compare.main([*SIZE, "1", "--workloads", "log", "--earlier", str(tmp_path)])
    ((*_, ratio, _),) = printed(capsys)
    assert re.fullmatch(RATIO, ratio)


@pytest.mark.slow
def test_the_native_core_is_off_in_one_of_the_builds():
    with workers.workers(["python", "native"]) as pools:
        for name, pool in pools.items():
            assert pool.submit(contenders.core_is_off).result() == (name == "python")
            if name == "python":
                with pytest.raises(ImportError):
                    pool.submit(importlib.import_module, contenders.CORE).result()
    assert workers.builds() in (["python"], ["python", "native"])


def row(against, ratios, seconds=1.5):
    made = next(row for row in contenders.ROWS if row.against == against)
    peaks = {name: workers.Peak(seconds, 12.3) for name in ratios}
    return compare.Measured(made, "dict", ratios, peaks)


def test_cells_have_the_median_and_the_lowest_ratio_of_every_build():
    given = row(contenders.IR_NDCG, {"python": [0.3, 0.1, 0.2], "native": [0.03, 0.01, 0.05]})
    assert compare.cells(given)[4:] == ("0.2 (0.1)", "0.03 (0.01)", "12 / 12 MB")
    assert compare.cells(row(None, {"python": []}))[4:] == ("1.5 s", "12 MB")
    assert compare.header(["python", "native"])[4:] == ("python", "native", "memory")


LOG = [
    query_log.LogRow(10_000, 1.0, 300.0, 1.2, 1.9, 400.0),
    query_log.LogRow(1_000_000, 90.0, 4600.0, 0.6, 1.4, 700.0),
]


def test_the_page_gets_both_tables_in_its_block(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- timings: made by it -->\nold\n<!-- end of timings -->\nafter\n")
    rows = [
        row(contenders.IR_NDCG, {"python": [0.25]}),
        row(contenders.EARLIER, {"python": [0.75]}),  # means nothing to a reader
    ]
    compare.write_page(page, "Measured on a day.", ["python"], rows, LOG)
    text = page.read_text()
    assert text.startswith(
        "before\n<!-- timings: made by it -->\nMeasured on a day. Repeats: W1 3, "
    )
    assert text.endswith("|\n<!-- end of timings -->\nafter\n")
    assert "\n\n| work " in text
    assert "| 0.25 (0.25) |" in text
    assert "0.75" not in text
    assert "| 1 000 000 | 90.0 s | 4600 MB | 0.60 | 1.40 | 700 MB |" in re.sub(" +", " ", text)
    assert "From 1 000 000 queries on, Dask with aligned files was quicker." in text


@pytest.mark.slow
def test_a_full_measurement_is_written_into_the_page(tmp_path, monkeypatch, capsys):
    before = compare.ROOT.joinpath(compare.PAGE).read_text(encoding="utf-8")
    page = tmp_path / compare.PAGE
    page.parent.mkdir(parents=True)
    page.write_text(before, encoding="utf-8")
    monkeypatch.setattr(compare, "ROOT", tmp_path)
    monkeypatch.setattr(
        compare,
        "measured",
        lambda options, names: [row(contenders.IR_NDCG, {name: [0.25] for name in names})],
    )
    monkeypatch.setattr(query_log, "measure", lambda sizes, repeats: LOG)
    compare.main(["--write-page", "--trec-eval", str(fake_trec_eval(tmp_path))])
    after = page.read_text(encoding="utf-8")
    start, end = "<!-- timings: made by", "<!-- end of timings"
    assert after.partition(start)[0] == before.partition(start)[0]
    assert after.partition(end)[2] == before.partition(end)[2]
    assert "| 0.25 (0.25) |" in after


def test_only_a_full_measurement_is_written(capsys):
    for some in (["--trec-eval", "x", "--runs", "2"], [], ["--trec-eval", "x", "--forms", "dict"]):
        with pytest.raises(SystemExit):
            compare.main(["--write-page", *some])
        assert "needs --trec-eval, all workloads" in capsys.readouterr().err


def test_the_page_of_this_repository_has_the_block():
    text = compare.ROOT.joinpath(compare.PAGE).read_text(encoding="utf-8")
    assert text.count("<!-- timings: made by python -m tests.benchmarks.compare") == 1
    assert text.count("<!-- end of timings -->") == 1


def test_where_dask_begins_to_pay():
    assert "slower than one process" in query_log.begins_to_pay(LOG[:1])
    assert "From 10 000 " in query_log.begins_to_pay([LOG[0]._replace(aligned=0.9), LOG[1]])
    dip = [LOG[0]._replace(aligned=0.9), LOG[1]._replace(aligned=1.1)]
    assert "slower than one process" in query_log.begins_to_pay(dip)


def test_conditions_name_the_versions(tmp_path):
    said = compare.conditions(str(fake_trec_eval(tmp_path)))
    assert said.startswith("Measured on ")
    assert "ir_measures 0." in said
    assert said.endswith("trec_eval version 9.")


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


def test_the_share_of_unjudged_documents_in_the_top_can_be_asked_for():
    made = generate(runs=6, queries=200, depth=40, judged=30, unjudged=0.5, unjudged_top=(0.2, 0.4))
    qrels, runs = made.dicts()
    shares = [
        np.mean([doc not in qrels[query] for query, docs in run.items() for doc in list(docs)[:10]])
        for run in runs.values()
    ]
    assert all(0.15 < share < 0.45 for share in shares)
    assert max(shares) - min(shares) > 0.05
    assert all(
        list(d.values()) == sorted(d.values())[::-1] for r in runs.values() for d in r.values()
    )


def test_a_collection_follows_from_its_seed():
    sizes = {"runs": 2, "queries": 3, "depth": 10, "judged": 5}
    first, second, other = (generate(**sizes, seed=seed).dicts() for seed in (1, 1, 2))
    assert first == second != other


def test_rankings_for_pairs_share_three_quarters_of_their_documents():
    reference, runs = pairs(runs=2, queries=30, depth=60)
    assert len(runs) == 2
    for run in runs.values():
        assert list(run) == list(reference)
        shared = [len(run[query].keys() & reference[query].keys()) for query in run]
        assert np.mean(shared) == pytest.approx(45, abs=1)
        assert all(list(docs.values()) == [-float(n) for n in range(60)] for docs in run.values())


def test_a_collection_scores_alike_in_every_form(tmp_path):
    made = generate(runs=3, queries=4, depth=30, judged=12, unjudged=0.5)
    measures = ["NRG(prior=others)@10", "AP_Rareness(systems=others)", "nDCG@10"]
    expected = evaluate(*made.dicts()[::-1], measures)
    assert expected.scores.any(axis=2).all()
    for qrels, runs in (made.frames("str"), made.frames("object"), made.write(tmp_path)):
        np.testing.assert_array_equal(evaluate(runs, qrels, measures).scores, expected.scores)
