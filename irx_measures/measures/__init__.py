"""What users name: parameters, a docstring with its papers, one kernel call.

Importing the package imports all its modules, so a measure is in the catalogue as soon as its file
lies here. `FAMILIES` is the order in which the catalogue lists families; others follow by name.
"""

from importlib import import_module
from pkgutil import iter_modules

from .catalogue import catalogue, measure_info, register

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

__all__ = ["catalogue", "measure_info", "register"]
