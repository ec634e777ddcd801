"""Scripts in the style of tools that others evaluate with, and the numbers that these tools print.

The numbers were recorded from the named versions, of a campaign small enough to check by hand; `q3`
has more relevant documents than the cutoffs.
"""

import json
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

import ir_measures
import numpy as np
import pandas as pd
import pytest
import pytrec_eval

import irx_measures
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
PRIOR = {"q1": {"d3": 3.0}, "q2": {"d9": 2.0, "d5": 1.0}, "q3": {"d9": 1.0, "d7": 0.5}}
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


# The same qrels and runs in the forms of every tool, and the measures by its names


def rows(nested):
    """The rows of a dict of dicts: query, document, number."""
    return [(query, doc, n) for query, of in nested.items() for doc, n in of.items()]


def frame(nested, *names, kind=None):
    return pd.DataFrame(rows(nested), columns=names).astype({names[2]: kind} if kind else {})


def of_ranx(folder):
    if not find_spec("ranx"):  # no test command installs it
        pytest.skip("ranx is not installed")
    import ranx

    return ranx.Qrels(QRELS), ranx.Run(RUN, name="bm25")


def of_ir_measures(folder):
    qrels = [ir_measures.Qrel(*row) for row in rows(QRELS)]
    return qrels, [ir_measures.ScoredDoc(*row) for row in rows(RUN)]


def read_by_ir_measures(folder):
    trec_files(folder, {"bm25": RUN}, QRELS)
    qrels = ir_measures.read_trec_qrels(str(folder / "qrels.txt"))
    return qrels, ir_measures.read_trec_run(str(folder / "bm25.run"))


def read_by_pytrec_eval(folder):
    trec_files(folder, {"bm25": RUN}, QRELS)
    with Path(folder, "qrels.txt").open() as qrels, Path(folder, "bm25.run").open() as run:
        return pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)


def of_pyterrier(folder):
    return frame(QRELS, "qid", "docno", "label"), frame(RUN, "qid", "docno", "score")


def of_hugging_face(folder):
    """BEIR's datasets, in which grades are floats in places."""
    qrels = frame(QRELS, "query-id", "corpus-id", "score", kind=float)
    return qrels, frame(RUN, "query-id", "corpus-id", "score")


def of_beir(folder):
    """What GenericDataLoader reads, and what a dense search returns: numbers of numpy."""
    qrels = defaultdict(dict)
    for query, doc, grade in rows(QRELS):
        qrels[query][doc] = grade
    return qrels, {q: {doc: np.float32(s) for doc, s in of.items()} for q, of in RUN.items()}


def files_of_beir(folder):
    qrels, run = of_hugging_face(folder)
    qrels.to_csv(folder / "test.tsv", sep="\t", index=False)
    run.to_csv(folder / "run.csv", index=False)
    return folder / "test.tsv", folder / "run.csv"


def predictions_of_mteb(folder):
    path = folder / "SciFact_predictions.json"
    path.write_text(json.dumps({"mteb_model_meta": {}, "default": {"test": RUN}}))
    return QRELS, path


def predictions_of_sentence_transformers(folder):
    path = folder / "Information-Retrieval_evaluation_predictions_cosine.jsonl"
    for query, scores in RUN.items():
        results = [{"corpus_id": doc, "score": score} for doc, score in scores.items()]
        with path.open("a") as file:
            file.write(json.dumps({"query_id": query, "query": "x", "results": results}) + "\n")
    return QRELS, path


DATA = [
    of_ranx, of_ir_measures, read_by_ir_measures, read_by_pytrec_eval, of_pyterrier,
    of_hugging_face, of_beir, files_of_beir, predictions_of_mteb,
    predictions_of_sentence_transformers,
]  # fmt: skip

# Measures as their users write them, and the names of the same numbers in BEIR.
MEASURES = {
    "ranx": (
        ["ndcg@3", "map@5", "mrr@3", "recall@5", "precision@3"],
        ["NDCG@3", "MAP@5", "MRR@3", "Recall@5", "P@3"],
    ),
    "pytrec_eval": ({"map", "ndcg_cut_3", "recall.5"}, ["MAP@5", "NDCG@3", "Recall@5"]),
    "mteb": (["ndcg_at_3", "map_at_5", "precision_at_3"], ["NDCG@3", "MAP@5", "P@3"]),
    "PyTerrier": (["map", "ndcg_cut_3", "recip_rank"], ["MAP@5", "NDCG@3", "MRR@5"]),
    "ir_measures": (
        [ir_measures.AP, ir_measures.nDCG @ 3, ir_measures.parse_measure("P(rel=1)@3")],
        ["MAP@5", "NDCG@3", "P@3"],
    ),
}


