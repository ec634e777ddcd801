"""BEIR, mteb and sentence-transformers: nested dicts in, a dict of names and means out."""

from copy import deepcopy

import pytest

from irx_measures import evaluate

from .campaign import QRELS, RUN

# EvaluateRetrieval.evaluate(qrels, results, [1, 3, 5]) and evaluate_custom(..., "mrr"), beir 2.2.0
BEIR = {
    "NDCG@1": 0.44444, "NDCG@3": 0.66551, "NDCG@5": 0.70514,
    "MAP@1": 0.23333, "MAP@3": 0.47222, "MAP@5": 0.60556,
    "Recall@1": 0.23333, "Recall@3": 0.63333, "Recall@5": 0.86667,
    "P@1": 0.66667, "P@3": 0.55556, "P@5": 0.46667,
    "MRR@1": 0.66667, "MRR@3": 0.83333, "MRR@5": 0.83333,
}  # fmt: skip

# make_score_dict, mteb 2.26.24
MTEB = {
    "ndcg_at_1": 0.44444, "ndcg_at_3": 0.66551, "ndcg_at_5": 0.70514,
    "map_at_1": 0.23333, "map_at_3": 0.47222, "map_at_5": 0.60556,
    "recall_at_1": 0.23333, "recall_at_3": 0.63333, "recall_at_5": 0.86667,
    "precision_at_1": 0.66667, "precision_at_3": 0.55556, "precision_at_5": 0.46667,
    "mrr_at_1": 0.66667, "mrr_at_3": 0.83333, "mrr_at_5": 0.83333,
    "hit_rate_at_1": 0.66667, "hit_rate_at_3": 1.0, "hit_rate_at_5": 1.0,
}  # fmt: skip

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
    scores = evaluate(RUN, qrels, list(names)).scores.mean(axis=2)[:, 0]
    return dict(zip(names, scores.round(5).tolist(), strict=True))


@pytest.mark.parametrize("printed", [BEIR, MTEB], ids=["beir", "mteb"])
def test_graded_scores(printed):
    assert means(QRELS, printed) == printed


def binary():
    return {
        query: {doc: int(grade > 0) for doc, grade in grades.items()}
        for query, grades in QRELS.items()
    }


def test_binary_scores():
    assert means(binary(), SENTENCE_TRANSFORMERS) == SENTENCE_TRANSFORMERS


def test_average_precision_of_sentence_transformers_is_another_measure():
    for name, value in means(binary(), OTHER_MAP).items():
        assert value < OTHER_MAP[name]


def test_beir_itself():
    beir = pytest.importorskip(
        "beir.retrieval.evaluation", reason="beir is in no extra"
    ).EvaluateRetrieval
    cutoffs = [1, 3, 5]
    parts = [*beir.evaluate(QRELS, deepcopy(RUN), cutoffs),
             beir.evaluate_custom(QRELS, deepcopy(RUN), cutoffs, "mrr")]  # fmt: skip
    assert {name: mean for part in parts for name, mean in part.items()} == BEIR
