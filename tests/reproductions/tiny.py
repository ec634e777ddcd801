"""Tiny data that a user might name."""

from irx_measures.reproductions import load_data
from irx_measures.reproductions.material import Material

RUNS = {
    "a": {"q1": {"d1": 3.0, "d2": 2.0, "n": 0.5}, "q2": {"d3": 1.0}},
    "b": {"q1": {"d2": 2.0, "d9": 1.0, "n": 0.5}},
    "c": {"q1": {"d2": 2.0, "d1": 1.0, "n": 0.5}, "q2": {"d4": 1.0}},
}
QRELS = {"q1": {"d1": 1, "d2": 1, "d9": 0, "n": 0}, "q2": {"d3": 2}}


def material_of(qrels=QRELS, runs=RUNS, groups=None, collection=None):
    found = load_data(qrels, runs, groups)
    return Material(found.qrels, found.runs, "tiny", collection)
