# For type checkers only: the classes of what methods of this folder return whose code stands above
# their class, where common/methods_above.py finds it; the files of the classes import none of it.
from ..comparison.grouped import GroupedComparison as GroupedComparison
from ..comparison.result import Comparison as Comparison
from .grouped_scores import GroupedScores as GroupedScores
