"""Evaluate, compare and explain retrieval systems, for ir_measures and PyTerrier.

Importing the package registers its measures with ir_measures: they work in ``pt.Experiment``, in
measure strings and through ``ir_measures.calc_aggregate``. Its names are in ``__init__.pyi``.
"""

from .cli import interrupts as _interrupts  # noqa: F401 - first: Ctrl-C may come from now on

# isort: split
import lazy_loader as _lazy_loader

from . import exceptions as _exceptions
from .common.version import VERSION as _VERSION
from .integrations.ir_measures import add_measures as _add_measures
from .integrations.ir_measures import install as _read_strings
from .integrations.ir_measures import register_provider as _register_provider

__version__ = _VERSION

_register_provider()
_read_strings()
_add_measures()

_load, _names, __all__ = _lazy_loader.attach_stub(__name__, __file__)

# Importable by name, but not by `*`, which would load the modules, and PyTerrier. A script's own
# `run` or `pool` must keep its meaning.
_NOT_BY_STAR = {
    *("others", "pool", "run", "RunSetArtifact"),
    *("distributed", "judging", "meta", "persistence", "plots", "reproductions", "stats", "typing"),
}

__all__ = [name for name in __all__ if name not in _NOT_BY_STAR]


def __getattr__(name: str) -> object:
    try:
        return _load(name)
    except _exceptions.MissingExtraError as error:  # `hasattr` and `help` ask for all names
        raise _exceptions.MissingNameError(str(error)) from None


def __dir__() -> list[str]:
    return sorted([*_names(), "__version__"])
