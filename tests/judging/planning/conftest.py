"""The pool of a simulated campaign."""

import pytest

from irx_measures import RunSet, simulate_campaign
from irx_measures.io.trec import read_qrels
from irx_measures.judging.planning.pool import JudgingPool, read_pooled


@pytest.fixture(scope="session")
def pooled():
    """A campaign, its pool, and the grades of the pool."""
    campaign = simulate_campaign(systems=6, queries=8, depth=40, seed=3)
    pooled = read_pooled(read_qrels(campaign.qrels), RunSet(campaign.runs), range(4))
    return campaign, *JudgingPool.of(pooled, 10, range(4))
