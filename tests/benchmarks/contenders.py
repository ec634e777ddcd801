"""The contenders of the benchmark: this package and its peers, on the same input."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import ir_measures
import pandas as pd
from ir_measures import RR, P, nDCG

import irx_measures
from irx_measures.measures.catalogue import catalogue

NRG_OF_OTHERS = "NRG(prior=others)@10"
RARENESS = ["P_Rareness(systems=others)@10", "AP_Rareness(systems=others)@10"]
STANDARD_BASES = ["NRG@10", "NRG(base=P)@10", "NRG(base=RR)@10"]
REGISTERED = "compared"
FRAMES = ("DataFrame, str", "DataFrame, object")
IN_MEMORY = (*FRAMES, "dict")
FILES = "TREC files"

Task = Callable[[Any, dict[str, Any]], object]


@dataclass(frozen=True)
class Contender:
    """One way to score all runs.

    Attributes
    ----------
    name
        Name in the table. A contender is a peer if its name starts with that of a peer.
    task
        Called with qrels and runs.
    forms
        The forms of input it takes.
    against
        Name of the contender that times are relative to; None for itself.
    once
        Whether it is run only once, because it is slow.
    """

    name: str
    task: Task
    forms: tuple[str, ...] = IN_MEMORY
    against: str | None = None
    once: bool = False


def stock(measures: list[Any], qrels: Any, runs: dict[str, Any]) -> None:
    for run in runs.values():
        ir_measures.calc_aggregate(measures, qrels, run)


def stock_with_one_evaluator(qrels: Any, runs: dict[str, Any]) -> None:
    evaluator = ir_measures.evaluator([nDCG @ 10], qrels)
    for run in runs.values():
        evaluator.calc_aggregate(run)


def together(measures: list[str], qrels: Any, runs: dict[str, Any]) -> None:
    irx_measures.evaluate(runs, qrels, measures, progress=False).means()


def one_by_one(qrels: Any, runs: dict[str, Any]) -> None:
    irx_measures.register_runs(REGISTERED, runs, replace=True)
    stock([irx_measures.NRG(prior=REGISTERED) @ 10], qrels, runs)


def experiment(measures: Callable[[dict], list[Any]], qrels: Any, runs: dict[str, Any]) -> None:
    import pyterrier as pt

    names = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    systems = [run.rename(columns=names) for run in runs.values()]
    topics = pd.DataFrame({"qid": qrels["query_id"].unique()}).assign(query="x")
    measures_used = measures(dict(zip(runs, systems, strict=True)))
    judged = qrels.rename(columns=names)
    pt.Experiment(systems, topics, judged, measures_used, names=list(runs))


def _registered(systems: dict[str, pd.DataFrame]) -> list[Any]:
    irx_measures.register_runs(REGISTERED, systems, replace=True)
    return [irx_measures.NRG(prior=REGISTERED) @ 10]


def bootstrapped(b: str, qrels: Any, runs: dict[str, Any]) -> None:
    together([f"BootNDCG(b={b})@10"], qrels, runs)


# On the command line


def irx(qrels: Path, runs: dict[str, Path], hidden: str | None = None) -> None:
    """Run this package's command on all files, optionally as if a module were missing."""
    code = f"import sys; sys.modules.update({dict.fromkeys([hidden] if hidden else [])!r}); "
    code += "from irx_measures.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "evaluate", qrels, *runs.values(), "--quiet"]
    _run([*command, "-m", *RARENESS])


def stock_command(qrels: Path, runs: dict[str, Path]) -> None:
    command = shutil.which("ir_measures", path=Path(sys.executable).parent)
    for run in runs.values():
        _run([command, qrels, run, "AP P@10"])


def trec_eval(qrels: Path, runs: dict[str, Path]) -> None:
    for run in runs.values():
        _run(["trec_eval", "-m", "map", "-m", "P", qrels, run])


def _run(command: list[Any]) -> None:
    done = subprocess.run(list(map(os.fspath, command)), capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())


NDCG = "ir_measures: nDCG@10, run by run"
PT_NDCG = "pt.Experiment: nDCG@10"
THREE = "ir_measures: nDCG@10, P@10, RR@10, run by run"
COMMAND = "ir_measures' command: AP P@10, file by file"
BULK = "evaluate: NRG, P_Rareness, AP_Rareness@10"

SETS = [
    Contender(NDCG, partial(stock, [nDCG @ 10])),
    Contender("ir_measures: nDCG@10, one evaluator", stock_with_one_evaluator, against=NDCG),
    Contender("evaluate: NRG@10", partial(together, [NRG_OF_OTHERS]), against=NDCG),
    Contender(BULK, partial(together, [NRG_OF_OTHERS, *RARENESS]), against=NDCG),
    Contender("ir_measures: NRG@10 of a registered set, run by run", one_by_one, against=NDCG),
    Contender(PT_NDCG, partial(experiment, lambda systems: [nDCG @ 10]), FRAMES),
    Contender(
        "pt.Experiment: NRG@10 of a registered set",
        partial(experiment, _registered),
        FRAMES,
        against=PT_NDCG,
    ),
]
BASES = [
    Contender(THREE, partial(stock, [nDCG @ 10, P @ 10, RR @ 10]), once=True),
    Contender(
        "evaluate: NRG@10 over nDCG, P, RR", partial(together, STANDARD_BASES), against=THREE
    ),
]
COMMANDS = [
    Contender(COMMAND, stock_command, (FILES,), once=True),
    Contender("irx evaluate: rareness", irx, (FILES,), against=COMMAND),
    Contender(
        "irx evaluate: rareness, without pyarrow",
        partial(irx, hidden="pyarrow"),
        (FILES,),
        against=COMMAND,
    ),
]
if shutil.which("trec_eval"):
    COMMANDS.append(Contender("trec_eval: map P", trec_eval, (FILES,), against=COMMAND))
BOOTSTRAP = [Contender(NDCG, partial(stock, [nDCG @ 10]))]
if "BootNDCG" in catalogue:
    BOOTSTRAP += [
        Contender("evaluate: BootNDCG(b=1000)@10", partial(bootstrapped, "1000"), against=NDCG),
        Contender("evaluate: BootNDCG(b=exact)@10", partial(bootstrapped, "exact"), against=NDCG),
    ]

CONTENDERS = {
    "W1": [*SETS, *COMMANDS],
    "W2": [*BASES, *COMMANDS],
    "W3": [*SETS, *COMMANDS],
    "W4": BOOTSTRAP,
}
