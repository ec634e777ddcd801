"""Labels and heads of measures, and scores that are only a name."""

import pytest

from irx_measures import NRG, InputError
from irx_measures.measures.naming.labels import heads_of_measures, short_labels
from irx_measures.measures.naming.named_score import find_measure, lower_is_better, measures_called


def test_labels_have_names_in_place_of_paths_and_digests():
    measures = {
        "NRG(prior='folder/bm25.run.gz')@10": "NRG(prior=bm25)@10",
        "NRG(prior='set#0123456789abcdef+x/a b.run')": "NRG(prior='set+a b')",
        "NRG(prior='runs/*.run')": "NRG(prior='runs/*.run')",
        "RBO(reference='irds:a/b')": "RBO(reference='irds:a/b')",
        # These two would have the same label.
        "NRG(prior='a/x.run')": "NRG(prior='a/x.run')",
        "NRG(prior='b/x.run')": "NRG(prior='b/x.run')",
    }
    assert short_labels(measures) == list(measures.values())


def test_heads_lose_parameters_and_are_numbered_where_they_are_the_same():
    heads = {
        "nDCG@10": "nDCG@10",
        "NRG(prior=others,select=earlier)@10": "NRG@10 #1",
        "NRG(prior=others,select=other-groups)@10": "NRG@10 #2",
        "RBO(reference=bm25,phi=0.8)": "RBO",
    }
    assert heads_of_measures(heads) == heads


def test_a_name_is_a_measure_or_only_a_name():
    nrg, seconds = measures_called(["NRG(prior=others)@10", "seconds"], {"seconds": False})
    assert nrg == NRG(prior="others") @ 10
    assert (str(seconds), seconds.higher_is_better) == ("seconds", False)
    assert lower_is_better([nrg, seconds]) == ["Lower is better: seconds."]
    with pytest.raises(InputError, match=r"no measure 'time' .*; they have seconds"):
        measures_called(["seconds"], {"time": False})
    assert find_measure("seconds", [nrg, seconds]) == seconds
    assert find_measure("NRG( prior = others )@10", [nrg]) == nrg
    assert find_measure("minutes", [nrg, seconds]) is None
