"""Every measure of the catalogue obeys the laws that hold for all measures."""

import gzip
import re
from importlib import import_module
from inspect import getdoc, getsource, signature
from itertools import groupby

import ir_measures
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from ir_measures import P, Qrel, ScoredDoc
from numpy.testing import assert_allclose

import irx_measures
from irx_measures import all_measures, evaluate, explain, scope
from irx_measures.exceptions import OnlyRelevantError
from irx_measures.measures import FAMILIES
from irx_measures.measures.declaring.base import catalogue, register
from irx_measures.measures.declaring.explained import with_numbers
from irx_measures.measures.declaring.relative import RelativeMeasure
from irx_measures.measures.learned import LEARNING
from tests.campaigns import Campaign, campaigns, random_campaign
from tests.doubts import ANY_DOUBT
from tests.examples import examples

pytestmark = ANY_DOUBT

CAMPAIGN = random_campaign(7, ties=False)
BY_NAME = "break"  # a value of `ties`: documents of equal grade are sorted by name
BY_DOCUMENT = "learned"  # a value of `prior`: the grade of a document is drawn by its name
# With their lower bound, if they have bounds, these are sums over documents.
SUMS = ("NRG", "UniqueRel", "P_Rareness", "AP_Rareness", "RBR", "RBA", "RBPBound")
# With judged documents as candidates, these depend on the query only, not on the run.
OF_THE_QUERY = {"Expected", "UpperBound"}


def variants(measure):
    """The measure with cutoff 5 and `others`, and variants that each change one parameter."""
    if isinstance(measure, RelativeMeasure):
        yield measure @ 5
        measure = measure(**{measure.RUNS_PARAM: "others"})
    yield measure @ 5
    if not measure.NEEDS_CUTOFF:
        yield measure
    for name, param in measure.PARAMS.items():
        for value in values(param):
            needed = {"prior": "learned"} if LEARNING.get(name) is param else {}
            yield measure(**{**needed, name: value}) @ 5


def values(param):
    """Values of a parameter other than its default: all words, and one number or flag."""
    words = re.findall(r"'([^']+)'", param.allowed.text)
    accepted = [word for word in words if word != param.default]
    for candidate in (0.3, 2, 1, True, False):
        try:
            param.allowed.convert(candidate)
        except ValueError:
            continue
        if candidate != param.default:
            return [*accepted, candidate]
    return accepted


each_measure = pytest.mark.parametrize("measure", catalogue.values(), ids=catalogue)


def scores(measures, campaign, qrels=None):
    """Scores by measure and query id: (systems,) each."""
    measures = list(measures)
    qrels = campaign.qrels if qrels is None else qrels
    matrix = evaluate(qrels, campaign.runs, measures, groups=campaign.groups)
    assert matrix.measures == tuple(measures)
    assert matrix.systems == tuple(campaign.runs)
    return {
        (measure, query): matrix.scores[number, :, column]
        for number, measure in enumerate(matrix.measures)
        for column, query in enumerate(matrix.query_ids)
    }


def assert_same(got, expected):
    assert got.keys() == expected.keys()
    for key, values in expected.items():
        assert_allclose(got[key], values, rtol=1e-12, atol=1e-15, err_msg=str(key))


def test_the_catalogue_is_not_empty():
    assert len(catalogue) >= 5


@each_measure
def test_each_parameter_is_varied(measure):
    references = {name for name in measure.PARAMS if name in ("reference", "runs", "machine")}
    assert {name for made in variants(measure) for name in made.params} == {
        *measure.SUPPORTED_PARAMS
    } - references


@each_measure
def test_the_docstring_has_the_sections_of_numpydoc(measure):
    doc = getdoc(type(measure))
    titles = re.findall(r"^([A-Z][A-Za-z ]+)\n(-+)$", doc, re.MULTILINE)
    assert all(len(title) == len(line) for title, line in titles)
    found = [title for title, _ in titles]
    order = ["Parameters", "Returns", "Notes", "References", "Examples"]
    assert found == [title for title in order if title in found]
    assert {"Parameters", "Returns", "References", "Examples"} <= set(found)
    assert re.match(r"[^\n]{10,98}\.\n\n", doc)


