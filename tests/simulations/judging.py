"""How much has to be judged, and how often is a claim wrong: python -m tests.simulations.judging.

Each campaign draws systems and topics of a judged collection, and judges it once more until the
claim is probable enough (.95). Columns:

- judged: the mean share of the pool that is judged at the stop.
- wrong: claims that are false on all judgments, of all campaigns.
- 95%: the exact interval of their share.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from scipy import stats
from tqdm import tqdm

from irx_measures.judging import simulate_judging

from .material import collection, print_table

MEASURES = ("nDCG@10", "P@10", "RBP(p=0.8)@10", "AP@10", "RR@10", "NRG(prior=others)@10")

SIZES = {"DL19": ((18, 30), (36, 40)), "TREC-8": ((18, 30), (60, 46))}


class Case(NamedTuple):
    """One row of the table."""

    collection: str
    measure: str
    question: str
    tolerance: float | None
    systems: int
    topics: int


def cases(collections: Sequence[str], measures: Sequence[str]) -> Iterator[Case]:
    """nDCG in both sizes, as in the study; other measures in the smaller one."""
    for name in collections:
        sizes = SIZES[name]
        for measure in measures:
            for systems, topics in sizes if measure == MEASURES[0] else sizes[:1]:
                if measure == MEASURES[0]:
                    yield Case(name, measure, "best", 0.0, systems, topics)
                yield Case(name, measure, "best", None, systems, topics)
                yield Case(name, measure, "ranking", None, systems, topics)


def row(case: Case, runs: Sequence[Path], qrels: Path, seeds: int, machine: Path | None) -> tuple:
    """Campaigns of one row; half as many if they are large."""
    seeds = seeds if case.systems == SIZES[case.collection][0][0] else seeds // 2
    found = simulate_judging(
        runs,
        qrels,
        case.measure,
        case.question,
        seeds=seeds,
        systems=case.systems,
        topics=case.topics,
        tolerance=case.tolerance,
        machine=machine,
    )
    wrong = int(found.wrong.sum())
    low, high = stats.binomtest(wrong, seeds).proportion_ci()
    return (
        case.collection,
        case.measure,
        "best, tolerance 0" if case.tolerance == 0 else case.question,
        f"{case.systems} x {case.topics}",
        float(found.share),
        f"{wrong} of {seeds}",
        f"{low:.2f} to {high:.2f}",
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--measures", nargs="+", default=MEASURES)
    parser.add_argument("--collections", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--machine", type=Path, help="qrels with labels, for the fill")
    options = parser.parse_args(arguments)
    rows = []
    for case in tqdm(list(cases(options.collections, options.measures)), unit="row"):
        runs, qrels = collection(case.collection)
        rows.append(row(case, runs, qrels, options.seeds, options.machine))
    header = ("collection", "measure", "question", "systems x topics", "judged", "wrong", "95%")
    print_table(header, rows)


if __name__ == "__main__":
    main()
