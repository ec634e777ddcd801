"""Builds the native core, which is optional; as a script, into the source folder.

The environment variable IRX_NATIVE decides: with 1, the build fails if the core cannot be built;
with 0, the core is not built; otherwise it is left out if it cannot be built.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HOME = Path("irx_measures/io")  # the folder of the core in the package
LIMITED = sys.version_info >= (3, 11)  # buffers are in the stable ABI from Python 3.11 on


def build(folder: Path, flags: tuple[str, ...] = ()) -> Path:
    """Compile the core into a folder; any exception if that fails."""
    from setuptools import Distribution, Extension

    standard = ["/std:c++17"] if sys.platform == "win32" else ["-std=c++17", "-g0"]
    core = Extension(
        "_native",
        [str(ROOT / "native" / "lookup.cpp")],
        language="c++",
        define_macros=[("Py_LIMITED_API", "0x030B0000")] if LIMITED else [],
        py_limited_api=LIMITED,
        extra_compile_args=[*standard, *flags],
        extra_link_args=list(flags),
    )
    command: Any = Distribution({"ext_modules": [core]}).get_command_obj("build_ext")
    with tempfile.TemporaryDirectory() as objects:
        command.build_lib, command.build_temp, command.force = str(folder), objects, True
        command.ensure_finalized()
        command.run()
    return Path(command.get_ext_fullpath(core.name))


def _tag() -> str:
    """The tag of a wheel that is built here, for this machine."""
    from packaging.tags import sys_tags

    shared = ("manylinux", "musllinux")  # a wheel for other machines is built elsewhere
    tag = next(tag for tag in sys_tags() if not tag.platform.startswith(shared))
    return f"cp311-abi3-{tag.platform}" if LIMITED else str(tag)


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # a script needs no hatchling
    pass
else:

    class NativeBuildHook(BuildHookInterface):
        """Adds the core to a wheel, or to the source folder for an editable installation."""

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            self._folder = tempfile.TemporaryDirectory()
            editable = version == "editable"
            for old in [*(ROOT / HOME).glob("_native*.so"), *(ROOT / HOME).glob("_native*.pyd")]:
                if editable:
                    old.unlink()
            wanted = os.environ.get("IRX_NATIVE", "")
            if wanted == "0":
                return
            try:
                built = build(ROOT / HOME if editable else Path(self._folder.name))
            except Exception as error:
                if wanted == "1":
                    raise
                self.app.display_warning(f"irx_measures is built without its native core: {error}")
                return
            if not editable:
                build_data["pure_python"] = False
                build_data["tag"] = _tag()
                build_data["force_include"][str(built)] = str(HOME / built.name)

        def finalize(self, *_: Any) -> None:
            self._folder.cleanup()


if __name__ == "__main__":
    print(build(ROOT / HOME, tuple(sys.argv[1:])))
