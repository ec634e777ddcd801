"""Change the code in one place at a time, and count the changes that tests notice.

The program draws mutants of each folder and top-level module of the package. In a copy of the
checkout, it runs the doctests of the changed file and the tests that hold it against each: those of
its folder, those elsewhere that import it, and those of `trial.ELSEWHERE`. A mutant is killed if a
test fails, if the package cannot be imported, or if the tests take longer than three times their
time without a mutant and a minute. Mutants that compute the same as the code count as survivors.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from .mutants import Mutant, draw, parts_of
from .trial import Trial

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print how many mutants of each folder its tests kill, and those that survive."""
    parser = argparse.ArgumentParser(prog="scripts/mutate", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="what draws the mutants; default: 1")
    parser.add_argument("--count", type=int, default=5, help="mutants of each; default: 5")
    parts = parts_of(ROOT)
    parser.add_argument(
        "--folders",
        nargs="+",
        choices=tuple(parts),
        default=tuple(parts),
        metavar="NAME",
        help=f"folders and modules of the package; default: all of them: {', '.join(parts)}",
    )
    options = parser.parse_args(arguments)
    drawn = {
        name: draw(ROOT, name, parts[name], options.seed, options.count) for name in options.folders
    }
    with TemporaryDirectory() as folder:
        trial = Trial.of(ROOT, Path(folder))
        survivors = {name: _survivors(trial, name, mutants) for name, mutants in drawn.items()}
    print(f"seed {options.seed}\n\n{_table(drawn, survivors)}")


def _survivors(trial: Trial, name: str, mutants: list[Mutant]) -> list[Mutant]:
    """The mutants of one part that its tests do not kill; stderr gets a line for each mutant."""
    modules = {mutant.path for mutant in mutants}
    start = monotonic()
    trial.check(name, modules)
    seconds = monotonic() - start
    print(f"{name}: its tests take {seconds:.0f} s", file=sys.stderr)
    survivors = []
    for mutant in mutants:
        start = monotonic()
        is_killed = trial.kills(name, mutant, 3 * seconds + 60)
        outcome = f"{'killed' if is_killed else 'survived'} after {monotonic() - start:.0f} s"
        print(f"{outcome}: {mutant}", file=sys.stderr, flush=True)
        if not is_killed:
            survivors.append(mutant)
    return survivors


def _table(drawn: dict[str, list[Mutant]], survivors: dict[str, list[Mutant]]) -> str:
    """A row per part of the package, their sums, and the survivors."""
    counts = [(name, len(drawn[name]), len(survivors[name])) for name in drawn]
    counts.append(("all", sum(row[1] for row in counts), sum(row[2] for row in counts)))
    rows = [("part", "drawn", "killed", "survived")]
    rows += [(name, f"{all_}", f"{all_ - alive}", f"{alive}") for name, all_, alive in counts]
    lines = [f"{row[0]:<14}" + "".join(f"{cell:>10}" for cell in row[1:]) for row in rows]
    alive = [f"{mutant}" for mutants in survivors.values() for mutant in mutants]
    return "\n".join([*lines, "", "Survivors:" if alive else "No mutant survived.", *alive])


if __name__ == "__main__":
    main()
