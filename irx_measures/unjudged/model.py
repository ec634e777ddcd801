"""JudgmentModel: the probable grades of unjudged documents, learned from the pool."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..common.arrays import FloatArray, Int64Array
from ..common.validators import integer
from ..exceptions import InputError
from ..io.files import write_whole
from ..io.frames import frame
from ..io.trec import read_qrels
from ..judgments.judgments import Judgments
from ..runsets.runset import RunSet
from ..runsets.sources import NamedSources
from ..typing import GroupsLike, QrelsLike, RunsLike
from .own_judgments import OwnJudgments
from .pooled_runs import DEPTH, PooledRuns
from .transferred import level_probabilities

if TYPE_CHECKING:
    from ..io.frames import DataFrame

TRANSFERRED, SHRUNK, LOCAL = "transferred", "shrunk", "local"

MODEL_DEPTH = integer(1, DEPTH)

FORMAT, VERSION = "irx_measures.JudgmentModel", 1


@dataclass(frozen=True)
class JudgmentModel:
    """The probability of each grade of an unjudged document."""

    prior: str
    depth: int
    groups: int
    documents: int

    @classmethod
    def fit(
        cls,
        runs: RunsLike,
        qrels: QrelsLike,
        *,
        depth: int = 10,
        groups: GroupsLike | None = None,
        machine: object = None,
    ) -> JudgmentModel:
        depth = MODEL_DEPTH.check("depth", depth)
        return cls.fit_pooled(pool(runs, qrels, groups), depth, machine)

    @property
    def summary(self) -> str:
        """Which prior the model uses, and what it was trained on."""
        return (
            f"{self.prior} prior: {self.documents} training documents of {self.groups} groups, "
            f"pool depth {self.depth}"
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model as JSON."""
        content = {"format": FORMAT, "version": VERSION, **asdict(self)}
        write_whole(Path(path), json.dumps(content, indent=1).encode())

    @classmethod
    def load(cls, path: str | PathLike[str]) -> JudgmentModel:
        """Read a model that `save` wrote."""
        content = read_model(Path(path))
        return cls(**content)

    @classmethod
    def fit_pooled(cls, pooled: PooledRuns, depth: int, machine: object = None) -> JudgmentModel:
        return cls(TRANSFERRED, depth, len(pooled.group_names), 0)

    def probabilities(
        self, pooled: PooledRuns, cutoff: int, machine: object = None
    ) -> tuple[Int64Array, FloatArray]:
        entries = pooled.unjudged_entries(cutoff)
        own = OwnJudgments.of(pooled, self.depth)
        refuse_nothing_judged(own, self.depth)
        return entries, level_probabilities(pooled, own, entries)

    def grade_probabilities(
        self, runs: RunsLike, qrels: QrelsLike, cutoff: int, machine: object = None
    ) -> DataFrame:
        pooled = pool(runs, qrels)
        entries, probability = self.probabilities(
            pooled, MODEL_DEPTH.check("cutoff", cutoff), machine
        )
        run, query, doc = (column[entries] for column in (pooled.run, pooled.query, pooled.doc))
        return frame(
            {
                "system": [pooled.names[position] for position in run.tolist()],
                "query_id": [pooled.query_ids[position] for position in query.tolist()],
                "doc_id": [pooled.doc_ids[position] for position in doc.tolist()],
                "rank": pooled.rank[entries],
                **{
                    f"P({grade})": probability[:, level]
                    for level, grade in enumerate(pooled.grades.tolist())
                },
            }
        )


def pool(runs: RunsLike, qrels: QrelsLike, groups: GroupsLike | None = None) -> PooledRuns:
    """Read runs and qrels of any accepted form."""
    runset = runs if isinstance(runs, RunSet) else RunSet(runs)
    if groups is not None:
        runset = RunSet(NamedSources(runset.sources, runset.named), runset.name, groups)
    return PooledRuns.of(runset, Judgments(read_qrels(qrels)))


def refuse_nothing_judged(own: OwnJudgments, cutoff: int) -> None:
    if not own.judged.any():
        raise InputError(
            f"the learned prior needs judged documents in the runs' top {cutoff}; got none"
        )


def read_model(path: Path) -> dict[str, Any]:
    """The fields of a saved model."""
    try:
        content = json.loads(path.read_bytes())
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error})") from None
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
        raise InputError(f"{path}: not a saved JudgmentModel")
    if content.pop("version", None) != VERSION:
        raise InputError(f"{path}: a JudgmentModel of another version; this one reads {VERSION}")
    return content
