"""Identifiers that C code cannot read, in every kind of column."""

import pyarrow as pa
import pytest
from irx_measures.io.c_strings import OddId, first_not_c_string
from irx_measures.io.utf8_identifiers import joined, text_ids

from irx_measures.io.arrow import arrow_ids
from irx_measures.io.identifiers import Ids

FORMS = {
    "list": Ids,
    "text": text_ids,
    "two texts": lambda ids: joined([text_ids(ids[:1]), text_ids(ids[1:])]),
    "reversed text": lambda ids: text_ids(ids[::-1]).at(slice(None, None, -1)),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("odd", ["a\0", "\0", "x\0y", "\udc80", "\ud800z"])
def test_the_first_odd_identifier_is_found(form, odd):
    fine = ["a", "훈", "", "b"]  # this letter starts with the same byte as surrogates
    query = form(["q", "q", "r", "r"])
    assert first_not_c_string(query, form(fine)) is None
    for place, expected in enumerate("qqrr"):
        ids = [odd if other == place else name for other, name in enumerate(fine)]
        assert first_not_c_string(query, form(ids)) == OddId(expected, odd)
    assert first_not_c_string(form(["q", "q", odd, "r"]), form(fine)) == OddId(odd, odd)


def test_identifiers_of_arrow_in_chunks_and_of_slices():
    doc = arrow_ids(pa.chunked_array([["a", "b"], ["c\0", "d"]]), "doc")
    query = RepeatedIds(["q", "r"], pa.array([2, 2]).to_numpy())
    assert first_not_c_string(query, doc) == OddId("r", "c\0")
    sliced = arrow_ids(pa.array(["a\0", "b", "c", "d"]).slice(1), "doc")
    assert first_not_c_string(Ids.of(["q"] * 3), sliced) is None
    assert first_not_c_string(Ids.of([]), text_ids([])) is None
