"""What compare() and its result refuse: the call, and the fact that the error names."""

import numpy as np
import pytest
from ir_measures import AP, ERR, nDCG

from irx_measures import Boot, BootNDCG, compare
from tests.campaigns import random_campaign
from tests.comparison.results import matrix_of, score_matrix
from tests.doubts import DEEPER_THAN_POOL, MISSED_QUERIES, NEW_SYSTEMS, told

pytestmark = [MISSED_QUERIES, NEW_SYSTEMS, DEEPER_THAN_POOL]

MATRIX = score_matrix()
PRIORS = matrix_of(
    np.random.default_rng(0).random((2, 3, 9)), ["NRG(prior=a)@10", "NRG(prior=b)@10"]
)
CAMPAIGN = random_campaign(6, ties=False)
GROUPS = {f"q{n}": "en" if n < 12 else "de" for n in range(30)}
SHORT = GROUPS | {f"q{n}": "de" if n < 5 else "en" for n in range(30)}


def asked(matrix=MATRIX, **how):
    return lambda: matrix.compare(**how)


def table(**how):
    return lambda: MATRIX.compare().paper_table(**how)


def learned(measures, **how):
    given = {"runs": CAMPAIGN.runs, "qrels": CAMPAIGN.qrels, "unjudged": "learned"}
    return lambda: compare(measures=measures, **given | how)


BASES = "`unjudged='learned'` compares nDCG@k, AP@k, P@k, RBP@k"

VALUE_ERRORS = [
    (asked(baseline="x"), "`baseline` .* of the 5 systems, such as .*got 'x'"),
    (asked(baseline="systm3"), r"got 'systm3'; did you mean 'system3'[?]"),
    (asked(baseline=[]), "`baseline` .*at least one"),
    (asked(test="z"), "`test` must be one of 't', 'moderated-t'"),
    (asked(correction="maxt"), "`correction` must be one of 'holm'"),
    (asked(level=1.0), "`level` must be a confidence level"),
    (asked(level=100), "`level` must be a confidence level"),
    (asked(resamples=0), "`resamples` must be a whole number of at least 1"),
    (asked(resamples=1_000_001), "`test='t'` draws none"),
    (asked(test="bootstrap", level=0.9999999), "at least 99999999 .*test='t'"),
    (asked(matrix_of(np.zeros((1, 5)))), "at least 2 systems; got 1"),
    (asked(matrix_of(np.zeros((2, 2)))), "at least 3 topics; got 2"),
    (asked(score_matrix(12, 8), test="randomisation"), "must be able to reject"),
    (asked(matrix_of(np.full((2, 5), np.nan))), "no two systems to compare have a score on AP"),
    (
        asked(matrix_of(np.array([[np.nan] * 5, [0.1] * 5, [0.2] * 5])), baseline="s0"),
        "not tested: 's0' has no score on AP",
    ),
    (asked(matrix_of(np.where(np.eye(3, 9), 2e150, 0.5))), "'s0' has 2e"),
    (lambda: MATRIX.compare().leaderboard(), "`measure` is missing: name one of nDCG@10, AP"),
    (lambda: MATRIX.compare().leaderboard("nDCG"), r"; got nDCG; did you mean nDCG@10[?]"),
    (lambda: MATRIX.compare().leaderboard("P@10"), r"; got P@10$"),
    (lambda: PRIORS.compare().leaderboard("NRG@10"), r"NRG@10 may be NRG\(prior=a\)@10 or"),
    (lambda: PRIORS.compare().difference("s0", "s1", "NRG@5"), "must be one of NRG.*; got NRG@5"),
    (lambda: MATRIX.compare().leaderboard("P@5"), "`measure` must be one of"),
    (lambda: MATRIX.compare().topics_needed("system0", "system0"), "`other` must be another"),
    (lambda: MATRIX.compare().difference("system1"), "may be omitted only if .* it has 0"),
    (
        lambda: MATRIX.compare(baseline="system0").difference("x"),
        "`system` must name one of the 5 systems, .*got 'x'",
    ),
    (
        lambda: MATRIX.compare(baseline="system0").difference("system1", "system2", "AP"),
        "must be two systems that were compared on AP; got 'system1' and",
    ),
    (asked(limits=1000), r"^comparing all pairs of 5 systems would .*\); `baseline` names one"),
    (asked(baseline="system0", limits=1000), r"5 systems with 1 baseline would .* amount\)$"),
    (asked(MATRIX.by(GROUPS), limits=1000), "comparing all pairs of 5 systems would take"),
    (
        lambda: compare(CAMPAIGN.qrels, CAMPAIGN.runs, "AP", limits=1000),
        "comparing all pairs of 5 systems would take ",
    ),
    (asked(MATRIX.by(SHORT), test="wilcoxon"), "group 'de': .* 5 topics"),
    (asked(MATRIX.by(GROUPS), baseline="x"), "`baseline` must name one of the 5"),
    (asked(MATRIX.by(GROUPS), level=2), "`level` must be a confidence level"),
    (
        asked(score_matrix(topics=6).by({f"q{n}": "abc"[n % 3] for n in range(6)})),
        "at least 3 queries in a group; 3 groups have at most 2",
    ),
    (asked(score_matrix(systems=1).by(GROUPS)), "at least 2 systems; got 1"),
    # 2 groups of 10 pairs, at .05.
    (asked(MATRIX.by(GROUPS), test="bootstrap", resamples=398), "`resamples` .* at least 399"),
    (lambda: MATRIX.by(GROUPS).compare().leaderboard("AP"), r"'de' first: result\[group\]"),
    (table(systems=["nobody"]), "some of the 5 systems; got 'nobody'"),
    (table(systems=[]), "got an empty list"),
    (table(places=-2), "`places` must be"),
    (table(form="pdf"), "`form` must be one of 'latex', 'markdown', 'html'"),
    *((learned(measure), BASES) for measure in (
        nDCG, AP(judged_only=True) @ 10, nDCG(gains={1: 2}) @ 10, ERR @ 10, BootNDCG @ 10,
        Boot(base="P") @ 5,
    )),
    (learned("AP@200"), "takes cutoffs to 100; got 200"),
    (learned("nDCG@10", unjudged="x"), "one of 'learned'; got 'x'"),
]  # fmt: skip

