"""Mutants: modules of the package with one change each, drawn by a seed."""

from __future__ import annotations

import ast
import random
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path

import libcst as cst
from libcst import matchers as m
from mutmut.mutation.mutators import mutation_operators, operator_arg_removal, operator_assignment

# Left out is what fails wherever the line runs, which branch coverage tells: `a = b` to `a = None`,
# and, of the changes of calls, all but leaving out a named argument, so that its default acts.
OPERATORS = [each for each in mutation_operators if each[1] is not operator_assignment]

# Changes of these say nothing about results: texts of errors fill `raise`.
NO_TARGETS = (
    m.Annotation()
    | m.Raise()
    | m.Expr(value=m.SimpleString() | m.ConcatenatedString())  # a docstring
    | m.AnnAssign(annotation=m.Annotation(m.Name("TypeAlias")))
    | m.Call(func=m.Name("TypeVar"))
    | m.FunctionDef(name=m.Name("__repr__"))
)
TEXTS = m.SimpleString() | m.FormattedStringText()
SENTENCE = re.compile(r"[a-z.,:;)] [a-zA-Z(]")  # of a message or a description: words side by side


@dataclass(frozen=True)
class Mutant:
    """A module with one change.

    Parameters
    ----------
    path
        Of the module, from the root of the repository.
    source
        The module's text before the change.
    code
        Its text after the change.
    """

    path: Path
    source: str
    code: str

    def __str__(self) -> str:
        """The first line that differs, and the lines that differ, before and after."""
        old, new = self.source.splitlines(), self.code.splitlines()
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        differing = [block[1:] for block in matcher.get_opcodes() if block[0] != "equal"]
        start, _, new_start, _ = differing[0]
        _, end, _, new_end = differing[-1]
        before = " ".join(line.strip() for line in old[start:end])
        after = " ".join(line.strip() for line in new[new_start:new_end])
        return f"{self.path.as_posix()}:{start + 1}: {before}  ->  {after or '(nothing)'}"


def parts_of(root: Path) -> dict[str, list[Path]]:
    """The modules of each folder of the package, and each module outside of folders, by name."""
    parts: dict[str, list[Path]] = {}
    package = root / "irx_measures"
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package).parts[0].removesuffix(".py")
        parts.setdefault(name, []).append(path)
    return parts


def draw(root: Path, name: str, modules: list[Path], seed: int, count: int) -> list[Mutant]:
    """Mutants of one part of the package, each at a place of its own.

    Every place that can be changed has the same chance, and so has each change of a place.

    Parameters
    ----------
    root
        The root of the repository.
    name, modules
        Of the part, as `parts_of` has them.
    seed
        The same seed draws the same mutants from the same code.
    count
        How many; fewer if the part has fewer places.
    """
    chance = random.Random(f"{seed} {name}")
    places = [(path, *place) for path in modules for place in _places(path)]
    chance.shuffle(places)
    drawn = (
        Mutant(
            path.relative_to(root), module.code, module.deep_replace(node, chance.choice(new)).code
        )
        for path, module, node, new in places
    )
    return list(islice(filter(_differs, drawn), count))


def _places(path: Path) -> Iterator[tuple[cst.Module, cst.CSTNode, list[cst.CSTNode]]]:
    """The module, each node that can be changed, and what may take its place."""
    module = cst.parse_module(path.read_text(encoding="utf-8"))
    visitor = _Visitor()
    module.visit(visitor)
    return ((module, node, new) for node, new in visitor.places)


class _Visitor(cst.CSTVisitor):
    """Collects the nodes that can be changed."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[tuple[cst.CSTNode, list[cst.CSTNode]]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if m.matches(node, NO_TARGETS) or _is_sentence(node):
            return False
        new = _replacements(node)
        if new:
            self.places.append((node, new))
        return True


def _is_sentence(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.BaseString) and any(
        SENTENCE.search(text.value) for text in m.findall(node, TEXTS)
    )


def _replacements(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The changes of a node by mutmut."""
    return [
        new
        for kind, operator in OPERATORS
        if isinstance(node, kind)
        for new in operator(node)
        if operator is not operator_arg_removal or _named(new) < _named(node)
    ]


def _named(call: cst.Call) -> int:
    return sum(argument.keyword is not None for argument in call.args)


def _differs(mutant: Mutant) -> bool:
    """Whether it compiles, without a warning, and is another program."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            compile(mutant.code, mutant.path, "exec")
        except (SyntaxError, SyntaxWarning):
            return False
    return ast.dump(ast.parse(mutant.code)) != ast.dump(ast.parse(mutant.source))
