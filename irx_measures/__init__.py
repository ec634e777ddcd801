"""Measures of information retrieval from five recent papers, for ir_measures and PyTerrier.

Importing the package registers its measures with ir_measures: they work in ``pt.Experiment``, in
measure strings and through ``ir_measures.calc_aggregate``.
"""

from .experiment import Experiment, evaluate
from .measures import (
    NRG,
    RBA,
    RBO,
    RBR,
    AP_Rareness,
    P_Rareness,
    RBPBound,
    TaSC,
    UniqueRel,
    measure_info,
    phi_for,
    rba_range,
)
from .provider import register_provider
from .runset import RunSet, register_runs, scope
from .score_matrix import ScoreMatrix
from .simulate import Campaign, simulate_campaign
from .strings import install as _read_strings
from .strings import others, parse_measure, pool, run
from .subsets import SubsetScorer

__version__ = "0.1.0"

register_provider()
_read_strings()

__all__ = [
    "NRG",
    "RBA",
    "RBO",
    "RBR",
    "AP_Rareness",
    "Campaign",
    "Experiment",
    "P_Rareness",
    "RBPBound",
    "RunSet",
    "ScoreMatrix",
    "SubsetScorer",
    "TaSC",
    "UniqueRel",
    "evaluate",
    "measure_info",
    "others",
    "parse_measure",
    "phi_for",
    "pool",
    "rba_range",
    "register_runs",
    "run",
    "scope",
    "simulate_campaign",
]
