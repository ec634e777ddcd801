"""The qrels and runs of a reproduction: from ir_datasets, from local files, or simulated."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..common.writing import counted
from ..exceptions import InputError, MissingExtraError
from ..io.irds import IRDS, DownloadError
from ..io.table import Table
from ..io.trec import read_qrels
from ..runsets.runset import RunSet
from ..runsets.sources import matching_files
from ..scoring.evaluate import set_of
from ..simulate import simulate_campaign
from ..typing import GroupsLike, QrelsLike, RunsLike
from .collections import WITH_RUNS, Collection, collection_of
from .downloads import describe_downloads, pending_downloads

Origin = Literal["paper", "user", "simulated"]

LINE = 80  # characters: the width of a terminal, and of a cell in a notebook


@dataclass(frozen=True)
class Material:
    """Qrels and runs.

    Attributes
    ----------
    qrels : Table
    runs : RunSet
    origin : {'paper', 'user', 'simulated'}
        Whether the data is the paper's, so that printed numbers can be compared.
    description : str
        Where qrels and runs came from, in one line.
    collection : Collection, optional
        The paper's collection, if the data is that of a paper.
    """

    qrels: Table
    runs: RunSet
    origin: Origin
    description: str
    collection: Collection | None = None

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
            return "simulated" if self.origin == "simulated" else "your data"
        return self.collection.title

    def file(self, name: str) -> Path | None:
        """A file beside the runs of a paper's collection; None if it is not here."""
        if self.collection is None:
            return None
        path = data_folder() / self.folder / name
        return path if path.exists() else None