@pytest.mark.parametrize("tool", MEASURES)
@pytest.mark.parametrize("data", DATA)
def test_every_form_with_the_measures_of_every_tool(data, tool, tmp_path):
    measures, of_beir = MEASURES[tool]
    means = evaluate(*data(tmp_path), measures).scores.mean(axis=2)[:, 0]
    assert sorted(means.round(5)) == sorted(BEIR[name] for name in of_beir)


def test_a_set_of_names_has_the_values_of_pytrec_eval():
    names = {"map", "ndcg_cut_3", "P.1,3", "recall.5", "recip_rank", "Rprec", "bpref", "num_ret"}
    theirs = pytrec_eval.RelevanceEvaluator(QRELS, names).evaluate(RUN)
    ours = evaluate(QRELS, RUN, names).to_frame().pivot_table("value", "query_id", "measure")
    for query, of_query in theirs.items():
        np.testing.assert_allclose(sorted(ours.loc[query]), sorted(of_query.values()), atol=1e-9)


def test_measures_of_both_packages_in_the_calls_of_ir_measures():
    prior = irx_measures.RunSet({"b": PRIOR})
    measures = [ir_measures.nDCG @ 3, irx_measures.nDCGBound @ 3, irx_measures.NRG(prior=prior) @ 3]
    ours = evaluate(QRELS, RUN, measures)
    aggregate = ir_measures.calc_aggregate(measures, QRELS, RUN)
    means = [aggregate[measure] for measure in measures]
    np.testing.assert_allclose(ours.scores.mean(axis=2)[:, 0], means, atol=1e-12)
    single = {(each.measure, each.query_id): each.value
              for each in ir_measures.iter_calc(measures, QRELS, RUN)}  # fmt: skip
    assert len(single) == ours.scores.size


def test_results_of_sentence_transformers_as_the_error_says():
    query_ids = list(RUN)
    results = [
        [{"corpus_id": doc, "score": score} for doc, score in of.items()] for of in RUN.values()
    ]
    with pytest.raises(irx_measures.InputError, match="a run is ") as told:
        evaluate(QRELS, results, "ndcg@3")
    line = str(told.value).partition("a run is ")[2].removesuffix(")")
    assert eval(line, {"query_ids": query_ids, "results": results}) == RUN


# Calls in the order of other tools, and what to write instead.
OTHER_CALLS = [
    (lambda: evaluate([ir_measures.AP], QRELS, RUN), "measures come after qrels and runs"),
    (lambda: evaluate("AP", *of_pyterrier(None)), "measures come after qrels and runs"),
    (lambda: evaluate("AP", "qrels.txt", "bm25.run"), "measures come after qrels and runs"),
    (lambda: evaluate(QRELS, "AP", of_ir_measures(None)[1]), "measures come after qrels and runs"),
    (lambda: irx_measures.compare("AP", QRELS, RUN), "measures come after qrels and runs"),
    (lambda: evaluate(QRELS, RUN, [1, 3, 5]), "a cutoff belongs to a measure, as in 'nDCG@10'"),
    (lambda: evaluate(QRELS, RUN, "nDCG@3 P(rel=2)@5"), "of its own: 'nDCG@3', 'P(rel=2)@5'"),
    (lambda: evaluate(QRELS, RUN, "nDCG@3,AP"), "a text of its own: 'nDCG@3', 'AP'"),
    (lambda: evaluate(QRELS, RUN, "nDCG@3,"), "a text of its own: 'nDCG@3'"),
    (lambda: evaluate(QRELS, RUN, "accuracy@1"), "mean Success@k by it"),
    (lambda: evaluate(QRELS, RUN, "top_k_accuracy"), "mean Success@k by it"),
    (lambda: evaluate(QRELS, RUN, "hits@3"), "which is k times P@k"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "told"), OTHER_CALLS)
def test_calls_of_other_tools_are_told_what_to_write(call, told):
    with pytest.raises((irx_measures.InputError, TypeError)) as error:
        call()
    assert told in str(error.value)
    assert "\n" not in str(error.value)


# Run files, and command lines like trec_eval's: Pyserini and Tevatron

# Arguments of `python -m pyserini.eval.trec_eval`, what trec_eval 10.0 prints for them, and ours.
COMMANDS = [
    ("-c -m ndcg_cut.3 -m recall.3", [0.6655, 0.6333], "ndcg_cut.3 recall.3"),
    ("-c -l 2 -m map", [0.5556], "AP(rel=2)"),
    ("-c -M 3 -m map", [0.4722], "AP@3"),
    ("-c -M 1 -m recip_rank", [0.6667], "RR@1"),
    ("-m P.1,3", [0.6667, 0.5556], "P.1,3"),
    ("-m success.1,3", [0.6667, 1.0], "success.1,3"),
    ("-c -m map -m P.1,3", [0.6056, 0.6667, 0.5556], "map -m P.1,3"),
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