@each_measure
def test_the_docstring_describes_every_parameter_in_order(measure):
    parameters = getdoc(type(measure)).split("\n----------\n")[1].split("\n\nReturns\n")[0]
    described = re.findall(r"^(\w+) : (.+)\n((?:    .+\n?)+)", parameters, re.MULTILINE)
    assert [name for name, _, _ in described] == list(measure.SUPPORTED_PARAMS)
    for name, kind, desc in described:
        param = measure.SUPPORTED_PARAMS[name]
        assert " ".join(desc.split()) == param.desc
        assert re.match(r"[^ ].*[.]$", param.desc)
        optional = "required" if measure.NEEDS_CUTOFF and name == "cutoff" else "optional"
        default = optional if param.default is None else f"default {param.default!r}"
        assert kind.endswith(f", {default}")
        for word in re.findall(r"'[^']+'", param.allowed.text):
            assert word in kind
        assert not re.search(r"\b(must|be|lie)\b", kind)


@each_measure
def test_the_sections_of_parameters_and_papers_are_written_nowhere_else(measure):
    source = getsource(type(measure))
    assert not re.search(r"^ *(Parameters|References)\n *-+$", source, re.MULTILINE)


@each_measure
def test_help_shows_every_parameter_with_its_default(measure):
    shown = signature(measure).parameters
    assert shown == signature(type(measure)).parameters
    defaults = {name: param.default for name, param in measure.SUPPORTED_PARAMS.items()}
    assert {name: parameter.default for name, parameter in shown.items()} == defaults


@each_measure
def test_the_docstring_cites_every_paper(measure):
    references = getdoc(type(measure)).split("\nReferences\n----------\n")[1]
    cited = references.split("\n\nExamples\n")[0].split("\n\n")
    assert measure.PAPERS
    assert [" ".join(text.split()) for text in cited] == [
        f"{paper.text} {paper.link}".strip() for paper in measure.PAPERS
    ]
    for paper in measure.PAPERS:
        assert re.search(r"(19|20)\d\d\.$", paper.text)


def test_papers_are_cited_with_what_identifies_them():
    papers = {paper.key: paper for measure in catalogue.values() for paper in measure.PAPERS}
    assert len(set(papers.values())) == len(papers)
    for paper in papers.values():
        assert paper.title
        assert all(re.fullmatch(r"[^,]+, [^,]+", author) for author in paper.authors)
        assert re.fullmatch(r"(10\.\d{4,}/\S+)?", paper.doi)
        assert re.fullmatch(r"(https://\S+)?", paper.url)


def test_measures_that_others_defined_first_cite_them():
    assert catalogue["RBO"].PAPERS[0].text == (
        "Webber, Moffat and Zobel. A Similarity Measure for Indefinite Rankings. TOIS 2010."
    )
    assert catalogue["RBPBound"].PAPERS[0].text == (
        "Moffat and Zobel. Rank-Biased Precision for Measurement of Retrieval Effectiveness. "
        "TOIS 2008."
    )


def test_all_measures_are_every_measure():
    assert all_measures() == list(catalogue.values())
    for measure in all_measures():
        assert getdoc(type(measure)).startswith(f"{measure.summary}.\n")


def test_the_catalogue_lists_families_in_the_order_of_reading():
    listed = [type(measure).__module__.rpartition(".")[2] for measure in all_measures()]
    families = [family for family, _ in groupby(listed)]
    assert families == [*FAMILIES, *sorted(set(listed) - set(FAMILIES))]
    assert list(catalogue)[:3] == ["NRG", "UniqueRel", "TaSC"]


