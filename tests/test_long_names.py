"""Names that are long and alike stay different wherever they are shown, and are whole in data."""

import json
import re

import pytest

from irx_measures import compare, report, simulate_campaign
from irx_measures.common.tables import FORMATS
from irx_measures.reporting.comparison import comparison_text

LONG = {
    "ends": [f"monoT5-3b-msmarco-10k-passage-reranker-of-bm25-seed{seed}" for seed in range(6)],
    "middles": [f"monoT5-3b-msmarco-seed{seed}-passage-reranker-of-bm25-100" for seed in range(6)],
    "only the middles": [f"{'m' * 40}{seed}{'m' * 40}" for seed in range(6)],
}


@pytest.fixture(scope="module", params=LONG)
def long_names(request):
    """Runs whose names are long and alike, qrels and their comparison."""
    campaign = simulate_campaign(systems=6, queries=8, depth=30, seed=3)
    runs = dict(zip(LONG[request.param], campaign.runs.values(), strict=True))
    compared = compare(runs, campaign.qrels, ["nDCG@10", "AP"], baseline=next(iter(runs)))
    return runs, campaign.qrels, compared


def test_long_names_stay_different_in_the_report(long_names, tmp_path):
    pytest.importorskip("jinja2")
    runs, qrels, compared = long_names
    report(compared, tmp_path / "r.html", runs=runs, qrels=qrels)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    name = r'<span class="isolated">(.*?)</span>'
    whole = dict(re.findall(f"<li>{name} = {name}</li>", page))
    assert sorted(whole.values()) == sorted(runs)
    sections = dict(re.findall(r'<section id="(\w+)"(.*?)</section>', page, re.DOTALL))
    for section, drawn in {
        "leaderboard": r'class="name"><span class="cut" title="(.*?)">(.*?)<',
        "adds": r'<text class="end(?: strong)?"()[^>]*>(m.*?)<',
        "unjudged": r'<text class="end(?: strong)?"()[^>]*>(m.*?)<',
    }.items():
        found = re.findall(drawn, sections[section])
        assert {short for _, short in found} == whole.keys(), section
        assert all(whole[short] == name for name, short in found if name)
    named = re.findall(r'class="(?:label|a head|b head|a|b)(?: strong)?"[^>]*>(m.*?)<', page)
    assert {*named} <= whole.keys()
    data = json.loads(page.split('id="data">')[1].split("</")[0])
    assert sorted(data["systems"]) == sorted(whole)  # of the lists of the script
    assert not re.search(r"\.cut[^{}]*\{[^}]*(overflow:|ellipsis)", page)


def test_long_names_are_whole_where_they_are_data(long_names):
    runs, _, compared = long_names
    for form in ("latex", "markdown", "html"):
        assert all(name in compared.paper_table(form) for name in runs)
    for form in FORMATS:
        text = comparison_text(compared, "leaderboard", form, 3)
        assert all(text.count(name) >= 2 for name in runs)
