"""Work split into chunks."""

import pytest

from irx_measures.common.chunks import slices


@pytest.mark.parametrize("elements", [0, 1, 1000, 1 << 19, 1 << 25])
@pytest.mark.parametrize("queries", [0, 1, 7, 2000])
def test_blocks_cover_the_queries_in_order(queries, elements):
    blocks = list(slices(queries, elements))
    covered = [query for block in blocks for query in range(block.start, block.stop)]
    assert covered == list(range(queries))
    assert all((block.stop - block.start - 1) * elements < 1 << 19 for block in blocks)


def test_a_limit_of_elements_replaces_the_usual_one():
    assert list(slices(7, 10, 30)) == [slice(0, 3), slice(3, 6), slice(6, 7)]
