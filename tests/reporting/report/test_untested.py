"""One system, or too few topics for a test: a page with what can be said."""

import pytest

import irx_measures
from irx_measures.stats.intervals import mean_interval
from tests.reporting.report.pages import campaign


@pytest.mark.parametrize(
    ("systems", "topics", "why"),
    [
        (1, 12, "a comparison needs at least 2 systems; got 1"),
        (3, 1, "a comparison needs at least 3 topics; got 1"),
        (3, 2, "a comparison needs at least 3 topics; got 2"),
    ],
)
def test_means_topics_and_the_reason(tmp_path, systems, topics, why):
    runs, qrels = campaign(systems=3, queries=12)
    names, queries = list(runs)[:systems], list(qrels)[:topics]
    runs = {name: {query: runs[name][query] for query in queries} for name in names}
    matrix = irx_measures.evaluate(runs, {query: qrels[query] for query in queries}, ["AP", "P@5"])
    path = tmp_path / "r.html"
    irx_measures.report(matrix, path, title="<b>", topics={queries[0]: "dogs & cats"})
    text = path.read_text(encoding="utf-8")
    assert f"These scores are not tested: {why}." in text
    assert "<h1>&lt;b&gt;</h1>" in text
    assert text.count('<th scope="row">dogs &amp; cats</th>') == systems
    assert ("Mean over topics" in text) == (topics > 1)
    means = 1 + systems if topics > 1 else 0
    assert text.count("<tr>") == means + 1 + systems * topics
    assert text.count(f'<th scope="row">{names[0]}</th>') == (
        1 if systems == 1 else topics + (topics > 1)
    )
    for said in ("<dt>Data</dt>", "Inputs (sha256)", "<dt>Software</dt>", 'id="bibtex"'):
        assert said in text
    assert (" interval</th>" in text) == (topics > 2)
    if topics > 2:
        lower, upper = (float(end[0]) for end in mean_interval(matrix.scores[0], 0.95))
        assert f"{lower:.3f} to {upper:.3f}".replace("0.", ".") in text
    best = float(matrix.aggregates[0].max())
    assert f'<td class="r">{best:.3f}</td>'.replace(">0.", ">.") in text
    assert "<script" not in text
    with pytest.raises(irx_measures.InputError, match="baseline"):
        irx_measures.report(matrix, path, baseline="nobody")


def test_the_command_line(tmp_path):
    from irx_measures.cli.main import main

    made = irx_measures.simulate_campaign(systems=3, queries=8, depth=30, seed=1)
    made.write(tmp_path)
    run = str(min((tmp_path / "runs").iterdir()))
    target = tmp_path / "r.html"
    command = ["report", str(tmp_path / "qrels.txt"), run, "-m", "P@5", "-o", str(target)]
    assert main([*command, "--quiet"]) == 0
    text = target.read_text(encoding="utf-8")
    assert "at least 2 systems; got 1" in text
    assert text.count("top 5</summary>") == 8
    assert "judged" in text
    scores = tmp_path / "s.csv"
    scores.write_text("system,query_id,accuracy\na,q1,0.5\nb,q1,0.25\n")
    command = ["report", "--scores", str(scores), "-o", str(target)]
    assert main([*command, "--quiet"]) == 0
    assert "at least 3 topics; got 1" in target.read_text(encoding="utf-8")
