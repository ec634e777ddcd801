"""Figure 1 and Table 4 of the rareness paper: single topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from ...common.numeric import BoolArray, IntArray
from ...exceptions import InputError
from ...io.table import nested
from ...io.trec import read_qrels
from ...judgments.judgments import Judgments
from ...kernels import rareness as kernel
from ...kernels.user_models import truncate_ranks
from ...runsets.judged_set import JudgedSet
from ..charts import chart
from ..material import Material
from ..results import Claim, PaperFigure, PaperTable, in_rows
from .collections import DECLARED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CUTOFF = 100  # P@100 in Figure 1
FIGURE_1_ALPHAS = (0.0, 0.5, 1.0)  # of its curves
FIGURE_1_TOPIC = "1127540"
RARE, COMMON = "S_rare", "S_common"
# Number of relevant documents that the paper's system needs to be ranked first at alpha 0.
PRINTED_FIRST = DECLARED.tables["Figure 1"].printed[RARE, "alpha 0"]

TABLE_4_TOPIC = "431"
TABLE_4_DOCUMENTS = [document for document, _ in DECLARED.tables["Table 4"].printed]


@dataclass(frozen=True, eq=False)
class HypotheticalSystems:
    """Ranks of two hypothetical systems among the systems of a topic.

    Attributes
    ----------
    topic : str
    systems : int
        Number of real systems.
    material : Material
    ranks : dict from (system, alpha) to (documents,) ints
        The rank by P_Rareness@100 if the system returns 1, 2, ... relevant documents; 1 is best.
    """

    topic: str
    systems: int
    material: Material
    ranks: dict[tuple[str, float], IntArray]

    def needed(self, system: str, alpha: float) -> float:
        """The smallest number of relevant documents with which the system is first, or NaN."""
        first = np.flatnonzero(self.ranks[system, alpha] == 1)
        return float(first[0] + 1) if len(first) else nan

    def draw(self, width: float | None = None) -> Axes:
        """The ranks by the number of relevant documents that a system returns."""
        curves = [
            (
                np.arange(1, len(ranks) + 1),
                ranks,
                f"C{FIGURE_1_ALPHAS.index(alpha)}{'-' if system == RARE else '--'}",
                f"{system}, alpha {alpha:g}",
            )
            for (system, alpha), ranks in self.ranks.items()
        ]
        y_label = f"rank among {self.systems + 1} systems"
        ax = chart("relevant documents returned", y_label, curves, width=width)
        ax.invert_yaxis()
        ax.grid(alpha=0.3)
        return ax


def hypothetical_systems(material: Material, topic: str | None = None) -> HypotheticalSystems:
    """Add a system that finds only rare documents, or only common ones, to a topic's systems.

    Parameters
    ----------
    material
        Qrels and runs.
    topic
        If None, topic 1127540 of Deep Learning 2020 where it is judged. The paper does not say how
        it chose it. In other data, the topic on which the best system has nearest to 44 relevant
        documents in its top 100: so many did the paper's system need to be first at alpha 0.

    Returns
    -------
    HypotheticalSystems

    Raises
    ------
    ValueError
        When the topic is not judged, or has no relevant document.

    Notes
    -----
    S_rare returns relevant documents that no other system finds. S_common returns the relevant
    documents of the topic, starting with those that the most systems have in their top 100. Each
    of the two takes part alone, so that it counts as one system in the rareness of documents.
    """
    judgments = Judgments(material.qrels)
    relevant = (judgments.grade[:, : judgments.positives] > 0).sum(axis=1)
    found = truncate_ranks(JudgedSet.of(material.runs, judgments, ()).rank, CUTOFF) > 0
    place = _place_of_topic(judgments, found, topic)
    if not relevant[place]:
        raise InputError(f"topic {judgments.query_ids[place]!r} has no relevant document")
    of_topic = found[:, place, : relevant[place]]
    finders = of_topic.sum(axis=0)
    by_finders = of_topic[:, np.argsort(-finders, kind="stable")]
    documents = min(CUTOFF, int(relevant[place]))
    ranks = {}
    for alpha in FIGURE_1_ALPHAS:
        rare = [_rank_with_rare(of_topic, size, alpha) for size in range(1, documents + 1)]
        common = [_rank_with_common(by_finders, size, alpha) for size in range(1, documents + 1)]
        ranks[RARE, alpha], ranks[COMMON, alpha] = np.array(rare), np.array(common)
    return HypotheticalSystems(judgments.query_ids[place], len(found), material, ranks)


def _place_of_topic(judgments: Judgments, found: BoolArray, topic: str | None) -> int:
    """The row of the topic, or of a topic that is chosen as `hypothetical_systems` says."""
    if topic is None and FIGURE_1_TOPIC in judgments.query_ids:
        topic = FIGURE_1_TOPIC
    if topic is None:
        best = found.sum(axis=2).max(axis=0)
        distance = np.abs(best - PRINTED_FIRST)
        has_relevant = (judgments.grade > 0).any(axis=1)
        return int(np.argmin(np.where(has_relevant, distance, np.inf)))
    if topic not in judgments.query_ids:
        raise InputError(f"`topic` must be judged; got {topic!r}")
    return judgments.query_ids.index(topic)


def _rank_with_rare(found: BoolArray, size: int, alpha: float) -> int:
    """The rank of a system that finds `size` relevant documents that no system has."""
    new = np.arange(found.shape[1] + size) >= found.shape[1]
    return _rank_of_last(np.vstack([np.pad(found, ((0, 0), (0, size))), new]), alpha)


def _rank_with_common(found: BoolArray, size: int, alpha: float) -> int:
    """The rank of a system that finds the first `size` documents."""
    return _rank_of_last(np.vstack([found, np.arange(found.shape[1]) < size]), alpha)


def _rank_of_last(found: BoolArray, alpha: float) -> int:
    """The rank of the last system by P_Rareness@100; found: (systems, relevant documents)."""
    worth = kernel.worth(found.sum(axis=0), len(found), np.asarray(alpha), "additive")
    scores = kernel.precision(found.astype(np.int64), worth, CUTOFF).round(12)
    return 1 + int((scores > scores[-1]).sum())


def figure_1_numbers(found: HypotheticalSystems) -> PaperTable:
    """Figure 1 in numbers: how many relevant documents a hypothetical system needs to be first."""
    here = in_rows(
        [f"alpha {alpha:g}" for alpha in FIGURE_1_ALPHAS],
        {
            system: [found.needed(system, alpha) for alpha in FIGURE_1_ALPHAS]
            for system in (RARE, COMMON)
        },
    )
    return DECLARED.table(
        "Figure 1",
        here,
        found.material,
        printed=found.topic == FIGURE_1_TOPIC,
        topic=found.topic,
        systems=found.systems,
    )


def figure_1(found: HypotheticalSystems) -> PaperFigure:
    """Figure 1: the rank of the hypothetical systems by their number of relevant documents."""
    return PaperFigure(
        "Figure 1", f"ranks of hypothetical systems, topic {found.topic}", found.draw
    )


def claim_of_figure_1(found: HypotheticalSystems) -> Claim:
    """Whether rare documents bring a system to the top sooner, the more so the larger alpha."""
    needed = {alpha: found.needed(RARE, alpha) for alpha in FIGURE_1_ALPHAS}
    common = found.needed(COMMON, 1.0)
    sooner = needed[0.0] > needed[0.5] > needed[1.0] and not common <= needed[1.0]
    shown = ", ".join(f"{count:g} at alpha {alpha:g}" for alpha, count in needed.items())
    shown = f"S_rare needs {shown}; S_common {common:g} at alpha 1 (nan: never first)"
    text = DECLARED.claims["Figure 1"]["sooner first"]
    judge = DECLARED.judge(found.material)
    return judge.claim(text, sooner, f"topic {found.topic}: {shown}")


def table_4(material: Material) -> PaperTable:
    """Table 4: how many systems retrieve relevant documents of a topic, and their rareness.

    The documents are those of the paper if its topic 431 is judged. In other data, they are five
    documents from the rarest to the most common, of the topic with the most relevant documents.
    """
    relevant = _relevant_documents(material)
    of_topic = relevant.get(TABLE_4_TOPIC, [])
    known = set(TABLE_4_DOCUMENTS) <= set(of_topic)
    topic = TABLE_4_TOPIC if known else max(relevant, key=lambda name: len(relevant[name]))
    documents = TABLE_4_DOCUMENTS if known else relevant[topic]
    retrieving = dict(zip(documents, _finders(material, topic, documents), strict=True))
    if not known:
        retrieving = _five_of(retrieving)
    systems = len(material.runs)
    rows = {document: (count, 1 - count / systems) for document, count in retrieving.items()}
    return DECLARED.table(
        "Table 4",
        in_rows(("systems", "rareness"), rows),
        material,
        printed=known,
        topic=topic,
        systems=systems,
    )


def _relevant_documents(material: Material) -> dict[str, list[str]]:
    """The relevant documents of each topic.

    Raises
    ------
    ValueError
        When no document is relevant.
    """
    columns = read_qrels(material.qrels)
    found = {
        topic: [document for document, grade in grades.items() if grade > 0]
        for topic, grades in nested(columns).items()
    }
    if not any(found.values()):
        raise InputError("the qrels have no relevant document")
    return found


def _finders(material: Material, topic: str, documents: Sequence[str]) -> list[int]:
    """How many runs return each document for the topic, at any depth."""
    judgments = Judgments(read_qrels({topic: dict.fromkeys(documents, 1)}))
    finders: list[int] = JudgedSet.of(material.runs, judgments, ()).finders(None)[0].tolist()
    return finders


def _five_of(retrieving: dict[str, int]) -> dict[str, int]:
    """Five documents at equal distances, from the rarest to the most common.

    Documents that no system retrieves have no rareness; they are used only if all are such.
    """
    found = [document for document, finders in retrieving.items() if finders] or list(retrieving)
    by_rareness = sorted(found, key=lambda name: retrieving[name])
    places = np.unique(np.linspace(0, len(by_rareness) - 1, 5).round().astype(int))
    return {by_rareness[place]: retrieving[by_rareness[place]] for place in places.tolist()}
