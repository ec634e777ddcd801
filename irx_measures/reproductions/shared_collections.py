"""Collections that the experiments of several papers use."""

from __future__ import annotations

from .material import Collection

DL19 = Collection(
    "Deep Learning 2019, passages",
    "msmarco-passage/trec-dl-2019/judged",
    "trec-dl-2019-passage",
    groups="groups.csv",
)

TREC8 = Collection("TREC-8 ad hoc", "disks45/nocr/trec8", "trec8-adhoc")
