"""The experiments of the rareness paper: rewards for rarely found relevant documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise, product
from math import isnan, nan
from typing import Any, NamedTuple

import numpy as np

from ..common.numeric import BoolArray, FloatArray, IntArray
from ..common.progress import with_bar
from ..common.warn import untold
from ..exceptions import InputError
from ..io.table import nested
from ..io.trec import read_qrels
from ..judgments.judgments import Judgments
from ..kernels import rareness as kernel
from ..kernels.user_models import truncate_ranks
from ..meta.correlation import SIZES, RankCorrelation, rank_correlation, system_impact
from ..meta.power import LEVELS, discriminative_power
from ..meta.topic_sets import stability
from ..plots import correlation_curves
from ..results.frames import DataFrame
from ..runsets.judged_set import JudgedSet
from ..scoring.evaluate import SubsetScorer, evaluate
from ..scoring.score_matrix import ScoreMatrix
from ..typing import Axes, PairTest
from .material import (
    DL19,
    DLT20,
    TREC5,
    TREC8,
    WT14,
    Material,
    material_of,
    paper_material,
)
from .paper import Cells, Claim, Draw, Reproduction, chart, declared, in_rows

DECLARED = declared("rareness")

ALPHAS = (0.0, 0.25, 0.5, 0.75, 1.0)  # chosen on the axis of Figure 2, which has all from 0 to 1
FORMS = {
    "P@100": "P_Rareness(systems=others, alpha={:g})@100",
    "AP": "AP_Rareness(systems=others, alpha={:g})@100",
}
ROWS = [(measure, alpha) for measure in FORMS for alpha in (0.0, 0.5, 1.0)]  # of Tables 1 and 2
TRIALS = 1000  # random halves of the topics, as in the paper
SUBSETS = 1000  # random sets of systems of each size, as in the paper
FUZZINESS = 0.05  # absolute; our choice, 5% is customary: the paper does not name its own
ACCEPTED_TAU = 0.9  # "a traditionally-accepted threshold for acceptable correlation"

# Table 1: the authors' test is Tukey's HSD of two systems at a time. With topics as blocks, all
# systems are tested together.
TESTS: dict[str, PairTest] = {
    "Table 1": "hsd-pairwise",
    "Table 1, topics as blocks": "tukey-blocks",
}

CUTOFF = 100  # P@100 in Figure 1
FIGURE_1_ALPHAS = (0.0, 0.5, 1.0)  # of its curves
FIGURE_1_TOPIC = "1127540"
RARE, COMMON = "S_rare", "S_common"
TABLE_4_TOPIC = "431"

Curves = Mapping[str, Mapping[float, RankCorrelation]]


# The collections of the tables: what the paper calls them, and how many runs the paper has.
COLUMNS = {
    TREC8: ("TREC-8", 129),
    TREC5: ("TREC-5", 61),
    WT14: ("WT14", 29),
    DLT20: ("DLT20", 64),
}


class Scored(NamedTuple):
    """The scores of a collection's systems."""

    label: str  # the name of the collection in the tables
    material: Material
    matrix: ScoreMatrix  # P_Rareness and AP_Rareness at every alpha
    # Number of runs in the paper; None if the paper has no numbers for this data.
    in_paper: int | None

    def scores(self, measure: str, alpha: float) -> FloatArray:
        """Scores of a measure of `FORMS`: (systems, queries)."""
        return self.matrix[FORMS[measure].format(alpha)]

    @property
    def one_topic(self) -> bool:
        return len(self.matrix.query_ids) < 2

    @property
    def remark(self) -> str:
        """How many runs are here, how many the paper has, and whether topics are missing."""
        remark = f"{self.label}: {len(self.matrix.systems)} runs"
        if self.in_paper is not None:
            remark += f", the paper has {self.in_paper}"
        if self.one_topic:
            remark += ", and at least 2 topics are needed"
        return remark


