"""Untrusted measure strings: nothing is opened while parsing, and memory and time are bounded."""

import json
import re
from itertools import product

import pytest

import irx_measures
from irx_measures import InputError, evaluate, parse_measure, register_runs, scope
from irx_measures.measures.declaring.base import catalogue
from tests.console import python
from tests.examples import examples
from tests.test_catalogue import variants

SECRET = "secret.run"

SHAPES = [
    "'{}'",
    "['{}']",
    "('{}',)",
    "{{'x': '{}'}}",
    "{{'x': ['{}']}}",
    "[['{}']]",
    "{{'{}'}}",
    "b'{}'",
    "'others+{}'",
]

NAMES = [SECRET, f"./{SECRET}", "*.run", "**/*", ".", "/dev/zero", "irds:antique/test", "no.such"]

PARAMS = ["NRG(prior={})@5", "UniqueRel(prior={})", "P_Rareness(systems={})@5", "RBO(reference={})"]

QRELS = {"q": {"A": 1, "B": 1, "C": 0}}

RUNS = {"bm25": {"q": {"A": 3.0, "X": 2.0}}, "mine": {"q": {"B": 3.0, "A": 2.0}}}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with a run."""
    (tmp_path / SECRET).write_text("q Q0 classified 1 1.0 tag\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def in_a_process(script, *arguments):
    done = python("-W", "ignore", "-c", script, *arguments)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


AUDIT = """
import sys
import ir_measures, irx_measures
from irx_measures.measures.naming.strings import parse_measures

sys.path = [folder for folder in sys.path if folder]  # else every import lists the working folder
WATCHED = "open os.listdir os.scandir os.walk glob.glob socket.connect socket.getaddrinfo".split()
events, watching = [], False

def hook(event, arguments):
    if watching and event in WATCHED:
        events.append((event, arguments))

sys.addaudithook(hook)
parse_measures("map")  # loads trec_eval
import difflib  # for hints
texts = sys.argv[1].split("\\n")
"""

PARSING = (
    AUDIT
    + """
read = 0
watching = True
for text in texts:
    for parse in (
        parse_measures,
        irx_measures.parse_measure,
        ir_measures.parse_measure,
        ir_measures.parse_trec_measure,
        lambda text: irx_measures.parse_measure(text, allow_files=False),
    ):
        try:
            str(parse(text))
            read += 1
        except (irx_measures.InputError, NameError, ValueError):
            pass
watching = False
assert not events, events
print(read)
"""
)


def test_parsing_opens_lists_and_downloads_nothing(folder):
    texts = [p.format(s.format(name)) for p, s, name in product(PARAMS, SHAPES, NAMES)]
    texts += ["NRG(prior='\\d')", "1if 2 else 3", "NRG(", "map", "P_5,10"]
    read = in_a_process(PARSING, "\n".join(texts))
    assert int(read) > len(PARAMS) * len(NAMES)


@pytest.mark.parametrize(("param", "shape"), list(product(PARAMS, SHAPES)))
def test_a_string_that_may_not_name_files_names_none(folder, param, shape):
    for name in NAMES:
        text = param.format(shape.format(name))
        with pytest.raises(InputError):
            parse_measure(text, allow_files=False)
        if not shape.startswith("'"):
            with pytest.raises(InputError, match="must be a name in a measure string, or names jo"):
                parse_measure(text)


def test_a_measure_that_may_not_name_files_names_none(folder):
    measure = irx_measures.NRG(prior=SECRET) @ 5
    with pytest.raises(InputError, match="since files are not allowed here"):
        parse_measure(measure, allow_files=False)
    held = irx_measures.NRG(prior=irx_measures.RunSet(RUNS)) @ 5
    assert parse_measure(held, allow_files=False) == held


def test_a_name_that_was_allowed_never_means_a_file_later(folder):
    (folder / "bm25").write_text("q Q0 A 1 1.0 tag\n")
    measure = parse_measure("NRG(prior=bm25)@5", allow_files=False, names=["bm25"])
    for of_measure in (measure, measure @ 7, parse_measure(measure)):
        with pytest.raises(InputError, match="no set of runs is called 'bm25'"):
            of_measure.calc_aggregate(QRELS, RUNS["mine"])
    with scope(RUNS):
        assert measure.calc_aggregate(QRELS, RUNS["mine"]) > 0


def test_names_that_are_allowed(folder):
    register_runs("known", RUNS)
    assert parse_measure("NRG(prior=others+known)@5", allow_files=False)
    assert parse_measure("NRG(prior=known+mine)@5", allow_files=False, names=RUNS)
    with scope(RUNS):
        assert parse_measure("NRG(prior=bm25+mine)@5", allow_files=False)
    with pytest.raises(InputError, match="since files are not allowed here; got 'bm25'"):
        parse_measure("NRG(prior=bm25)@5", allow_files=False)


# Memory

LIMITED = """
import resource, signal, sys
resource.setrlimit(resource.RLIMIT_AS, (2 * 10**9, 2 * 10**9))
"""

HUGE = (
    LIMITED
    + """
