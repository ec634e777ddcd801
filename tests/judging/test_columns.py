"""Tables of results of judging: each column says what it means, and has a value for each row."""

from functools import cache

import pytest

from irx_measures import evaluate, prediction_powered, simulate_campaign
from irx_measures.judging import audit_judges
from irx_measures.judging.audit import TABLES
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

CAMPAIGN = simulate_campaign(systems=4, queries=12, depth=20, seed=2)
LABELS = {
    query: {doc: int(grade > 1) * 3 for doc, grade in grades.items()}
    for query, grades in CAMPAIGN.qrels.items()
}


@cache
def audit():
    return audit_judges(CAMPAIGN.qrels, {"one": LABELS, "b": LABELS}, CAMPAIGN.runs, samples=20)


def estimated(baseline):
    campaign = simulate_campaign(systems=4, queries=120, depth=50, seed=1)
    some = dict(list(campaign.qrels.items())[:30])
    human, machine = (evaluate(qrels, campaign.runs, "nDCG@10") for qrels in (some, campaign.qrels))
    return prediction_powered(human, machine, baseline=baseline)


MADE = {
    **{name: lambda name=name: audit().columns(name) for name in TABLES},
    "confusion": lambda: audit()["one"].columns(),
    "means": lambda: estimated(None).columns(),
    "differences": lambda: estimated("lexical-a").columns(),
}


@pytest.mark.parametrize("name", MADE)
def test_every_column_says_what_it_means_and_has_a_value_per_row(name):
    columns = MADE[name]()
    assert len({column.name for column in columns}) == len(columns)
    assert len({len(column.listed) for column in columns}) == 1
    assert columns[0].key
    for column in columns:
        assert len(column.meaning) > 5, column.name
        assert not column.meaning.endswith("."), column.name


def test_an_audit_has_its_tables_as_attributes_too():
    for name in TABLES:
        names = [column.name for column in audit().columns(name)]
        assert list(getattr(audit(), name)) == names
    assert audit().to_columns().keys() == audit().agreement.keys()
    with pytest.raises(ValueError, match="`table` must be one of 'agreement', 'grades'"):
        audit().columns("none")