def reproduce(given: Material | None = None, progress: bool | None = None) -> Reproduction:
    """Tables 1 to 4, Figures 1 and 2, and the claims of the paper."""
    scored = scored_collections(given)
    power = {label: table_1(scored, label, progress) for label in TESTS}
    stable = table_2(scored)
    impact = [table_3(one, progress) for one in scored]
    curves = correlations(scored)
    of_curves = figure_2(scored, curves)
    # The paper's collection of Figure 1, else Deep Learning 2019, else what was scored.
    papers = None if given else paper_material(DLT20) or paper_material(DL19)
    ranks = hypothetical_ranks(papers or scored[0].material)
    first = figure_1(ranks)
    figures: dict[str, Draw] = {"Figure 1": ranks.draw}
    if of_curves["here"].notna().any():
        figures["Figure 2"] = partial(correlation_curves, curves)
    return Reproduction.of(
        DECLARED,
        (*(one.material.description for one in scored), ranks.material.description),
        (*power.values(), stable, *impact, table_4(scored[0].material), first, of_curves),
        figures,
        (
            *_claims_of_figure_2(scored, curves),
            *_claims_of_tables(scored, [*power.values(), stable], impact[0]),
            *_claim_of_figure_1(ranks),
            *DECLARED.judged("Documents", True, {"focused": None}),
        ),
    )


def scored_collections(given: Material | None = None) -> list[Scored]:
    """What the user gave; else the paper's collections that are here; else a simulation."""
    found = [] if given else [paper_material(collection) for collection in COLUMNS]
    scored = [score(material) for material in found if material is not None]
    return scored or [score(material_of(TREC8, given))]


def score(material: Material) -> Scored:
    """Evaluate at least two runs by both measures at every alpha."""
    if len(material.runs) < 2:
        raise InputError("the rareness paper compares systems: it needs at least 2 runs; got 1")
    measures = [form.format(alpha) for form in FORMS.values() for alpha in ALPHAS]
    matrix = evaluate(material.qrels, material.runs, measures)
    label, in_paper = material.label, None
    if material.collection in COLUMNS:
        label, in_paper = COLUMNS[material.collection]
    return Scored(label, material, matrix, in_paper)


def _absent(scored: Sequence[Scored]) -> str:
    """Which collections of the tables are not here, and where they would be read from."""
    here = {one.label for one in scored}
    absent = [f"{label} ({of.folder})" for of, (label, _) in COLUMNS.items() if label not in here]
    some_here = 0 < len(absent) < len(COLUMNS)
    return f"not in the data folder: {', '.join(absent)}" if some_here else ""


def _table(
    label: str, scored: Sequence[Scored], here: Cells, *remarks: str, **options: Any
) -> DataFrame:
    """A table of some collections' scores; each collection has a remark, too."""
    remark = "; ".join(filter(None, (*(one.remark for one in scored), *remarks)))
    materials = (one.material for one in scored)
    return DECLARED.table(label, here, *materials, remark=remark, **options)


def _row(measure: str, alpha: float) -> str:
    """The name of a row: ``P@100, alpha 0.5``."""
    return f"{measure}, alpha {alpha:g}"


def table_1(scored: Sequence[Scored], label: str, progress: bool | None) -> DataFrame:
    """How many pairs of systems differ significantly, at 95% and 99%, by a test of `TESTS`."""
    here = {}
    for measure, alpha in with_bar(ROWS, "test", progress):
        for one in scored:
            counts = [nan for _ in LEVELS]
            if not one.one_topic:
                test, systems = TESTS[label], one.matrix.systems
                power = discriminative_power(one.scores(measure, alpha), systems, test=test)
                counts = [float(power.significant(level)) for level in LEVELS]
            for level, count in zip(LEVELS, counts, strict=True):
                here[_row(measure, alpha), f"{one.label} {level:.0%}"] = count
    return _table(label, scored, here, _absent(scored))


