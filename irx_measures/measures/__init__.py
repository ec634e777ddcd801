"""The measures. Each one declares its parameters and papers, and calls one kernel.

Importing the package imports all its modules, so a new file in this folder registers its measures.
`FAMILIES` is the order in which the catalogue lists families. Other modules follow by name.
"""

from importlib import import_module
from pkgutil import iter_modules

from .declaring.base import all_measures, catalogue, register

FAMILIES = (
    "residual_gain",
    "rareness",
    "rank_biased",
    "upper_expected",
    "bootstrap",
    "ndcg_bound",
)

for module in (*FAMILIES, *sorted(module.name for module in iter_modules(__path__))):
    import_module(f"{__name__}.{module}")

__all__ = ["all_measures", "catalogue", "register"]
