"""Builds systems for an ir_datasets id, compares them by all measures, and repeats the papers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...common.progress import with_bar
from ...common.warn import untold
from ...exceptions import MissingExtraError
from ...integrations.pyterrier import Experiment
from ...io.trec import read_qrels
from ...plots import system_scatter
from ...runsets.runset import RunSet
from ...scoring.evaluate import evaluate
from ..downloads import confirm_downloads, pending_downloads
from ..inventory import declared
from ..material import Material, Request
from ..papers import PAPERS, reproduce
from ..results import PaperFigure, PaperTable, Reproduction, in_rows
from .corpus import Corpus, check_dataset, read_corpus

if TYPE_CHECKING:
    from pandas import DataFrame

    from .systems import System

OTHER_FAMILIES = "prior=others,select=best-per-group"

NRG = f"NRG({OTHER_FAMILIES})@10"

# Measures of ir_measures, then those of the five papers, a line each.
MEASURES = (
    *("nDCG@10", "AP@100"),
    *(NRG, f"UniqueRel({OTHER_FAMILIES})@10"),
    *("P_Rareness(systems=others)@10", "AP_Rareness(systems=others)@100"),
    *("RBR(phi=0.9)@20", "RBA(phi=0.9)"),
    *("nDCG_UE(candidates=union)@10", "AP_UE(candidates=union)@100"),
    *("BootNDCG@10", "nDCGBound(bound=upper)@10"),
)

PaperOfRequest = Callable[[Request], Reproduction]


@dataclass(frozen=True)
class OpenReproduction:
    """Systems that were built for a collection, their scores, and the papers repeated on them.

    Attributes
    ----------
    material : Material
        The qrels, and the runs with their families as groups.
    results : dict
        The results of each system as PyTerrier returns them.
    table : PaperTable
        A row per system, a column per measure.
    figures : tuple of PaperFigure
    papers : dict
        The reproduction of each paper.
    """

    material: Material
    results: Mapping[str, DataFrame]
    table: PaperTable
    figures: tuple[PaperFigure, ...]
    papers: Mapping[str, Reproduction]

    @property
    def families(self) -> dict[str, str]:
        """The family of each system."""
        return _families(self.material)


def run_open(
    dataset_id: str,
    *,
    papers: Mapping[str, PaperOfRequest] | None = None,
    progress: bool | None = None,
    yes: bool = False,
    home: Path | None = None,
) -> OpenReproduction:
    """Build systems for a collection, score them by every family of measures, repeat the papers.

    Parameters
    ----------
    dataset_id
        An ir_datasets id with documents, topics and qrels, with or without the prefix ``irds:``.
    papers
        The papers to repeat, by name; by default all.
    progress
        Whether to show progress on stderr; None: if stderr is a terminal.
    yes
        Whether to download without asking.
    home
        The folder of indexes: by default ``IRX_HOME``, else ``~/.irx_measures``.

    Raises
    ------
    ValueError
        When the id lacks documents, topics or qrels, when the user declines a download, a download
        fails, or a file in ir_datasets' cache is damaged.
    ImportError
        When the extra ``reproduce`` is not installed.
    """
    check_extra()
    check_dataset(dataset_id)
    confirm_downloads(dataset_id, pending_downloads(dataset_id), yes)
    corpus = read_corpus(dataset_id)
    results, families = retrieve(corpus, progress=progress, home=home)
    where = f"{corpus.description}; {len(results)} systems built here"
    runs = RunSet(dict(results), groups=families)
    material = Material(read_qrels(corpus.qrels), runs, "user", where)
    request = Request(material=material, progress=progress)
    every = {name: partial(reproduce, name) for name in PAPERS}
    chosen: Mapping[str, PaperOfRequest] = every if papers is None else papers
    return OpenReproduction(
        material,
        results,
        table_of(corpus, results, material),
        (scatter_of(corpus, material),),
        {name: repeat(request) for name, repeat in chosen.items()},
    )


def repeat(paper: str, material: Material) -> Reproduction:
    """The tables, figures and claims of a paper, by its name, on other qrels and runs."""
    return reproduce(paper, Request(material=material))


def check_extra() -> None:
    """Raise MissingExtraError if a package of the extra ``reproduce`` is not installed."""
    try:
        import ir_datasets  # noqa: F401

        from . import systems  # noqa: F401  # it imports all the others
    except ImportError as error:
        raise MissingExtraError(
            f"the open reproduction needs {error.name}: pip install 'irx-measures[reproduce]'"
        ) from None


def retrieve(
    corpus: Corpus, *, progress: bool | None = None, home: Path | None = None
) -> tuple[dict[str, DataFrame], dict[str, str]]:
    """Build all systems and run them over the topics: results and families by system."""
    from .index_cache import IndexCache
    from .systems import Builder, build_systems

    systems: list[System] = build_systems(Builder(corpus, IndexCache(corpus, home)), progress)
    results = {}
    for system in with_bar(systems, "system run", progress):
        found = system.pipeline(corpus.topics)[["qid", "docno", "score", "rank"]]
        results[system.name] = corpus.topics[["qid"]].merge(found, on="qid")
    return results, {system.name: system.family for system in systems}


def table_of(corpus: Corpus, results: Mapping[str, DataFrame], material: Material) -> PaperTable:
    """The systems by every family of measures, from `irx_measures.Experiment`."""
    measures = [*MEASURES]
    told = "BootNDCG takes a top 10 without a judged document as not relevant."
    if (corpus.qrels["label"] > 0).all():
        measures.remove("BootNDCG@10")
        told = (
            "The qrels list relevant documents only. So BootNDCG, which draws grades from judged "
            "documents, is left out, and bounds say little: any unjudged document may be relevant."
        )
    groups = _families(material)
    with untold("no judged document in the top"):  # once per run otherwise; the remark says it
        found = Experiment(results, corpus.topics, corpus.qrels, measures, groups=groups)
    by_system = found.set_index("name").rename(columns=_short)
    here = in_rows(by_system.columns, zip(by_system.index, by_system.to_numpy(), strict=True))
    return declared(__package__).table("Systems", here, material, told=told)


def _families(material: Material) -> dict[str, str]:
    return dict(zip(material.runs.names, material.runs.groups or (), strict=True))


def _short(measure: str) -> str:
    """A measure's name and cutoff; the remark says the parameters."""
    return re.sub(r"\(.*\)", "", measure)


def scatter_of(corpus: Corpus, material: Material) -> PaperFigure:
    """What the systems score, and what they add to the best of every other family."""

    def draw(width: float | None = None) -> Any:
        matrix = evaluate(material.runs, corpus.qrels, ["nDCG@10", NRG])
        return system_scatter(matrix, "nDCG@10", NRG, width=width)

    return PaperFigure("Systems", "nDCG@10 and what a system adds to other families", draw)
