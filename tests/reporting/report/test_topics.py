"""Files with the texts of topics."""

import pytest

import irx_measures
from irx_measures.reporting.report.topics import read_topics
from tests.reporting.report.pages import campaign, written

FILES = {
    "topics.csv": 'query_id,text\nq01,"dogs, and cats"\n\nq02,<b>birds</b>\n',
    "topics.tsv": "lang\tquery\tqid\nen\tdogs, and cats\tq01\nen\t<b>birds</b>\tq02\n",
    "topics.txt": "<top>\n<num> Number: q01\n<title> Topic: dogs,\nand cats\n\n<desc> x\n</top>\n"
    "<top><num>q02</num><title><![CDATA[</title></top>\n",
}


@pytest.mark.parametrize("name", ["topics.csv", "topics.tsv"])
def test_tables(tmp_path, name):
    (tmp_path / name).write_text(FILES[name])
    assert read_topics(tmp_path / name) == {"q01": "dogs, and cats", "q02": "<b>birds</b>"}


def test_trec_topics(tmp_path):
    path = tmp_path / "topics.txt"
    path.write_text(FILES["topics.txt"])
    assert read_topics(path)["q01"].split() == ["dogs,", "and", "cats"]


def test_the_page_shows_the_texts(tmp_path):
    path = tmp_path / "topics.csv"
    path.write_text(FILES["topics.csv"])
    text = written(tmp_path / "r.html", *campaign(systems=4), ["P@5"], topics=path)
    assert 'class="title">dogs, and cats</span><span class="qid">q01</span>' in text
    assert 'class="title">&lt;b&gt;birds&lt;/b&gt;</span>' in text
    assert 'class="title">q03</span>' in text


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.csv", "query_id,text\nq1,a\nq1,b\n", "topic 'q1' must have one text; got two"),
        ("t.txt", "query_id,text\nq1,a\n", "no <top> of TREC's topics; a table must end in .csv"),
        ("t.txt", "<top><num>1</top>", "topic 1 of the file must have <num> and <title>"),
    ],
)
def test_mistakes_are_named(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(irx_measures.InputError, match=message):
        read_topics(tmp_path / name)


def test_the_command_line(tmp_path, capsys):
    from irx_measures.cli.main import main

    made = irx_measures.simulate_campaign(systems=3, queries=8, depth=30, seed=1)
    made.write(tmp_path)
    runs = sorted(map(str, (tmp_path / "runs").iterdir()))
    target, topics = tmp_path / "r.html", tmp_path / "topics.csv"
    query = next(iter(made.qrels))
    topics.write_text(f"query_id,text\n{query},what is a dog\n")
    command = ["report", str(tmp_path / "qrels.txt"), *runs, "-m", "P@5", "-o", str(target)]
    assert main([*command, "--topics", str(topics), "--quiet"]) == 0
    assert "what is a dog" in target.read_text(encoding="utf-8")
    assert main([*command, "--topics", str(tmp_path / "none.csv")]) == 2
    assert "none.csv" in capsys.readouterr().err
