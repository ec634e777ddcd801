"""The list of a paper's tables and figures, as a table for readers."""

from irx_measures.reproductions import rareness
from irx_measures.reproductions.inventory import entries_frame


def test_a_row_per_table_or_figure_under_readable_names():
    table = entries_frame(rareness.ENTRIES)
    assert list(table.columns) == ["table or figure", "what it shows", "status", "data, or why not"]
    assert [tuple(row) for row in table.to_numpy()] == [tuple(entry) for entry in rareness.ENTRIES]
