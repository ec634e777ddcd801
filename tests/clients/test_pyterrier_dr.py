"""pyterrier_dr: retrievers over vectors, and a measure that is defined by their vectors."""

import ir_measures
import numpy as np
import pandas as pd
import pytest
from ir_measures import nDCG

import irx_measures

from .campaign import QRELS

pt = pytest.importorskip("pyterrier")

DOCS = sorted({doc for grades in QRELS.values() for doc in grades})
RANDOM = np.random.default_rng(4)
VECTORS = dict(zip(DOCS, RANDOM.normal(size=(len(DOCS), 4)), strict=True))
TOPICS = pd.DataFrame({"qid": list(QRELS), "query": ["words"] * len(QRELS)})
JUDGED = pd.DataFrame(
    [(query, doc, grade) for query, grades in QRELS.items() for doc, grade in grades.items()],
    columns=["qid", "docno", "label"],
)


class Encoder(pt.Transformer):
    """Adds `query_vec`, as a BiEncoder does."""

    def transform(self, topics):
        pt.validate.query_frame(topics, ["query"])
        drawn = [np.random.default_rng(int(qid[1:])).normal(size=4) for qid in topics["qid"]]
        return topics.assign(query_vec=drawn)


class Retriever(pt.Transformer):
    """Results with the columns of FlexIndex.np_retriever, which keep the vectors."""

    def __init__(self, dimensions):
        self.dimensions = dimensions

    def transform(self, topics):
        pt.validate.query_frame(topics, ["query_vec"])
        rows = []
        for topic in topics.itertuples():
            sims = {doc: float(vector[: self.dimensions] @ topic.query_vec[: self.dimensions])
                    for doc, vector in VECTORS.items()}  # fmt: skip
            for rank, doc in enumerate(sorted(sims, key=sims.get, reverse=True)):
                found = (topic.qid, topic.query, topic.query_vec, doc, DOCS.index(doc))
                rows.append((*found, np.float32(sims[doc]), rank))
        columns = ["qid", "query", "query_vec", "docno", "docid", "score", "rank"]
        return pd.DataFrame(rows, columns=columns)


def similarity(_, found):
    """The mean cosine of the pairs of documents of each query, as pyterrier_dr.ILS."""
    for query, part in found.groupby("query_id"):
        matrix = np.stack([VECTORS[doc] / np.linalg.norm(VECTORS[doc]) for doc in part["doc_id"]])
        yield query, (matrix @ matrix.T)[np.triu_indices(len(part), k=1)].mean()


ILS = ir_measures.define(similarity, name="ILS")
SYSTEMS = {"half": Encoder() >> Retriever(2), "whole": Encoder() >> Retriever(4)}


def experiment(run_it, measures, **options):
    systems = list(SYSTEMS.values())
    return run_it(systems, TOPICS, JUDGED, measures, names=list(SYSTEMS), **options)


def test_means_are_those_of_stock_pyterrier():
    measures = [nDCG @ 3, "map", ILS @ 3]
    ours = experiment(irx_measures.Experiment, measures)
    stock = experiment(pt.Experiment, measures)  # its columns have no fixed order
    pd.testing.assert_frame_equal(ours, stock[ours.columns])
    assert ours["ILS@3"].abs().max() > 0


@pytest.mark.parametrize("batch_size", [None, 2])
def test_measures_that_compare_the_retrievers(batch_size):
    measures = [nDCG @ 3, "NRG(prior=others)@3"]
    frame = experiment(irx_measures.Experiment, measures, batch_size=batch_size)
    results = {name: system(TOPICS) for name, system in SYSTEMS.items()}
    means = irx_measures.evaluate(results, JUDGED, measures).scores.mean(axis=2)
    assert frame.drop(columns="name").to_numpy() == pytest.approx(means.T)


def test_a_baseline_and_a_shared_encoder():
    options = {"plan": "tree", "baseline": 0}
    frame = experiment(irx_measures.Experiment, [nDCG @ 3, ILS @ 3], **options)
    assert frame["nDCG@3 p-value"].notna().tolist() == [False, True]
