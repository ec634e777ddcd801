"""Mutants: the same for a seed, each with one change, none in what says nothing about results."""

import ast
from pathlib import Path

import pytest

from scripts.mutation.mutants import draw

ROOT = Path(__file__).parent.parent
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


def changed(one, other):
    """The number of places in which two syntax trees differ."""
    parts, others = list(ast.iter_child_nodes(one)), list(ast.iter_child_nodes(other))
    if ast.dump(one) == ast.dump(other):
        return 0
    if type(one) is not type(other) or len(parts) != len(others):
        return 1
    return sum(map(changed, parts, others)) or 1  # its own field, such as a name


@pytest.mark.whole
def test_a_seed_draws_the_same_mutants_each_with_one_change():
    mutants = draw(ROOT, "judgments", 5, 9)
    assert mutants == draw(ROOT, "judgments", 5, 9) != draw(ROOT, "judgments", 6, 9)
    assert len({mutant.code for mutant in mutants}) == 9
    for mutant in mutants:
        assert mutant.source == ROOT.joinpath(mutant.path).read_text(encoding="utf-8")
        assert changed(ast.parse(mutant.source), ast.parse(mutant.code)) == 1


def test_texts_and_types_are_no_targets(tmp_path):
    module = tmp_path / "irx_measures" / "io" / "module.py"
    module.parent.mkdir(parents=True)
    module.write_text(NO_TARGETS, encoding="utf-8")
    assert draw(tmp_path, "io", 1, 9) == []
    module.write_text(NO_TARGETS.replace(" systems are better", "%"), encoding="utf-8")
    assert [str(mutant).partition(": ")[2] for mutant in draw(tmp_path, "io", 1, 1)] == [
        'return f"{a + 1}%"  ->  return f"{a - 1}%"'
    ]
