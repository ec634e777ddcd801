"""Mutants: no change in what says nothing about results."""

from scripts.mutation.mutants import draw

NO_TARGETS = '''
"""Docstrings of 1 module."""
from typing import TypeAlias
Ids: TypeAlias = int | str  # a comment with 1 number
def check(a: int | None) -> "Ids":
    """Docstrings of 1 function."""
    raise ValueError(f"a must be {1 + 1}" + "or" + str(a, errors="strict"))
def told(a):
    return f"{a + 1} systems are better"
class Named:
    def __repr__(self):
        return "Named" + "1"
'''


def test_texts_and_types_are_no_targets(tmp_path):
    module = tmp_path / "irx_measures" / "io" / "module.py"
    module.parent.mkdir(parents=True)
    module.write_text(NO_TARGETS, encoding="utf-8")
    assert draw(tmp_path, "io", 1, 9) == []
    module.write_text(NO_TARGETS.replace(" systems are better", "%"), encoding="utf-8")
    assert [str(mutant).partition(": ")[2] for mutant in draw(tmp_path, "io", 1, 1)] == [
        'return f"{a + 1}%"  ->  return f"{a - 1}%"'
    ]
