"""How much has to be judged, and how often is a claim wrong: python -m simulations.judging.

Each campaign draws systems and 30 topics of a judged collection, and judges it once more until it
ends. Two systems are another pair in each campaign. Columns:

- judged: the mean share of the pool that is judged at the end.
- claims: campaigns that end with a claim; in the others, all of the pool is judged.
- wrong: claims that are false on the judgments of the pool.
- 95%: the exact interval (Clopper and Pearson) of their share.
- on all: claims that are false on all judgments of the qrels.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats
from tqdm import tqdm

from irx_measures.judging import simulate_judging

from .material import COLLECTIONS, collection, print_table

MEASURES = ("nDCG@10", "P@10", "RBP(p=0.8)@10")


class Case(NamedTuple):
    """One row of the table."""

    collection: str
    measure: str
    question: str
    systems: int


def cases(
    collections: Sequence[str], measures: Sequence[str], systems: Sequence[int]
) -> Iterator[Case]:
    for name in collections:
        for measure in measures:
            yield Case(name, measure, "pair", 2)
            for count in systems:
                yield from (Case(name, measure, asked, count) for asked in ("ranking", "best"))


def campaigns(case: Case, runs: Sequence[Path], qrels: Path, seeds: int, machine: Any) -> Any:
    """The campaigns of one row; see `simulate_judging`."""
    if case.question != "pair":
        how = {"seeds": seeds, "systems": case.systems, "machine": machine}
        return simulate_judging(qrels, runs, case.measure, case.question, **how)
    rng = np.random.default_rng(0)
    pairs = [[runs[place] for place in rng.choice(len(runs), 2, False)] for _ in range(seeds)]
    of_pairs = [simulate_judging(qrels, pair, case.measure, seeds=1) for pair in pairs]
    return pd.concat(of_pairs)


def row(case: Case, table: Any) -> tuple[object, ...]:
    claims, wrong = int(table["claimed"].sum()), int(table["wrong"].sum())
    low, high = stats.binomtest(wrong, claims).proportion_ci() if claims else (0.0, 1.0)
    return (
        *case,
        float((table["judged"] / table["pool"]).mean()),
        f"{claims} of {len(table)}",
        wrong,
        f"{low:.3f} to {high:.3f}",
        int(table["wrong_on_all"].sum()),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--measures", nargs="+", default=MEASURES)
    parser.add_argument("--systems", nargs="+", type=int, default=(5, 18))
    parser.add_argument("--collections", nargs="+", choices=COLLECTIONS, default=list(COLLECTIONS))
    parser.add_argument("--machine", type=Path, help="qrels with labels, for the fill")
    options = parser.parse_args(arguments)
    rows = []
    every = list(cases(options.collections, options.measures, options.systems))
    for case in tqdm(every, unit="row"):
        found = campaigns(case, *collection(case.collection), options.seeds, options.machine)
        rows.append(row(case, found))
    names = ("judged", "claims", "wrong", "95%", "on all")
    print_table((*Case._fields, *names), rows)


if __name__ == "__main__":
    main()
