"""Tables 1 to 3 and Figure 2 of the rareness paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise
from math import isnan, nan

import numpy as np

from ...common.progress import with_bar
from ...meta.correlation import RankCorrelation, rank_correlation
from ...meta.power import LEVELS, discriminative_power
from ...meta.stability import stability
from ...meta.system_impact import SIZES, system_impact
from ...plots import correlation_curves
from ...scoring.subset_scorer import SubsetScorer
from ...typing import PairTest
from ..results import Cell, Claim, Judge, PaperFigure, PaperTable, in_rows
from .collections import ALPHAS, DECLARED, FORMS, Scored

TABLED = (0.0, 0.5, 1.0)  # the column alpha of Tables 1 and 2
ROWS = [(measure, alpha) for measure in FORMS for alpha in TABLED]
FUZZINESS = 0.05  # absolute; our choice, 5% is customary: the paper does not name its own
ACCEPTED_TAU = 0.9  # "a traditionally-accepted threshold for acceptable correlation"

AUTHORS_TEST: PairTest = "hsd-pairwise"
WITH_BLOCKS: PairTest = "tukey-blocks"


def row_name(measure: str, alpha: float) -> str:
    """The name of a row: ``P@100, alpha 0.5``."""
    return f"{measure}, alpha {alpha:g}"


def _table(
    label: str,
    scored: Sequence[Scored],
    here: Mapping[tuple[str, str], float] | Iterable[Cell],
    *remarks: str,
    printed: bool = True,
) -> PaperTable:
    """A table of some collections' scores; each collection has a remark, too."""
    remark = "; ".join(filter(None, (*(one.remark for one in scored), *remarks)))
    materials = (one.material for one in scored)
    return DECLARED.table(label, here, *materials, printed=printed, remark=remark)


def _too_few_topics(scored: Iterable[Scored]) -> str:
    few = [one.label for one in scored if len(one.matrix.query_ids) < 2]
    return f"{', '.join(few)}: at least 2 topics are needed" if few else ""


def table_1(
    scored: Sequence[Scored],
    test: PairTest = AUTHORS_TEST,
    remark: str = "",
    progress: bool | None = False,
) -> PaperTable:
    """Table 1: how many pairs of systems differ significantly, at 95% and 99%.

    Parameters
    ----------
    scored
        Collections; each has two columns.
    test
        The authors' test is Tukey's HSD of two systems at a time (``hsd-pairwise``). With
        ``tukey-blocks``, topics are blocks and all systems are tested together.
    remark
        What else the table's remark says.
    progress
        As in `Request`.
    """
    here = {}
    for row in with_bar(ROWS, "test", progress):
        for one in scored:
            counts = _significant(one, *row, test)
            for level, count in zip(LEVELS, counts, strict=True):
                here[row_name(*row), f"{one.label} {level:.0%}"] = count
    label = "Table 1, topics as blocks" if test == WITH_BLOCKS else "Table 1"
    return _table(label, scored, here, _too_few_topics(scored), remark)


def _significant(one: Scored, measure: str, alpha: float, test: PairTest) -> list[float]:
    if len(one.matrix.query_ids) < 2:
        return [nan for _ in LEVELS]
    power = discriminative_power(one.scores(measure, alpha), one.matrix.systems, test=test)
    return [float(power.significant(level)) for level in LEVELS]


def table_2(scored: Sequence[Scored], trials: int = 1000, remark: str = "") -> PaperTable:
    """Table 2: stability over random halves of the topics.

    Parameters
    ----------
    scored
        Collections; each is a column.
    trials
        Number of random halves.
    remark
        What else the table's remark says.
    """
    here = {
        (row_name(*row), one.label): stability(
            one.scores(*row), trials=trials, fuzziness=FUZZINESS
        ).value
        if len(one.matrix.query_ids) > 1
        else nan
        for row in ROWS
        for one in scored
    }
    sampled = f"{trials} random halves of the topics; differences of at most {FUZZINESS} are ties"
    return _table("Table 2", scored, here, sampled, _too_few_topics(scored), remark)


