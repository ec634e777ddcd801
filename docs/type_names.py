"""Signatures with the types as they are written in the source: ``RunsLike | None``.

Sphinx would write out every union, or give up on types that are imported for type checkers only.
"""

from __future__ import annotations

import inspect
from typing import Any

from sphinx.util.inspect import stringify_signature

# Types of other projects, and of arrays, as the source names them.
NAMED = {
    "Any": "typing.Any",
    "ArrayLike": "numpy.typing.ArrayLike",
    "Axes": "matplotlib.axes.Axes",
    "BoolArray": "numpy.ndarray",
    "Callable": "collections.abc.Callable",
    "Client": "distributed.Client",
    "Container": "collections.abc.Container",
    "DataFrame": "pandas.DataFrame",
    "Figure": "matplotlib.figure.Figure",
    "FloatArray": "numpy.ndarray",
    "Int64Array": "numpy.ndarray",
    "IntArray": "numpy.ndarray",
    "Iterable": "collections.abc.Iterable",
    "Iterator": "collections.abc.Iterator",
    "Literal": "typing.Literal",
    "Mapping": "collections.abc.Mapping",
    "Measure": "ir_measures.measures.Measure",
    "NDArray": "numpy.typing.NDArray",
    "PathLike": "os.PathLike",
    "Path": "pathlib.Path",
    "Sequence": "collections.abc.Sequence",
    "Series": "pandas.Series",
    "Transformer": "pyterrier.Transformer",
    "ir_measures.Measure": "ir_measures.measures.Measure",
    "ir_measures.measures.base.Measure": "ir_measures.measures.Measure",
    "np.float64": "numpy.float64",
    "np.int64": "numpy.int64",
    "np.ndarray": "numpy.ndarray",
    "os.PathLike": "os.PathLike",
    "pd.DataFrame": "pandas.DataFrame",
}

# Types that users need not name. They have no page.
WITHOUT_PAGE = (
    "AnyArray",
    "Columns",
    "DaskTable",
    "Examples",
    "JudgingLog",
    "MachineLike",
    "MachineValues",
    "Method",
    "NamedSources",
    "Param",
    "PooledRuns",
    "PredictionPoweredInterval",
    "Ranks",
    "Qrels",
    "RankedList",
    "Reference",
    "Run",
    "Source",
    "System",
    "Table",
    "Thresholds",
    "WorldMeans",
    "Writing",
    "irx_measures.comparison.hypotheses.TestedMeasure",
    "irx_measures.comparison.leaderboard.Reference",
    "irx_measures.io.source.Source",
    "irx_measures.io.table.Table",
)


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-signature", _as_written)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _as_written(
    app: Any, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str
) -> tuple[str, str] | None:
    """The signature of a callable, with annotations that are not evaluated."""
    if signature is None or not callable(obj):
        return None
    try:
        found = inspect.signature(obj)
    except ValueError:  # a callable in C
        return None
    parameters = list(found.parameters.values())
    if what == "method" and parameters and parameters[0].name == "self":
        found = found.replace(parameters=parameters[1:])
    if what in ("class", "exception"):
        found = found.replace(return_annotation=inspect.Signature.empty)
    written, _, returned = stringify_signature(found, unqualified_typehints=True).partition(" -> ")
    return written, returned
