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
    """Runs and qrels as dicts."""
    made = irx_measures.simulate_campaign(systems=systems, queries=queries, depth=60, seed=seed)
    return made.runs, made.qrels


def renamed(runs, qrels, systems=None, topics=None, documents=None):
    """The same campaign under other names; each is a function of a position or of a name."""
    number = {topic: place for place, topic in enumerate(qrels)}

    def of_topic(topic):
        return topics(number[topic]) if topics else topic

    def of_document(document):
        return documents(document) if documents else document

    def table(rows):
        return {
            of_topic(topic): {of_document(document): value for document, value in row.items()}
            for topic, row in rows.items()
        }

    named = {
        (systems(place) if systems else name): table(run)
        for place, (name, run) in enumerate(runs.items())
    }
    return named, table(qrels)


def hostile(kind):
    """A function from a position to a name that attacks."""
    return lambda place: f"{HOSTILE[place % len(HOSTILE)]}{kind}{place}"


def hostile_campaign():
    return renamed(
        *campaign(),
        hostile("s"),
        hostile("q"),
        lambda document: f"{HOSTILE[0]}{HOSTILE[2]}{document}",
    )


def written(path, runs, qrels, measures=MEASURES, baseline=None, unjudged=None, **options):
    """Write a report and return its text."""
    how = {"baseline": baseline, "unjudged": unjudged}
    result = irx_measures.compare(runs, qrels, list(measures), **how)
    irx_measures.report(result, path, runs=runs, qrels=qrels, **options)
    return path.read_text(encoding="utf-8")
