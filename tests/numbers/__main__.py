"""Keep the package's numbers while its code is rebuilt.

``python -m tests.numbers write`` runs a fixed list of calls and keeps their arrays in the folder
that ``IRX_NUMBERS`` names. ``python -m tests.numbers compare`` runs them again, prints a line for
each array that differs, and exits with 1 where there is one. ``--only compare meta`` runs some of
the parts. The list is in `calls`: real collections (``IRX_DATA``) and a simulated one.
"""

import argparse
import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np

from . import calls

# Sums in another order differ in the 15th digit. Learned scores and judging fit models: their
# solvers stop within a tolerance.
RELATIVE = 1e-12
FITTED = 1e-9
# Below it a number is 0 but for rounding: the difference of two equal means, for example.
NOTHING = 1e-13
MOST_LINES = 200


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("action", choices=["write", "compare"])
    parser.add_argument("--only", nargs="+", choices=list(calls.PARTS), default=list(calls.PARTS))
    options = parser.parse_args()
    named = os.environ.get("IRX_NUMBERS")
    if not named:
        parser.error("IRX_NUMBERS must name the folder of the kept arrays")
    folder = Path(named)
    folder.mkdir(parents=True, exist_ok=True)
    print(calls.SAMPLED)
    warnings.simplefilter("ignore")
    differences: list[str] = []
    for part in options.only:
        start = time.perf_counter()
        found = dict(calls.PARTS[part]())
        print(f"{part}: {len(found)} arrays, {time.perf_counter() - start:.0f} s", flush=True)
        path = folder / f"{part}.npz"
        if options.action == "write":
            np.savez_compressed(path, **found)
        elif not path.exists():
            differences.append(f"{part}: {path} is not there; write it first")
        else:
            with np.load(path) as kept:
                differences += [f"{part}: {line}" for line in changes(dict(kept), found, part)]
    print(*differences[:MOST_LINES], sep="\n")
    if len(differences) > MOST_LINES:
        print(f"and {len(differences) - MOST_LINES} more")
    if options.action == "compare":
        print(f"{len(differences)} arrays differ")
    return 1 if differences else 0


def changes(kept: dict, found: dict, part: str) -> list[str]:
    """A line for each array that is gone, new or changed."""
    lines = [f"gone: {name}" for name in kept if name not in found]
    lines += [f"new: {name}" for name in found if name not in kept]
    tolerance = FITTED if part in calls.FITTED else RELATIVE
    for name in kept:
        if name in found and (how := change(kept[name], np.asarray(found[name]), tolerance)):
            lines.append(f"changed: {name}: {how}")
    return lines


def change(kept: np.ndarray, found: np.ndarray, tolerance: float) -> str:
    """How one array differs from the kept one; empty if it does not."""
    if kept.shape != found.shape:
        return f"shape {kept.shape} -> {found.shape}"
    if kept.dtype.kind == "U" or found.dtype.kind == "U":
        other = np.flatnonzero(kept.astype(str).ravel() != found.astype(str).ravel())
        if not len(other):
            return ""
        place = other[0]
        return f"{len(other)} of {kept.size} texts, {kept.flat[place]!r} -> {found.flat[place]!r}"
    before, after = kept.astype(float).ravel(), found.astype(float).ravel()
    same = (before == after) | (np.isnan(before) & np.isnan(after))
    with np.errstate(invalid="ignore"):
        size = np.maximum(np.abs(before), np.abs(after))
        same |= np.abs(before - after) <= np.maximum(tolerance * size, NOTHING)
    other = np.flatnonzero(~same)
    if not len(other):
        return ""
    worst = other[np.nanargmax(np.append(np.abs(before - after)[other], 0.0)) % len(other)]
    return f"{len(other)} of {kept.size} numbers, {before[worst]!r} -> {after[worst]!r}"


if __name__ == "__main__":
    sys.exit(main())