import json
import irx_measures
from irx_measures.simulate import simulate_campaign

campaign = simulate_campaign(systems=3, queries=6, depth=40, seed=3)
for text in sys.argv[1].split("\\n"):
    measures = [f"{text}@{cutoff}" for cutoff in (1000, 1_000_000)]
    matrix = irx_measures.evaluate(
        campaign.qrels, campaign.runs, measures, campaign.groups, progress=False
    )
    print(json.dumps([text, *matrix.scores.tolist()]))
"""
)

# Products of parameters; test_catalogue has every parameter alone.
PRODUCTS = [
    *(
        f"nDCGBound(kind={kind},bound={bound})"
        for kind in ("naive", "rbp", "guaranteed")
        for bound in ("lower", "upper")
    ),
    *(f"UE(base={base},candidates=union)" for base in ("AP", "P", "ERR")),
]


@pytest.mark.slow
def test_memory_follows_the_ranking_and_not_the_cutoff():
    made = [one(cutoff=None) for measure in catalogue.values() for one in variants(measure)]
    # Two of them have limits of their own; TaSC multiplies two scores that are divided by k.
    named = dict.fromkeys([*map(str, made), *PRODUCTS])
    texts = [text for text in named if not re.search("learned|b=.?exact|TaSC.*base=P", text)]
    for line in in_a_process(HUGE, "\n".join(texts)).splitlines():
        text, at_depth, huge = json.loads(line)
        texts.remove(text)
        if re.match("P_Rareness|(Boot|Expected|UpperBound|NRG).*base=P", text):
            # divided by the cutoff
            assert sum(map(sum, huge)) * 1e3 == pytest.approx(sum(map(sum, at_depth)))
        elif "kind=guaranteed" in text and "bound=upper" not in text:  # by the gain of k documents
            assert 0 < sum(map(sum, huge)) < sum(map(sum, at_depth)) * 1e-2
        else:
            assert huge == at_depth, text
    assert not texts


def deep():
    """A query with 400 unjudged documents."""
    run = {"q": {f"D{rank}": -float(rank) for rank in range(400)}}
    return {"q": {"D0": 1, "R": 2, "N": 0}}, {"deep": run}


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("BootNDCG(b=1000000)@1000", 10**9),
        ("Boot(base=AP,b=100000)@1000", 5 * 10**8),
        ("nDCGBound(kind=guaranteed,bound=upper)@1000", 10**6),
        ("BootNDCG(b=exact)@10", 10**4),
    ],
)
def test_a_measure_that_would_take_too_much_memory_is_refused_by_name(text, limits):
    qrels, runs = deep()
    with pytest.raises(InputError) as error:
        evaluate(qrels, runs, ["P@5", text], limits=limits)
    assert str(error.value).startswith(str(parse_measure(text)))
    assert " would take about " in str(error.value)
    assert "(`limits=` allows another amount)" in str(error.value)


@pytest.mark.parametrize("limits", [0, "2GB", True, 1.5])
def test_limits_are_bytes(limits):
    with pytest.raises(InputError, match="`limits` must be a whole number of at least 1; got "):
        evaluate(QRELS, RUNS, "P@5", limits=limits)


# Anything

FUZZ = (
    AUDIT
    + LIMITED
    + """
