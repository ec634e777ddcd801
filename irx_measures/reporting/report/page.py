"""report(): writes one HTML file that needs no network."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

import ir_measures

from ...common.validators import integer
from ...comparison.compare import against, baseline_names, compare, compare_scores, why_untested
from ...comparison.result import Comparison
from ...comparison.shown import shown_systems
from ...comparison.words import BEATEN, BEST, RANK
from ...exceptions import InputError, MissingExtraError
from ...io.files import PAGE_MARK, write_whole
from ...io.table import Table
from ...scoring.evaluate import judged_documents, set_of
from ...scoring.score_matrix import ScoreMatrix
from ...typing import QrelsLike, QueryGroupsLike, RunsLike
from .adds import Adds
from .content import Content
from .documents import PooledDocuments, documents_of
from .groups import Groups
from .leaderboard import tables
from .method import bibtex, data, method
from .pair import beginning, default_pair, default_pairs
from .scatter import scatters
from .script_data import script_json
from .svg import short
from .texts import checked_texts, dataset_texts, dataset_titles
from .ties import leads, ties
from .topics import read_topics
from .unjudged import Unjudged
from .untested import untested_page
from .words import REPORT, difference, number

DEPTH, DEEPEST_SHOWN = 10, 100  # the usual cutoff, and the depth of the usual pools

TITLE = "Comparison of systems"

FILTERS = {
    "beginning": beginning,
    "difference": difference,
    "number": number,
    "p_value": REPORT.p_value,
    "short": short,
}


def report(
    result: Comparison | ScoreMatrix,
    path: str | PathLike[str],
    *,
    runs: RunsLike | None = None,
    qrels: QrelsLike | Table | None = None,
    title: str = TITLE,
    baseline: str | None = None,
    depth: int | None = None,
    texts: str | Mapping[str, str] | None = None,
    topics: Mapping[str, str] | str | PathLike[str] | None = None,
    strict: bool = True,
    by: QueryGroupsLike | None = None,
    progress: bool | None = None,
) -> None:
    """Write one HTML file that shows which differences between systems are real.

    The file makes no request to any network. The same input gives the same bytes.

    Parameters
    ----------
    result
        A comparison; or scores, which are compared by `compare` with its defaults.
    path
        The file to write.
    runs, qrels
        What was scored. Without them, the report has no documents: it omits the rankings of both
        systems, what each system adds, and the unjudged documents.
    title
        The heading of the page.
    baseline
        The system to which the others are compared. By default, the first baseline of the
        comparison; if there is none, the best system of each measure.
    depth
        How many documents of a ranking are shown; by default, the cutoff of the first measure if
        it is at most 100, else 10.
    texts
        An ir_datasets id with the texts of topics and documents, or a mapping from document ids
        to texts.
    topics
        A mapping from topics to their texts, in addition to those of `texts`; or a file: a table
        with the columns query_id and text (.csv, .tsv), or TREC's topics.
    strict
        As for `evaluate`.
    by
        The group of each query, as for `ScoreMatrix.by`: the report then has the means of each
        group and the differences within it.
    progress
        Whether to show progress bars on stderr; None shows them on a terminal after half a second.

    Raises
    ------
    InputError
        When a system has no run, a topic has no judgments, a name is unknown, or the path cannot
        be written.
    MissingExtraError
        When jinja2 is not installed.

    Notes
    -----
    Ranks come from the tests of all pairs of systems. The p-values beside a baseline are those of
    `compare` with this baseline: the family of its comparisons.

    One system, or one or two topics, cannot be tested: the page then has the reason, and all but
    the sections that compare systems: means with intervals, scores by topic, documents, method.

    Of more than 200 systems, the page shows the best 200 by the first measure, and every baseline;
    tests, ranks and counts are those of all systems.

    Examples
    --------
    >>> import irx_measures, pathlib, tempfile
    >>> campaign = irx_measures.simulate_campaign(systems=6, seed=1)
    >>> result = irx_measures.compare(campaign.runs, campaign.qrels, ["nDCG@10", "AP"])
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "report.html"
    >>> irx_measures.report(result, path, runs=campaign.runs, qrels=campaign.qrels)
    >>> "may be the best" in path.read_text(encoding="utf-8")
    True
    """
    environment = _environment()
    if isinstance(result, ScoreMatrix) and why_untested(result.systems, result.query_ids):
        baseline_names(baseline, result.systems)
        deep = _depth(depth, result.measures[0])
        shown = _documents(result, result.systems, runs, qrels, deep, strict, progress)
        values = untested_page(result, _titles(texts, topics or {}), shown)
        found = {} if shown is None else _texts(texts, _pooled(shown))
        page = _rendered(environment, "scores.html", title=title, texts=found, **values)
        write_whole(Path(path), page.encode("utf-8", "backslashreplace"))
        return
    compared = compare(result, progress=progress) if isinstance(result, ScoreMatrix) else result
    if not isinstance(compared, Comparison) or compared.groups:
        raise TypeError(
            f"`result` must be a Comparison or a ScoreMatrix; got {type(result).__name__}"
        )
    if not isinstance(title, str):
        raise TypeError(f"`title` must be a string; got {type(title).__name__}")
    if baseline is not None:
        compared = against(compared, baseline)
    named = compared.baselines[0] if compared.baselines else None
    systems = shown_systems(compared).systems
    deep = _depth(depth, compared.boards[0].measure)
    documents = _documents(compared.matrix, systems, runs, qrels, deep, strict, progress)
    within = None if by is None else _within_groups(compared, by)
    content = Content(title, compared, named, documents, {}, {}, within)
    content = _with_texts(content, texts, topics or {})
    write_whole(Path(path), _page(environment, content).encode("utf-8", "backslashreplace"))


def _within_groups(result: Comparison, by: QueryGroupsLike) -> Comparison:
    """The same comparison within groups of queries."""
    return compare_scores(result.matrix.by(by), result.method, result.baselines or None)


def _documents(
    matrix: ScoreMatrix,
    systems: Sequence[str],
    runs: RunsLike | None,
    qrels: QrelsLike | Table | None,
    depth: int,
    strict: bool,
    progress: bool | None,
) -> PooledDocuments | None:
    if (runs is None) != (qrels is None):
        raise InputError("`runs` and `qrels` must be given together")
    if runs is None or qrels is None:
        return None
    runset = set_of(runs, None, strict, borrow=True)
    shown = integer(1, DEEPEST_SHOWN).check("depth", depth)
    judged = judged_documents(qrels, strict)
    return documents_of(matrix, systems, runset, judged, shown, progress)


def _depth(asked: int | None, measure: ir_measures.Measure) -> int:
    """The ranks to show: those asked for, else the cutoff of the first measure."""
    if asked is not None:
        return asked
    cutoff = measure.params.get("cutoff")
    return cutoff if cutoff is not None and cutoff <= DEEPEST_SHOWN else DEPTH


def _with_texts(
    content: Content,
    texts: str | Mapping[str, str] | None,
    topics: Mapping[str, str] | str | PathLike[str],
) -> Content:
    """The content with the texts of its topics, and of the documents of the default pair."""
    from dataclasses import replace

    found = _texts(texts, _shown_documents(content))
    return replace(content, titles=_titles(texts, topics), texts=found)


def _texts(texts: str | Mapping[str, str] | None, documents: Sequence[str]) -> Mapping[str, str]:
    """The texts of documents."""
    if isinstance(texts, str):
        return dataset_texts(texts, documents)
    return {} if texts is None else checked_texts(texts, "texts")


def _pooled(documents: PooledDocuments) -> list[str]:
    """All documents that are shown."""
    return list(dict.fromkeys(name for pool in documents.pools for name in pool))


def _titles(
    texts: str | Mapping[str, str] | None, topics: Mapping[str, str] | str | PathLike[str]
) -> dict[str, str]:
    """The texts of the topics."""
    given = read_topics(Path(topics)) if isinstance(topics, (str, PathLike)) else topics
    of_dataset = dataset_titles(texts) if isinstance(texts, str) else {}
    return {**of_dataset, **checked_texts(given, "topics")}


def _shown_documents(content: Content) -> list[str]:
    """The documents of the pair that is written out."""
    if content.documents is None:
        return []
    systems = content.shown.systems
    places = [systems.index(name) for name in default_pair(content, content.boards[0])]
    top = content.documents.top[places]
    names = [
        content.documents.pools[topic][document]
        for topic in range(top.shape[1])
        for document in top[:, topic].ravel().tolist()
        if document >= 0
    ]
    return list(dict.fromkeys(names))


def _environment() -> Any:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise MissingExtraError(
            "a report needs jinja2: pip install 'irx-measures[report]'"
        ) from None
    return Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _page(environment: Any, content: Content) -> str:
    from markupsafe import Markup

    environment.filters["cut"] = content.short.__getitem__
    folder = files(__package__)
    script = folder.joinpath("script.js").read_text(encoding="utf-8")
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    documents = content.documents
    return _rendered(
        environment,
        "page.html",
        title=content.title,
        content=content,
        texts=content.texts,
        leads=leads(content),
        best=BEST,
        beaten=BEATEN,
        rank=RANK,
        data=data(content),
        heads=list(zip(content.keys, (board.head for board in content.boards), strict=True)),
        tables=tables(content),
        ties=ties(content),
        pairs=default_pairs(content),
        scatters=scatters(content),
        groups=None if content.by is None else Groups(content, content.by),
        adds=None if documents is None else Adds(content, documents),
        unjudged=None if documents is None else Unjudged(content, documents),
        method=method(content),
        bibtex=bibtex(content),
        script=Markup(script),
        script_policy=Markup(f"script-src 'sha256-{digest}';"),
        json=Markup(script_json(content)),
    )


def _rendered(environment: Any, template: str, **values: Any) -> str:
    from markupsafe import Markup

    environment.filters |= FILTERS
    style = files(__package__).joinpath("style.css").read_text(encoding="utf-8")
    values = {
        "script_policy": "",
        "page_mark": Markup(PAGE_MARK),
        "style": Markup(style),
        **values,
    }
    page: str = environment.get_template(template).render(**values)
    return page
