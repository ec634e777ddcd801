"""What the benchmark times: tasks of this package and of its peers, and the rows of the table.

A task is called with qrels and runs. Every task imports what it times when it is called, because a
worker may put another version of this package first (see `workers.py`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from .alone import CORE, SWITCH

NRG_OF_OTHERS = "NRG(prior=others)@10"
RARENESS = ["P_Rareness(systems=others)@10", "AP_Rareness(systems=others)@10"]
STANDARD = ["nDCG@10", "AP", "RR"]
TEN_STANDARD = [
    *STANDARD,
    *("nDCG", "P@10", "R@100", "Rprec", "Bpref", "Success@10", "Judged@10"),
]
FOURTEEN_OWN = [
    NRG_OF_OTHERS,
    *RARENESS,
    *("UniqueRel(prior=others)@10", "TaSC(prior=others)@10", "RBR(phi=0.9)", "RBA(phi=0.9)"),
    *("RBO(phi=0.9)", "RBPBound@10", "nDCG_UE@10", "AP_UE", "Expected@10", "UpperBound@10"),
    "nDCGBound(bound=upper)@10",
]
PHI = 0.9
REGISTERED = "compared"
FRAMES = ("str", "object")
DICT, FILES, PAIRS = "dict", "files", "pairs"
FORMS = (DICT, *FRAMES, FILES, PAIRS)

Task = Callable[[Any, dict[str, Any]], object]


class Peer(NamedTuple):
    """What a row is compared with.

    Attributes
    ----------
    task
        A task, or the published seconds per pair of rankings.
    installed
        Whether it can be run here.
    """

    task: Task | float
    installed: bool = True


class Row(NamedTuple):
    """A row of the table, for every form of input in `forms`.

    Attributes
    ----------
    workload
        A key of `generate.WORKLOADS`.
    work
        What is timed, as in the table.
    task
        The task of this package.
    against
        A key of `peers()`. None: seconds are given, not a ratio.
    """

    workload: str
    forms: tuple[str, ...]
    work: str
    task: Task
    against: str | None


# This package


def core_is_off() -> bool:
    return os.environ.get(SWITCH) == "0"


def together(measures: list[str], qrels: Any, runs: dict[str, Any]) -> None:
    import irx_measures

    irx_measures.evaluate(qrels, runs, measures, progress=False).means()


def one_by_one(qrels: Any, runs: dict[str, Any]) -> None:
    import irx_measures

    irx_measures.register_runs(REGISTERED, runs, replace=True)
    stock([f"NRG(prior={REGISTERED})@10"], qrels, runs)


def agreement(name: str, reference: Any, runs: dict[str, Any]) -> list[float]:
    """RBR, RBA or RBO of every query of every run with the reference."""
    import irx_measures

    irx_measures.register_runs(REGISTERED, {"reference": reference}, replace=True)
    measure = irx_measures.parse_measure(f"{name}(phi={PHI},bound=lower,reference={REGISTERED})")
    return [metric.value for run in runs.values() for metric in measure.iter_calc({}, run)]


def irx(qrels: Path, runs: dict[str, Path]) -> None:
    _run([*irx_command(), "evaluate", qrels, *runs.values(), "-m", "nDCG@10"])


def irx_command() -> list[str]:
    """The command `irx`, without the native core where `SWITCH` says so."""
    hidden = {CORE: None} if core_is_off() else {}
    code = f"import sys; sys.modules.update({hidden}); "
    code += "from irx_measures.cli.main import main; sys.exit(main())"
    return [sys.executable, "-c", code]


# Peers


def stock(measures: list[str], qrels: Any, runs: dict[str, Any]) -> None:
    import ir_measures

    parsed = [ir_measures.parse_measure(measure) for measure in measures]
    for run in runs.values():
        ir_measures.calc_aggregate(parsed, qrels, run)


def experiment(name: str, qrels: Any, runs: dict[str, Any]) -> None:
    """pt.Experiment with nDCG@10 or NRG@10."""
    import pyterrier as pt

    import irx_measures

    systems, topics, judged = _as_of_pyterrier(qrels, runs)
    if name == "NRG":
        irx_measures.register_runs(REGISTERED, systems, replace=True)
    measure = {"NRG": f"NRG(prior={REGISTERED})@10", "nDCG": "nDCG@10"}[name]
    pt.Experiment(
        list(systems.values()),
        topics,
        judged,
        [irx_measures.parse_measure(measure)],
        names=list(systems),
    )


def with_baseline(package: str, qrels: Any, runs: dict[str, Any]) -> None:
    """An experiment of a package that compares all systems with the first one."""
    systems = _as_of_pyterrier(qrels, runs)
    how = {"baseline": 0, "correction": "holm"}
    import_module(package).Experiment(*systems, ["map", "ndcg_cut_10"], **how)


def _as_of_pyterrier(qrels: Any, runs: dict[str, Any]) -> tuple[dict[str, Any], Any, Any]:
    """The systems, topics and qrels of an experiment."""
    import pandas as pd

    names = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    systems = {name: run.rename(columns=names) for name, run in runs.items()}
    topics = pd.DataFrame({"qid": qrels["query_id"].unique()}).assign(query="x")
    return systems, topics, qrels.rename(columns=names)


def ranx(qrels: Any, runs: dict[str, Any]) -> None:
    from ranx import Qrels, Run, evaluate

    judged = Qrels(qrels)
    for run in runs.values():
        evaluate(judged, Run(run), ["ndcg@10", "map", "mrr"])


def trec_eval(program: str, qrels: Path, runs: dict[str, Path]) -> None:
    measures = ("-m", "ndcg_cut.10", "-m", "map", "-m", "recip_rank")
    for run in runs.values():
        _run([program, *measures, qrels, run])


def stock_command(qrels: Path, runs: dict[str, Path]) -> None:
    command = shutil.which("ir_measures", path=Path(sys.executable).parent)
    for run in runs.values():
        _run([command, qrels, run, "nDCG@10"])


def rbstar(name: str, reference: Any, runs: dict[str, Any]) -> list[float]:
    """The same; rbstar's objects are made for every pair."""
    from rbstar.rb_metrics import RBMetric
    from rbstar.rb_ranking import RBRanking
    from rbstar.rb_set import RBSet

    method = {"RBR": "rb_recall", "RBA": "rb_alignment", "RBO": "rb_overlap"}[name]
    scores = []
    for run in runs.values():
        for query, observed in run.items():
            metric = RBMetric(PHI)
            metric._reference = RBRanking([[doc] for doc in reference[query]])
            if name == "RBR":
                metric._observation = RBSet(list(observed))
            else:
                metric._observation = RBRanking([[doc] for doc in observed])
            scores.append(getattr(metric, method)().lower_bound)
    return scores


