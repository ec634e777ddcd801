"""Measures of information retrieval from five recent papers, for ir_measures and PyTerrier.

Importing the package registers its measures with ir_measures: they work in ``pt.Experiment``, in
measure strings and through ``ir_measures.calc_aggregate``.
"""

from .integrations.ir_measures import install as _read_strings
from .integrations.ir_measures import register_provider
from .integrations.pyterrier import Experiment
from .io.letor import LetorData, read_letor
from .measures.bootstrap import Boot, BootNDCG, bootstrap_ndcg
from .measures.catalogue import measure_info
from .measures.ndcg_bound import nDCGBound
from .measures.rank_biased import RBA, RBO, RBR, RBPBound, phi_for, rba_range
from .measures.rareness import AP_Rareness, P_Rareness
from .measures.residual_gain import NRG, TaSC, UniqueRel
from .measures.strings import others, parse_measure, pool, run
from .measures.upper_expected import AP_UE, UE, Expected, UpperBound, nDCG_UE
from .runsets.registry import register_runs, scope
from .runsets.runset import RunSet
from .scoring.evaluate import evaluate
from .scoring.score_matrix import ScoreMatrix
from .scoring.subset_scorer import SubsetScorer
from .simulate import Campaign, simulate_campaign

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
