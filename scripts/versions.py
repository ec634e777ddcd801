#!/usr/bin/env python3
"""Say which installed versions are not those of ``constraints.txt``.

Run ``python -m scripts.versions`` in the root of the repository.
"""

from __future__ import annotations

from importlib.metadata import distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

# A virtual environment may have them from the start, whatever is installed into it.
INSTALLERS = {"pip", "setuptools", "uv", "wheel"}

LOCK = Path(__file__).resolve().parent.parent / "constraints.txt"


def locked(environment: dict[str, str] | None = None) -> dict[str, str]:
    """The version of each package in the lock, for an environment of markers; None: this one."""
    versions: dict[str, str] = {}
    for line in LOCK.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        pin = Requirement(line)
        if pin.marker is None or pin.marker.evaluate(environment):
            (specifier,) = pin.specifier
            assert pin.name not in versions, f"two versions of {pin.name} for one environment"
            versions[canonicalize_name(pin.name)] = specifier.version
    return versions


def differences() -> list[str]:
    """A line for each installed package of another version than the lock's, or that it lacks."""
    versions = locked()
    installed = {canonicalize_name(each.name): each.version for each in distributions()}
    lines = []
    for name, version in sorted(installed.items()):
        wanted = versions.get(name, "not there")
        if version != wanted and name not in {*INSTALLERS, "irx-measures"}:
            lines.append(f"{name} {wanted} -> {version}")
    return lines


if __name__ == "__main__":
    print("\n".join(differences()) or "none")
