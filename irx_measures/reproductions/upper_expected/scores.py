"""Scores by the original and the corrected measures, and the query sets of the paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from ...common.numeric import FloatArray, Int64Array, safe_divide
from ...common.warn import untold
from ...exceptions import InputError
from ...io.identifiers import Names
from ...io.source import Source
from ...meta import partition_queries
from ...runsets.runset import RunSet
from ...runsets.sources import NamedSources
from ...scoring.evaluate import evaluate
from ...scoring.score_matrix import ScoreMatrix
from ..inventory import declared
from ..material import Material

DECLARED = declared(__package__)

CUTOFFS = (5, 10, 15, 20, 30)  # the columns of the paper's tables

BASES = {"nDCG": "nDCG", "AP": "MAP"}  # the paper's names

VERSIONS = ("original", "V1", "V2")

SETS = ("All", "Uninformative", "Ideal")

FIGURE_CUTOFF = 10  # a choice: the histograms of the paper name no cutoff

SHARE_IN_SET = 500 / 1700  # of the queries; 500 of MQ2007's 1700 in the paper

BROAD_SHARE = 0.5  # of a query's documents

SEED = 42  # any number does: the sets are drawn at random


def expected_measure(base: str, cutoff: int) -> str:
    """The expected value of the original measure."""
    return f"Expected(base={base}, normalized=True)@{cutoff}"


INDEPENDENT, EXACT = (
    f"Expected(base=AP, expectation={how})@{FIGURE_CUTOFF}" for how in ("independent", "exact")
)


def _measures() -> list[str]:
    measures = ["UpperBound(base=AP)", INDEPENDENT, EXACT]
    for k in CUTOFFS:
        measures += [f"nDCGBound(dcg=exp-log2)@{k}", f"AP@{k}", f"UpperBound(base=AP)@{k}"]
        for base in BASES:
            measures += [expected_measure(base, k)]
            measures += [f"{base}_UE(version={version})@{k}" for version in (1, 2)]
    return measures


@dataclass(frozen=True)
class Scores:
    """Scores of runs by the original and the corrected measures at all cutoffs.

    Attributes
    ----------
    material : Material
    matrix : ScoreMatrix
    """

    material: Material
    matrix: ScoreMatrix

    @classmethod
    def of(cls, material: Material, progress: bool | None = None) -> Scores:
        """Evaluate the runs; InputError if there are fewer than two."""
        if len(material.runs) < 2:
            raise InputError("the runs must be at least 2, because the paper compares pairs; got 1")
        qrels: Any = material.qrels  # columns are accepted as they are
        matrix = evaluate(material.runs, qrels, _measures(), progress=progress)
        return cls(material, matrix)

    def at(self, base: str, version: str, cutoff: int) -> FloatArray:
        """Scores at a cutoff: (systems, queries).

        The original measures are normalised by the upper bound only: DCG with gain 2^g - 1, and
        the sum of precision, which is AP@k times the number of relevant documents.
        """
        if version != "original":
            return self.matrix[f"{base}_UE(version={version[1]})@{cutoff}"]
        if base == "nDCG":
            return self.matrix[f"nDCGBound(dcg=exp-log2)@{cutoff}"]
        precisions = self.matrix[f"AP@{cutoff}"] * self.matrix["UpperBound(base=AP)"]
        return safe_divide(precisions, self.matrix[f"UpperBound(base=AP)@{cutoff}"])

    def over_cutoffs(self, base: str, version: str) -> FloatArray:
        """Mean scores over the cutoffs: (systems, queries)."""
        return np.mean([self.at(base, version, k) for k in CUTOFFS], axis=0)

    @cached_property
    def query_sets(self) -> Mapping[str, Mapping[str, Int64Array]]:
        """For each base, the positions of all, of the uninformative and of the ideal queries.

        The sets hold the queries with the smallest and the largest difference between the mean
        original score, over systems and cutoffs, and the expected value.
        """
        queries = len(self.matrix.query_ids)
        size = max(1, round(queries * SHARE_IN_SET))
        found = {}
        for base in BASES:
            scores = np.array([self.at(base, "original", k) for k in CUTOFFS])
            chance = np.array([self.matrix[expected_measure(base, k)][0] for k in CUTOFFS])
            parts = partition_queries(scores, chance, size)
            sets = (np.arange(queries), parts.uninformative, parts.ideal)
            found[base] = dict(zip(SETS, sets, strict=True))
        return found


def broad_and_focused(scores: Scores) -> tuple[Int64Array, Int64Array]:
    """Positions of as many broad as focused queries.

    At least half of the documents of a broad query have at least half of the highest grade, which
    is grade 2 for MSLR-WEB30K, as in the paper. The larger set is sampled.
    """
    qrels = scores.material.qrels
    query = qrels.query.codes(Names(scores.matrix.query_ids))
    high = (qrels.value > 0) & (2 * qrels.value >= qrels.value.max())
    count = len(scores.matrix.query_ids)
    judged, relevant = (np.bincount(query, weights, count) for weights in (None, high))
    is_broad = relevant >= BROAD_SHARE * judged
    broad, focused = np.flatnonzero(is_broad), np.flatnonzero(~is_broad)
    size = min(len(broad), len(focused))
    rng = np.random.default_rng(SEED)
    one, other = (np.sort(rng.choice(part, size, replace=False)) for part in (broad, focused))
    return one, other


def left_and_right(scores: Scores) -> tuple[Scores, Scores] | None:
    """Scores on each half of a random split of the documents; None if a half has no judgment.

    Qrels and runs are restricted to the half: each system ranks the documents of the half only.
    """
    material = scores.material
    runs = dict(zip(material.runs.names, material.runs.each(), strict=True))
    returned_docs = chain.from_iterable(run.doc.all() for run in runs.values())
    index = Names(dict.fromkeys(chain(material.qrels.doc.all(), returned_docs)))
    left = np.random.default_rng(SEED).random(len(index)) < 0.5
    halves = []
    for chosen in (left, ~left):
        kept = chosen[material.qrels.doc.codes(index)]
        qrels = material.qrels.at(np.flatnonzero(kept))
        part = {
            name: run.at(np.flatnonzero(chosen[run.doc.codes(index)])) for name, run in runs.items()
        }
        returned = set(chain.from_iterable(run.query_ids for run in part.values()))
        if returned.isdisjoint(qrels.query_ids):
            return None
        sources = {name: Source.of_table(run) for name, run in part.items()}
        # A run may have no document of the half.
        runset = RunSet(NamedSources(sources, named=True, may_be_empty=True))
        half = replace(material, qrels=qrels, runs=runset)
        with untold(""):  # the evaluation of all documents has told what there is to tell
            halves.append(Scores.of(half))
    return halves[0], halves[1]
