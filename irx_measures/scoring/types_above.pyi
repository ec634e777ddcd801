# For type checkers only: the class of what `ScoreMatrix.compare` returns. The method's code stands
# above this folder, where common/methods_above.py finds it; no file of this folder imports it.
from ..comparison.result import Comparison as Comparison
