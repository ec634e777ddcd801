"""``irx judge calibrate``: human qrels, completed by calibrated machine judgments."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...common.progress import with_bar
from ...common.warn import warn
from ...exceptions import InputError
from ...io.files import write_lines
from ...io.qrels_files import plain_path, qrels_lines
from ...io.trec import read_qrels
from ...judging.calibration import CalibratedPairs
from ...judging.judged_pairs import JudgedPairs
from ...judgments.judgments import Judgments
from ...runsets.runset import RunSet
from ...unjudged.model import TRANSFERRED
from ..argument_types import count
from ..options import add_both_qrels, add_groups, add_quiet, add_runs, add_seed
from ..output import progress_of, tell
from ..parser import Parser
from ..scoring import named_runs

MARK = "calibrated"


def add_arguments(parser: Parser) -> None:
    """Add the arguments of ``irx judge calibrate``."""
    parser.describe(
        description="Write qrels in which every human judgment stays, and a pair that only the "
        "machine judged has the grade\nthat a human would give: the expected grade, rounded, or "
        "grades drawn at random (--worlds). The second\ncolumn marks these pairs: "
        f"{MARK}, or world1, world2, ...",
        epilog=(
            "examples:\n"
            "  irx judge calibrate human.qrels gpt4.qrels runs/* -o completed.qrels\n"
            "  irx judge calibrate human.qrels gpt4.qrels runs/* -o world.qrels --worlds 20"
        ),
    )
    add_both_qrels(parser, "these judgments stay", "some of its pairs must be in HUMAN")
    add_runs(
        parser,
        "TREC run files (.gz too). From 8 groups of runs on, the grades of documents in their "
        "top 100 are learned from what single groups found (JudgmentModel); without RUNs, from "
        "the label alone, which is too high for unpooled documents",
        nargs="*",
    )
    parser.add_argument(
        "-o", "--output", metavar="QRELS", type=Path, required=True, help="the file to write"
    )
    parser.add_argument(
        "--worlds",
        metavar="N",
        type=count,
        help="write N files with grades drawn at random, one draw per pair: for QRELS a.txt they "
        "are a.world1.txt, a.world2.txt, ...",
    )
    add_groups(parser, " (default: each run is a group)")
    parser.add_argument(
        "--depth",
        metavar="N",
        type=count,
        default=10,
        help="the depth to which the runs were pooled (default: %(default)s)",
    )
    add_seed(parser)
    parser.add_argument("--replace", action="store_true", help="replace files that exist already")
    add_quiet(parser)
    parser.set_defaults(run=_calibrate)


def _calibrate(options: argparse.Namespace) -> str:
    files = _files(options)
    human = read_qrels(options.human)
    judgments = Judgments(human)
    pairs = JudgedPairs.of(judgments, options.machine, options.machine)
    calibrated = _learned(options, CalibratedPairs.by_label(judgments, pairs))
    if options.worlds is None:
        worlds = iter([(MARK, calibrated.expected())])
    else:
        drawn = calibrated.worlds(options.worlds, options.seed)
        worlds = ((f"world{number}", grade) for number, grade in enumerate(drawn, 1))
    written = with_bar(files, "file", progress_of(options))
    for file, (mark, grade) in zip(written, worlds, strict=True):
        write_lines(file, qrels_lines(human, calibrated.query_ids, calibrated.doc_ids, grade, mark))
    _report(options, len(human.grade), calibrated)
    return "".join(f"{file}\n" for file in files)


def _files(options: argparse.Namespace) -> list[Path]:
    """The files to write; checked before the work starts."""
    output: Path = options.output
    if options.worlds is None:
        files = [output]
    else:
        if options.worlds < 1:
            raise InputError(f"--worlds must be at least 1; got {options.worlds}")
        stem = plain_path(output).name
        ending = output.name[len(stem) :]
        files = [
            output.with_name(f"{stem}.world{number}{ending}")
            for number in range(1, options.worlds + 1)
        ]
    given = {Path(path).resolve() for path in (options.human, options.machine, *options.runs)}
    for file in files:
        if file.resolve() in given:
            raise InputError(f"{file}: an input; it is not replaced")
        if file.exists() and not options.replace:
            raise FileExistsError(f"{file}: exists already (--replace replaces it)")
    if not output.absolute().parent.is_dir():
        raise InputError(f"--output: no folder {output.absolute().parent}")
    return files


def _learned(options: argparse.Namespace, calibrated: CalibratedPairs) -> CalibratedPairs:
    """The pairs, with what the runs teach of them."""
    if not options.runs:
        warn(
            "without RUNs, grades are calibrated on the judged pairs, which come from a pool: "
            "other pairs with the same label are relevant less often"
        )
        return calibrated
    runs = RunSet(named_runs(options.runs), groups=options.groups)
    learned, model = calibrated.learned_from(
        runs, options.human, options.machine, options.depth, progress_of(options)
    )
    if model.prior == TRANSFERRED:
        warn(f"grades are calibrated by label alone, as without RUNs: {model.summary}")
    return learned


def _report(options: argparse.Namespace, human: int, calibrated: CalibratedPairs) -> None:
    pairs, learned = len(calibrated.query_ids), int(calibrated.learned.sum())
    tell(
        options,
        f"kept {human} human judgments, added {pairs} calibrated ones ({learned} learned from "
        f"the runs, {pairs - learned} from the label alone)",
    )
    if calibrated.left_out:
        warn(f"left out {calibrated.left_out} pairs: no pair with a human judgment has their label")
