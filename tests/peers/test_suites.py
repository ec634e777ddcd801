"""The comparison of two runs of a suite, on a suite of a few lines."""

import pytest

from tests.peers.suites import main, outcomes, report

SUITE = """
import sys, unittest
class TestIt(unittest.TestCase):
    def test_passes(self): pass
    def test_fails(self): self.fail()
    def test_skips(self): self.skipTest("why")
    def test_part(self):
        for number in range(3):
            with self.subTest(number): self.assertNotEqual(number, 1)
    def test_without_us(self): self.assertNotIn("irx_measures", sys.modules)
class TestBroken(unittest.TestCase):
    def setUp(self): 1 / 0
    def test_it(self): pass
"""


@pytest.fixture
def checkout(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "__init__.py").touch()
    (tmp_path / "tests" / "test_it.py").write_text(SUITE)
    return tmp_path


@pytest.mark.whole
def test_a_test_that_ends_differently_is_reported(checkout, capsys):
    without = outcomes(checkout, ["tests"])
    of_case = "tests.test_it.TestIt.test_"
    assert without == {
        f"{of_case}passes": "passed", f"{of_case}fails": "failed", f"{of_case}skips": "skipped",
        f"{of_case}part": "failed", f"{of_case}without_us": "passed",
        "tests.test_it.TestBroken.test_it": "failed",
    }  # fmt: skip
    with_us = outcomes(checkout, ["tests"], ["irx_measures"])
    assert with_us == {**without, f"{of_case}without_us": "failed"}
    assert report(without, without) == 0
    assert report(without, with_us) == 1
    assert f"{of_case}without_us: passed without, failed with" in capsys.readouterr().out
    assert [path.name for path in checkout.iterdir()] == ["tests"]


@pytest.mark.whole
def test_a_suite_that_cannot_start_is_an_error(checkout):
    with pytest.raises(SystemExit, match=r"no tests ran|not found"):
        outcomes(checkout, ["tests/nothing.py"])
    for wrong in (["ir_measures"], ["pyterrier", str(checkout / "nowhere")]):
        with pytest.raises(SystemExit, match="HOST CHECKOUT"):
            main(wrong)
