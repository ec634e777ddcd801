"""The experiments of the upper-expected paper (Feng and Karmaker Santu, IPM 2023).

The paper ranks MQ2007 and MSLR-WEB30K by RankLib. Neither is here, so rankers are trained on MQ2008
and the tables have the paper's shape, without the paper's numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, pairwise
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..common.numeric import BoolArray, FloatArray, Int64Array, safe_divide
from ..common.progress import with_bar
from ..common.warn import untold
from ..exceptions import InputError, importing
from ..io.identifiers import Names
from ..io.letor import LetorData, read_letor
from ..io.source import Source
from ..io.trec import read_qrels
from ..meta import (
    discriminative_power,
    partition_queries,
    percentage_absolute_difference,
    rank_correlation,
    split_swap_rate,
    swap_rate,
)
from ..plots import score_histogram
from ..results.frames import DataFrame
from ..runsets.runset import RunSet
from ..scoring.evaluate import evaluate
from ..scoring.score_matrix import ScoreMatrix
from ..typing import Axes
from .material import Material, data_folder, place_of, simulated
from .paper import Cells, Claim, Draw, Reproduction, chart, declared, in_rows

DECLARED = declared("upper_expected")

MQ2008, TITLE = "mq2008-fold1", "LETOR 4.0 MQ2008, fold 1"  # the folder of local data

BM25_FEATURE = 25  # BM25 of the whole document
TREES = 200  # a choice; 20 do not show what the paper says of uninformative queries

CUTOFFS = (5, 10, 15, 20, 30)  # the columns of the paper's tables
BASES = {"nDCG": "nDCG", "AP": "MAP"}  # the paper's names
VERSIONS = ("original", "V1", "V2")
SETS = ALL, UNINFORMATIVE, IDEAL = ("All", "Uninformative", "Ideal")
FIGURE_CUTOFF = 10  # a choice: the histograms of the paper name no cutoff
SHARE_IN_SET = 500 / 1700  # of the queries; 500 of MQ2007's 1700 in the paper
BROAD_SHARE = 0.5  # of a query's documents
SEED = 42  # any number does: the sets are drawn at random
PAPER_LEVEL = 0.95  # the paper's threshold of 0.05
SPLITS = 1000  # a choice: a swap rate then has an error of at most .02

HIGH_EXPECTED, MANY_QUERIES = 0.5, 0.1  # our reading of "a large portion with high values"


def reproduce(given: Material | None = None, progress: bool | None = None) -> Reproduction:
    """Both case studies on the user's runs, or on rankers that are trained on MQ2008.

    Where MQ2008 is not in the folder of local data, a simulated campaign takes its place.
    """
    folder, place = data_folder() / MQ2008, place_of(MQ2008)
    split = None
    if given is None and folder.is_dir():
        split = LetorSplit(_read(folder, "train"), _read(folder, "test"))
        material = letor_material(split, f"{TITLE}, from {place}", progress)
    else:
        material = given or simulated(f"{TITLE} is not here ({place})")
    scores = Scores.of(material, progress)
    tables = {"Table 1": _data_statistics(scores, split)}
    for base in BASES:
        for number in STATISTICS:
            tables[_label(number, base)] = table(number, scores, base)
    return Reproduction.of(
        DECLARED,
        (material.description,),
        tables.values(),
        _figures(scores),
        _claims(scores, tables),
    )


class LetorSplit(NamedTuple):
    """Training and test data of a learning-to-rank collection."""

    train: LetorData
    test: LetorData


def _read(folder: Path, part: str) -> LetorData:
    """The training or the test data of a folder; InputError if it is missing."""
    names = (f"letor-{part}.txt.gz", f"{part}.txt")  # the second is LETOR's own
    for name in names:
        if (folder / name).is_file():
            return read_letor(folder / name)
    raise InputError(f"{folder} must hold the LETOR file {' or '.join(names)}; it holds neither")


def letor_material(split: LetorSplit, title: str, progress: bool | None = None) -> Material:
    """The grades of the test queries as qrels, with runs by rankers that are trained here."""
    trained, tested = len(split.train.group_sizes), len(split.test.group_sizes)
    queries = f"{trained} training and {tested} test queries"
    work = with_bar(_rankers(split).items(), "ranker", progress)
    runs = {name: split.test.run(score()) for name, score in work}
    where = f"{title}: {queries}; rankers: {', '.join(runs)}"
    return Material(read_qrels(split.test.qrels()), RunSet(runs), where)


def _rankers(split: LetorSplit) -> dict[str, Callable[[], FloatArray]]:
    """For each ranker, a function that trains it and scores the test documents.

    LambdaMART, a random forest, logistic regression (relevant or not), ridge regression (of the
    grade), a pairwise linear model (logistic regression on the differences between documents of
    one query with different grades), and BM25, which is one of the features.
    """
    with importing("reproduce", "training rankers needs scikit-learn and lightgbm"):
        import lightgbm
        from sklearn.ensemble import RandomForestRegressor
        from sklearn.linear_model import LogisticRegression, Ridge
        from sklearn.preprocessing import StandardScaler
    train, test = split.train, split.test
    scale = StandardScaler().fit(train.features)
    learned, scored = scale.transform(train.features), scale.transform(test.features)
    # One thread: on so few documents, several wait for each other longer than they work.
    lambda_mart = lightgbm.LGBMRanker(
        n_estimators=100, num_leaves=15, learning_rate=0.05, random_state=1, n_jobs=1, verbose=-1
    )
    forest = RandomForestRegressor(TREES, min_samples_leaf=5, random_state=1, n_jobs=2)
    logistic = LogisticRegression(max_iter=2000)
    of_pairs = LogisticRegression(C=0.01, fit_intercept=False, max_iter=2000)
    return {
        "LambdaMART": lambda: lambda_mart.fit(
            train.features, train.grade, group=train.group_sizes
        ).predict(test.features),
        "RandomForest": lambda: forest.fit(train.features, train.grade).predict(test.features),
        "Logistic": lambda: logistic.fit(learned, train.grade > 0).decision_function(scored),
        "Ridge": lambda: Ridge(10.0).fit(learned, train.grade).predict(scored),
        "Pairwise": lambda: _fit_pairs(of_pairs, train, learned).decision_function(scored),
        "BM25": lambda: test.features[:, BM25_FEATURE - 1],
    }


def _fit_pairs(model: Any, data: LetorData, features: FloatArray) -> Any:
    """A classifier that learned which document of a pair has the higher grade."""
    differences, is_better = _pairs(data, features)
    return model.fit(differences, is_better)


def _pairs(data: LetorData, features: FloatArray) -> tuple[FloatArray, NDArray[np.int64]]:
    """Feature differences of documents of one query, the higher grade minus the lower one.

    After all of these stand their negatives, with 0 in place of 1.
    """
    found = []
    for start, end in pairwise(np.cumsum([0, *data.group_sizes]).tolist()):
        grade = data.grade[start:end]
        found.append(start + np.argwhere(np.subtract.outer(grade, grade) > 0))
    better, worse = np.concatenate(found).T
    forward = features[better] - features[worse]
    return np.concatenate([forward, -forward]), np.repeat([1, 0], len(forward))


def expected_measure(base: str, cutoff: int) -> str:
    """The expected value of the original measure."""
    return f"Expected(base={base}, normalized=True)@{cutoff}"


INDEPENDENT = f"Expected(base=AP, expectation=independent)@{FIGURE_CUTOFF}"
EXACT = f"Expected(base=AP, expectation=exact)@{FIGURE_CUTOFF}"


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
    """Scores of runs by the original and the corrected measures at all cutoffs."""

    material: Material
    matrix: ScoreMatrix

    @classmethod
    def of(cls, material: Material, progress: bool | None = None) -> Scores:
        """Evaluate the runs; InputError if there are fewer than two."""
        if len(material.runs) < 2:
            raise InputError("the runs must be at least 2, because the paper compares pairs; got 1")
        matrix = evaluate(material.qrels, material.runs, _measures(), progress=progress)
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

    @cached_property
    def broad_and_focused(self) -> list[Int64Array]:
        """Positions of as many broad as focused queries.

        At least half of the documents of a broad query have at least half of the highest grade,
        which is grade 2 for MSLR-WEB30K, as in the paper. The larger set is sampled.
        """
        qrels, queries = self.material.qrels, self.matrix.query_ids
        high = (qrels.value > 0) & (2 * qrels.value >= qrels.value.max())
        query = qrels.query.codes(Names(queries))
        of_query = np.bincount(query, minlength=len(queries))
        relevant = np.bincount(query[high], minlength=len(queries))
        is_broad = relevant >= BROAD_SHARE * of_query
        parts = np.flatnonzero(is_broad), np.flatnonzero(~is_broad)
        size, rng = min(map(len, parts)), np.random.default_rng(SEED)
        return [np.sort(rng.choice(part, size, replace=False)) for part in parts]

    @cached_property
    def halves(self) -> tuple[Scores, ...]:
        """Scores on each half of a random split of the documents; empty if one has no scores.

        Qrels and runs are restricted to the half: each system ranks the documents of the half only.
        """
        material = self.material
        tables = [material.qrels, *material.runs.each()]
        index = Names(dict.fromkeys(chain.from_iterable(table.doc.all() for table in tables)))
        left = np.random.default_rng(SEED).random(len(index)) < 0.5
        found = []
        for chosen in (left, ~left):
            parts = [table.at(np.flatnonzero(chosen[table.doc.codes(index)])) for table in tables]
            qrels, *runs = parts
            sources = (replace(Source.of_table(run), may_be_empty=True) for run in runs)
            half = RunSet(dict(zip(material.runs.names, sources, strict=True)))
            try:
                with untold(""):  # the evaluation of all documents has told what there is to tell
                    found.append(Scores.of(replace(material, qrels=qrels, runs=half)))
            except InputError:  # no run has a judged document of the half
                return ()
        return tuple(found)

    @property
    def comparisons(self) -> int:
        """How many tests there are: pairs of systems times cutoffs."""
        systems = len(self.matrix.systems)
        return systems * (systems - 1) // 2 * len(CUTOFFS)


# Tables 4 to 14 of the first case study; each has a counterpart in the second, 16 to 26.

Statistic = Callable[[Scores, str, str, Int64Array], float]  # of a version on some queries


def _row(base: str, version: str) -> str:
    return BASES[base] if version == "original" else version


def _means(versions: Sequence[str], scores: Scores, base: str) -> Cells:
    """Mean scores of the systems at each cutoff."""
    means = {
        f"{_row(base, version)}@{k}": scores.at(base, version, k).mean(axis=1)
        for version in versions
        for k in CUTOFFS
    }
    values = zip(*means.values(), strict=True)
    return in_rows(means, dict(zip(scores.matrix.systems, values, strict=True)))


def _of_versions(statistic: Statistic, scores: Scores, base: str, least: int = 2) -> Cells:
    """A statistic of each version on each query set; NaN of fewer queries than `least`."""
    found = {}
    for version in VERSIONS:
        for name, queries in scores.query_sets[base].items():
            value = nan
            if len(queries) >= least:
                value = statistic(scores, base, version, queries)
            found[_row(base, version), name] = value
    return found


def _beside_original(statistic: Statistic, scores: Scores, base: str) -> Cells:
    """A statistic that compares each corrected version with the original measure."""
    found = _of_versions(statistic, scores, base)
    versions = VERSIONS[1:]
    return {
        (f"{BASES[base]} vs {row}", name): value
        for (row, name), value in found.items()
        if row in versions
    }


def _mean_tau(scores: Scores, base: str, version: str, queries: Int64Array) -> float:
    taus = []
    for k in CUTOFFS:
        one = scores.at(base, "original", k)[:, queries]
        other = scores.at(base, version, k)[:, queries]
        taus.append(rank_correlation(one, other, samples=1).value)
    return float(np.mean(taus))


def _significant(scores: Scores, base: str, version: str, queries: Int64Array) -> BoolArray:
    """Whether each pair differs at each cutoff."""
    of_cutoffs = (scores.at(base, version, k)[:, queries] for k in CUTOFFS)
    tested = (discriminative_power(each, test="t", correction="none") for each in of_cutoffs)
    return np.concatenate([power.significant_pairs(PAPER_LEVEL) for power in tested])


def _conflicts(scores: Scores, base: str, version: str, queries: Int64Array) -> float:
    """How many pairs only one of two measures finds different."""
    one = _significant(scores, base, "original", queries)
    other = _significant(scores, base, version, queries)
    return float((one != other).sum())


def _differing(scores: Scores, base: str, version: str, queries: Int64Array) -> float:
    return float(_significant(scores, base, version, queries).sum())


def _percentage(scores: Scores, base: str, version: str, queries: Int64Array) -> float:
    """Percentage absolute difference (Eq. 8), mean over the pairs."""
    try:
        means = scores.over_cutoffs(base, version)[:, queries]
        return float(percentage_absolute_difference(means).mean())
    except InputError:  # a mean of version 2 may be below 0
        return nan


def _split_swaps(scores: Scores, base: str, version: str, queries: Int64Array) -> float:
    """Swaps between data sets; disjoint halves of the queries take their place."""
    return split_swap_rate(scores.over_cutoffs(base, version)[:, queries], trials=SPLITS).value


def _swaps(parts_of: Callable[[Scores, str], Parts], scores: Scores, base: str) -> Cells:
    """The swap rate of each version between two parts; NaN without parts, or if one is empty."""
    here, parts = {}, parts_of(scores, base)
    for version in VERSIONS:
        means = [of.over_cutoffs(base, version)[:, queries] for of, queries in parts]
        pair = [part for part in means if part.size]
        value = swap_rate(pair[0], pair[1]).value if len(pair) == 2 else nan
        here[_row(base, version), "Swap rate"] = value
    return here


# Two parts of the data: scores, and which of their queries.
Parts = Sequence[tuple[Scores, Any]]
BETWEEN: dict[int, Callable[[Scores, str], Parts]] = {
    12: lambda scores, base: [(scores, scores.query_sets[base][name]) for name in SETS[1:]],
    13: lambda scores, _: [(scores, queries) for queries in scores.broad_and_focused],
    14: lambda scores, _: [(half, slice(None)) for half in scores.halves],
}

STATISTICS: dict[int, Callable[[Scores, str], Cells]] = {
    4: partial(_means, ("original",)),
    6: partial(_means, VERSIONS[1:]),
    7: partial(_beside_original, _mean_tau),
    8: partial(_beside_original, _conflicts),
    9: partial(_of_versions, _differing),
    10: partial(_of_versions, _percentage, least=0),
    11: partial(_of_versions, _split_swaps),
    **{number: partial(_swaps, parts_of) for number, parts_of in BETWEEN.items()},
}


def _label(number: int, base: str) -> str:
    """The label of a table of the first case study, or of its counterpart in the second."""
    if base == "AP":
        number += 12
    return f"Table {number}"


def table(number: int, scores: Scores, base: str) -> DataFrame:
    """A table of the first case study (a key of `STATISTICS`), or its counterpart for AP."""
    return DECLARED.table(
        f"Table {number}",
        STATISTICS[number](scores, base),
        scores.material,
        name=_label(number, base),
        base=BASES[base],
        tests=scores.comparisons,
        splits=SPLITS,
        queries=len(scores.broad_and_focused[0]),
    )


def _data_statistics(scores: Scores, split: LetorSplit | None) -> DataFrame:
    """Table 1: documents, queries and features."""
    qrels = scores.material.qrels
    rows: dict[str, tuple[float, ...]] = {
        "qrels": (len(qrels.value), len(scores.matrix.query_ids), nan)
    }
    if split is not None:
        rows = {
            name: (len(data.grade), len(data.group_sizes), data.features.shape[1])
            for name, data in (("training", split.train), ("test", split.test))
        }
    here = in_rows(("Documents", "Queries", "Features"), rows)
    return DECLARED.table("Table 1", here, scores.material)


def _figures(scores: Scores) -> dict[str, Draw]:
    """The types of queries, and histograms of their expected values."""
    histograms = {
        label: partial(score_histogram, scores.matrix, expected_measure(base, FIGURE_CUTOFF))
        for label, base in (("Figure 2", "nDCG"), ("Figure 3", "AP"))
    }
    return {"Figure 1": partial(_draw_query_types, scores), **histograms}


def _draw_query_types(scores: Scores, width: float | None = None) -> Axes:
    """The actual mean score of each query against its expected value."""
    actual = scores.at("nDCG", "original", FIGURE_CUTOFF).mean(axis=0)
    expected = scores.matrix[expected_measure("nDCG", FIGURE_CUTOFF)][0]
    every, *parts = scores.query_sets["nDCG"].values()
    kinds = {"other": np.setdiff1d(every, np.concatenate(parts))}
    kinds |= {name.lower(): part for name, part in zip(SETS[1:], parts, strict=True)}
    curves = [(actual[of], expected[of], "o", f"{name} queries") for name, of in kinds.items()]
    below = f"nDCG@{FIGURE_CUTOFF}, mean over rankers"
    beside = f"expected nDCG@{FIGURE_CUTOFF}"
    ax = chart(below, beside, curves, width=width, markersize=4, alpha=0.7)
    ax.axline((0, 0), (1, 1), color="0.3", linestyle="--")
    return ax


def _claims(scores: Scores, tables: Mapping[str, DataFrame]) -> list[Claim]:
    """The claims of abstract and text, beside the numbers of the tables 4 to 26.

    They have no verdict: the paper's data and rankers are not to be had.
    """
    formula = scores.matrix[INDEPENDENT][0].mean()
    exact = scores.matrix[EXACT][0].mean()
    found = DECLARED.judged(
        "Expected values",
        False,
        many=MANY_QUERIES,
        cutoff=FIGURE_CUTOFF,
        value=HIGH_EXPECTED,
        share=(scores.matrix[expected_measure("nDCG", FIGURE_CUTOFF)][0] >= HIGH_EXPECTED).mean(),
        formula=formula,
        exact=exact,
    )
    for base, name in BASES.items():
        of_base = {f"Table {number}": tables[_label(number, base)] for number in STATISTICS}
        changes = "lowers" if base == "AP" else "does not raise"
        fields = {"name": name, "changes": changes, "tests": scores.comparisons}
        fields |= DECLARED.said[base]
        found += DECLARED.judged("Case study", False, tables=of_base, **fields)
    tests = scores.comparisons
    return found + DECLARED.judged("Both case studies", False, tables=tables, tests=tests)