def load_data(
    qrels: QrelsLike | None = None,
    runs: RunsLike | None = None,
    groups: GroupsLike | None = None,
) -> Material:
    """The qrels and runs of a paper, or your own, for the functions of the reproductions.

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
            raise InputError("`qrels` must be given with `runs`; got None")
        return _of_user(qrels, runs, groups)
    if groups is not None:
        raise InputError("`runs` must be given with `groups`; got None")
    if qrels is None:
        return _simulated("No data was named")
    if not isinstance(qrels, str):
        raise InputError("`runs` must be given with your own qrels; got None")
    return Request().material_of(collection_of(qrels))


def _of_user(qrels: QrelsLike, runs: RunsLike, groups: GroupsLike | None) -> Material:
    judged, named = read_qrels(qrels), set_of(runs, groups, True)
    where = f"Your data: {counted(len(named), 'run')}, {counted(len(judged.query_ids), 'topic')}"
    return Material(judged, named, "user", where)


@dataclass(frozen=True)
class Request:
    """What a user asks of a reproduction.

    Attributes
    ----------
    dataset : str, optional
        A qrels file or an ir_datasets id, to be used in place of the paper's collections.
    runs : sequence of str
        Globs of run files or ``irds:`` ids, to be used in place of the paper's runs.
    groups : Path, optional
        A CSV file with the columns run and group.
    letor : Path, optional
        A folder with the LETOR files ``letor-train.txt.gz`` and ``letor-test.txt.gz``, or
        ``train.txt`` and ``test.txt``.
    material : Material, optional
        Qrels and runs that are already read.
    progress : bool, optional
        Whether to show progress on stderr; None: if stderr is a terminal.

    Raises
    ------
    ValueError
        When groups come without runs, or LETOR data with other data: one would be ignored.
    """

    dataset: str | None = None
    runs: Sequence[str] = ()
    groups: Path | None = None
    letor: Path | None = None
    material: Material | None = None
    progress: bool | None = None

    def __post_init__(self) -> None:
        if self.groups is not None and not self.runs:
            raise InputError("--groups is for the runs of --runs, which must be given too")
        if self.letor is not None and self.names_data:
            raise InputError("--letor brings its own queries: it excludes --dataset and --runs")

    @property
    def names_data(self) -> bool:
        """Whether the user named the data."""
        return self.material is not None or self.dataset is not None or bool(self.runs)

    def material_of(self, collection: Collection) -> Material:
        """The data that the user named, else that of the paper, else a simulated campaign."""
        if self.material is not None:
            return self.material
        if self.names_data:
            return _named_by_user(self)
        return paper_material(collection) or simulated_material(collection)


def data_folder() -> Path:
    """The folder of local qrels and runs: ``IRX_DATA``, else ``~/.irx_measures/data``."""
    return Path(os.environ.get("IRX_DATA") or Path.home() / ".irx_measures" / "data")


def place_of(collection: Collection) -> str:
    """The folder of a collection as texts name it, which hold no path of a machine."""
    root = "IRX_DATA" if os.environ.get("IRX_DATA") else "~/.irx_measures/data"
    return f"{root}/{collection.folder}"


def collections_here() -> list[Collection]:
    """The collections of the papers whose runs are here."""
    return list(filter(_has_runs, WITH_RUNS))


def _has_runs(collection: Collection) -> bool:
    return any((data_folder() / collection.folder).glob(collection.runs))


def paper_material(collection: Collection) -> Material | None:
    """The qrels and runs of a collection, as far as they are here; None if they are not."""
    found = paper_qrels(collection) if _has_runs(collection) else None
    if found is None:
        return None
    folder = data_folder() / collection.folder
    qrels, source = found
    groups = None if collection.groups is None else folder / collection.groups
    runs = RunSet(str(folder / collection.runs), groups=groups)
    where = f"{collection.title}: qrels from {source}, {len(runs)} runs from {place_of(collection)}"
    return Material(qrels, runs, "paper", where, collection)


def paper_qrels(collection: Collection) -> tuple[Table, str] | None:
    """The qrels of a collection and their source: ir_datasets, else the local file, else None."""
    refusal = "ir_datasets has none"
    if collection.dataset is not None:
        try:
            _say_downloads(collection.dataset)
            return read_qrels(IRDS + collection.dataset), f"ir_datasets {collection.dataset}"
        except DownloadError:
            refusal = f"ir_datasets {collection.dataset}: download failed"
        except MissingExtraError:
            refusal = "ir_datasets is not installed"
    local = data_folder() / collection.folder / collection.qrels
    if not local.exists():
        return None
    return read_qrels(local), f"{place_of(collection)}/{collection.qrels} ({refusal})"


def _say_downloads(dataset: str) -> None:
    """Say on stderr what ir_datasets is about to download: qrels may come with 1 GB of queries."""
    pending = pending_downloads(dataset, ("qrels",))
    if pending:
        print(describe_downloads(dataset, pending), file=sys.stderr)


def simulated_material(collection: Collection, systems: int = 24, queries: int = 40) -> Material:
    """A simulated campaign in place of a collection that is not here."""
    return _simulated(f"{collection.title} is not here ({place_of(collection)})", systems, queries)


def _simulated(reason: str, systems: int = 24, queries: int = 40) -> Material:
    campaign = simulate_campaign(systems=systems, queries=queries, depth=100)
    runs = RunSet(campaign.runs, groups=campaign.groups)
    where = f"{reason}: all numbers are of a SIMULATED campaign"
    return Material(read_qrels(campaign.qrels), runs, "simulated", where)


def _named_by_user(request: Request) -> Material:
    if request.dataset is None or not request.runs:
        missing = "--dataset" if request.dataset is None else "--runs"
        raise InputError(
            f"{missing} must be given too: a reproduction on other data needs qrels and runs"
        )
    runs = RunSet(_run_paths(request.runs), groups=request.groups)
    where = f"qrels {request.dataset}, {len(runs)} runs"
    return Material(read_qrels(request.dataset), runs, "user", where)


def _run_paths(globs: Sequence[str]) -> list[str]:
    paths: list[str] = []
    for text in globs:
        found = [text] if text.startswith(IRDS) else matching_files(text)
        if not found:
            raise InputError(f"--runs: no file matches {text!r}")
        paths.extend(found)
    return paths
