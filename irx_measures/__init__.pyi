"""The public names, each once: lazy_loader imports them on first use, type checkers read them."""

from . import distributed as distributed
from . import judging as judging
from . import meta as meta
from . import persistence as persistence
from . import plots as plots
from . import reproductions as reproductions
from . import stats as stats
from . import typing as typing
from .comparison.board import Leaderboard as Leaderboard
from .comparison.compare import compare as compare
from .comparison.difference import Difference as Difference
from .comparison.result import Comparison as Comparison
from .exceptions import EvaluationWarning as EvaluationWarning
from .exceptions import InputError as InputError
from .explaining.explain import explain as explain
from .explaining.explanation import Explanation as Explanation
from .integrations.pyterrier import Experiment as Experiment
from .io.letor import LetorData as LetorData
from .io.letor import read_letor as read_letor
from .judging.planning.plan import JudgingPlan as JudgingPlan
from .judging.prediction_powered import PredictionPowered as PredictionPowered
from .judging.prediction_powered import prediction_powered as prediction_powered
from .measures.bootstrap import bootstrap_ndcg as bootstrap_ndcg
from .measures.declaring.base import all_measures as all_measures
from .measures.declaring.paper import Paper as Paper
from .measures.naming.citations import bibtex as bibtex
from .measures.naming.strings import others as others
from .measures.naming.strings import parse_measure as parse_measure
from .measures.naming.strings import pool as pool
from .measures.naming.strings import run as run
from .measures.plain_lists import rba as rba
from .measures.plain_lists import rbo as rbo
from .measures.plain_lists import rbr as rbr
from .reporting.report import report as report
from .runsets.artifact import RunSetArtifact as RunSetArtifact
from .runsets.registry import register_runs as register_runs
from .runsets.registry import scope as scope
from .runsets.runset import RunSet as RunSet
from .scoring.evaluate import SubsetScorer as SubsetScorer
from .scoring.evaluate import evaluate as evaluate
from .scoring.grouped_scores import GroupedScores as GroupedScores
from .scoring.score_matrix import ScoreMatrix as ScoreMatrix
from .simulate import Campaign as Campaign
from .simulate import simulate_campaign as simulate_campaign
from .stats.family import Method as Method
from .unjudged.model import JudgmentModel as JudgmentModel

# isort: split
# measures
from .measures.by_name import AP_UE as AP_UE
from .measures.by_name import NRG as NRG
from .measures.by_name import RBA as RBA
from .measures.by_name import RBO as RBO
from .measures.by_name import RBR as RBR
from .measures.by_name import UE as UE
from .measures.by_name import AP_Rareness as AP_Rareness
from .measures.by_name import Boot as Boot
from .measures.by_name import BootNDCG as BootNDCG
from .measures.by_name import Expected as Expected
from .measures.by_name import P_Rareness as P_Rareness
from .measures.by_name import RBPBound as RBPBound
from .measures.by_name import TaSC as TaSC
from .measures.by_name import UniqueRel as UniqueRel
from .measures.by_name import UpperBound as UpperBound
from .measures.by_name import nDCG_UE as nDCG_UE
from .measures.by_name import nDCGBound as nDCGBound

__version__: str
