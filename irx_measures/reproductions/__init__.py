"""The experiments of the papers, and what they say about your own runs."""

from __future__ import annotations

from importlib import import_module

from ..common.short_paths import public
from ..exceptions import InputError
from .material import Material, folders_here, load_data
from .paper import Reproduction, declared

__all__ = ["Material", "Reproduction", "entries", "load_data", "reproduce"]

PAPERS = ("residual-gain", "rareness", "rank-biased", "upper-expected", "bootstrap")


def reproduce(
    paper: str,
    data: Material | None = None,
    *,
    progress: bool | None = None,
) -> Reproduction:
    """The tables, figures and claims of a paper, computed again.

    Parameters
    ----------
    paper
        ``residual-gain``, ``rareness``, ``rank-biased``, ``upper-expected`` or ``bootstrap``.
    data
        As `load_data` returns it; by default that of the paper, else a simulated campaign.
    progress
        Whether to show progress on stderr; None: if stderr is a terminal.

    Returns
    -------
    Reproduction
        Tables, figures and claims.

    Raises
    ------
    ValueError
        When there is no such paper, a file is malformed, or the data cannot be used: qrels and runs
        without a common query, too few runs.
    ImportError
        When ``upper-expected`` must train rankers and scikit-learn or LightGBM is missing (extra:
        reproduce).

    Examples
    --------
    >>> from irx_measures.reproductions import load_data, reproduce
    >>> runs = {"one": {"q": {"d": 2.0, "e": 1.0}}, "two": {"q": {"e": 2.0, "d": 1.0}}}
    >>> found = reproduce("residual-gain", load_data({"q": {"d": 1, "e": 0}}, runs))
    >>> print(found.tables["Table 1"]["paper"]["R1", "R2"])
    0.7361
    """
    module = import_module(f"{__package__}.{_module(paper)}")
    found: Reproduction = module.reproduce(data, progress)
    return found


def entries(paper: str) -> list[dict[str, str]]:
    """Every table and figure of a paper, and whether it is reproduced.

    Parameters
    ----------
    paper
        As for `reproduce`.

    Returns
    -------
    list of dict
        label, content, status and data of each. The status is ``reproduced`` (with the paper's
        data), ``needs the TREC runs`` (it would be, if they were here), ``repeated on other data``
        (the paper's is not to be had), or ``not possible`` (`data` says why).

    Raises
    ------
    ValueError
        When there is no such paper.

    Examples
    --------
    >>> from irx_measures.reproductions import entries
    >>> entries("rank-biased")[0]["label"]
    'Table 1'
    """
    return declared(_module(paper)).entries(folders_here())


def _module(paper: str) -> str:
    if paper not in PAPERS:
        raise InputError(f"`paper` must be one of {', '.join(PAPERS)}; got {paper!r}")
    return paper.replace("-", "_")


for _name in __all__:
    public(globals()[_name], home=__name__)
