"""The picture of a machine's calibration."""

import pytest

from irx_measures.judging import audit_judges

pytest.importorskip("matplotlib")

from irx_measures import plots

HUMAN = {"q": {"a": 0, "b": 0, "c": 0, "d": 2, "e": 2}}
MACHINE = {"q": {"a": 0, "b": 1, "c": 1, "d": 1, "e": 1}}


def test_cells_have_probability_and_pairs():
    ax = plots.judge_calibration(audit_judges(HUMAN, {"$gpt$": MACHINE})["$gpt$"])
    cells = {text.get_position(): text.get_text() for text in ax.texts}
    assert cells == {
        (0, 0): "1.00\n1", (1, 0): "0.50\n2", (0, 1): "0.00\n0", (1, 1): "0.50\n2",
    }  # fmt: skip
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["0", "1"]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["0", "2"]
    assert ax.get_xlabel() == r"label of \$gpt\$"
    assert "quadratic kappa 0.286" in ax.get_title(loc="left").replace("\n", " ")


def test_given_axes_are_used():
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    assert plots.judge_calibration(audit_judges(HUMAN, MACHINE)["machine"], ax) is ax
