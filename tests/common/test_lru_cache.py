"""A small LRU cache."""

from irx_measures.common.lru_cache import LRUCache


def test_a_value_is_made_once_while_it_is_among_those_used_last():
    made = []
    recent = LRUCache(2)

    def value_of(key):
        return recent.get(key, lambda: made.append(key) or f"{key} {len(made)}")

    assert [value_of(key) for key in "abab"] == ["a 1", "b 2", "a 1", "b 2"]
    assert value_of("c") == "c 3"
    assert recent.values() == ["c 3", "b 2"]
    assert value_of("b") == "b 2"
    assert value_of("a") == "a 4"
    assert made == ["a", "b", "c", "a"]


def test_a_value_put_replaces_the_old_one_and_counts_as_used():
    recent = LRUCache(2)
    for key, value in [("a", 1), ("b", 2), ("a", 3), ("c", 4)]:
        assert recent.put(key, value) == value
    assert recent.values() == [4, 3]
