"""What Python and notebooks show of objects that hold too much to show."""

import re
from html import unescape

import pytest

from irx_measures import JudgingPlan, RunSet, simulate_campaign

CAMPAIGN = simulate_campaign(systems=4, queries=30, depth=60)
SHOWN = [
    RunSet(CAMPAIGN.runs, name="all <of> them"),
    CAMPAIGN,
    JudgingPlan(CAMPAIGN.qrels, CAMPAIGN.runs, measure="P@5", question="best"),
    JudgingPlan(None, CAMPAIGN.runs),
]


@pytest.mark.parametrize("shown", SHOWN, ids=repr)
def test_a_notebook_shows_the_facts_of_the_text(shown):
    html, text = shown._repr_html_(), repr(shown)
    assert type(shown).__name__ in text
    assert f"<caption>{type(shown).__name__}</caption>" in html
    facts = [unescape(fact) for fact in re.findall("<td>(.*?)</td>", html)]
    assert len(facts) >= 3
    assert [fact for fact in facts if fact not in text] == []
    assert len(html) < 600


def test_to_look_at_a_plan_changes_nothing():
    looked_at, other = (JudgingPlan(None, CAMPAIGN.runs) for _ in range(2))
    repr(looked_at)
    assert looked_at.next(20).equals(other.next(20))
    assert looked_at.history == other.history
