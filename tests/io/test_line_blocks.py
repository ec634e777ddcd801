"""Blocks of whole lines: the longest line, wherever it is."""

import io

import pytest

from irx_measures.io.line_blocks import BLOCK_BYTES, LONGEST_LINE, BlockError, blocks

SHORT = b"q Q0 d 1 1.0 t\n"
TO_THE_EDGE = SHORT * (BLOCK_BYTES // len(SHORT) - 1)  # the next line is in two blocks

AROUND = {
    "alone": (b"", b""),
    "alone, with its end": (b"", b"\n"),
    "first": (b"", b"\n" + SHORT),
    "last": (SHORT, b""),
    "between": (SHORT, b"\n" + SHORT),
    "in two blocks": (TO_THE_EDGE, b"\n" + SHORT),
    "in two blocks, last": (TO_THE_EDGE, b""),
}


@pytest.mark.parametrize(("before", "after"), AROUND.values(), ids=AROUND)
def test_a_line_of_the_greatest_length_is_read(before, after):
    content = before + b"x" * LONGEST_LINE + after
    assert b"".join(blocks(io.BytesIO(content))) == content


@pytest.mark.parametrize(("before", "after"), AROUND.values(), ids=AROUND)
def test_a_line_that_is_longer_by_one_byte_is_refused(before, after):
    content = io.BytesIO(before + b"x" * (LONGEST_LINE + 1) + after)
    lines = []
    with pytest.raises(BlockError, match=f"at most {LONGEST_LINE} bytes") as error:
        lines.extend(block.count(b"\n") for block in blocks(content))
    assert sum(lines) + error.value.line == before.count(b"\n") + 1