import re
from hypothesis import HealthCheck, given, settings, strategies as st
from irx_measures.measures.declaring.base import catalogue
from irx_measures.simulate import simulate_campaign
from tests.test_catalogue import variants

campaign = simulate_campaign(systems=3, queries=3, depth=12, seed=3)
valid = [str(made) for measure in catalogue.values() for made in variants(measure)]
valid += [*ir_measures.measures.registry, "map", "P_5,10", "ndcg_cut_10", "set"]
words = st.sampled_from(
    "others lexical-a lexical-a+others secret.run *.run . / /dev/zero irds:antique/test pool+run "
    "others+secret.run exact importance q97.5 q100 nan inf 1e999 True None {0:1} {1:1e300}".split()
)
numbers = st.one_of(
    st.integers(-2, 40), st.floats(), st.floats(0, 1),
    st.sampled_from([10**6, 10**6 + 1, 10**9, 2**31 - 1, 2**31, 2**63, 10**20, 10**300, 10**400]),
    st.sampled_from(["9" * 400, "-" + "9" * 310, "0x" + "f" * 3900, "9" * 400 + "j"]),
).map(str)
values = st.recursive(
    st.one_of(words.map(repr), words, numbers),
    lambda inner: st.lists(inner, max_size=3).map(lambda parts: f"[{','.join(parts)},]"),
    max_leaves=4,
)

@st.composite
def measures(draw):
    text = draw(st.sampled_from(valid))
    named = st.sampled_from(re.findall(r"(\\w+)=", text) or ["rel"])
    for name in draw(st.lists(named, max_size=2)):
        value = draw(values)
        text = re.sub(f"{name}=[^,)]*", lambda _: f"{name}={value}", text)
    start, at, _ = text.partition("@")
    return start + draw(st.one_of(st.just(""), numbers.map(lambda number: f"@{number}")))

def in_time(text, work):
    def late(*_):
        raise AssertionError(f"more than 20 s of CPU time: {text}")
    signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, 20)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)

def watched(text, work, allowed):
    global watching
    events.clear()
    watching = True
    try:
        return in_time(text, work)
    finally:
        watching = False
        assert not [event for event in events if not allowed(str(event))], (text, events)

counts = {"scored": 0, "refused": 0}

@settings(
    max_examples=int(sys.argv[3]), deadline=None, database=None, derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(st.one_of(measures(), measures(), measures(), st.text(max_size=40)))
def fuzz(text):
    for parse, kind in (
        (irx_measures.parse_measure, irx_measures.InputError),
        (ir_measures.parse_trec_measure, ValueError),  # names without brackets are ir_measures' own
    ):
        try:
            in_time(text, lambda: str(parse(text)))
        except (kind, NameError) as error:
            assert len(str(error)) < 5000, text
    try:
        read = lambda: parse_measures(text, allow_files=False, names=list(campaign.runs))
        parsed = watched(text, read, lambda event: False)
        score = lambda: irx_measures.evaluate(
            campaign.qrels, campaign.runs, parsed, progress=False, limits=5 * 10**8
        )
        watched(text, score, lambda event: sys.argv[2] not in event and "secret" not in event)
        counts["scored"] += 1
    except (irx_measures.InputError, NameError):
        counts["refused"] += 1

fuzz()
print(counts["scored"], counts["refused"])
"""
)


@pytest.mark.slow
def test_any_string_is_scored_or_refused_in_bounded_memory_and_time(folder):
    drawn = examples(250)
    scored, refused = in_a_process(FUZZ, "", str(folder), str(drawn)).splitlines()[-1].split()
    assert int(scored) > drawn / 10
    assert int(refused) > drawn / 10
