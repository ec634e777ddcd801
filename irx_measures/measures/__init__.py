"""What users name: parameters, a docstring with its citation, one kernel call."""

from .base import catalogue, measure_info, register
from .rank_biased import RBA, RBO, RBR, RBPBound, phi_for, rba_range
from .rareness import AP_Rareness, P_Rareness
from .residual_gain import NRG, TaSC, UniqueRel

for measure in (NRG, UniqueRel, TaSC, P_Rareness, AP_Rareness, RBR, RBA, RBO, RBPBound):
    register(measure)

__all__ = [
    "NRG",
    "RBA",
    "RBO",
    "RBR",
    "AP_Rareness",
    "P_Rareness",
    "RBPBound",
    "TaSC",
    "UniqueRel",
    "catalogue",
    "measure_info",
    "phi_for",
    "rba_range",
]
