"""Progress bars: shown when asked for, silent and without tqdm otherwise."""

import subprocess
import sys

import pytest

from irx_measures.common.progress import counting_bar, with_bar


def test_items_come_through_a_bar_on_stderr(capsys):
    assert list(with_bar("abc", "letter", True)) == ["a", "b", "c"]
    assert list(with_bar(iter("ab"), "letter", True)) == ["a", "b"]
    assert "letter" in capsys.readouterr().err


@pytest.mark.parametrize("total", [3, None])
def test_a_bar_counts(total, capsys):
    with counting_bar(total, "sample", True) as counted:
        counted(2)
    assert "sample" in capsys.readouterr().err


@pytest.mark.parametrize("shown", [False, None])  # None: stderr is no terminal here
def test_without_a_bar_there_is_no_tqdm(shown):
    code = f"""
import sys
from irx_measures.common.progress import counting_bar, with_bar
print(list(with_bar("ab", "letter", {shown})))
with counting_bar(2, "sample", {shown}) as counted:
    print(counted, "tqdm" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['a', 'b']\nNone False\n"
    assert done.stderr == ""