def table_3(one: Scored, trials: int = 1000, progress: bool | None = False) -> PaperTable:
    """Table 3: mean tau between rankings of some systems, by rareness among them and among all.

    Parameters
    ----------
    one
        A collection.
    trials
        Number of random subsets of each size; 1000 in the paper.
    progress
        As in `Request`.
    """
    sizes = [size for size in SIZES if size <= len(one.matrix.systems)]
    printed = one.label == "TREC-8"
    here: dict[tuple[str, str], float] = {}
    for measure in with_bar(FORMS, "measure", progress):
        scorer = SubsetScorer(
            one.material.runs, one.material.qrels, FORMS[measure].format(1), progress=False
        )
        found = system_impact(scorer, scorer.systems, sizes=sizes, trials=trials).mean.tolist()
        here |= {(measure, f"N={size}"): tau for size, tau in zip(sizes, found, strict=True)}
    sampled = f"{trials} random subsets of each size"
    table = _table("Table 3", [one], here, sampled, printed=printed)
    of_paper = printed or one.in_paper is None
    return table if of_paper else replace(table, label=f"Table 3, {one.label}")


def correlations(scored: Sequence[Scored]) -> dict[str, dict[float, RankCorrelation]]:
    """Figure 2: the correlation with the ranking at alpha 0, by collection and measure."""
    return {
        f"{one.label} {measure}": {
            alpha: rank_correlation(
                one.scores(measure, 0), one.scores(measure, alpha), one.matrix.systems, samples=100
            )
            for alpha in ALPHAS
        }
        for one in scored
        for measure in FORMS
        if len(one.matrix.query_ids) > 1
    }


def figure_2_numbers(
    scored: Sequence[Scored], curves: dict[str, dict[float, RankCorrelation]]
) -> PaperTable:
    """The numbers of Figure 2: Kendall's tau with the ranking at alpha 0."""
    here = in_rows(
        [f"alpha {alpha:g}" for alpha in ALPHAS],
        {label: [found.value for found in curve.values()] for label, curve in curves.items()},
    )
    return _table("Figure 2", scored, here, _too_few_topics(scored))


def figure_2(curves: dict[str, dict[float, RankCorrelation]]) -> PaperFigure:
    """Figure 2: the correlation falls as alpha grows."""
    title = "Kendall's tau with the ranking at alpha 0"
    return PaperFigure("Figure 2", title, partial(correlation_curves, curves))


def claims(
    scored: Sequence[Scored],
    power: PaperTable,
    with_blocks: PaperTable,
    stable: PaperTable,
    impact: PaperTable,
    curves: dict[str, dict[float, RankCorrelation]],
) -> list[Claim]:
    """The claims of the abstract and of sections 4.2 to 4.5."""
    judge = DECLARED.judge(*(one.material for one in scored))
    text = DECLARED.claims["Tables 1 to 3"]
    lowest = min((number.here for number in impact.numbers), default=nan)
    few, shown = text["few systems"], f"the lowest mean tau is {lowest:.3f}"
    if not isnan(lowest):
        few = f"{few} (tau above {ACCEPTED_TAU})"
    return [
        *_claims_of_figure_2(judge, curves),
        _higher(judge, text["power"], power),
        _higher(judge, text["power with blocks"], with_blocks),
        _higher(judge, text["stable"], stable),
        judge.if_defined(few, [lowest], lowest > ACCEPTED_TAU, shown, "all systems tie"),
    ]


def _claims_of_figure_2(
    judge: Judge, curves: dict[str, dict[float, RankCorrelation]]
) -> list[Claim]:
    text = DECLARED.claims["Figure 2"]
    taus = {label: [found.value for found in curve.values()] for label, curve in curves.items()}
    if not taus or np.isnan(list(taus.values())).any():
        reason = "at least 2 topics, and systems that do not all tie, are needed"
        return Claim.unknown(reason, *text.values())
    differs = all(values[-1] < 1 for values in taus.values())
    falls = all(later <= earlier for of in taus.values() for earlier, later in pairwise(of))
    at_1 = ", ".join(f"{label} {values[-1]:.3f}" for label, values in taus.items())
    shown = "; ".join(
        f"{label} {' '.join(f'{tau:.3f}' for tau in of)}" for label, of in taus.items()
    )
    return [
        judge.claim(text["changes"], differs, f"tau between alpha 0 and 1: {at_1}"),
        judge.claim(text["falls"], falls, shown),
    ]


def _higher(judge: Judge, text: str, table: PaperTable) -> Claim:
    """Whether the numbers at alpha 1 exceed those at alpha 0 in every column."""
    pairs = {
        f"{measure} {column}": [table[row_name(measure, alpha), column] for alpha in (0, 1)]
        for measure in FORMS
        for column in table.columns
    }
    evidence = ", ".join(
        f"{name} {low:.{table.places}f} to {high:.{table.places}f}"
        for name, (low, high) in pairs.items()
    )
    higher = all(low < high for low, high in pairs.values())
    few = "at least 2 topics are needed"
    return judge.if_defined(text, chain(*pairs.values()), higher, evidence, few)
