"""Builds the native core of the look-up, which is optional: `python hatch_build.py` builds it here.

The environment variable IRX_NATIVE decides: 1 makes an error of a core that cannot be built, 0 does
not build it, and otherwise it is left out where it cannot be built.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
PACKAGE = "irx_measures"
LIMITED = sys.version_info >= (3, 11)  # buffers are a part of the stable ABI from Python 3.11 on


def build(folder: Path, flags: tuple[str, ...] = ()) -> Path:
    """Compile the core into a folder; any exception if that fails."""
    from setuptools import Distribution, Extension

    standard = "/std:c++17" if sys.platform == "win32" else "-std=c++17"
    core = Extension(
        f"{PACKAGE}._native",
        [str(ROOT / "native" / "lookup.cpp")],
        language="c++",
        define_macros=[("Py_LIMITED_API", "0x030B0000")] if LIMITED else [],
        py_limited_api=LIMITED,
        extra_compile_args=[standard, *flags],
        extra_link_args=list(flags),
    )
    command: Any = Distribution({"ext_modules": [core]}).get_command_obj("build_ext")
    with tempfile.TemporaryDirectory() as objects:
        command.build_lib, command.build_temp = str(folder), objects
        command.ensure_finalized()
        command.run()
    return Path(command.get_ext_fullpath(core.name))


def build_here(flags: tuple[str, ...] = ()) -> Path:
    """Compile the core beside the package, for an editable installation."""
    for old in (ROOT / PACKAGE).glob("_native.*[!i]"):  # .so or .pyd, not .pyi
        old.unlink()
    return build(ROOT, flags)


if __name__ == "__main__":
    print(build_here(tuple(sys.argv[1:])))
