"""The papers that can be reproduced, by name; a paper's module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from ..exceptions import InputError
from .inventory import PaperItem
from .material import Request, collections_here
from .results import Reproduction

PAPERS = ("residual-gain", "rareness", "rank-biased", "upper-expected", "bootstrap")


def reproduce(name: str, request: Request | None = None) -> Reproduction:
    """The tables, figures and claims of a paper, computed again.

    Parameters
    ----------
    name
        One of `PAPERS`.
    request
        The data to use; by default that of the paper, else a simulated campaign.

    Raises
    ------
    ValueError
        When there is no such paper, a file is malformed, or the data cannot be used: qrels and runs
        without a common query, too few runs.
    ImportError
        When ``upper-expected`` must train rankers and scikit-learn or LightGBM is missing (extra:
        reproduce).
    """
    found: Reproduction = _module(name).reproduce(request or Request())
    return found


def entries(name: str) -> tuple[PaperItem, ...]:
    """Every table and figure of a paper, and what is done with the data that is here."""
    listed: tuple[PaperItem, ...] = _module(name).entries(*collections_here())
    return listed


def _module(name: str) -> ModuleType:
    if name not in PAPERS:
        raise InputError(f"the paper must be one of {', '.join(PAPERS)}; got {name!r}")
    return import_module(f"{__package__}.{name.replace('-', '_')}")
