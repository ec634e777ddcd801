"""What users name: parameters, a docstring with its citation, one kernel call."""

from .base import catalogue, measure_info, register
from .rareness import AP_Rareness, P_Rareness
from .residual_gain import NRG, TaSC, UniqueRel

for measure in (NRG, UniqueRel, TaSC, P_Rareness, AP_Rareness):
    register(measure)

__all__ = [
    "NRG",
    "AP_Rareness",
    "P_Rareness",
    "TaSC",
    "UniqueRel",
    "catalogue",
    "measure_info",
]
