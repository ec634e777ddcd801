"""The qrels and runs of a reproduction: a paper's, the user's, or simulated."""

from __future__ import annotations

import os
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ..common.writing import counted
from ..exceptions import InputError, MissingExtraError
from ..io.irds import IRDS, NotReachedError
from ..io.table import Table
from ..io.trec import read_qrels
from ..runsets.given import set_of
from ..runsets.runset import RunSet
from ..simulate import simulate_campaign
from ..typing import GroupsLike, QrelsLike, RunsLike

LINE = 80  # characters: the width of a terminal, and of a cell in a notebook


class Collection(NamedTuple):
    """A collection of a paper, and where its data may be."""

    title: str  # what the field calls it
    dataset: str | None  # the ir_datasets id of the qrels; None if ir_datasets has none
    folder: str  # in `data_folder()`; its runs are in ``runs/``
    qrels: str = "qrels.txt.gz"  # the name of the file with the qrels
    groups: str | None = None  # the name of the file with the groups of the runs, if there is one


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

COLLECTIONS = (DL19, DLT20, TREC_COVID, TREC5, TREC8, WT14)


@dataclass(frozen=True)
class Material:
    """The qrels and runs of a reproduction.

    Attributes
    ----------
    qrels : Table
        In the form in which the package has read them.
    runs : RunSet
    description : str
        Where qrels and runs came from, in one line.
    collection : Collection, optional
        The paper's collection, if the data is that of a paper: printed numbers can be compared.
    simulated : bool
        Whether a simulated campaign takes the place of data.

    See Also
    --------
    irx_measures.reproductions.load_data : Makes it.
    """

    qrels: Table
    runs: RunSet
    description: str
    collection: Collection | None = None
    simulated: bool = False

    def __str__(self) -> str:
        return textwrap.fill(self.description, LINE, break_long_words=False, break_on_hyphens=False)

    @property
    def folder(self) -> str:
        """The folder of a paper's collection; empty if the data is none."""
        return "" if self.collection is None else self.collection.folder

    @property
    def label(self) -> str:
        """The title of a paper's collection, else ``your data`` or ``simulated``."""
        if self.collection is None:
            return "simulated" if self.simulated else "your data"
        return self.collection.title

    def file(self, name: str) -> Path | None:
        """A file beside the runs of a paper's collection; None if it is not here."""
        path = data_folder() / self.folder / name
        return path if self.collection is not None and path.exists() else None


def load_data(
    qrels: QrelsLike | None = None,
    runs: RunsLike | None = None,
    groups: GroupsLike | None = None,
) -> Material:
    """The qrels and runs of a paper, or your own, for `reproduce`.

    Parameters
    ----------
    qrels
        An ir_datasets id, or qrels in any other form that `irx_measures.evaluate` takes. If None,
        the data is a simulated campaign.
    runs
        In any form that `irx_measures.evaluate` takes, such as ``"runs/*.gz"``. If None, `qrels`
        names a collection that a paper uses, and the runs are those in the folder ``IRX_DATA``, by
        default ``~/.irx_measures/data``. Where they are missing, a simulated campaign takes their
        place, and its description says so.
    groups
        The group of each run, as for `irx_measures.RunSet`.

    Returns
    -------
    Material
        The qrels, the runs, and a line that says where they came from.

    Raises
    ------
    ValueError
        When runs come without qrels or groups without runs, and when `runs` is None and no paper
        uses the collection.

    Examples
    --------
    >>> from irx_measures.reproductions import load_data
    >>> print(load_data())
    No data was named: all numbers are of a SIMULATED campaign
    >>> print(load_data({"q": {"d": 1}}, {"mine": {"q": {"d": 1.0}}}))
    Your data: 1 run, 1 topic
    """
    if runs is not None:
        if qrels is None:
            raise InputError("`qrels` are missing: give those of your `runs`")
        table, named = read_qrels(qrels), set_of(runs, groups, True)
        counts = f"{counted(len(named), 'run')}, {counted(len(table.query_ids), 'topic')}"
        return Material(table, named, f"Your data: {counts}")
    if groups is not None:
        raise InputError("`runs` are missing: give those of your `groups`")
    if qrels is None:
        return simulated("No data was named")
    if not isinstance(qrels, str):
        raise InputError("`runs` are missing: give them with your own qrels")
    name = qrels.removeprefix(IRDS)
    for collection in COLLECTIONS:
        if name in (collection.dataset, collection.folder):
            return material_of(collection)
    known = ", ".join(collection.dataset or collection.folder for collection in COLLECTIONS)
    raise InputError(f"`runs` must be given, except for the papers' own: {known}; got {qrels!r}")


def material_of(collection: Collection, given: Material | None = None) -> Material:
    """What the user gave, else the data of the collection, else a simulated campaign."""
    found = given or paper_material(collection)
    return found or simulated(f"{collection.title} is not here ({place_of(collection.folder)})")


def paper_material(collection: Collection) -> Material | None:
    """The qrels and runs of a collection; None if one of them is not here."""
    found = _paper_qrels(collection) if collection.folder in folders_here() else None
    if found is None:
        return None
    qrels, source = found
    folder = data_folder() / collection.folder
    groups = None if collection.groups is None else folder / collection.groups
    runs = RunSet(str(folder / "runs" / "*"), groups=groups)
    place = place_of(collection.folder)
    where = f"{collection.title}: qrels from {source}, {len(runs)} runs from {place}"
    return Material(qrels, runs, where, collection)


def simulated(reason: str) -> Material:
    """A simulated campaign, and why it takes the place of data."""
    campaign = simulate_campaign(systems=24, queries=40, depth=100)
    runs = RunSet(campaign.runs, groups=campaign.groups)
    where = f"{reason}: all numbers are of a SIMULATED campaign"
    return Material(read_qrels(campaign.qrels), runs, where, simulated=True)


def data_folder() -> Path:
    """The folder of local qrels and runs: ``IRX_DATA``, else ``~/.irx_measures/data``."""
    # Unlike Path.home(), it leaves `~` as it is where the user has no home.
    return Path(os.environ.get("IRX_DATA") or os.path.expanduser("~/.irx_measures/data"))


def place_of(folder: str) -> str:
    """A folder in `data_folder()` as texts name it, without a path of the machine."""
    root = "IRX_DATA" if os.environ.get("IRX_DATA") else "~/.irx_measures/data"
    return f"{root}/{folder}"


def folders_here() -> set[str]:
    """The folders of the papers' collections whose runs are here."""
    every = (collection.folder for collection in COLLECTIONS)
    return {folder for folder in every if any((data_folder() / folder / "runs").glob("*"))}


def _paper_qrels(collection: Collection) -> tuple[Table, str] | None:
    """The qrels of a collection and their source: ir_datasets, else the local file, else None."""
    refusal = "ir_datasets has none"
    if collection.dataset is not None:
        source = f"ir_datasets {collection.dataset}"
        try:
            return read_qrels(IRDS + collection.dataset), source
        except MissingExtraError:
            refusal = "ir_datasets is not installed"
        except NotReachedError:
            refusal = f"{source}: no answer"
        except InputError:
            refusal = f"{source}: not read"
    local = data_folder() / collection.folder / collection.qrels
    if not local.exists():
        return None
    return read_qrels(local), f"{place_of(collection.folder)}/{collection.qrels} ({refusal})"
