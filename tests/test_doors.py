"""What the documentation says of unusual input and of mistakes, wherever scores are asked for."""

import math

import ir_measures
import pandas as pd
import pytest

import irx_measures
from irx_measures import evaluate, register_runs
from irx_measures.cli.main import main
from irx_measures.runsets.registry import OTHERS
from tests.doubts import MISSED_QUERIES, NO_PRIOR, OWN_PRIOR

pytestmark = [MISSED_QUERIES, NO_PRIOR, OWN_PRIOR]

QRELS = [("q1", "A", 1), ("q1", "B", 0), ("q2", "A", 2)]
RUN = [("q1", "A", 2.0), ("q1", "X", 1.0), ("q2", "A", 1.0)]
OTHER = {"q1": {"B": 2.0, "A": 1.0}, "q2": {"A": 1.0}}


def frame(rows, value):
    return pd.DataFrame(rows, columns=["qid", "docno", value])


def by_evaluate(measure, run, folder):
    return evaluate(frame(QRELS, "label"), {"mine": frame(run, "score")}, measure).scores.mean()


def by_calc_aggregate(measure, run, folder):
    parsed = ir_measures.parse_trec_measure(measure)
    run = frame(run, "score").rename(columns={"qid": "query_id", "docno": "doc_id"})
    names = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}
    judged = frame(QRELS, "label").rename(columns=names)
    return next(iter(ir_measures.calc_aggregate(parsed, judged, run).values()))


def by_pyterrier(measure, run, folder, experiment=None):
    experiment = experiment or pytest.importorskip("pyterrier").Experiment
    topics = pd.DataFrame({"qid": ["q1", "q2"], "query": "x"})
    judged = frame(QRELS, "label")
    table = experiment([frame(run, "score")], topics, judged, [measure], names=["mine"])
    return table.iloc[0, 1]


def by_experiment(measure, run, folder):
    pytest.importorskip("pyterrier")
    return by_pyterrier(measure, run, folder, irx_measures.Experiment)


class OneLineError(Exception):
    """What the command line says before it exits with status 2."""


def by_command_line(measure, run, folder, capsys):
    rows = {
        "qrels.txt": [f"{query} 0 {doc} {grade}" for query, doc, grade in QRELS],
        "mine.run": [f"{query} Q0 {doc} 0 {score} tag" for query, doc, score in run],
    }
    for name, lines in rows.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    given = [str(folder / name) for name in rows]
    status = main(["evaluate", *given, "-m", measure, "-o", "csv", "-p", "-1"])
    printed = capsys.readouterr()
    if status:
        (line,) = [line for line in printed.err.splitlines() if "warning" not in line]
        raise OneLineError(f"status {status}: {line}")
    return float(printed.out.splitlines()[-1].rpartition(",")[2])


DOORS = {
    "evaluate": by_evaluate,
    "calc_aggregate": by_calc_aggregate,
    "pt.Experiment": by_pyterrier,
    "Experiment": by_experiment,
    "irx": by_command_line,
}


@pytest.fixture(params=DOORS)
def score(request, tmp_path, capsys):
    """The score of a measure at one door."""
    register_runs("known", {"other": OTHER})
    register_runs("tied", {"reference": {"q1": {"A": 1.0, "X": 1.0}, "q2": {"A": 1.0}}})
    door = DOORS[request.param]
    more = [capsys] if request.param == "irx" else []

    def call(measure, run=RUN):
        return door(measure, run, tmp_path, *more)

    call.door = request.param
    return call


TIED = [("q1", "A", 1.0), ("q1", "X", 1.0), ("q2", "A", 1.0)]

# A measure and its mean score, in which a query that the run misses counts as an empty ranking.
SCORES = {
    "NRG(prior=known)@10": ([("q1", "X", 2.0), ("q1", "A", 1.0)], 0.315464876786),
    "P_Rareness(systems=known)@2": (RUN, 0.5),
    "UniqueRel(prior=known)@1": (RUN, 0.5),
    "RBR(phi=0.5, reference=tied, ties=least)@1": (TIED, (0.25 + 0.5) / 2),
    "RBA(phi=0.5, ties=least)": (TIED, (0.125**0.5 + 0.5) / 2),
    "RBO(phi=0.5, ties=w, bound=ext)": (TIED, (0.75 + 1) / 2),
    "nDCG@10": ([("q1", "A", 3), ("q9", "A", 1)], 0.5),
    "ndcg_cut_10": (RUN[:2], 0.5),
    "AP": (RUN[:2], 0.5),
    "RR": ([("q1", "X", 2.0), ("q1", "A", 1.0)], 0.25),
}
MISTAKES = {
    "score is NaN": ("score is NaN for query", "NRG@10", [("q1", "A", math.nan), *RUN[1:]]),
    "returned twice": ("'A' more than once", "NRG@10", [*RUN, RUN[0]]),
    "cutoff": ("`cutoff` must be a whole number of at least 1; got 0", "NRG@0"),
    "parameter": ("NRG has no parameter `alpha`; it has `prior`", "NRG(alpha=1)@10"),
    "value": ("`phi` must lie in (0, 1); got 1", "RBR(phi=1)@10"),
    "name of runs": ("no set of runs is called 'nobody'", "NRG(prior=nobody)@10"),
    "mistyped runs": ("did you mean known? ", "NRG(prior=knwon)@10"),
    "several measures": ("each measure is a text of its own", "nDCG@10,AP"),
    "name": ("measure not found: NRGG; did you mean NRG?", "NRGG(prior=known)@10"),
}


@pytest.mark.parametrize("measure", SCORES)
def test_a_score_is_the_same_at_every_door(score, measure):
    run, expected = SCORES[measure]
    assert score(measure, run) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_at_every_door(score, mistake):
    message, measure, *run = MISTAKES[mistake]
    with pytest.raises((ValueError, NameError, OneLineError)) as caught:
        score(measure, *run)
    told = str(caught.value)
    assert message in told
    assert (score.door == "irx") == told.startswith("status 2: irx evaluate: error: ")


COMPARING = ["evaluate", "Experiment", "irx"]


@pytest.mark.parametrize("score", COMPARING, indirect=True)
@pytest.mark.parametrize(
    ("name", "meant"), [("mnie", "mine"), ("a+mnie", "mine"), ("other", OTHERS)]
)
def test_a_mistyped_run_is_told_with_the_runs_that_are_compared(score, name, meant):
    known = "known are 'others', 'mine', 'known', 'tied'"
    with pytest.raises((ValueError, OneLineError)) as caught:
        score(f"NRG(prior={name})@10")
    assert f"{known}; did you mean {meant}?" in str(caught.value)


@pytest.mark.parametrize("score", ["calc_aggregate", "pt.Experiment"], indirect=True)
@pytest.mark.parametrize("name", ["others", "bm25"])
def test_runs_of_a_comparison_are_told_outside_of_it_with_what_knows_them(score, name):
    hint = f"called '{name}'; known are 'known'.*irx_measures.Experiment or scope"
    with pytest.raises(ValueError, match=hint):
        score(f"NRG(prior={name})@10")
