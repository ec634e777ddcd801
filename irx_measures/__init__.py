"""Evaluate, compare and explain retrieval systems, for ir_measures and PyTerrier.

Importing the package registers its measures with ir_measures: they work in ``pt.Experiment``, in
measure strings and through ``ir_measures.calc_aggregate``.
"""

from .common import interrupts as _interrupts  # noqa: F401 - first: Ctrl-C may come from now on

# isort: split
from importlib import import_module as _import_module
from typing import TYPE_CHECKING

from .common.version import VERSION as _VERSION
from .exceptions import EvaluationWarning, InputError
from .integrations.ir_measures import add_measures as _add_measures
from .integrations.ir_measures import install as _read_strings
from .integrations.ir_measures import register_provider
from .measures.bootstrap import bootstrap_ndcg
from .measures.catalogue import measure_info
from .measures.plain_lists import rba, rbo, rbr
from .measures.strings import others as others
from .measures.strings import parse_measure
from .measures.strings import pool as pool
from .measures.strings import run as run
from .runsets.registry import register_runs, scope
from .runsets.runset import RunSet

# isort: split
# measure imports: made by python -m scripts.generate
from .measures.bootstrap import (
    Boot,
    BootNDCG,
)
from .measures.ndcg_bound import (
    nDCGBound,
)
from .measures.rank_biased import (
    RBA,
    RBO,
    RBR,
)
from .measures.rareness import (
    AP_Rareness,
    P_Rareness,
)
from .measures.rbp_bound import (
    RBPBound,
)
from .measures.residual_gain import (
    NRG,
    TaSC,
    UniqueRel,
)
from .measures.upper_expected import (
    AP_UE,
    UE,
    Expected,
    UpperBound,
    nDCG_UE,
)

# end of measure imports

if TYPE_CHECKING:
    from . import distributed as distributed
    from . import judging as judging
    from . import meta as meta
    from . import persistence as persistence
    from . import plots as plots
    from . import stats as stats
    from .comparison.compare import compare as compare
    from .comparison.result import Comparison as Comparison
    from .explaining.explain import explain as explain
    from .explaining.explanation import Explanation as Explanation
    from .integrations.accelerate import accelerate as accelerate
    from .integrations.pyterrier import Experiment as Experiment
    from .io.letor import LetorData as LetorData
    from .io.letor import read_letor as read_letor
    from .judging.planning.plan import JudgingPlan as JudgingPlan
    from .judging.prediction_powered import PredictionPowered as PredictionPowered
    from .judging.prediction_powered import prediction_powered as prediction_powered
    from .measures.bibliography import bibtex as bibtex
    from .reporting.report import report as report
    from .scoring.evaluate import evaluate as evaluate
    from .scoring.grouped_scores import GroupedScores as GroupedScores
    from .scoring.score_matrix import ScoreMatrix as ScoreMatrix
    from .scoring.subset_scorer import SubsetScorer as SubsetScorer
    from .simulate import Campaign as Campaign
    from .simulate import simulate_campaign as simulate_campaign
    from .unjudged.model import JudgmentModel as JudgmentModel

__version__ = _VERSION

register_provider()
_read_strings()
_add_measures()

__all__ = [
    "Campaign",
    "Comparison",
    "EvaluationWarning",
    "Experiment",
    "Explanation",
    "GroupedScores",
    "InputError",
    "JudgingPlan",
    "JudgmentModel",
    "LetorData",
    "PredictionPowered",
    "RunSet",
    "ScoreMatrix",
    "SubsetScorer",
    "accelerate",
    "bibtex",
    "bootstrap_ndcg",
    "compare",
    "evaluate",
    "explain",
    "measure_info",
    "parse_measure",
    "prediction_powered",
    "rba",
    "rbo",
    "rbr",
    "read_letor",
    "register_runs",
    "report",
    "scope",
    "simulate_campaign",
]

__all__ += [
    # measure names: made by python -m scripts.generate
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
    "nDCGBound",
    "nDCG_UE",
    # end of measure names
]

# Importable by name, but not by `*`: a script's own `run` or `pool` must keep its meaning.
_WORDS_OF_STRINGS = ("others", "pool", "run")

_LOADED_ON_FIRST_USE = ("distributed", "judging", "meta", "persistence", "plots", "stats")

_IMPORTED_ON_FIRST_USE = {
    "Campaign": ".simulate",
    "Comparison": ".comparison.result",
    "Experiment": ".integrations.pyterrier",
    "Explanation": ".explaining.explanation",
    "GroupedScores": ".scoring.grouped_scores",
    "JudgingPlan": ".judging.planning.plan",
    "JudgmentModel": ".unjudged.model",
    "LetorData": ".io.letor",
    "PredictionPowered": ".judging.prediction_powered",
    "ScoreMatrix": ".scoring.score_matrix",
    "SubsetScorer": ".scoring.subset_scorer",
    "accelerate": ".integrations.accelerate",
    "bibtex": ".measures.bibliography",
    "compare": ".comparison.compare",
    "evaluate": ".scoring.evaluate",
    "explain": ".explaining.explain",
    "prediction_powered": ".judging.prediction_powered",
    "read_letor": ".io.letor",
    "report": ".reporting.report",
    "simulate_campaign": ".simulate",
}

if not TYPE_CHECKING:  # a type checker that saw it would take every name for a known one

    def __getattr__(name: str):
        if name in _LOADED_ON_FIRST_USE:
            return _import_module(f".{name}", __name__)
        if name in _IMPORTED_ON_FIRST_USE:
            return getattr(_import_module(_IMPORTED_ON_FIRST_USE[name], __name__), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_WORDS_OF_STRINGS, *_LOADED_ON_FIRST_USE, "typing", "__version__"])
