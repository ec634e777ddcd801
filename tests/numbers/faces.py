"""Keep every face of a comparison while its code is rebuilt: texts, tables, pages and pictures.

``python -m tests.numbers.faces FOLDER`` compares simulated systems in each way that there is, and
writes what all doors show of it: sentences, frames, tables in all formats, forests, pictures and
reports. Run it before and after, into two folders; ``diff -r`` should say nothing.
"""

import itertools
import sys
import warnings
from pathlib import Path

import irx_measures
from irx_measures import GroupedScores, evaluate, plots, simulate_campaign
from irx_measures.comparison.forest import forest_of
from irx_measures.reporting.comparison import SHOWN, comparison_output
from irx_measures.results.tables import FORMATS

NUMBERS = (
    "difference", "lower", "upper", "effect", "p", "p_adjusted", "wins", "ties", "losses",
)  # fmt: skip


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    campaign = simulate_campaign(systems=8, queries=40, depth=60, seed=3)
    asked = ["nDCG@10", "AP", "NRG(prior=others)@10", "RR@10"]
    matrix = evaluate(campaign.qrels, campaign.runs, asked)
    groups = {query: ("en" if n % 3 else "de") for n, query in enumerate(matrix.query_ids)}
    for name, result in comparisons(campaign, matrix, groups):
        texts = [*said(result), *tables(result), *drawn(result, folder, name)]
        if not result.groups:
            texts += pairs(result)
            given = {}
            if result.macro is None:
                given = {"qrels": campaign.qrels, "runs": campaign.runs, "by": groups}
            if name == "two":
                del given["by"]
            irx_measures.report(result, folder / f"{name}.html", progress=False, **given)
        (folder / f"{name}.txt").write_text("\n".join(texts), encoding="utf-8")


def comparisons(campaign, matrix, groups):
    """The results, by the names of their files."""
    collections = {"c1": matrix.select(["nDCG@10", "AP"])}
    for name, queries, seed in (("c2", 30, 4), ("c3", 25, 5)):
        other = simulate_campaign(systems=8, queries=queries, depth=60, seed=seed)
        collections[name] = evaluate(other.qrels, other.runs, ["nDCG@10", "AP"])
    grouped = GroupedScores.of(collections)
    names = matrix.systems
    for baselines, baseline in enumerate((None, names[2], [names[2], names[5]])):
        how = {"baseline": baseline}
        for correction in ("holm", "bh", "none"):
            yield f"plain-{baselines}-{correction}", matrix.compare(correction=correction, **how)
        moderated = {"test": "moderated-t", "correction": "bonferroni", "level": 0.9}
        yield f"moderated-{baselines}", matrix.compare(**moderated, **how)
        drawn = {"test": "randomisation", "resamples": 3000, "level": 0.9, "progress": False}
        yield f"randomised-{baselines}", matrix.compare(**drawn, **how)
        yield f"by-{baselines}", matrix.by(groups).compare(**how)
        for macro in ("queries", "groups"):
            yield f"macro-{macro}-{baselines}", grouped.compare(macro=macro, **how)
    two = {name: campaign.runs[name] for name in names[:2]}
    yield "two", irx_measures.compare(campaign.qrels, two, ["nDCG@10"])
    for baselines, baseline in enumerate((None, names[1])):
        how = {"unjudged": "learned", "progress": False, "baseline": baseline}
        asked = (campaign.qrels, campaign.runs, ["nDCG@10"])
        yield f"unjudged-{baselines}", irx_measures.compare(*asked, **how)


def measures_of(result):
    return dict.fromkeys(board.measure for board in result.boards)


def said(result):
    """What Python and a notebook show."""
    yield from (result.summary, repr(result), str(result._repr_html_()))
    yield result.to_frame().to_csv()
    if not result.groups:
        yield from (result.leaderboard(measure).to_csv() for measure in measures_of(result))


def tables(result):
    """What the command prints in every format."""
    for shown, form in itertools.product(SHOWN, FORMATS):
        if shown == "topics" and (result.macro or not result.baselines):
            continue
        yield f"== {shown} {form}"
        try:
            yield comparison_output(result, shown, form, 3).text
        except ValueError as error:
            yield str(error)


def pairs(result):
    """Every pair of systems, from both sides."""
    systems = itertools.product(result.matrix.systems, repeat=2)
    for (system, baseline), measure in itertools.product(systems, measures_of(result)):
        try:
            found = result.difference(system, baseline, measure)
        except ValueError as error:
            yield str(error)
            continue
        yield f"{found.summary}\n{found.to_frame().to_csv()}"
        yield repr([getattr(found, name) for name in NUMBERS])
        if result.macro:
            forest = forest_of(result, system, baseline, measure)
            yield repr((forest.groups, forest.tests, forest.new))
            yield f"{forest.sentence()} {forest.about_intervals}"


def drawn(result, folder, name):
    """Captions of the pictures, which become files."""
    pictures = [plots.leaderboard]
    if not (result.baselines or result.groups):
        pictures.append(plots.significance_pairs)
    for measure in measures_of(result):
        for draw in pictures:
            picture = draw(result, measure)
            plots.save(picture, folder / f"{name}-{measure}-{draw.__name__}.svg")
            yield picture.irx_caption


if __name__ == "__main__":
    main()