def table_2(scored: Sequence[Scored]) -> DataFrame:
    """Stability over random halves of the topics; each collection is a column."""
    here, ties = {}, [0.0]
    with untold("of the comparisons are ties"):  # the remark says it once
        for (measure, alpha), one in product(ROWS, scored):
            cell = _row(measure, alpha), one.label
            here[cell] = nan
            if not one.one_topic:
                scores = one.scores(measure, alpha)
                found = stability(scores, trials=TRIALS, fuzziness=FUZZINESS)
                here[cell] = found.value
                ties.append(found.ties)
    sampled = (
        f"{TRIALS} random halves of the topics; differences of at most {FUZZINESS} are ties "
        f"(up to {max(ties):.0%} of the comparisons)"
    )
    return _table("Table 2", scored, here, sampled, _absent(scored))


def table_3(one: Scored, progress: bool | None = False) -> DataFrame:
    """Mean tau between rankings of some systems, by rareness among them and among all."""
    sizes = [size for size in SIZES if size <= len(one.matrix.systems)]
    here: dict[tuple[str, str], float] = {}
    runs, qrels = one.material.runs, one.material.qrels
    for measure, form in with_bar(FORMS.items(), "measure", progress):
        scorer = SubsetScorer(qrels, runs, form.format(1), progress=False)
        found = system_impact(scorer, scorer.systems, sizes=sizes, trials=SUBSETS)
        here |= in_rows([f"N={size}" for size in sizes], {measure: found.mean})
    of_paper = one.label == "TREC-8"
    name = "" if of_paper or one.in_paper is None else f"Table 3, {one.label}"
    sampled = f"{SUBSETS} random subsets of each size"
    return _table("Table 3", [one], here, sampled, printed=of_paper, name=name)


def correlations(scored: Sequence[Scored]) -> Curves:
    """The correlation with the ranking at alpha 0, by collection and measure."""
    return {
        f"{one.label} {measure}": {
            alpha: rank_correlation(
                one.scores(measure, 0), one.scores(measure, alpha), one.matrix.systems, samples=100
            )
            for alpha in ALPHAS
        }
        for one in scored
        for measure in FORMS
        if not one.one_topic
    }


def figure_2(scored: Sequence[Scored], curves: Curves) -> DataFrame:
    """The numbers of Figure 2: Kendall's tau with the ranking at alpha 0."""
    columns = [f"alpha {alpha:g}" for alpha in ALPHAS]
    return _table("Figure 2", scored, in_rows(columns, _taus(curves)))


def _taus(curves: Curves) -> dict[str, list[float]]:
    return {label: [found.value for found in curve.values()] for label, curve in curves.items()}


def _of_paper(scored: Iterable[Scored]) -> bool:
    return DECLARED.is_of_paper(*(one.material for one in scored))


def _claims_of_figure_2(scored: Sequence[Scored], curves: Curves) -> list[Claim]:
    taus = _taus(curves)
    if not taus or np.isnan(list(taus.values())).any():
        reason = "at least 2 topics, and systems that do not all tie, are needed"
        return DECLARED.unknown("Figure 2", reason)
    falls = all(later <= earlier for of in taus.values() for earlier, later in pairwise(of))
    return DECLARED.judged(
        "Figure 2",
        _of_paper(scored),
        {"changes": all(of[-1] < 1 for of in taus.values()), "falls": falls},
        at_1=", ".join(f"{label} {of[-1]:.3f}" for label, of in taus.items()),
        taus="; ".join(
            f"{label} {' '.join(f'{tau:.3f}' for tau in of)}" for label, of in taus.items()
        ),
    )


def _claims_of_tables(
    scored: Sequence[Scored], higher: Sequence[DataFrame], impact: DataFrame
) -> list[Claim]:
    """The claims of the abstract and of sections 4.3 to 4.5: `higher` has Tables 1 and 2."""
    *names, few = DECLARED.claims["Tables 1 to 3"]
    lowest = float(impact["here"].min())
    holds: dict[str, object] = {}
    shown = {}
    for name, table in zip(names, higher, strict=True):
        holds[name], shown[name] = _higher(table)
    holds[few] = None if isnan(lowest) else lowest > ACCEPTED_TAU
    return DECLARED.judged(
        "Tables 1 to 3",
        _of_paper(scored),
        holds,
        accepted=ACCEPTED_TAU,
        lowest=lowest,
        shown=shown,
    )


