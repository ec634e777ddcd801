"""The collections of the papers: where their qrels and runs may be."""

from __future__ import annotations

from dataclasses import dataclass

from ..exceptions import InputError
from ..io.irds import IRDS


@dataclass(frozen=True)
class Collection:
    """A collection of a paper: where its qrels and runs may be.

    Attributes
    ----------
    title : str
        What the field calls it.
    dataset : str or None
        The ir_datasets id of the qrels; None if ir_datasets has none.
    folder : str
        The folder in `data_folder()`.
    qrels : str
        The name of the qrels file in the folder.
    runs : str
        A glob of the run files in the folder.
    groups : str or None
        The name of the file with the groups of the runs, if there is one.
    """

    title: str
    dataset: str | None
    folder: str
    qrels: str = "qrels.txt.gz"
    runs: str = "runs/*"
    groups: str | None = None


DL19 = Collection(
    "Deep Learning 2019, passages",
    "msmarco-passage/trec-dl-2019/judged",
    "trec-dl-2019-passage",
    groups="groups.csv",
)
DLT20 = Collection(
    "Deep Learning 2020, documents",
    "msmarco-document/trec-dl-2020/judged",
    "trec-dl-2020-document",
)
TREC_COVID = Collection(
    "TREC-COVID", "cord19/trec-covid", "trec-covid", qrels="qrels.original.txt.gz"
)
TREC5 = Collection("TREC-5 ad hoc", None, "trec5-adhoc")
TREC8 = Collection("TREC-8 ad hoc", "disks45/nocr/trec8", "trec8-adhoc")
WT14 = Collection("Web Track 2014", "clueweb12/trec-web-2014", "trec-web-2014")
MQ2008 = Collection("LETOR 4.0 MQ2008, fold 1", None, "mq2008-fold1")

WITH_RUNS = (DL19, DLT20, TREC_COVID, TREC5, TREC8, WT14)


def collection_of(dataset: str) -> Collection:
    """The collection of an ir_datasets id; where ir_datasets has none, of its folder.

    Raises
    ------
    ValueError
        When no paper uses it.
    """
    name = dataset.removeprefix(IRDS)
    for collection in WITH_RUNS:
        if name in (collection.dataset, collection.folder):
            return collection
    known = ", ".join(collection.dataset or collection.folder for collection in WITH_RUNS)
    raise InputError(f"`runs` must be given, except for the papers' own: {known}; got {dataset!r}")
