"""The measures by their names; `by_name.pyi` has the types of their parameters.

Users import the measures from here through the package: a class of ir_measures takes any parameter,
and type checkers would not know the right ones. `python -m scripts.measure_types` writes the stub.
"""

from .bootstrap import Boot as Boot
from .bootstrap import BootNDCG as BootNDCG
from .ndcg_bound import nDCGBound as nDCGBound
from .rank_biased import RBA as RBA
from .rank_biased import RBO as RBO
from .rank_biased import RBR as RBR
from .rank_biased import RBPBound as RBPBound
from .rareness import AP_Rareness as AP_Rareness
from .rareness import P_Rareness as P_Rareness
from .residual_gain import NRG as NRG
from .residual_gain import TaSC as TaSC
from .residual_gain import UniqueRel as UniqueRel
from .upper_expected import AP_UE as AP_UE
from .upper_expected import UE as UE
from .upper_expected import Expected as Expected
from .upper_expected import UpperBound as UpperBound
from .upper_expected import nDCG_UE as nDCG_UE
