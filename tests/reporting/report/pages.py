"""Pages that the tests of the report look at."""

import pytest

import irx_measures

pytest.importorskip("jinja2")

MEASURES = ["nDCG@10", "AP", "NRG(prior=others)@10"]

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    '"><svg onload=alert(3)>',
    "' onclick='alert(4)",
    "\u202egnp.exe",
    "x" * 10_000,
    "{{ 7 * 7 }}{% raw %}",
    "a & b &amp; ]]> <!-- ",
)


def campaign(systems=8, queries=12, seed=3):
    """Qrels and runs as dicts."""
    made = irx_measures.simulate_campaign(systems=systems, queries=queries, depth=60, seed=seed)
    return made.qrels, made.runs


def hostile_campaign():
    """The same campaign, in which systems, queries and documents have names that attack."""
    qrels, runs = campaign()
    queries = {query: f"{HOSTILE[place % 8]}q{place}" for place, query in enumerate(qrels)}

    def renamed(table):
        return {
            queries[query]: {f"{HOSTILE[0]}{HOSTILE[2]}{doc}": value for doc, value in row.items()}
            for query, row in table.items()
        }

    named = {f"{HOSTILE[place]}s{place}": renamed(run) for place, run in enumerate(runs.values())}
    return renamed(qrels), named


def written(path, qrels, runs, measures=MEASURES, baseline=None, unjudged=None, **options):
    """Write a report and return its text."""
    how = {"baseline": baseline, "unjudged": unjudged}
    result = irx_measures.compare(qrels, runs, list(measures), **how)
    irx_measures.report(result, path, qrels=qrels, runs=runs, **options)
    return path.read_text(encoding="utf-8")
