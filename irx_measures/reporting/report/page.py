"""report(): writes one HTML file that needs no network."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

import ir_measures

from ...common.escapes import printable
from ...common.names import cut_name
from ...common.short_paths import public
from ...comparison.compare import comparison_of
from ...comparison.result import Comparison
from ...comparison.shown import shown_systems
from ...exceptions import InputError, importing
from ...io.irds import IRDS
from ...io.saving import PAGE_MARK, write_whole
from ...io.table import Table
from ...runsets.given import read_given
from ...scoring.score_matrix import ScoreMatrix
from ...typing import QrelsLike, QueryGroupsLike, RunsLike
from .cells import adds, ties, unjudged
from .collections import collections
from .content import Content
from .documents import PooledDocuments, checked_texts, documents_of, texts_of, titles_of
from .groups import groups
from .leaderboard import leaderboard, leads
from .method import QRELS, bibtex, header, made_title, method
from .pair import documents_of_pair, pair
from .scatter import scatters
from .script_data import script_json

DEPTH, DEEPEST_SHOWN = 10, 100  # the usual cutoff, and the depth of the usual pools

LONGEST_FACT = 240  # characters, a choice: a longer one, such as a command, opens when asked

SEPARATOR = re.compile(r"(?<=[_./:-])")


@public
def report(
    result: Comparison | ScoreMatrix,
    path: str | PathLike[str],
    *,
    qrels: QrelsLike | Table | None = None,
    runs: RunsLike | None = None,
    title: str | None = None,
    texts: str | Mapping[str, str] | None = None,
    topics: Mapping[str, str] | str | PathLike[str] | None = None,
    strict: bool = True,
    by: QueryGroupsLike | None = None,
    facts: Mapping[str, str] | None = None,
    progress: bool | None = None,
    ignore_identical_ids: bool = False,
) -> None:
    """Write one HTML file that shows which differences between systems are real.

    The file makes no request to any network. The same input gives the same bytes.

    Parameters
    ----------
    result
        What `compare` found, of macro means too; or scores, which are compared by its defaults. The
        first baseline, or else the best system of each measure, is the system to which the page
        compares the others.
    path
        The file to write.
    qrels, runs
        What was scored. Without them, the report has no documents: it omits the rankings of both
        systems, what each system adds, and the unjudged documents.
    title
        The heading of the page; by default, the measures, the numbers of systems and topics, and
        the qrels if they have a name.
    texts
        An ir_datasets id with the texts of topics and documents, or a mapping from document ids
        to texts.
    topics
        A mapping from topics to their texts, in addition to those of `texts`; or a file: a table
        with the columns query_id and text (.csv, .tsv, .jsonl).
    strict, ignore_identical_ids
        As for `evaluate`.
    by
        The group of each query, as for `ScoreMatrix.by`: the report then has the means of each
        group and the differences within it.
    facts
        What else the first lines say, as ``{"Date": "2026-05-01", "Command": "make tables"}``. The
        name ``Qrels`` is that of the qrels, in the title too; by default, the name of their file.
        The page has no date but this one, so that the same input gives the same bytes.
    progress
        Whether to show progress bars on stderr; None shows them on a terminal after half a second.

    Raises
    ------
    InputError
        When a system has no run, a topic has no judgments, a name is unknown, the path cannot be
        written, or there are too few systems or topics for a test.
    MissingExtraError
        When jinja2 is not installed.

    Notes
    -----
    A report of macro means has no topics: it has the means in each collection, and the difference
    of two systems in each of them.

    Ranks come from the tests of all pairs of systems. The p-values beside a baseline are those of
    `compare` with this baseline: the family of its comparisons.

    As many documents of a ranking are shown as the cutoff of the first measure, if it is at most
    100, else 10.

    Of more than 200 systems, the page shows the best 200 by the first measure, and every baseline;
    tests, ranks and counts are those of all systems.

    Examples
    --------
    >>> import irx_measures, pathlib, tempfile
    >>> campaign = irx_measures.simulate_campaign(systems=6, seed=1)
    >>> result = irx_measures.compare(campaign.qrels, campaign.runs, ["nDCG@10", "AP"])
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "report.html"
    >>> irx_measures.report(result, path, qrels=campaign.qrels, runs=campaign.runs)
    >>> "may be the best" in path.read_text(encoding="utf-8")
    True
    """
    environment = _environment()
    compared = _compared(result, progress)
    if not isinstance(title, str | None):
        raise TypeError(f"`title` must be a string; got {type(title).__name__}")
    given = {"qrels": qrels, "runs": runs, "texts": texts, "topics": topics, "by": by}
    _refuse_topics(compared, given)
    documents = _documents(compared, qrels, runs, strict, progress, ignore_identical_ids)
    within = None
    if by is not None:
        within = comparison_of(compared.matrix.by(by), compared.method, compared.baselines or None)
    content = Content(
        compared,
        documents,
        titles_of(texts, topics),
        texts_of(texts, _quoted(compared, documents)),
        {**name_of(qrels), **checked_texts(facts or {}, "facts")},
        within,
    )
    if title is None:
        title = made_title(content)
    page = _page(environment, title, content)
    write_whole(Path(path), page.encode("utf-8", "backslashreplace"))


def _compared(result: object, progress: bool | None) -> Comparison:
    """What the report is about; scores are compared in pairs. TypeError for anything else."""
    compared = result.compare(progress=progress) if isinstance(result, ScoreMatrix) else result
    if not isinstance(compared, Comparison) or compared.groups:
        raise TypeError(
            "`result` must be a Comparison of all topics or macro means, or a ScoreMatrix; got "
            f"{type(compared).__name__}"
        )
    return compared


def _refuse_topics(compared: Comparison, given: Mapping[str, object]) -> None:
    """InputError if a report of macro means was given what belongs to topics."""
    for name, value in given.items():
        if compared.macro is not None and value is not None:
            raise InputError(f"`{name}` must be None for macro means: the report has no topics")


def _documents(
    compared: Comparison,
    qrels: QrelsLike | Table | None,
    runs: RunsLike | None,
    strict: bool,
    progress: bool | None,
    ignore_identical_ids: bool,
) -> PooledDocuments | None:
    """What the shown systems return; None if no runs were given."""
    if runs is None and qrels is None:
        return None
    if runs is None or qrels is None:
        raise InputError("`runs` and `qrels` must be given together")
    judged, runset = read_given(qrels, runs, None, strict, True, ignore_identical_ids)
    shown, depth = shown_systems(compared).systems, _depth(compared.boards[0].measure)
    return documents_of(compared.matrix, shown, judged, runset, depth, progress)


def _quoted(compared: Comparison, documents: PooledDocuments | None) -> list[str]:
    """The documents whose texts the page has: those of the first measure's default pair."""
    if documents is None:
        return []
    systems = shown_systems(compared).systems
    pair_shown = compared.boards[0].only(systems).default_pair
    return documents_of_pair(documents, [systems.index(name) for name in pair_shown])


