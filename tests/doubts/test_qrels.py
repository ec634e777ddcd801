"""What an ir_datasets id says of its grades and its official measures."""

import re

import pytest

from irx_measures.doubts.qrels import doubt_relevance
from irx_measures.io.trec import read_qrels
from irx_measures.judgments.judgments import Judgments
from irx_measures.measures.naming.strings import parse_measure, parse_measures

pytest.importorskip("ir_datasets")

ANTIQUE, DL19 = "antique/test", "msmarco-passage/trec-dl-2019/judged"


@pytest.mark.parametrize(
    ("measure", "dataset", "told"),
    [
        ("P@10", ANTIQUE, "grades 1 and 2, which antique/test defines as not relevant"),
        ("AP(rel=2)", ANTIQUE, "grade 2, "),
        ("P(rel=3)@10", ANTIQUE, None),
        ("nDCG@10", ANTIQUE, "give them the grade 0 first"),
        ("NRG@10", ANTIQUE, "grades 1 and 2"),
        ("NumRet", ANTIQUE, None),
        ("nDCG(gains={1: 0, 2: 0})@10", ANTIQUE, None),
        ("RR@10", DL19, "grade 1, .*; write rel=2"),
        ("RR(rel=2)@10", DL19, None),
        ("nDCG@10", DL19, None),
        ("P@10", "clinicaltrials/2021/trec-ct-2021", r"\(Excluded\); write rel=2"),
        ("P@10", "cord19/trec-covid", None),  # partially relevant
        ("P@10", "vaswani", None),
        ("P@10", "", None),
    ],
)
def test_grades_that_a_dataset_defines_as_not_relevant_are_told(measure, dataset, told):
    judgments = Judgments(read_qrels({"q": {"A": 9}}))
    doubts = doubt_relevance(parse_measure(measure), judgments, dataset)
    texts = [doubt.text for doubt in doubts if doubt.is_told]
    assert len(texts) == (told is not None)
    assert told is None or re.search(told, texts[0])


@pytest.mark.filterwarnings("ignore:official is without gm_map")
def test_official_is_what_the_dataset_names_or_else_trec_evals():
    names = ["nDCG@10", "RR(rel=2)", "AP(rel=2)"]
    for qrels in (DL19, f"irds:{DL19}"):
        assert list(map(str, parse_measures("official", qrels=qrels))) == names
    for qrels in ("vaswani", __file__, {}):
        assert len(parse_measures("official", qrels=qrels)) > 20