def _higher(table: DataFrame) -> tuple[bool | None, str]:
    """Whether the numbers at alpha 1 exceed those at alpha 0 in every column, and the numbers."""
    here, places = table["here"], table.attrs["places"]
    pairs = {
        f"{measure} {column}": [float(here[_row(measure, alpha), column]) for alpha in (0, 1)]
        for measure in FORMS
        for column in table.index.unique("column")
    }
    shown = (f"{name} {low:.{places}f} to {high:.{places}f}" for name, (low, high) in pairs.items())
    if np.isnan(list(pairs.values())).any():
        return None, ", ".join(shown)
    return all(low < high for low, high in pairs.values()), ", ".join(shown)


class HypotheticalRanks(NamedTuple):
    """Ranks of two hypothetical systems among the systems of a topic (Figure 1).

    S_rare returns relevant documents that no other system finds. S_common returns the relevant
    documents of the topic, starting with those that the most systems have in their top 100. Each
    of the two takes part alone, so that it counts as one system in the rareness of documents.
    """

    topic: str
    systems: int  # number of real systems
    material: Material
    # By system and alpha, the rank by P_Rareness@100 if the system returns 1, 2, ... relevant
    # documents: (documents,). 1 is best.
    ranks: dict[tuple[str, float], IntArray]

    def needed(self, system: str, alpha: float) -> float:
        """The smallest number of relevant documents with which the system is first, or NaN."""
        first = np.flatnonzero(self.ranks[system, alpha] == 1)
        return float(first[0] + 1) if len(first) else nan

    def draw(self, width: float | None = None) -> Axes:
        """The ranks by the number of relevant documents that a system returns."""
        lines = {RARE: "-", COMMON: "--"}
        curves = [
            (
                range(1, len(ranks) + 1),
                ranks,
                f"C{FIGURE_1_ALPHAS.index(alpha)}{lines[system]}",
                f"{system}, alpha {alpha:g}",
            )
            for (system, alpha), ranks in self.ranks.items()
        ]
        y_label = f"rank among {self.systems + 1} systems"
        ax = chart("relevant documents returned", y_label, curves, width=width)
        ax.invert_yaxis()
        ax.grid(alpha=0.3)
        return ax


def hypothetical_ranks(material: Material) -> HypotheticalRanks:
    """Add a system that finds only rare documents, or only common ones, to a topic's systems.

    The topic is 1127540 of Deep Learning 2020 where it is judged; the paper does not say how it
    chose it. In other data, it is the topic on which the best system has nearest to 44 relevant
    documents in its top 100: so many did the paper's system need to be first at alpha 0.
    """
    judgments = Judgments(material.qrels)
    relevant = (judgments.grade[:, : judgments.positives] > 0).sum(axis=1)
    if not relevant.any():
        raise InputError("the qrels have no relevant document")
    found = truncate_ranks(JudgedSet.of(material.runs, judgments, ()).rank, CUTOFF) > 0
    if FIGURE_1_TOPIC in judgments.query_ids:
        place = judgments.query_ids.index(FIGURE_1_TOPIC)
    else:
        needed = DECLARED.printed("Figure 1")[RARE, "alpha 0"]
        distance = np.abs(found.sum(axis=2).max(axis=0) - needed)
        place = int(np.argmin(np.where(relevant > 0, distance, np.inf)))
    of_topic = found[:, place, : relevant[place]]
    most, documents = min(CUTOFF, int(relevant[place])), int(relevant[place])
    by_finders = of_topic[:, np.argsort(-of_topic.sum(axis=0), kind="stable")]
    new = np.arange(most)[np.newaxis] <= np.arange(most)[:, np.newaxis]  # 1, 2, ... documents
    added = {  # rare documents stand after those of the real systems
        RARE: (np.pad(of_topic, ((0, 0), (0, most))), np.pad(new, ((0, 0), (documents, 0)))),
        COMMON: (by_finders, np.pad(new, ((0, 0), (0, documents - most)))),
    }
    ranks = {
        (name, alpha): _ranks_of_new(of_systems, of_new, alpha)
        for alpha in FIGURE_1_ALPHAS
        for name, (of_systems, of_new) in added.items()
    }
    return HypotheticalRanks(judgments.query_ids[place], len(found), material, ranks)


