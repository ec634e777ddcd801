"""Every number that a paper prints, and every verdict: computed from the paper's data."""

import pytest

from irx_measures.reproductions import PAPERS, rareness, reproduce, upper_expected
from irx_measures.reproductions.material import DL19, TREC8, TREC_COVID, paper_material
from irx_measures.reproductions.paper import NO_VERDICT, is_printed
from tests.doubts import ANY_DOUBT

pytestmark = [*ANY_DOUBT, pytest.mark.slow]

# How many numbers of a table are printed, and how far the computed ones are at most: by half of
# the last printed place, unless they are sampled or the paper's data differs.
TABLES = {
    "residual-gain": {"Table 1": (12, 5e-5)},
    "rareness": {
        "Table 1": (12, 2),  # pairs of systems
        "Table 2": (6, 0.01),  # random halves
        "Table 3": (8, 0.02),  # random subsets, of at least 8 systems
        "Table 4": (5, 0.5),  # the paper's runs have 1000 documents a topic, these have 100
    },
    "rank-biased": {
        "Table 1": (14, 5e-4),
        "Table 2": (18, 6.7e-4),  # the paper cuts .6667 off to .666
        "Section 3, phi": (4, 5e-4),
        "Table 3": (35, 5e-3),
        "Figure 5": (3, 5e-4),
        "Table 4": (9, 0.02),  # random permutations
    },
    "upper-expected": {},
    "bootstrap": {
        "Table 1": (9, 5e-3),
        "Table 2": (18, 0),
        "Table 3": (10, 5e-3),
        "Table 7": (70, 5.1e-4),
    },
}
SAMPLED = {"BS P+R": 0.03, "BS P+R@95": 0.01}  # columns of Table 7: the mode of few topics varies

# Verdicts in the order of the claims: h holds, d does not hold, c cannot be told, - other data.
VERDICTS = {
    "residual-gain": "hhhhhhhhddhddhdhhccc",
    "rareness": "hhhdhh-c",
    "rank-biased": "hhhhhh---chhhhh",
    "upper-expected": "-" * 27,
    "bootstrap": "h" + "-" * 9 + "hhhdh",
}
LETTERS = {"holds": "h", "does not hold": "d", "cannot be told": "c", NO_VERDICT: "-"}


