"""``irx judge next --guarantee``: a campaign of two systems from files."""

import pytest

from irx_measures.cli.main import main


@pytest.fixture
def files(tmp_path):
    """Two runs: the first returns documents d0 to d19 of each query, the second the reverse."""
    runs = [tmp_path / "good.txt", tmp_path / "bad.txt"]
    for run, sign in zip(runs, (-1, 1), strict=True):
        lines = [
            f"q{query} Q0 d{doc} 1 {sign * doc} run\n" for query in range(4) for doc in range(20)
        ]
        run.write_text("".join(lines))
    return [str(tmp_path / "qrels.txt"), *map(str, runs)]


@pytest.mark.parametrize("measure", ["P@5", "DCG@5"])
def test_the_better_system_is_decided(files, capsys, measure):
    options = [*files, "--question", "good,bad", "-m", measure, "--guarantee"]
    qrels = files[0]
    for _ in range(20):
        assert main(["judge", "next", *options, "-n", "4"]) in (0, None)
        asked = capsys.readouterr()
        if "judging can stop" in asked.err:
            break
        rows = [line.split("\t")[:2] for line in asked.out.splitlines()[1:]]
        with open(qrels, "a", encoding="utf-8") as file:
            for query, doc in rows:
                file.write(f"{query} 0 {doc} {int(int(doc[1:]) < 10)}\n")
    assert main(["judge", "status", *options]) in (0, None)
    shown = capsys.readouterr()
    assert "good" in shown.out
    assert "P(no wrong decision)" in shown.out + shown.err


def test_other_questions_are_refused(files, capsys):
    assert main(["judge", "next", *files, "-m", "P@5", "--guarantee"]) == 2
    assert "`question` must be the names of two systems" in capsys.readouterr().err