def _ranks_of_new(found: BoolArray, new: BoolArray, alpha: float) -> IntArray:
    """The rank by P_Rareness@100 of a system that is added to the systems of a topic: (cases,).

    `found`, (systems, documents), says which relevant documents a system has in its top 100, and
    `new`, (cases, documents), which of them the added system has.
    """
    finders = found.sum(axis=0) + new
    worth = kernel.worth(finders, len(found) + 1, np.asarray(alpha), "additive") / CUTOFF
    others, own = (worth @ found.T).round(12), (worth * new).sum(axis=1).round(12)
    return 1 + (others > own[:, np.newaxis]).sum(axis=1)


def figure_1(found: HypotheticalRanks) -> DataFrame:
    """Figure 1 in numbers: how many relevant documents a hypothetical system needs to be first."""
    here = {
        (system, f"alpha {alpha:g}"): found.needed(system, alpha)
        for system in (RARE, COMMON)
        for alpha in FIGURE_1_ALPHAS
    }
    return DECLARED.table(
        "Figure 1",
        here,
        found.material,
        printed=found.topic == FIGURE_1_TOPIC,
        topic=found.topic,
        systems=found.systems,
    )


def _claim_of_figure_1(found: HypotheticalRanks) -> list[Claim]:
    """Whether rare documents bring a system to the top sooner, the more so the larger alpha."""
    needed = [found.needed(RARE, alpha) for alpha in FIGURE_1_ALPHAS]
    common = found.needed(COMMON, 1.0)
    sooner = needed[0] > needed[1] > needed[2] and not common <= needed[2]
    return DECLARED.judged(
        "Figure 1",
        DECLARED.is_of_paper(found.material),
        {"sooner first": sooner},
        topic=found.topic,
        needed=needed,
        common=common,
    )


def table_4(material: Material) -> DataFrame:
    """Table 4: how many systems retrieve relevant documents of a topic, and their rareness.

    The documents are those of the paper if its topic 431 is judged. In other data, they are five
    documents at equal distances from the rarest to the most common, of the topic with the most
    relevant documents; without those that no system retrieves, unless all are such.
    """
    relevant = {
        query: [document for document, grade in grades.items() if grade > 0]
        for query, grades in nested(material.qrels).items()
    }
    of_paper = [document for document, _ in DECLARED.printed("Table 4")]
    known = set(of_paper) <= set(relevant.get(TABLE_4_TOPIC, []))
    topic = TABLE_4_TOPIC if known else max(relevant, key=lambda name: len(relevant[name]))
    documents = of_paper if known else relevant[topic]
    judgments = Judgments(read_qrels({topic: dict.fromkeys(documents, 1)}))
    counts = JudgedSet.of(material.runs, judgments, ()).finders(None)[0].tolist()  # at any depth
    finders = dict(zip(documents, counts, strict=True))
    if not known:
        found = sorted([*filter(finders.get, finders)] or finders, key=finders.__getitem__)
        places = np.unique(np.linspace(0, len(found) - 1, 5).round().astype(int))
        finders = {found[place]: finders[found[place]] for place in places.tolist()}
    systems = len(material.runs)
    rows = {document: (count, 1 - count / systems) for document, count in finders.items()}
    here = in_rows(("systems", "rareness"), rows)
    return DECLARED.table("Table 4", here, material, printed=known, topic=topic, systems=systems)
