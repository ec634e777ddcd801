"""Audits of machine judges as text: tables for people do not repeat the name of the only judge."""

import pytest

from irx_measures.judging.audit import audit_judges
from irx_measures.reporting.judging import TITLES, audit_output
from irx_measures.simulate import simulate_campaign

CAMPAIGN = simulate_campaign(systems=4, queries=8, depth=20, seed=2)
QRELS = CAMPAIGN.qrels
GROUPS = {name: "first" if place < 2 else "other" for place, name in enumerate(CAMPAIGN.runs)}


@pytest.fixture(scope="module")
def audits():
    """An audit of one judge, and of two."""
    how = {"runs": CAMPAIGN.runs, "groups": GROUPS, "samples": 20}
    return [
        audit_judges(QRELS, judges, **how)
        for judges in ({"one": QRELS}, {"one": QRELS, "b": QRELS})
    ]


@pytest.mark.parametrize("shown", TITLES)
def test_the_only_judge_is_not_named_in_a_table_for_people(audits, shown):
    alone, several = (audit_output(audit, shown, "table", 3).text.split("\n") for audit in audits)
    assert several[0].split()[0] == "judge"
    assert {line.split()[0] for line in several[2:4]} <= {"one", "b"}
    assert alone[0].split() == several[0].split()[1:]
    for audit in audits:
        assert audit_output(audit, shown, "csv", 3).text.startswith("judge,")