def name_of(qrels: object) -> dict[str, str]:
    """The fact that names the qrels: their file without folders, or their ir_datasets id."""
    if not isinstance(qrels, (str, PathLike)):
        return {}
    given = str(qrels)
    name = given if given.startswith(IRDS) else Path(given).name
    return {QRELS: name}


def _depth(measure: ir_measures.Measure) -> int:
    """The ranks to show."""
    cutoff = measure.params.get("cutoff")
    return cutoff if cutoff is not None and cutoff <= DEEPEST_SHOWN else DEPTH


def _environment() -> Any:
    with importing("report", "a report needs jinja2"):
        from jinja2 import Environment, PackageLoader, StrictUndefined
    return Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _page(environment: Any, title: str, content: Content) -> str:
    """The page: each section gets plain values."""
    from markupsafe import Markup, escape

    def foldable(text: str) -> Markup:
        """A text that may break after its separators."""
        return Markup("<wbr>").join(map(escape, SEPARATOR.split(text)))

    environment.filters |= {
        "cut": content.short.__getitem__,
        "foldable": foldable,
        "in_short": partial(cut_name, width=LONGEST_FACT),
        "printable": printable,
    }
    folder = files(__package__)
    script = folder.joinpath("script.js").read_text(encoding="utf-8")
    style = folder.joinpath("style.css").read_text(encoding="utf-8")
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    page: str = environment.get_template("page.html").render(
        title=title,
        page_mark=Markup(PAGE_MARK),
        policy=Markup(f"script-src 'sha256-{digest}';"),
        style=Markup(style),
        script=Markup(script),
        json=Markup(script_json(content)),
        heads=[(key, board.head) for key, board in content.boards.items()],
        leads=leads(content),
        warnings=[printable(text) for text in content.result.warnings],
        baseline=content.baseline,
        header=list(header(content)),
        leaderboard=leaderboard(content),
        ties=ties(content),
        pair=pair(content),
        groups=groups(content),
        collections=collections(content),
        scatters=scatters(content),
        adds=adds(content),
        unjudged=unjudged(content),
        method=list(method(content)),
        bibtex=bibtex(content),
    )
    return page
