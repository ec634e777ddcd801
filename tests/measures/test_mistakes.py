"""A mistake in a measure is one clear line: what is wrong, what is allowed, what was given."""

import pytest

from irx_measures import (
    NRG,
    InputError,
    P_Rareness,
    RunSet,
    UniqueRel,
    evaluate,
    parse_measure,
    register_runs,
)
from tests.doubts import ANY_DOUBT

pytestmark = ANY_DOUBT

QRELS = {"q": {"A": 3, "B": 0, "C": 2, "D": 1}}
RUNS = {
    "run0": {"q": {"A": 20.0, **{f"x{number}": float(number) for number in range(11)}}},
    "run1": {"q": {"B": 2.0, "C": 1.0}},
}

IN_STRINGS = [
    ("did you mean NRG[?]$", ["NGR@10", "nrg"]),
    ("did you mean NRG@10[?]$", ["nrg_10"]),
    ("did you mean nDCG[?]$", ["ndgc@10"]),
    ("did you mean nDCG@5[?]$", ["ndcg_5"]),
    ("did you mean P@5[?]$", ["P5"]),
    ("did you mean UniqueRel[?]$", ["UniqRel"]),
    ("did you mean P_Rareness[?]$", ["P_Rarenes(alpha=0.5)@5"]),
    ("^a measure is missing", ["", "  "]),
    ("", ["@10", "NRG@", "NRG(", "NRG)", "NRG.x", "NRG[0]", "'NRG'", "10", "NRG(,)"]),
    ("", ["NRG@5@10", "NRG, nDCG", "NRG + nDCG", "NRG@10,", "NRG@k", "nDCG@k", "(NRG)@5"]),
    ("", ["NRG; import os", "x = NRG", "NRG\nnDCG", "NRG\0", "P_5,x"]),
    ("", ["NRG(prior=)", "NRG(prior=others", "NRG(prior='others)", "NRG(prior='''o)"]),
    ("", ["NRG(prior=a+)", "NRG(prior=-a)", "NRG(prior=a b)", "NRG(prior=a+'b')"]),
    ("", ["NRG(prior=a#b)", "NRG(prior=a\0b)", "NRG(prior=\ud800)", "NRG(prior='\ud800')"]),
    ("", ["NRG(prior=f'{a}')", "NRG(prior={[]: 1})", "NRG(prior=lambda: 1)", "NRG(others)"]),
    ("", ["NRG(*others)", "NRG(**others)", "NRG(prior=others)(rel=2)", "NRG(rel=1, rel=2)"]),
    ("", ["NRG(prior=[x for x in y])", "BootNDCG(stat=q97 .5)@5"]),
    ("`prior` must be", ["NRG(prior=['a'])", "NRG(prior=('a',))", "NRG(prior={'a': 'b'})"]),
    ("`prior` must be", ["NRG(prior='')", "NRG(prior=3)", "NRG(prior=[])"]),
    ("`reference` must be", ["RBR(reference=b'a')"]),
    ("`gains` must be at most 16777216", ["nDCG(gains={1: 1000000000})"]),
    ("for 2 measures", ["P_5,10"]),
    ("whole number", ["NRG@0", "NRG@-1", "NRG@1e9", "NRG@2000000000", "NRG@True"]),
    ("whole number", ["nDCG@0", "P@-3", "P_0", "ndcg@0", "nDCG@True", "AP(rel=-1)", "AP(rel=0)"]),
    (
        "whole number of at least 1 and at most 2147483647; got",
        ["P_5,99999999999", "RR(rel=4294967297)", "P@99999999999999999999"],
    ),
    ("has no parameter", ["NRG(of=others)", "NRG(self=1)", "nDCG(self=1)", "NumRet@5"]),
    ("has no parameter `rel`", ["NumQ(rel=1)", "nDCG_UE(rel=1)"]),
    ("p is called `phi` here", ["RBO(p=.9)", "RBPBound(p=.9)"]),
    ("phi is called `p` here", ["RBP(phi=.9)"]),
    ("^no measure|not found", ["P_5x", "ndcg_cut_", "map_5", "G", "runid", "Qqqqqq"]),
    (r"^NRG: `phi` must lie in \(0, 1\); got 1", ["NRG(phi=1)"]),
    ("a number has more than 308 digits", ["NRG(phi=1e999)", "nDCG(gains=1E400)@1"]),
    ("^NRG: `select` must be one of .*; got 'best'$", ["NRG(select=best)"]),
    ("`exclude_self` must be", ["NRG(exclude_self=1)"]),
    ("`base` must be one of 'nDCG', 'P', 'RBP', 'RR'; got 'AP'$", ["NRG(base=AP)"]),
    ("`ideal` must be one of", ["NRG(ideal=none)"]),
    ("`agg` must be one of", ["TaSC(agg=min)"]),
    (r"`alpha` must lie in \[0, 1\] or .*; got 1.01$", ["P_Rareness(alpha=1.01)@3"]),
    ("RBA: `ties` must be one of 'share', 'break', 'least', 'greatest'", ["RBA(ties=keep)"]),
    ("RBR: `bound` must be one of", ["RBR(bound=ext)"]),
    ("`base` must be one of 'nDCG', 'AP'", ["UE(base=MAP)@10"]),
    ("`version` must be a whole number from 1 to 2; got 3", ["nDCG_UE(version=3)@10"]),
    ("`expectation` must be one of 'independent', 'exact'", ["AP_UE(expectation=true)@10"]),
    ("`candidates` must be one of 'judged', 'run', 'union'", ["nDCG_UE(candidates=pool)"]),
    ("`stat` must be one of 'mode', .*a quantile", ["BootNDCG(stat=q97.5x)@5", "Boot(stat=q101)"]),
    ("`b` must be", ["BootNDCG(b=1000001)@5", "Boot(b=99999999999999999999)@5"]),
    ("`max_grade` must", ["nDCGBound(max_grade=2147483648)@5"]),
    ("`depth` must be a whole number from 1 to 100", ["BootNDCG(prior=learned,depth=0)@10"]),
]


