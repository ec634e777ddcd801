"""Measures of information retrieval from five recent papers, for ir_measures and PyTerrier.

Importing the package registers its measures with ir_measures: they work in ``pt.Experiment``, in
measure strings and through ``ir_measures.calc_aggregate``.
"""

from .evaluation import evaluate
from .experiment import Experiment
from .letor import LetorData, read_letor
from .measures import (
    AP_UE,
    NRG,
    RBA,
    RBO,
    RBR,
    UE,
    AP_Rareness,
    Boot,
    BootNDCG,
    Expected,
    P_Rareness,
    RBPBound,
    TaSC,
    UniqueRel,
    UpperBound,
    bootstrap_ndcg,
    measure_info,
    nDCG_UE,
    nDCGBound,
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
    "AP_UE",
    "NRG",
    "RBA",
    "RBO",
    "RBR",
    "UE",
    "AP_Rareness",
    "Boot",
    "BootNDCG",
    "Campaign",
    "Expected",
    "Experiment",
    "LetorData",
    "P_Rareness",
    "RBPBound",
    "RunSet",
    "ScoreMatrix",
    "SubsetScorer",
    "TaSC",
    "UniqueRel",
    "UpperBound",
    "bootstrap_ndcg",
    "evaluate",
    "measure_info",
    "nDCGBound",
    "nDCG_UE",
    "others",
    "parse_measure",
    "phi_for",
    "pool",
    "rba_range",
    "read_letor",
    "register_runs",
    "run",
    "scope",
    "simulate_campaign",
]
