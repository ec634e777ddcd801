"""What the report says: the texts of its pages in tests/expected/report, read as a diff.

`python -m tests.reporting.report.test_expected` writes them again.
"""

import html
import re
import sys
import tempfile
import warnings
from pathlib import Path

import pytest

from tests.doubts import NO_PRIOR
from tests.reporting.report.pages import campaign, written

pytestmark = NO_PRIOR

EXPECTED = Path(__file__).parents[2] / "expected" / "report"

NEWEST = sys.version_info >= (3, 11)  # the lists of packages of older ones round otherwise

REPORTS = {
    "pairs": {"unjudged": "learned"},
    "baseline_by_groups": {"baseline": "lexical-b", "groups": ("short", "long")},
    "small_group": {"groups": ("most", "alone")},
}


def text_of(folder, baseline=None, unjudged=None, groups=None):
    """The text of a page: a line for each block, with bars between the cells of a table."""
    runs, qrels = campaign(systems=6, queries=20)
    most = 8 if groups == ("short", "long") else 19
    by = groups and {query: groups[place >= most] for place, query in enumerate(qrels)}
    measures = ["nDCG@10", "AP@20"]
    page = written(folder / "r.html", runs, qrels, measures, baseline, unjudged, by=by)
    body = page[page.index("<body>") : page.index('<script type="application/json"')]
    body = re.sub(r"<dt>(Inputs|Software).*?</dd>", "", body)  # digests and versions
    body = re.sub(r"</t[dh]>\s*<t", " | <t", " ".join(body.split()))
    body = re.sub(r"<(p|h\d|tr|li|dt|dd|caption|text|section|div|label)\b", r"\n<\1", body)
    lines = (
        " ".join(html.unescape(re.sub("<[^>]*>", "", line)).split()) for line in body.split("\n")
    )
    return "".join(f"{line}\n" for line in lines if line)


@pytest.mark.filterwarnings("ignore:.*are not compared")
@pytest.mark.skipif(not NEWEST, reason="faces are compared in the newest environment")
@pytest.mark.parametrize("name", REPORTS)
def test_a_report_says_what_is_expected(name, tmp_path):
    expected = (EXPECTED / f"{name}.txt").read_text(encoding="utf-8")
    assert text_of(tmp_path, **REPORTS[name]) == expected


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    EXPECTED.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        for title, options in REPORTS.items():
            text = text_of(Path(temporary), **options)
            (EXPECTED / f"{title}.txt").write_text(text, encoding="utf-8")