@each_measure
def test_it_is_a_public_name(measure):
    assert getattr(irx_measures, measure.NAME) is measure
    assert measure.NAME in irx_measures.__all__
    assert getattr(import_module(type(measure).__module__), measure.NAME) is measure


@each_measure
def test_a_name_is_registered_once(measure):
    with pytest.raises(ValueError, match=f"already a measure with the name '{measure.NAME}'"):
        register(type(measure)())
    assert catalogue[measure.NAME] is measure


@each_measure
def test_ir_measures_knows_it(measure):
    assert ir_measures.measures.registry[measure.NAME] is measure
    assert ir_measures.parse_measure(str(measure)) is not None


@each_measure
def test_it_reads_back_from_its_string(measure):
    for made in variants(measure):
        read = ir_measures.parse_measure(str(made))
        assert read == made
        assert hash(read) == hash(made)
        assert type(read) is type(made)
        for name in made.SUPPORTED_PARAMS:
            assert read[name] == made[name]


@each_measure
def test_defaults_do_not_show_and_what_differs_does(measure):
    defaults = {name: param.default for name, param in measure.SUPPORTED_PARAMS.items()}
    assert str(measure(**defaults)) == measure.NAME
    made = list(variants(measure))
    assert len(set(made)) == len(set(map(str, made))) == len(made)


@pytest.mark.slow
@each_measure
@pytest.mark.parametrize("seed", range(3))
def test_scores_are_finite_and_within_the_range(measure, seed):
    low, high = measure.RANGE
    campaign = random_campaign(seed, ties=True)
    got = scores(variants(measure), campaign)
    for made in variants(measure):
        values = np.array([got[made, query] for query in campaign.qrels])
        assert np.isfinite(values).all(), made
        assert low - 1e-12 <= values.min() <= values.max() <= high + 1e-12, made


@each_measure
def test_scores_tell_systems_and_queries_apart(measure):
    made_differently = list(variants(measure))
    if measure.NAME in OF_THE_QUERY:
        made_differently = [made for made in made_differently if made["candidates"] == "run"]
    for made in made_differently[:2]:
        values = np.array(list(scores([made], CAMPAIGN).values()))
        assert len(np.unique(values.mean(axis=0))) > 1, made
        assert len(np.unique(values.mean(axis=1))) > 1, made


@each_measure
def test_queries_without_gain_or_documents_are_scored_within_the_range(measure):
    low, high = measure.RANGE
    qrels = {"negative": {"A": -1}, "zero": {"A": 0, "B": 0}, "missing": {"A": 2}, "q": {"A": 1}}
    runs = {
        "a": {"q": {"A": 1.0, "B": 1.0}, "zero": {"A": 1.0}},
        "b": {"other": {"A": 1.0}},
        "c": {"other": {"B": 1.0}},
    }
    campaign = Campaign(qrels, runs, {"a": "X", "b": "Y", "c": "Y"})
    for key, values in scores(variants(measure), campaign).items():
        assert ((low <= values) & (values <= high)).all(), key


@each_measure
def test_a_run_scored_by_ir_measures_equals_the_run_among_all(measure):
    together = scores(variants(measure), CAMPAIGN)
    with scope(CAMPAIGN.runs, CAMPAIGN.groups):
        for position, run in enumerate(CAMPAIGN.runs.values()):
            metrics = ir_measures.iter_calc(list(variants(measure)), CAMPAIGN.qrels, run)
            alone = {(metric.measure, metric.query_id): metric.value for metric in metrics}
            assert_same(alone, {key: values[position] for key, values in together.items()})


@each_measure
def test_the_order_of_queries_and_rows_changes_nothing(measure):
    rng = np.random.default_rng(3)
    shuffled = Campaign(
        shuffle(CAMPAIGN.qrels, rng),
        {name: shuffle(run, rng) for name, run in CAMPAIGN.runs.items()},
        CAMPAIGN.groups,
    )
    assert list(shuffled.qrels) != list(CAMPAIGN.qrels)
    assert_same(scores(variants(measure), shuffled), scores(variants(measure), CAMPAIGN))


