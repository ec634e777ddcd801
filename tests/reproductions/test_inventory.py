"""The list of a paper's tables and figures, as notebooks show it."""

from irx_measures.reproductions import rareness


def test_a_row_per_table_or_figure_with_its_whole_text():
    shown = rareness.ENTRIES._repr_html_()
    assert shown.count("<tr>") == 1 + len(rareness.ENTRIES)
    assert all(text in shown for entry in rareness.ENTRIES for text in entry)
