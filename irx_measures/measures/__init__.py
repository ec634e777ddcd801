"""What users name: parameters, a docstring with its citation, one kernel call."""

from .bootstrap import Boot, BootNDCG, bootstrap_ndcg
from .catalogue import catalogue, measure_info, register
from .ndcg_bound import nDCGBound
from .rank_biased import RBA, RBO, RBR, RBPBound, phi_for, rba_range
from .rareness import AP_Rareness, P_Rareness
from .residual_gain import NRG, TaSC, UniqueRel
from .upper_expected import AP_UE, UE, Expected, UpperBound, nDCG_UE

for measure in (
    NRG, UniqueRel, TaSC,
    P_Rareness, AP_Rareness,
    RBR, RBA, RBO, RBPBound,
    nDCG_UE, AP_UE, UE, Expected, UpperBound,
    BootNDCG, Boot, nDCGBound,
):  # fmt: skip
    register(measure)

__all__ = [
    "AP_UE",
    "NRG",
    "RBA",
    "RBO",
    "RBR",
    "UE",
    "AP_Rareness",
    "Boot",
    "BootNDCG",
    "Expected",
    "P_Rareness",
    "RBPBound",
    "TaSC",
    "UniqueRel",
    "UpperBound",
    "bootstrap_ndcg",
    "catalogue",
    "measure_info",
    "nDCGBound",
    "nDCG_UE",
    "phi_for",
    "rba_range",
]