def shuffle(nested, rng):
    def shuffled(mapping):
        items = list(mapping.items())
        return dict(items[place] for place in rng.permutation(len(items)))

    return shuffled({query: shuffled(docs) for query, docs in nested.items()})


@each_measure
def test_the_names_of_documents_change_nothing(measure):
    renamed = Campaign(
        rename(CAMPAIGN.qrels),
        {name: rename(run) for name, run in CAMPAIGN.runs.items()},
        CAMPAIGN.groups,
    )
    measures = [
        made
        for made in variants(measure)
        if made.params.get("ties") != BY_NAME and made.params.get("prior") != BY_DOCUMENT
    ]
    assert_same(scores(measures, renamed), scores(measures, CAMPAIGN))


def rename(nested):
    """Rename ids, to a different length, script and order."""
    return {
        query: {f"{doc[::-1]} ж{len(doc)}": value for doc, value in docs.items()}
        for query, docs in nested.items()
    }


@pytest.mark.slow
@each_measure
@pytest.mark.parametrize("runs_too", [True, False], ids=["runs in batches", "whole runs"])
def test_batches_of_queries_change_nothing(measure, runs_too):
    made = [variant for variant in variants(measure) if not variant.of_all_queries]
    assert made
    got = {}
    queries = list(CAMPAIGN.qrels)
    for batch in (queries[:3], queries[3:4], queries[4:]):
        runs = {
            name: {query: run[query] for query in batch if query in run} if runs_too else run
            for name, run in CAMPAIGN.runs.items()
        }
        qrels = {query: CAMPAIGN.qrels[query] for query in batch}
        got |= scores(made, Campaign(qrels, runs, CAMPAIGN.groups))
    assert_same(got, scores(made, CAMPAIGN))


def records(kind):
    return lambda nested, path: [kind(*row) for row in rows(nested)]


def frame(*columns):
    return lambda nested, path: pd.DataFrame(rows(nested), columns=columns)


def rows(nested):
    return [(query, doc, value) for query, docs in nested.items() for doc, value in docs.items()]


def qrels_file(nested, path):
    path.write_text("".join(f"{query} 0 {doc} {grade}\n" for query, doc, grade in rows(nested)))
    return path


def run_file(nested, path):
    lines = (f"{query} Q0 {doc} 0 {score!r} tag\n" for query, doc, score in rows(nested))
    path.write_text("".join(lines))
    return path


def gzipped(write):
    def write_gzipped(nested, path):
        plain = write(nested, path)
        packed = path.with_name(f"{path.name}.gz")
        packed.write_bytes(gzip.compress(plain.read_bytes()))
        return packed

    return write_gzipped


IN_MEMORY = {
    "DataFrame of ir_measures": (
        frame("query_id", "doc_id", "relevance"),
        frame("query_id", "doc_id", "score"),
    ),
    "DataFrame of PyTerrier": (frame("qid", "docno", "label"), frame("qid", "docno", "score")),
    "namedtuples": (records(Qrel), records(ScoredDoc)),
    "generators of namedtuples": (
        lambda nested, path: iter(records(Qrel)(nested, path)),
        lambda nested, path: iter(records(ScoredDoc)(nested, path)),
    ),
}
FILES = {
    "TREC files": (qrels_file, run_file),
    "gzipped TREC files": (gzipped(qrels_file), gzipped(run_file)),
}


@pytest.mark.slow
@each_measure
@pytest.mark.parametrize("form", [*IN_MEMORY, *FILES])
def test_the_format_of_qrels_and_runs_changes_nothing(measure, form, tmp_path):
    qrels_in, run_in = {**IN_MEMORY, **FILES}[form]
    runs = {name: run_in(run, tmp_path / name) for name, run in CAMPAIGN.runs.items()}
    qrels = qrels_in(CAMPAIGN.qrels, tmp_path / "qrels")
    got = scores(variants(measure), Campaign(None, runs, CAMPAIGN.groups), qrels)
    assert_same(got, scores(variants(measure), CAMPAIGN))


