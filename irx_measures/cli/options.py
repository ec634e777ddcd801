"""The options that several commands share, in groups."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..common.tables import DEFAULT_PLACES, FORMATS
from ..io.formats import FORMAT_NAMES
from ..io.groups import GROUP
from ..measures.learned import LEARNED
from .argument_types import count
from .parser import (
    GROUPS,
    HUMAN_QRELS,
    MACHINE_QRELS,
    PRIOR,
    QRELS,
    QUERY_GROUPS,
    REFERENCE,
    RUN,
    Effect,
    Parser,
)


def add_qrels(parser: Parser) -> None:
    """Add the argument for the qrels to a command that scores runs."""
    parser.add_argument(
        "qrels",
        metavar="QRELS",
        role=QRELS,
        help="a TREC qrels file (.gz too), else an ir_datasets id; 'irds:' forces the id; "
        "'-' for no qrels",
    )


def add_both_qrels(parser: Parser, human: str, machine: str) -> None:
    """Add HUMAN and MACHINE; the texts say which topics or pairs they judge."""
    parser.add_argument(
        "human",
        metavar="HUMAN",
        role=HUMAN_QRELS,
        help=f"qrels of human judges, or an ir_datasets id: {human}",
    )
    parser.add_argument(
        "machine", metavar="MACHINE", role=MACHINE_QRELS, help=f"qrels of a machine: {machine}"
    )


def add_runs(
    parser: Parser,
    about: str = "TREC run files (.gz too), named after the files; a folder is one run",
    nargs: str = "+",
) -> None:
    """Add the argument for the runs."""
    parser.add_argument("runs", metavar="RUN", nargs=nargs, role=RUN, default=[], help=about)


def add_scoring_options(
    parser: Parser,
    picture: str | None,
    format_note: str = "",
    places: int | None = DEFAULT_PLACES,
    measures: Sequence[str] | None = None,
) -> None:
    """Add the options of commands that score runs and print a table.

    Parameters
    ----------
    parser
        The parser of the command.
    picture
        The picture that ``--plot`` draws, for the help text; None: there is no ``--plot``.
    format_note
        A note that is appended to the help text of ``--output_format``.
    places
        The default number of decimal places; None depends on the format.
    measures
        The default measures; None: the user must name measures.
    """
    add_measure_options(parser, measures)
    _add_output_options(parser, picture, format_note, places)
    add_reading_options(parser)


def add_measure_options(parser: Parser, measures: Sequence[str] | None = None) -> None:
    """Add the options for measures; see `add_scoring_options`."""
    parser.add_argument(
        "-m",
        "--measures",
        metavar="MEASURE",
        nargs="+",
        required=measures is None,
        default=measures or [],
        role=Effect.MEASURES,
        help="measures of this package (see 'irx measures') and of ir_measures"
        f"{'' if measures is None else f' (default: {chr(32).join(measures)})'}",
    )
    parser.add_argument(
        "--reference",
        metavar="RUN",
        role=REFERENCE,
        help="a run file or the name of a RUN: the reference of measures that name no "
        "reference; QRELS may then be '-', for no qrels",
    )
    add_groups(parser, ", for select=")


def _add_output_options(
    parser: Parser, picture: str | None, format_note: str, places: int | None
) -> None:
    """Add the options for tables and pictures; see `add_scoring_options`."""
    parser.add_argument(
        "-p",
        "--places",
        metavar="N",
        type=int,
        default=places,
        role=Effect.DISPLAY,
        help="decimal places; -1: all digits, as programs that read csv or tsv need them; json and "
        "jsonl always have them "
        f"(default: {'3, and -1 in csv and tsv' if places is None else places})",
    )
    parser.add_argument(
        "-o",
        "--output_format",
        choices=FORMATS,
        default="table",
        role=Effect.DISPLAY,
        help="(default: %(default)s); csv-safe: no name is a formula in a spreadsheet; json: the "
        "results with versions, parameters and digests of the inputs"
        f"{format_note}",
    )
    if picture is None:
        parser.set_defaults(plot=None, width=None)
    else:
        add_plot(parser, picture)


def add_plot(parser: Parser, picture: str) -> None:
    """Add ``--plot`` and ``--width``; `picture` says what is drawn."""
    parser.add_argument(
        "--plot",
        metavar="FILE",
        type=Path,
        role=Effect.DISPLAY,
        help=f"draw {picture} (.png, .svg or .pdf)",
    )
    add_width(parser)


def add_width(parser: Parser) -> None:
    """Add ``--width``, of what ``--plot`` draws."""
    parser.add_argument(
        "--width",
        metavar="INCHES",
        type=float,
        role=Effect.DISPLAY,
        help="width of the picture, such as 3.3 for a column of a paper; below 5, the caption is "
        "printed on stderr instead of above the picture (default: 7)",
    )


def add_reading_options(parser: Parser) -> None:
    """Add the options for reading runs and qrels; see `add_scoring_options`."""
    parser.add_argument(
        "--no-strict",
        dest="strict",
        action="store_false",
        help="drop NaN scores and documents returned or judged twice, and score runs of which no "
        "document is judged, with a warning; without this option they are errors",
    )
    parser.add_argument(
        "--no-files",
        dest="allow_files",
        action="store_false",
        help="measures may not name files or ir_datasets ids: for untrusted measure strings",
    )
    parser.add_argument(
        "--prior",
        dest="priors",
        metavar="RUN",
        action="append",
        default=[],
        role=PRIOR,
        help="a run file, which is not scored, or the name of a RUN: the prior of measures that "
        "name no prior. Measures can name it, too: bm25.run is called bm25. May be repeated",
    )
    parser.add_argument(
        "--limits",
        metavar="MEMORY",
        role=Effect.DISPLAY,
        help="memory that a measure may take, and size that a compressed file may unpack to, such "
        "as 2GB (default: a quarter of the machine's; for a file also 100 times its size)",
    )
    parser.add_argument(
        "--format",
        choices=FORMAT_NAMES,
        help="the format of the RUN files; by default their endings say it. msmarco: three "
        "columns (query, document, rank)",
    )
    add_quiet(parser)


def add_quiet(parser: Parser) -> None:
    parser.add_argument(
        "--quiet",
        action="store_true",
        role=Effect.DISPLAY,
        help="no progress bar, and no evaluation warnings: doubts about what scores mean",
    )


def add_test_options(parser: Parser) -> None:
    """Add the options of the tests of `compare`."""
    from ..comparison.method import COMPARING
    from ..stats.decisions import CORRECTIONS

    parser.add_argument(
        "--test",
        choices=COMPARING,
        default="t",
        help="(default: %(default)s). moderated-t is t with variances moderated by their median: "
        "fewer errors where differences are skewed",
    )
    parser.add_argument(
        "--correction",
        choices=CORRECTIONS,
        default="holm",
        help="correction for the number of comparisons of a measure (default: %(default)s). bh "
        "(Benjamini-Hochberg) bounds the share of wrong findings; it has no intervals and no ranks",
    )
    add_level(parser)
    parser.add_argument(
        "--resamples",
        metavar="N",
        type=count,
        default=10_000,
        help="samples of the tests that resample, at most a million (default: %(default)s)",
    )
    add_seed(parser)
    add_prior_topics(parser)
    parser.add_argument(
        "--unjudged",
        choices=(LEARNED,),
        help="learned: also draw the grades of unjudged documents from the learned prior, and "
        "resample the topics. The leaderboard then has P(best), the probability that the system's "
        "mean is the highest, and differences have P(A > B). For nDCG@k, AP@k, P@k and RBP@k",
    )


def add_prior_topics(parser: Parser) -> None:
    """Add the option of the test moderated-t."""
    from ..stats.tests import PRIOR_TOPICS

    parser.add_argument(
        "--prior-topics",
        metavar="N",
        type=float,
        default=PRIOR_TOPICS,
        help="how many topics the median variance counts for in moderated-t (default: "
        f"{PRIOR_TOPICS:g})",
    )


def add_baselines(parser: Parser, about: str) -> None:
    """Add the option for baselines; `about` says what is done with one, and without any."""
    parser.add_argument(
        "--baseline", dest="baselines", metavar="RUN", action="append", default=[], help=about
    )


def add_level(parser: Parser) -> None:
    parser.add_argument(
        "--level",
        type=float,
        default=0.95,
        help="confidence level of tests and intervals, such as .95 or 95 (default: %(default)s)",
    )


def add_seed(parser: Parser, seed: int = 42) -> None:
    parser.add_argument(
        "--seed", metavar="N", type=int, default=seed, help="random seed (default: %(default)s)"
    )


def add_groups(parser: Parser, about: str) -> None:
    """Add the option for the groups of the runs; `about` says what they are for."""
    parser.add_argument(
        "--groups",
        metavar="FILE",
        role=GROUPS,
        help=f"the groups of the runs: FILE (csv, tsv, json lines) has columns run, group{about}",
    )


def add_by(parser: Parser, about: str) -> None:
    """Add the options for groups of queries; `about` says what is done with each group."""
    parser.add_argument(
        "--by",
        metavar="FILE",
        role=QUERY_GROUPS,
        help=f"groups of queries: {about}. FILE (csv, tsv, json lines) has columns query_id and "
        "group, or it is an irds: id whose topics have a field to group by (--groups is for "
        "groups of runs)",
    )
    parser.add_argument(
        "--by-column",
        metavar="NAME",
        help=f"the column or field of --by that names the groups (default: {GROUP})",
    )


def add_topic_sets(parser: Parser) -> None:
    parser.add_argument(
        "--topics", metavar="N", type=count, help="topics per set (default: half of the topics)"
    )
    add_trials(parser, "number of sets to draw")


def add_trials(parser: Parser, what: str) -> None:
    parser.add_argument(
        "--trials", metavar="N", type=count, default=1000, help=f"{what} (default: %(default)s)"
    )


def add_coefficient(parser: Parser, several: bool) -> None:
    from ..stats.correlation import COEFFICIENTS

    parser.add_argument(
        "--coefficient",
        nargs="+" if several else None,
        choices=COEFFICIENTS,
        default=["tau_b"] if several else "tau_b",
        help="rank correlation coefficient (default: tau_b)",
    )
    parser.add_argument(
        "--phi", type=float, default=0.9, help="persistence of RBO and RBA (default: %(default)s)"
    )
