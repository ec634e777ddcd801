"""Identifiers in text behave like Python strings, for every length and script."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from irx_measures.io.utf8_identifiers import TextIds, joined, text_ids
from numpy.testing import assert_array_equal

from irx_measures.io.identifiers import Ids, Names

# Identifiers that differ in one place: before, at and after the edges of eight-byte words.
alike = st.builds(
    lambda before, middle, after: "a" * before + middle + "a" * after,
    st.integers(0, 18),
    st.sampled_from(["", "b", "é", "\ud800", "\U0001f600"]),
    st.integers(0, 18),
)


@given(st.lists(alike), st.lists(alike))
def test_they_are_found_among_known_ones(asked, known):
    index = Names(known)
    assert_array_equal(text_ids(asked).codes(index), Ids.of(asked).codes(index))


@given(st.lists(alike, min_size=2, max_size=6))
def test_repeats_and_stretches_are_those_of_strings(values):
    ids = text_ids(values)
    assert list(ids.all()) == values
    rows, whole = np.arange(len(values)), np.zeros(1, np.int64)
    assert ids.may_have_duplicates(rows, whole) == (len(set(values)) < len(values))
    distinct, lengths = ids.run_lengths()
    expected, expected_lengths = Ids.of(values).run_lengths()
    assert list(distinct.all()) == list(expected.all())
    assert_array_equal(lengths, expected_lengths)


@given(st.lists(st.lists(alike, max_size=3), max_size=4))
def test_texts_are_joined(parts):
    ids = joined([text_ids(part) for part in parts])
    values = [value for part in parts for value in part]
    assert list(ids.all()) == values
    assert ids.equals(text_ids(values))


@pytest.mark.parametrize(("longest", "expected"), [(2, None), (3, [b"abc", b"", b"d"])])
def test_as_bytes_none_is_longer_than_the_longest(longest, expected):
    assert text_ids(["abc", "", "d"]).as_bytes(longest) == expected


def test_one_among_many_known_is_found_whatever_its_fingerprint():
    names = [f"{number:x}" for number in range(5000)]
    index = Names(names[::2])
    codes = text_ids(names).codes(index)
    assert_array_equal(codes[::2], np.arange(2500))
    assert set(codes[1::2].tolist()) == {-1}


def test_a_text_is_read_where_it_ends():
    assert TextIds(np.frombuffer(b"ab" + bytes(8), np.uint8), *np.array([[1], [1]])).all() == ["b"]


@given(st.lists(alike))
def test_rows_are_numbered_and_packed_as_strings_are(values):
    index, codes = text_ids(values).numbered()
    expected, expected_codes = Ids.of(values).numbered()
    assert index.ids == expected.ids
    assert index.number == expected.number
    assert codes.tolist() == expected_codes.tolist()
    assert text_ids(values).packed() == Ids.of(values).packed()
    assert text_ids(values).codes(index).tolist() == codes.tolist()


def test_rows_with_equal_fingerprints_are_numbered_by_their_text():
    ids = text_ids(["a", "b", "a", "c"])
    ids.__dict__["fingerprint"] = np.zeros(4, np.uint64)
    index, codes = ids.numbered()
    assert (index.ids, codes.tolist()) == (("a", "b", "c"), [0, 1, 0, 2])


@given(st.lists(alike, min_size=1), st.lists(alike))
def test_codes_behave_like_strings(values, known):
    categories = sorted(set(values) | {"never used"})
    code = np.array([categories.index(value) for value in values], np.int32)
    coded, plain = CodedIds(Ids.of(categories), code), Ids.of(values)
    index = Names(known)
    assert_array_equal(coded.codes(index), plain.codes(index))
    assert list(coded.all()) == coded.take(np.arange(len(values))) == values
    assert coded.packed() == plain.packed()
    found, expected = coded.numbered(), plain.numbered()
    assert (found[0].ids, found[0].number) == (expected[0].ids, expected[0].number)
    assert_array_equal(found[1], expected[1])
    rows, whole = np.arange(len(values)), np.zeros(1, np.int64)
    assert coded.may_have_duplicates(rows, whole) == (len(set(values)) < len(values))
    distinct, lengths = coded.run_lengths()
    expected_distinct, expected_lengths = plain.run_lengths()
    assert list(distinct.all()) == list(expected_distinct.all())
    assert_array_equal(lengths, expected_lengths)
    assert coded.equals(coded.snapshot())
    assert not coded.equals(plain)


def test_codes_repeat_only_within_a_query():
    coded = CodedIds(Ids.of(["a", "b"]), np.array([0, 1, 0, 0], np.int32))
    assert not coded.may_have_duplicates(np.arange(3), np.array([0, 2]))
    assert coded.may_have_duplicates(np.arange(4), np.array([0, 2]))
