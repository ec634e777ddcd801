"""Scripts in the style of tools that others evaluate with, and the numbers that these tools print.

The numbers were recorded from the named versions, of a campaign small enough to check by hand; `q3`
has more relevant documents than the cutoffs.
"""

import pytest

from irx_measures import evaluate
from tests import console
from tests.campaigns import trec_files

QRELS = {
    "q1": {"d1": 2, "d3": 1, "d8": 0},
    "q2": {"d2": 1, "d5": 3, "d9": 0},
    "q3": {"d1": 1, "d2": 2, "d4": 1, "d6": 1, "d7": 3},
}
RUN = {
    "q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.6},
    "q2": {"d9": 12.5, "d5": 11.0, "d7": 3.0, "d2": 2.0},
    "q3": {"d4": 3.5, "d3": 3.0, "d7": 2.5, "d1": 2.0, "d8": 1.0},
}
BINARY = {q: {doc: int(grade > 0) for doc, grade in of.items()} for q, of in QRELS.items()}

# Nested dicts in, a dict of names and means out: BEIR, mteb and sentence-transformers

# EvaluateRetrieval.evaluate(qrels, results, [1, 3, 5]) and evaluate_custom(..., "mrr"), beir 2.2.0
BEIR = {
    "NDCG@1": 0.44444, "NDCG@3": 0.66551, "NDCG@5": 0.70514,
    "MAP@1": 0.23333, "MAP@3": 0.47222, "MAP@5": 0.60556,
    "Recall@1": 0.23333, "Recall@3": 0.63333, "Recall@5": 0.86667,
    "P@1": 0.66667, "P@3": 0.55556, "P@5": 0.46667,
    "MRR@1": 0.66667, "MRR@3": 0.83333, "MRR@5": 0.83333,
}  # fmt: skip

# make_score_dict, mteb 2.26.24: the same numbers by other names, and hit rates
MTEB = {
    name.lower().replace("@", "_at_").replace("p_", "precision_", name.startswith("P")): value
    for name, value in BEIR.items()
} | {"hit_rate_at_1": 0.66667, "hit_rate_at_3": 1.0, "hit_rate_at_5": 1.0}

# InformationRetrievalEvaluator.compute_metrics, sentence-transformers 6.2.0: grades are 0 or 1
SENTENCE_TRANSFORMERS = {
    "precision@1": 0.66667, "precision@3": 0.55556, "precision@5": 0.46667,
    "recall@1": 0.23333, "recall@3": 0.63333, "recall@5": 0.86667,
    "ndcg@1": 0.66667, "ndcg@3": 0.67016, "ndcg@5": 0.74182,
    "mrr@1": 0.66667, "mrr@3": 0.83333, "mrr@5": 0.83333,
    "map@5": 0.60556,
}  # fmt: skip

# Their MAP@k divides by min(k, relevant documents), ours by the relevant documents.
OTHER_MAP = {"map@1": 0.66667, "map@3": 0.54630}


def means(qrels, names):
    """Ours, rounded as these tools round."""
    scores = evaluate(qrels, RUN, list(names)).scores.mean(axis=2)[:, 0]
    return dict(zip(names, scores.round(5).tolist(), strict=True))


@pytest.mark.parametrize(
    ("printed", "qrels"), [(BEIR, QRELS), (MTEB, QRELS), (SENTENCE_TRANSFORMERS, BINARY)]
)
def test_scores_are_those_that_the_tools_print(printed, qrels):
    assert means(qrels, printed) == printed


def test_average_precision_of_sentence_transformers_is_another_measure():
    for name, value in means(BINARY, OTHER_MAP).items():
        assert value < OTHER_MAP[name]


# Run files, and command lines like trec_eval's: Pyserini and Tevatron

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
# Lines of Pyserini's TrecWriter and MsMarcoWriter, and of Tevatron's search with --save_text.
FORMS = {
    "run.txt": "{query} Q0 {doc} {rank} {score:.6f} bm25\n",
    "run.msmarco.tsv": "{query}\t{doc}\t{rank}\n",
    "rank.txt": "{query}\t{doc}\t{score}\n",
}


@pytest.fixture
def irx(tmp_path):
    """Run `irx evaluate` in a folder of files in these forms: status, stderr and last cells."""
    trec_files(tmp_path, {}, QRELS)
    for name, form in FORMS.items():
        lines = [
            form.format(query=query, doc=doc, rank=rank, score=score)
            for query, scores in RUN.items()
            for rank, (doc, score) in enumerate(scores.items(), 1)
        ]
        tmp_path.joinpath(name).write_text("".join(lines))

    def evaluated(*arguments):
        command = ["evaluate", "qrels.txt", *arguments, "-o", "tsv", "--quiet"]
        done = console.irx(*command, cwd=tmp_path)
        cells = [float(line.split("\t")[-1]) for line in done.stdout.splitlines()]
        return done.returncode, done.stderr, cells

    return evaluated


@pytest.mark.parametrize(("theirs", "printed", "ours"), COMMANDS)
def test_command_lines_of_pyserini(theirs, printed, ours, irx):
    assert irx("run.txt", "-m", *ours.split()) == (0, "", printed)


def test_runs_of_ms_marco(irx):
    assert irx("run.msmarco.tsv", "-m", "mrr@10", "--format", "msmarco") == (0, "", [0.8333])


def test_the_lines_of_tevatron_are_not_taken_for_ranks(irx):
    for arguments in ([], ["--format", "msmarco"]):
        status, told, _ = irx("rank.txt", "-m", "AP", *arguments)
        assert status == 2
        assert "rank.txt" in told