OTHER_ERRORS = [
    (
        lambda: compare(),
        TypeError,
        "needs qrels, runs and measures, or `scores`, or `collections` ",
    ),
    (lambda: compare(CAMPAIGN.qrels), TypeError, "; missing: `runs`, `measures`"),
    (learned("nDCG@10", qrels=None), TypeError, "; missing: `qrels`"),
    (
        lambda: compare(collections=["x"]),
        TypeError,
        "`collections` and measures; missing: `measures`",
    ),
    (
        lambda: compare(MATRIX, None, None),
        TypeError,
        r"write compare\(scores=...\); got ScoreMatrix",
    ),
    (lambda: compare(MATRIX.by(GROUPS), 1, 2), TypeError, r"scores=...\); got GroupedScores"),
    (asked(qrels={}), ValueError, "`qrels` does not go with `scores`"),
    (asked(unjudged="learned"), ValueError, "`unjudged` does not go with `scores`"),
    (asked(lower_is_better=["AP"]), ValueError, "is for tables and files; these scores have"),
    (asked(MATRIX.by(GROUPS), lower_is_better=["AP"]), ValueError, "is for tables and files"),
    (asked(collections=["x"]), ValueError, "`collections` does not go with `scores`"),
    (
        asked(ignore_identical_ids=True),
        ValueError,
        "`ignore_identical_ids` does not go with `scores`",
    ),
    (asked(macro="queries"), ValueError, "`macro` goes with `collections` or `by`"),
    (asked(MATRIX.by(GROUPS), by=GROUPS), ValueError, "they have a group each"),
    (learned("nDCG@10", by=GROUPS), ValueError, "`unjudged` is for all queries: omit `by`"),
    (
        lambda: compare(collections={"x": (CAMPAIGN.qrels, CAMPAIGN.runs)}, measures="AP", by={}),
        ValueError,
        "`by` does not go with `collections`",
    ),
    (
        lambda: compare(collections={"x": (CAMPAIGN.qrels, CAMPAIGN.runs)}, measures="NumRet"),
        ValueError,
        "sums over queries have no macro mean",
    ),
    (
        lambda: compare(CAMPAIGN.qrels, CAMPAIGN.runs, "AP", lower_is_better=["AP"]),
        ValueError,
        "`lower_is_better` does not go with qrels, runs and measures",
    ),
    (
        lambda: MATRIX.compare("a", "b"),
        TypeError,
        r"write `compare\(baseline=.*got 'a', 'b'. For two",
    ),
    (table(systems="system0"), TypeError, "must be a list of names; got 'system0'"),
    (
        lambda: MATRIX.by(GROUPS).compare()["xx"],
        KeyError,
        "'xx' is not among the groups 'en', 'de'",
    ),
    (lambda: MATRIX.compare()["en"], KeyError, "compared without groups"),
]

REFUSED = [*((call, ValueError, fact) for call, fact in VALUE_ERRORS), *OTHER_ERRORS]


@pytest.mark.parametrize(("call", "error", "fact"), REFUSED, ids=[fact for *_, fact in REFUSED])
def test_the_error_names_what_is_wrong(call, error, fact):
    with pytest.raises(error, match=fact):
        call()


# Scores from -1 to 0 for three systems, with both ends.
SPREAD = -np.random.default_rng(0).permuted(np.linspace(0, 1, 27)).reshape(3, 9)


@pytest.mark.parametrize(
    ("scores", "is_doubted"),
    [
        (1e7 + 0.9e-2 * SPREAD, True),
        (1e7 + 1.1e-2 * SPREAD, False),
        (-1e7 + 0.9e-2 * SPREAD, True),
        (-1e7 + 1.1e-2 * SPREAD, False),
        (np.where(SPREAD == -1, np.nan, 1e7 + 1e-3 * SPREAD), True),
        (1e-3 + 0.9e-12 * SPREAD, True),
        (SPREAD, False),
        (np.full((3, 9), 1e7), False),  # equal
    ],
)
def test_scores_that_differ_by_rounding_are_doubted(scores, is_doubted):
    _, messages = told(lambda: matrix_of(scores).compare())
    assert any("may come from rounding" in message for message in messages) == is_doubted
