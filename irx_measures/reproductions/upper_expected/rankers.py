"""Learning-to-rank data, and rankers trained on it in place of the paper's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...common.progress import with_bar
from ...exceptions import InputError, MissingExtraError
from ...io.letor import LetorData, read_letor
from ...io.trec import read_qrels
from ...runsets.runset import RunSet
from ..collections import MQ2008
from ..material import Material, Origin, Request, data_folder, place_of

if TYPE_CHECKING:
    import pandas

BM25_FEATURE = {46: 25, 136: 110}  # BM25 of the whole document, by the number of features

TREES = 200  # a choice; 20 do not show what the paper says of uninformative queries

HIGHEST_GRADE = 30  # LightGBM's LambdaMART has gains for 31 grades by default

Features = NDArray[np.float64]

Scorer = Callable[[], Features]


@dataclass(frozen=True)
class LetorSplit:
    """Training and test data of a learning-to-rank collection.

    Attributes
    ----------
    train, test : LetorData
    bm25 : int or None
        The number of the feature that ranks as BM25; None if it is not known.
    origin : {'user', 'simulated'}
        Never ``paper``: even with its data, the paper's rankers and samples are not here.
    description : str
        Where the data came from, in one line.
    """

    train: LetorData
    test: LetorData
    bm25: int | None
    origin: Origin
    description: str


def letor_split(folder: Path | None = None) -> LetorSplit:
    """The data in a folder, else MQ2008 in the folder of local data, else simulated data.

    Raises
    ------
    ValueError
        When a folder is given and lacks a file, or a file is malformed.
    """
    if folder is not None:
        return _of_folder(folder, f"LETOR data in {folder}")
    local = data_folder() / MQ2008.folder
    if local.is_dir():
        return _of_folder(local, f"{MQ2008.title}, from {place_of(MQ2008)}")
    return _simulated(f"{MQ2008.title} is not here ({place_of(MQ2008)})")


def _of_folder(folder: Path, title: str) -> LetorSplit:
    train, test = map(read_letor, letor_files(folder))
    width = train.features.shape[1]
    if not width or width != test.features.shape[1]:
        raise InputError(
            f"{folder}: training and test data must have the same features; "
            f"got {width} and {test.features.shape[1]}"
        )
    counts = f"{len(train.group_sizes)} training and {len(test.group_sizes)} test queries"
    return LetorSplit(train, test, BM25_FEATURE.get(width), "user", f"{title}: {counts}")


def letor_files(folder: Path) -> list[Path]:
    """The files of a folder with training and test data; InputError if it lacks one."""
    return [_file(folder, part) for part in ("train", "test")]


def _file(folder: Path, part: str) -> Path:
    names = (f"letor-{part}.txt.gz", f"{part}.txt")  # the second is LETOR's own
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise InputError(f"{folder} must hold the LETOR file {' or '.join(names)}; it holds neither")


def _simulated(reason: str) -> LetorSplit:
    train, test = simulated_letor(300, seed=1), simulated_letor(150, seed=2)
    description = f"{reason}: all numbers are of SIMULATED learning-to-rank data"
    return LetorSplit(train, test, 1, "simulated", description)


def simulated_letor(queries: int, seed: int) -> LetorData:
    """LETOR data with 8 to 40 documents per query, with features that depend on the grades."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(8, 41, queries)
    grade = rng.choice([0, 1, 2], p=[0.7, 0.2, 0.1], size=int(sizes.sum()))
    noise = np.repeat(rng.uniform(0.5, 4, queries), sizes)[:, np.newaxis]
    features = grade[:, np.newaxis] + noise * rng.normal(size=(len(grade), 10))
    places = [(query, doc) for query, size in enumerate(sizes.tolist()) for doc in range(size)]
    query_ids = tuple(f"{seed}{query:04}" for query, _ in places)
    doc_ids = tuple(f"{seed}{query:04}-{doc}" for query, doc in places)
    return LetorData(query_ids, doc_ids, grade.astype(np.int64), features)


