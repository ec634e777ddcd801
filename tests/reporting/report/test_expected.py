"""What the report says: the texts of its pages in tests/expected/report, read as a diff.

`python -m tests.reporting.report.test_expected` writes them again.
"""

import html
import re
import sys
import tempfile
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import irx_measures
from tests.comparison.results import changed
from tests.doubts import NO_PRIOR
from tests.reporting.report.pages import campaign, written

pytestmark = NO_PRIOR

EXPECTED = Path(__file__).parents[2] / "expected" / "report"

NEWEST = sys.version_info >= (3, 11)  # the lists of packages of older ones round otherwise

MEASURES = ["nDCG@10", "AP@20"]


def of_runs(path, baseline=None, unjudged=None, groups=None):
    qrels, runs = campaign(systems=6, queries=20)
    most = 8 if groups == ("short", "long") else 19
    by = groups and {query: groups[place >= most] for place, query in enumerate(qrels)}
    return written(path, qrels, runs, MEASURES, baseline, unjudged, by=by)


def of_scores(path):
    """Without runs there are no documents; a system lacks a score; each paper is cited once."""
    qrels, runs = campaign(systems=4)
    matrix = irx_measures.evaluate(qrels, runs, ["nDCG@10", "AP", "nDCG@5", "Judged@10"])
    matrix = changed(matrix, np.s_[1, 0, :6], np.nan)
    by = {query: "ab"[place >= 6] for place, query in enumerate(qrels)}
    irx_measures.report(matrix.compare(correction="none"), path, by=by)
    return path.read_text(encoding="utf-8")


REPORTS = {
    "pairs": partial(of_runs, unjudged="learned"),
    "baseline_by_groups": partial(of_runs, baseline="lexical-b", groups=("short", "long")),
    "small_group": partial(of_runs, groups=("most", "alone")),
    "scores": of_scores,
}


def text_of(folder, name):
    """The text of a page: a line for each block, with bars between the cells of a table."""
    page = REPORTS[name](folder / "r.html")
    body = page[page.index("<body>") : page.index('<script type="application/json"')]
    body = re.sub(r"<dt>(Inputs|Software).*?</dd>", "", body)  # digests and versions
    body = re.sub(r"</t[dh]>\s*<t", " | <t", " ".join(body.split()))
    body = re.sub(r"<(p|h\d|tr|li|dt|dd|caption|text|section|div|label)\b", r"\n<\1", body)
    lines = (
        " ".join(html.unescape(re.sub("<[^>]*>", "", line)).split()) for line in body.split("\n")
    )
    return "".join(f"{line}\n" for line in lines if line)


@pytest.mark.filterwarnings("ignore:.*(are not compared|no score on)")
@pytest.mark.skipif(not NEWEST, reason="faces are compared in the newest environment")
@pytest.mark.parametrize("name", REPORTS)
def test_a_report_says_what_is_expected(name, tmp_path):
    expected = (EXPECTED / f"{name}.txt").read_text(encoding="utf-8")
    assert text_of(tmp_path, name) == expected


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    EXPECTED.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        for title in REPORTS:
            text = text_of(Path(temporary), title)
            (EXPECTED / f"{title}.txt").write_text(text, encoding="utf-8")
