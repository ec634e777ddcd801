"""Builds the native core of the look-up, which is optional: `python hatch_build.py` builds it here.

The environment variable IRX_NATIVE decides: with 1, the build fails if the core cannot be built;
with 0, the core is not built; otherwise it is left out where it cannot be built.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent
FOLDER = Path("irx_measures/io")
LIMITED = sys.version_info >= (3, 11)  # the stable ABI has buffers from Python 3.11 on


def build(folder: Path, flags: tuple[str, ...] = ()) -> Path:
    """Compile the core into a folder; any exception or SystemExit if that fails."""
    from setuptools import Distribution, Extension

    core = Extension(
        "_native",
        [str(ROOT / "native" / "lookup.cpp")],
        language="c++",
        define_macros=[("Py_LIMITED_API", "0x030B0000")] if LIMITED else [],
        py_limited_api=LIMITED,
        extra_compile_args=["/std:c++17" if sys.platform == "win32" else "-std=c++17", *flags],
        extra_link_args=list(flags),
    )
    command: Any = Distribution({"ext_modules": [core]}).get_command_obj("build_ext")
    with tempfile.TemporaryDirectory() as objects:
        command.build_lib, command.build_temp = str(folder), objects
        command.ensure_finalized()
        command.run()
    return Path(command.get_ext_fullpath(core.name))


def build_here(flags: tuple[str, ...] = ()) -> Path:
    """Compile the core into the package itself, for an editable installation."""
    return build(ROOT / FOLDER, flags)


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run as a script
    pass
else:

    class NativeBuildHook(BuildHookInterface[Any]):
        """Adds the core to wheels, and the tag that they then need."""

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            wanted = os.environ.get("IRX_NATIVE", "")
            for old in (ROOT / FOLDER).glob("_native.*"):
                if version == "editable" and old.suffix in {".so", ".pyd"}:
                    old.unlink()
            if wanted == "0":
                return
            self._folder = tempfile.TemporaryDirectory()
            try:
                built = build_here() if version == "editable" else build(Path(self._folder.name))
            except (Exception, SystemExit) as error:
                if wanted == "1":
                    raise
                self.app.display_warning(f"irx_measures is built without its native core: {error}")
                return
            if version != "editable":
                build_data["force_include"][str(built)] = str(FOLDER / built.name)
            build_data["pure_python"] = False
            build_data["tag"] = _tag()


def _tag() -> str:
    from packaging.tags import sys_tags

    tag = next(tag for tag in sys_tags() if "linux_" not in tag.platform.removeprefix("linux_"))
    return f"cp311-abi3-{tag.platform}" if LIMITED else str(tag)


if __name__ == "__main__":
    print(build_here(tuple(sys.argv[1:])))
