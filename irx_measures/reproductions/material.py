"""The qrels and runs of a reproduction: from ir_datasets, from local files, or simulated."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..exceptions import InputError, MissingExtraError
from ..io.columns import QrelsColumns
from ..io.irds import IRDS, DownloadError
from ..io.trec import read_qrels
from ..runsets.runset import RunSet
from ..runsets.sources import matching_files
from ..simulate import simulate_campaign
from .downloads import describe_downloads, pending_downloads

Origin = Literal["paper", "user", "simulated"]


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


# Collections that the experiments of several papers use.
DL19 = Collection(
    "Deep Learning 2019, passages",
    "msmarco-passage/trec-dl-2019/judged",
    "trec-dl-2019-passage",
    groups="groups.csv",
)
TREC8 = Collection("TREC-8 ad hoc", "disks45/nocr/trec8", "trec8-adhoc")


@dataclass(frozen=True)
class Material:
    """Qrels and runs.

    Attributes
    ----------
    qrels : QrelsColumns
    runs : RunSet
    origin : {'paper', 'user', 'simulated'}
        Whether the data is the paper's, so that printed numbers can be compared.
    description : str
        Where qrels and runs came from, in one line.
    """

    qrels: QrelsColumns
    runs: RunSet
    origin: Origin
    description: str


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


def paper_material(collection: Collection) -> Material | None:
    """The qrels and runs of a collection, as far as they are here; None if they are not."""
    folder = data_folder() / collection.folder
    if not any(folder.glob(collection.runs)):
        return None
    found = paper_qrels(collection)
    if found is None:
        return None
    qrels, source = found
    groups = None if collection.groups is None else folder / collection.groups
    runs = RunSet(str(folder / collection.runs), groups=groups)
    where = f"{collection.title}: qrels from {source}, {len(runs)} runs from {folder}"
    return Material(qrels, runs, "paper", where)


def paper_qrels(collection: Collection) -> tuple[QrelsColumns, str] | None:
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
    return read_qrels(local), f"{local} ({refusal})"


def _say_downloads(dataset: str) -> None:
    """Say on stderr what ir_datasets is about to download: qrels may come with 1 GB of queries."""
    pending = pending_downloads(dataset, ("qrels",))
    if pending:
        print(describe_downloads(dataset, pending), file=sys.stderr)


def simulated_material(collection: Collection, systems: int = 24, queries: int = 40) -> Material:
    """A simulated campaign in place of a collection that is not here."""
    campaign = simulate_campaign(systems=systems, queries=queries, depth=100)
    where = (
        f"{collection.title} is not here ({data_folder() / collection.folder}): "
        "all numbers are of a SIMULATED campaign"
    )
    runs = RunSet(campaign.runs, groups=campaign.groups)
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
