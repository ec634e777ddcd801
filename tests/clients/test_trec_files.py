"""Pyserini and Tevatron: run files, and command lines like trec_eval's."""

import subprocess
import sys

import pytest

from irx_measures.cli.main import main

from .campaign import QRELS, module_file, ranked

# Arguments of `python -m pyserini.eval.trec_eval`, what trec_eval 10.0 prints for them, and ours.
COMMANDS = [
    ("-c -m ndcg_cut.3 -m recall.3", [0.6655, 0.6333], "ndcg_cut.3 recall.3"),
    ("-c -l 2 -m map", [0.5556], "AP(rel=2)"),
    ("-c -M 3 -m map", [0.4722], "AP@3"),
    ("-c -M 1 -m recip_rank", [0.6667], "RR@1"),
    ("-m P.1,3", [0.6667, 0.5556], "P.1,3"),
    ("-m success.1,3", [0.6667, 1.0], "success.1,3"),
    ("-m judged.1,3", [1.0, 0.6667], "Judged@1 Judged@3"),
    ("-m map -remove-unjudged", [0.7278], "AP(judged_only=True)"),
]


def trec(rows):
    """Lines as Pyserini's TrecWriter writes them."""
    return "".join(
        f"{query} Q0 {doc} {rank} {score:.6f} bm25\n" for query, doc, rank, score in rows
    )


def msmarco(rows):
    """Lines as Pyserini's MsMarcoWriter writes them."""
    return "".join(f"{query}\t{doc}\t{rank}\n" for query, doc, rank, _ in rows)


def tevatron(rows):
    """Lines as Tevatron's search writes them with --save_text."""
    return "".join(f"{query}\t{doc}\t{score}\n" for query, doc, _, score in rows)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Run files in the formats of the tools, as the current folder."""
    judged = [
        f"{query} 0 {doc} {grade}\n" for query, of in QRELS.items() for doc, grade in of.items()
    ]
    texts = {
        "qrels.txt": "".join(judged),
        "run.txt": trec(ranked()),
        "run.msmarco.tsv": msmarco(ranked()),
        "rank.txt": tevatron(ranked()),
    }
    for name, text in texts.items():
        tmp_path.joinpath(name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def values(capsys, *arguments):
    """The last cells that `irx evaluate` prints."""
    assert main(["evaluate", *arguments, "-o", "tsv", "--quiet"]) == 0
    return [float(line.split("\t")[-1]) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(("theirs", "printed", "ours"), COMMANDS)
def test_command_lines_of_pyserini(theirs, printed, ours, folder, capsys):
    assert values(capsys, "qrels.txt", "run.txt", "-m", *ours.split()) == printed


def test_runs_of_ms_marco(folder, capsys):
    ours = values(capsys, "qrels.txt", "run.msmarco.tsv", "-m", "mrr@10", "--format", "msmarco")
    assert ours == [0.8333]


def test_the_lines_of_tevatron_are_not_taken_for_ranks(folder, capsys):
    for arguments in ([], ["--format", "msmarco"]):
        assert main(["evaluate", "qrels.txt", "rank.txt", "-m", "AP", *arguments]) == 2
        assert "rank.txt" in capsys.readouterr().err


def test_the_converter_of_tevatron(folder, capsys):
    script = module_file("tevatron", "tevatron/utils/format/convert_result_to_trec.py")
    command = [sys.executable, str(script), "--input", "rank.txt", "--output", "dense.txt"]
    subprocess.run(command, check=True)
    assert values(capsys, "qrels.txt", "dense.txt", "-m", "ndcg_cut.3") == [0.6655]
