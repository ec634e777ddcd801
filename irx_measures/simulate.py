"""A synthetic evaluation campaign: families of systems, graded relevance, an incomplete pool."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .common.short_paths import public
from .common.validators import integer
from .exceptions import InputError
from .io.saving import write_folder, write_lines
from .io.trec_order import trec_order
from .results.facts import html_of_facts

# Of grades 1, 2 and 3 among 3 x depth documents: few are relevant and the highest grade is the
# rarest, as in TREC collections. At depth 1000, 105 documents of a query are relevant.
GRADE_SHARES = (0.02, 0.01, 0.005)

# Of the first four families, and with numbers of those after them: lexical2, dense2, ...
KINDS = ("lexical", "dense", "hybrid", "reranker")

SYSTEMS_PER_FAMILY = 3  # a choice: small families, with the letters a, b and c

POOL_DEPTH = 10  # as TREC Deep Learning

MOST_ROWS = 20_000_000  # about 2 GB of runs in memory

Run = dict[str, dict[str, float]]

Qrels = dict[str, dict[str, int]]


@public
@dataclass(frozen=True)
class Campaign:
    """The judgments, runs and groups of an evaluation campaign.

    Attributes
    ----------
    qrels : query -> document -> grade
        The judgments of the pooled documents.
    runs : system -> query -> document -> score
    groups : system -> group
        The family of each system.
    pooled : tuple of str
        The groups whose runs were pooled. Documents that only other groups find stay unjudged.

    See Also
    --------
    irx_measures.simulate_campaign : Makes it.
    """

    qrels: Qrels
    runs: dict[str, Run]
    groups: dict[str, str]
    pooled: tuple[str, ...]

    def __repr__(self) -> str:
        """The size of the campaign, which holds too much to show."""
        sizes = ", ".join(f"{size} {name}" for name, size in self._sizes().items())
        return f"<Campaign: {sizes}>"

    def _repr_html_(self) -> str:
        return html_of_facts("Campaign", self._sizes())

    def _sizes(self) -> dict[str, str]:
        judged = sum(map(len, self.qrels.values()))
        return {
            "systems": f"{len(self.runs)}",
            "queries": f"{len(self.qrels)}",
            "judged documents": f"{judged:,}",
        }

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write ``qrels.txt``, ``groups.csv`` and ``runs/<system>.run.gz``; returns their paths.

        A new folder appears as a whole, or not at all; in one that exists, each file does.

        Raises
        ------
        FileExistsError
            When one of the files already exists. Then no file is written.
        """
        root, lines_of = Path(folder), self._files()
        files = [root / name for name in lines_of]
        present = [file for file in files if file.exists()]
        if present:
            raise FileExistsError(f"{present[0]}: exists already; nothing was written")

        def write_into(place: Path) -> None:
            (place / "runs").mkdir(exist_ok=True)
            for name, lines in lines_of.items():
                write_lines(place / name, lines)

        if root.exists():
            write_into(root)
        else:
            write_folder(root, write_into)
        return files

    def _files(self) -> dict[str, Iterable[str]]:
        """The lines of each file by its path in the folder."""
        judged = (
            f"{query} 0 {doc} {grade}"
            for query, grades in self.qrels.items()
            for doc, grade in grades.items()
        )
        groups = (f"{run},{group}" for run, group in self.groups.items())
        runs = {f"runs/{name}.run.gz": _trec_lines(name, run) for name, run in self.runs.items()}
        return {"qrels.txt": judged, "groups.csv": ["run,group", *groups], **runs}


@public
def simulate_campaign(
    systems: int = 12,
    queries: int = 50,
    depth: int = 1000,
    seed: int = 0,
) -> Campaign:
    """Simulate a campaign of system families, with graded relevance and an incomplete pool.

    Every document has a grade from 0 to 3. All systems of a family share the same noisy view of the
    grades, and each system adds its own noise. Families differ in quality. The runs of the first
    two thirds of the families are pooled to depth 10 and judged, so the runs of the last third have
    unjudged documents.

    The families are called lexical, dense, hybrid, reranker, lexical2, dense2, ..., and the systems
    of the first one lexical-a, lexical-b and lexical-c. Only the names are those of real systems.

    Parameters
    ----------
    systems
        The number of systems, at least 2. A family has three systems.
    queries
        The number of queries, at least 1.
    depth
        The number of documents that a system returns for a query, at least 1.
    seed
        Equal seeds give equal campaigns.

    Returns
    -------
    Campaign
        The qrels, the runs, and the family of each system.

    Raises
    ------
    ValueError
        When a number is out of range, or the runs would have more than 20 000 000 rows.

    Examples
    --------
    >>> import irx_measures
    >>> campaign = irx_measures.simulate_campaign(systems=4, queries=2, depth=20, seed=1)
    >>> campaign.groups
    {'lexical-a': 'lexical', 'lexical-b': 'lexical', 'lexical-c': 'lexical', 'dense-a': 'dense'}
    >>> len(campaign.runs["lexical-a"]["q01"])
    20
    """
    systems = integer(2).check("systems", systems)
    queries, depth = integer(1).check("queries", queries), integer(1).check("depth", depth)
    seed = integer(0).check("seed", seed)
    if systems * queries * depth > MOST_ROWS:
        raise InputError(
            f"`systems` x `queries` x `depth` must be at most {MOST_ROWS} rows; "
            f"got {systems} x {queries} x {depth}"
        )
    rng = np.random.default_rng(seed)
    groups = {
        f"{_family(number)}-{'abc'[number % SYSTEMS_PER_FAMILY]}": _family(number)
        for number in range(systems)
    }
    families = tuple(dict.fromkeys(groups.values()))
    pooled = families[: max(1, len(families) - len(families) // 3)]
    noise = dict(zip(families, rng.uniform(0.8, 1.6, len(families)), strict=True))

    qrels: Qrels = {}
    runs: dict[str, Run] = {name: {} for name in groups}
    collection = 3 * depth
    width = len(str(collection))
    doc_ids = [f"d{doc:0{width}d}" for doc in range(collection)]
    one_query = np.zeros(collection, np.int64)
    for number in range(1, queries + 1):
        query = f"q{number:0{max(2, len(str(queries)))}d}"
        difficulty = rng.uniform(0.7, 1.3)
        grade = rng.choice(4, collection, p=(1 - sum(GRADE_SHARES), *GRADE_SHARES))
        view = {
            family: grade + rng.normal(0, noise[family] * difficulty, collection)
            for family in families
        }
        pool: set[int] = set()
        for name, family in groups.items():
            # Scores are rounded as in the files, so runs read from the files have the same top.
            score = np.round(view[family] + rng.normal(0, 0.3, collection), 4)
            top = trec_order(one_query, score, lambda rows: [doc_ids[row] for row in rows])[:depth]
            runs[name][query] = {doc_ids[doc]: float(score[doc]) for doc in top.tolist()}
            if family in pooled:
                pool.update(top[:POOL_DEPTH].tolist())
        qrels[query] = {doc_ids[doc]: int(grade[doc]) for doc in sorted(pool)}
    return Campaign(qrels, runs, groups, pooled)


def _family(system: int) -> str:
    """The name of the family of the system with this number, from 0."""
    turn, kind = divmod(system // SYSTEMS_PER_FAMILY, len(KINDS))
    return KINDS[kind] if turn == 0 else f"{KINDS[kind]}{turn + 1}"


def _trec_lines(name: str, run: Run) -> Iterable[str]:
    for query, scores in run.items():
        for rank, (doc, score) in enumerate(scores.items(), 1):
            yield f"{query} Q0 {doc} {rank} {score:.4f} {name}"