@pytest.mark.parametrize(("told", "texts"), IN_STRINGS)
def test_a_mistake_in_a_string(told, texts):
    for text in texts:
        with pytest.raises((ValueError, NameError), match=told or "^cannot read ") as error:
            parse_measure(text)
        assert "\n" not in str(error.value)
        assert len(str(error.value)) < 1000


WHERE_USED = [
    ("P_Rareness", "needs a cutoff, as in P_Rareness@10"),
    ("BootNDCG(prior=learned)", "BootNDCG needs a cutoff"),
    ("NRG(base=P)", "base='P' needs a cutoff"),
    ("TaSC(base=P)", "base='P' needs a cutoff"),
    ("UE(base=P)", "base='P' needs a cutoff"),
    ("NRG(prior=nobody)@5", "NRG: `prior`: .*'nobody'.*'several'"),
    ("NRG(prior=others,select=other-groups)@5", "NRG: select='other-groups' needs groups"),
    ("NRG(prior=others,select=best-per-group)@5", "NRG: select='best-per-group' needs groups"),
    ("NRG(prior=teams,select=other-groups)@5", "NRG: select='other-groups' .* 'teams', and it is"),
    ("TaSC(prior=teams,select=earlier)@5", "TaSC: select='earlier' needs the evaluated run"),
    (r"NRG(prior='runs\bm25.run')@10", r"NRG: `prior`: .*In quotes, a backslash.*write / or"),
    (r"NRG(prior='\\pc\x.run')@10", r"cannot read .*; in quotes, a backslash .*: write / or"),
    ("RBO(reference=nobody)", "RBO: `reference`: no set of runs is called 'nobody'"),
    ("RBO(reference=several)", "must be one run; the set 'several' has 2"),
    ("RBA(reference=others)", "must be one run; got 'others'"),
    ("nDCGBound(max_grade=1001, kind=guaranteed)@1", "takes a `max_grade` to 1000; got 1001"),
    ("BootNDCG(b=exact)@12", "query 'q' has 4 grades to the power of 11 unjudged"),
    ("BootNDCG(runs=others2)@10", "`runs` goes with prior='learned'; got 'pool[+]run'"),
    ("Boot(prior=run,machine=x)@10", "`machine` goes with prior='learned'; got 'run'"),
    ("BootNDCG(prior=learned,b=exact)@10", "b='exact' does not go with prior='learned'"),
    ("BootNDCG(prior=learned,pool=all)@10", "`pool` does not go with prior='learned'"),
    ("BootNDCG(prior=learned)@101", "prior='learned' takes cutoffs to 100; got 101"),
    ("BootNDCG(prior=learned,runs=nobody)@10", "`runs`: no set of runs is called 'nobody'"),
]


@pytest.mark.parametrize(("text", "told"), WHERE_USED)
def test_a_mistake_that_shows_where_the_measure_is_used(text, told):
    register_runs("several", RUNS, replace=True)
    register_runs("teams", {"a": RUNS["run1"]}, {"a": "team"}, replace=True)
    with pytest.raises(InputError, match=told):
        evaluate(QRELS, RUNS, text)


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("NRG(dcg='exp-log2')@5", 1000),
        ("P_Rareness(dcg='exp-log2')@5", 1000),
        ("nDCGBound(kind=guaranteed)@5", 1000),
        ("nDCGBound(kind=guaranteed,bound=upper)@5", 1000),
        ("UE(base=ERR)@10", 4),
    ],
)
def test_grades_that_overflow_are_refused_and_high_ones_scored(text, allowed):
    for bound in ("naive", "rbp"):  # they know only the grades in use
        evaluate({"q": {"A": 1001}}, RUNS, f"nDCGBound(kind={bound})@5")
    assert evaluate({"q": {"A": allowed, "B": 1}}, RUNS, text).scores[0, 0, 0] > 0
    with pytest.raises(InputError, match=f" to {allowed}; got {allowed + 1}"):
        evaluate({"q": {"A": allowed + 1, "B": 1}}, RUNS, text)


def test_objects_that_are_no_runs():
    with pytest.raises(InputError, match="NRG: `prior` must be None, a set of runs or the name"):
        NRG(prior=5)
    prior = RunSet(RUNS, name="teams", groups={"run0": "a", "run1": "b"})
    with pytest.raises(InputError, match=r"UniqueRel: select='best-per-group' .* 'teams'"):
        UniqueRel(prior=prior, select="best-per-group", cutoff=5).calc_aggregate(
            QRELS, {"q": {"C": 1.0}}
        )
    assert P_Rareness(alpha=1)["alpha"] == 1.0
    assert parse_measure("nDCGBound(max_grade=2147483647)")["max_grade"] == 2**31 - 1