def ranked(split: LetorSplit, progress: bool | None = None) -> dict[str, pandas.DataFrame]:
    """Runs of the test queries, by rankers that are trained on the training queries.

    LambdaMART, a random forest, logistic regression (relevant or not), ridge regression (of the
    grade), a pairwise linear model (logistic regression on the differences between documents of
    one query with different grades), and BM25, if one of the features is BM25.

    Raises
    ------
    ImportError
        When scikit-learn or LightGBM is not installed (extra: reproduce).
    ValueError
        When the grades of the training documents cannot be learned.
    """
    _check_grades(split.train)
    work = with_bar(_scorers(split).items(), "ranker", progress)
    return {name: split.test.run(score()) for name, score in work}


def _check_grades(train: LetorData) -> None:
    """Reject training data that a ranker cannot learn from."""
    if not len(_better_and_worse(train)) or (train.grade > 0).all():
        raise InputError(
            "training data must have non-relevant documents, and documents of one query with "
            "different grades"
        )
    if train.grade.min() < 0 or train.grade.max() > HIGHEST_GRADE:
        raise InputError(
            f"training data must have grades from 0 to {HIGHEST_GRADE}; "
            f"got {train.grade.min()} to {train.grade.max()}"
        )


def _scorers(split: LetorSplit) -> dict[str, Scorer]:
    """For each ranker, a function that trains it and scores the test documents."""
    try:
        import lightgbm
        from sklearn.ensemble import RandomForestRegressor
        from sklearn.linear_model import LogisticRegression, Ridge
        from sklearn.preprocessing import StandardScaler
    except ImportError:
        raise MissingExtraError(
            "training rankers needs scikit-learn and lightgbm: "
            "pip install 'irx-measures[reproduce]'"
        ) from None
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
    scorers: dict[str, Scorer] = {
        "LambdaMART": lambda: lambda_mart.fit(
            train.features, train.grade, group=train.group_sizes
        ).predict(test.features),
        "RandomForest": lambda: forest.fit(train.features, train.grade).predict(test.features),
        "Logistic": lambda: logistic.fit(learned, train.grade > 0).decision_function(scored),
        "Ridge": lambda: Ridge(10.0).fit(learned, train.grade).predict(scored),
        "Pairwise": lambda: of_pairs.fit(*_pairs(train, learned)).decision_function(scored),
    }
    if split.bm25 is not None:
        column = split.bm25 - 1
        scorers["BM25"] = lambda: test.features[:, column]
    return scorers


def _better_and_worse(data: LetorData) -> NDArray[np.intp]:
    """Rows of two documents of one query, the one with the higher grade first: (pairs, 2)."""
    found = []
    for start, end in pairwise(np.cumsum([0, *data.group_sizes]).tolist()):
        grade = data.grade[start:end]
        found.append(start + np.argwhere(np.subtract.outer(grade, grade) > 0))
    return np.concatenate([np.zeros((0, 2), np.intp), *found])


def _pairs(data: LetorData, features: Features) -> tuple[Features, NDArray[np.int64]]:
    """Feature differences of document pairs, better minus worse, and then worse minus better."""
    better, worse = _better_and_worse(data).T
    forward = features[better] - features[worse]
    return np.concatenate([forward, -forward]), np.repeat([1, 0], len(forward))


def letor_material(split: LetorSplit, runs: dict[str, pandas.DataFrame]) -> Material:
    """The grades of the test queries as qrels, with runs of these queries."""
    description = f"{split.description}; rankers: {', '.join(runs)}"
    return Material(read_qrels(split.test.qrels()), RunSet(runs), split.origin, description)


def material_of(request: Request) -> tuple[Material, LetorSplit | None]:
    """The user's runs, or those of rankers that are trained here with the data they used."""
    if request.letor is None and request.names_data:
        return request.material_of(MQ2008), None
    split = letor_split(request.letor)
    return letor_material(split, ranked(split, request.progress)), split