@each_measure
@pytest.mark.parametrize("form", IN_MEMORY)
def test_ir_measures_hands_over_every_format(measure, form):
    qrels_in, run_in = IN_MEMORY[form]
    run = CAMPAIGN.runs["run0"]
    expected = ir_measures.calc_aggregate([measure @ 5], CAMPAIGN.qrels, run)
    qrels, other = qrels_in(CAMPAIGN.qrels, None), run_in(run, None)
    assert ir_measures.calc_aggregate([measure @ 5], qrels, other) == pytest.approx(expected)


@pytest.mark.slow
@each_measure
def test_what_documents_add_sums_to_the_score(measure):
    campaign = random_campaign(1, ties=True, queries=4)
    for made in variants(measure):
        got = scores([made], campaign)
        for position, name in [(0, "run0"), (4, "run4")]:  # run4 lacks q0
            for query in ("q0", "q2"):
                why = explain(
                    campaign.qrels, name, made, campaign.runs, query, groups=campaign.groups
                )
                assert_explains(why, got[made, query][position])


def assert_explains(why, score):
    """The contributions sum to the score, and so does the formula with its numbers."""
    assert why.score == pytest.approx(score, rel=0, abs=1e-12)
    value = eval(with_numbers(why.formula, why.terms, -1).replace("^", "**"))
    assert value == pytest.approx(score, rel=0, abs=1e-12), why
    is_lower_rbo = why.measure.startswith("RBO") and "bound=lower" in why.measure
    if is_lower_rbo or (why.measure.startswith(SUMS) and "bound=" not in why.measure):
        assert why.contribution is not None, why
    if why.contribution is not None:
        assert why.contribution.sum() == pytest.approx(score, rel=0, abs=1e-12), why
    assert {*why.factors, *why.terms} <= why.legend.keys(), why


@each_measure
@given(campaign=campaigns(), data=st.data())
@settings(max_examples=examples(5))
def test_the_sum_law_holds_for_any_campaign(measure, campaign, data):
    # A learned prior needs more judgments than these; the law above has it.
    usable = [made for made in variants(measure) if made.params.get("prior") != BY_DOCUMENT]
    made = data.draw(st.sampled_from(usable))
    name = data.draw(st.sampled_from(campaign.names))
    query = data.draw(st.sampled_from(sorted(campaign.qrels)))
    try:
        matrix = evaluate(campaign.qrels, campaign.runs, [made], groups=campaign.groups)
    except OnlyRelevantError:  # there are no grades to draw from
        reject()
    score = matrix.scores[0, matrix.systems.index(name), matrix.query_ids.index(query)]
    arguments = (campaign.qrels, name, made, campaign.runs, query, data.draw(st.booleans()))
    if np.isnan(score):
        with pytest.raises(ValueError, match="its own only prior"):
            explain(*arguments, groups=campaign.groups)
    else:
        assert_explains(explain(*arguments, groups=campaign.groups), score)


@each_measure
def test_asked_for_twice_it_is_scored_once_and_right(measure):
    once = scores([measure @ 5, P @ 5], CAMPAIGN)
    asked = [measure @ 5, P @ 5, f"{measure.NAME}@5"]
    twice = evaluate(CAMPAIGN.qrels, CAMPAIGN.runs, asked)
    assert twice.measures == (measure @ 5, P @ 5)
    run = CAMPAIGN.runs["run0"]
    got = ir_measures.calc_aggregate([measure @ 5, measure(cutoff=5)], CAMPAIGN.qrels, run)
    mean = np.mean([once[measure @ 5, query][0] for query in CAMPAIGN.qrels])
    assert got == {measure @ 5: pytest.approx(mean, rel=1e-12)}
    assert twice.scores[0, 0].mean() == pytest.approx(mean, rel=1e-12)
