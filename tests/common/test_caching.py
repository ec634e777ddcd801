"""The results that stay are the most recently used ones."""

from irx_measures.common.caching import kept


def test_the_most_recently_used_values_stay():
    cache, made = {}, []

    def value(key):
        return kept(cache, key, lambda: made.append(key) or key * 2, most=2)

    assert [value(key) for key in "abacab"] == ["aa", "bb", "aa", "cc", "aa", "bb"]
    assert (made, list(cache)) == (["a", "b", "c", "b"], ["a", "b"])