def _run(command: list[Any]) -> None:
    done = subprocess.run(list(map(os.fspath, command)), capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())


# The table

COMMANDS = ("tiny",)  # workloads whose tasks start a command of this package
IR_NDCG = "ir_measures: nDCG@10"
IR_STANDARD = "ir_measures: nDCG@10, AP, RR"
PT_NDCG = "`pt.Experiment`: nDCG@10"
PT_HOLM = "`pt.Experiment`: map, nDCG@10, Holm"
TREC_EVAL = "trec_eval: ndcg_cut.10, map, recip_rank"
RANX = "ranx: ndcg@10, map, mrr"
COMMAND = "`ir_measures`, the command: nDCG@10"
EARLIER = "earlier version"

# Seconds per pair that rbstar's authors' code took on another machine, where it is not installed.
PUBLISHED = {"RBR": 25e-6, "RBA": 190e-6, "RBO": 480e-6}
HAS_RBSTAR = find_spec("rbstar") is not None


def _rbstar(name: str) -> str:
    return f"rbstar: {name}" if HAS_RBSTAR else f"rbstar: {PUBLISHED[name] * 1e6:.0f} us, published"


def peers(program: str | None = None, earlier: bool = False) -> Mapping[str, Peer]:
    """The peers by name; `program` is trec_eval's C program."""
    return {
        IR_NDCG: Peer(partial(stock, ["nDCG@10"])),
        IR_STANDARD: Peer(partial(stock, STANDARD)),
        PT_NDCG: Peer(partial(experiment, "nDCG"), find_spec("pyterrier") is not None),
        PT_HOLM: Peer(partial(with_baseline, "pyterrier"), find_spec("pyterrier") is not None),
        RANX: Peer(ranx, find_spec("ranx") is not None),
        TREC_EVAL: Peer(partial(trec_eval, program), program is not None),
        COMMAND: Peer(stock_command),
        EARLIER: Peer(LOG_TASK, earlier),
        **{
            _rbstar(name): Peer(partial(rbstar, name) if HAS_RBSTAR else seconds)
            for name, seconds in PUBLISHED.items()
        },
    }


IN_MEMORY = (*FRAMES, DICT)
LOG_TASK = partial(together, ["nDCG@10", NRG_OF_OTHERS, RARENESS[0]])
STANDARD_TASK = partial(together, STANDARD)
_SETS = "`evaluate`: NRG, P_Rareness, AP_Rareness@10"
_BY_RUN = "`calc_aggregate`, run by run: NRG@10"

ROWS = [
    Row("W1", IN_MEMORY, "`evaluate`: nDCG@10, AP, RR", STANDARD_TASK, IR_STANDARD),
    Row("W1", (DICT,), "`evaluate`: nDCG@10, AP, RR", STANDARD_TASK, RANX),
    Row("W1", IN_MEMORY, _SETS, partial(together, [NRG_OF_OTHERS, *RARENESS]), IR_NDCG),
    Row("W1", IN_MEMORY, _BY_RUN, one_by_one, IR_NDCG),
    Row("W1", FRAMES, "`pt.Experiment`: NRG@10", partial(experiment, "NRG"), PT_NDCG),
    Row(
        "W1",
        FRAMES,
        "`Experiment`: map, nDCG@10, Holm",
        partial(with_baseline, "irx_measures"),
        PT_HOLM,
    ),
    Row(
        "W4",
        (DICT,),
        "`evaluate`: BootNDCG@10, 1000 samples",
        partial(together, ["BootNDCG(b=1000)@10"]),
        IR_NDCG,
    ),
    *(
        Row(workload, (FILES,), "`evaluate`: nDCG@10, AP, RR", STANDARD_TASK, TREC_EVAL)
        for workload in ("W1", "W3", "W2")
    ),
    Row("W2", (FILES,), "`evaluate`: 10 such measures", partial(together, TEN_STANDARD), None),
    Row("W2", (FILES,), "`evaluate`: 14 of this package", partial(together, FOURTEEN_OWN), None),
    Row("tiny", (FILES,), "`irx evaluate`: nDCG@10", irx, COMMAND),
    *(
        Row(
            "pairs",
            (PAIRS,),
            f"`iter_calc`, run by run: {name}",
            partial(agreement, name),
            _rbstar(name),
        )
        for name in PUBLISHED
    ),
    Row("log", ("str",), "`evaluate`: nDCG, NRG, P_Rareness@10", LOG_TASK, EARLIER),
]