@pytest.fixture(scope="module", params=PAPERS)
def found(request, data):
    """A reproduction on the data at hand, by its name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IRX_DATA", str(data))
        patch.setattr(upper_expected, "TREES", 20)  # most of its time goes into the others
        patch.setattr(rareness, "SUBSETS", 40)  # of 1000, and of large ones, which differ less
        patch.setattr(rareness, "SIZES", (8, 16, 32, 64))
        return request.param, reproduce(request.param)


def test_the_printed_numbers(found):
    name, reproduction = found
    printed = {label: table for label, table in reproduction.tables.items() if is_printed(table)}
    assert printed.keys() == TABLES[name].keys()
    for label, (numbers, tolerance) in TABLES[name].items():
        off = printed[label]["difference"].dropna().abs()
        most = [SAMPLED.get(column, tolerance) for _, column in off.index]
        assert (len(off), (off <= most).all()) == (numbers, True), (label, off.max())


@pytest.mark.whole
def test_all_subsets_of_the_rareness_paper(data, monkeypatch):
    monkeypatch.setenv("IRX_DATA", str(data))
    off = rareness.table_3(rareness.score(paper_material(TREC8)))["difference"].abs()
    assert (len(off), off.max() <= 0.02) == (12, True), off.max()


def test_the_verdicts(found):
    name, reproduction = found
    assert "".join(reproduction.claims["verdict"].map(LETTERS)) == VERDICTS[name]
    assert reproduction.claims["claim"].is_unique


def test_the_data_is_named(found):
    name, reproduction = found
    titles = {
        "residual-gain": [DL19.title, "Figure 1 is left out"],
        "rareness": [TREC8.title, DL19.title],
        "rank-biased": [DL19.title, TREC8.title],
        "upper-expected": ["LETOR 4.0 MQ2008, fold 1, from IRX_DATA/mq2008-fold1"],
        "bootstrap": [TREC_COVID.title, DL19.title],
    }
    assert [line.split(":")[0] for line in reproduction.data] == titles[name]


# Numbers that the papers print nowhere in a table, and others that tell this data from other data.
OTHER_NUMBERS = {
    "residual-gain": {
        ("Figures 2 to 5", "idst_bert_p1", "NRG@10"): 0.1338,
        ("Figures 2 to 5", "bm25base_ax_p", "NRG@10"): 0.1926,
        ("Figures 2 to 5", "ICT-CKNRM_B50", "NRG@10"): 0.2045,
        ("Figures 2 to 5", "idst_bert_p1", "UniqueRel@10"): 0.512,
        ("Figures 2 to 5", "ICT-CKNRM_B50", "UniqueRel@10"): 1.628,
        ("Figures 2 to 5", "idst_bert_p1", "TaSC@10"): 0.1132,
        ("Figures 2 to 5", "bm25base_ax_p", "TaSC@10"): 0.0730,
        ("Figures 2 to 5", "idst_bert_p1", "nDCG@10"): 0.7645,
        ("Figures 2 to 5", "bm25tuned_prf_p", "nDCG@10"): 0.5536,
        ("Figures 2 to 5, groups", "all but BASELINE", "nDCG@10"): 0.646,
        ("Figures 2 to 5, groups", "BASELINE", "nDCG@10"): 0.529,
        ("Figures 2 to 5, groups", "all but BASELINE", "NRG@10"): 0.120,
        ("Figures 2 to 5, groups", "BASELINE", "NRG@10"): 0.149,
        ("Figures 2 to 5, groups", "BASELINE", "runs"): 8,
        ("Figures 2 to 5, correlation", "Figure 4: P_Rareness@10", "tau"): 0.85,
        ("Figures 2 to 5, correlation", "Figure 5: TaSC@10", "tau"): 0.91,
    },
    "rareness": {
        ("Table 1, topics as blocks", "P@100, alpha 0", "TREC-8 95%"): 3035,
        ("Table 1, topics as blocks", "AP, alpha 1", "TREC-8 95%"): 3110,
        ("Table 4", "LA102589-0109", "systems"): 12,
        ("Table 4", "FBIS4-44815", "systems"): 110,
        ("Figure 1", "S_rare", "alpha 0"): 25,
        ("Figure 1", "S_rare", "alpha 1"): 21,
    },
    "rank-biased": {},
    "upper-expected": {
        ("Table 1", "test", "Documents"): 2874,
        ("Table 9", "nDCG", "Uninformative"): 0,
        ("Table 21", "V2", "All"): 25,  # BM25 against each of the others at 5 cutoffs
    },
    "bootstrap": {
        ("Table 4", "Bootstr. P+R", "Actual"): 0.0536,
        ("Table 4", "Condensed", "Lower"): 0.0550,
        ("Table 4", "Naive (U)", "Actual"): 0.1983,
        ("Table 5", "Bootstr. P+R", "tau"): 0.9550,
        ("Table 5", "Bootstr. R", "rho"): 0.9841,
        ("Table 6", "Point, Condensed", "F1"): 0.9628,
        ("Table 6", "Range, Naive (U)", "Prec."): 0.9992,
        ("Table 6", "Range, BS P+R@75", "Rec."): 0.9151,
        ("Table 7", "BBGhelani2, All Topics", "topics"): 30,
        ("Table 7", "TAS-B, All Topics", "BS P+R"): 0.628,
        ("Figure 1", "34", "Default"): 0.1635,
    },
}
REMARKS = {
    "bootstrap": {
        "Table 4": "leaving out one group at a time, 11 in all",
        "Table 7": "66336 judgments, the paper has 66336",
    },
}


def test_other_numbers(found):
    name, reproduction = found
    for (label, *place), value in OTHER_NUMBERS[name].items():
        places = len(str(value).partition(".")[2])
        here = reproduction.tables[label].loc[tuple(place), "here"]
        assert here == pytest.approx(value, abs=0.5 * 10**-places), (label, *place)
    for label, remark in REMARKS.get(name, {}).items():
        assert remark in reproduction.tables[label].attrs["remark"]
