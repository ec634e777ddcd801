"""A JudgmentModel as a JSON file."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ..common.arrays import Int64Array
from ..exceptions import InputError
from ..io.files import write_whole
from .features import FEATURES
from .model import JudgmentModel
from .thresholds import Thresholds

FORMAT, VERSION = "irx_measures.JudgmentModel", 1

COUNTS = ("depth", "documents", "groups")

VECTORS = ("low", "high", "centre", "scale")


def write_model(model: JudgmentModel, path: Path) -> None:
    """Write a model; see `JudgmentModel.save`."""
    content = {"format": FORMAT, "version": VERSION, **asdict(model)}
    write_whole(path, (json.dumps(content, indent=1) + "\n").encode())


def read_model(path: Path) -> JudgmentModel:
    """The model in a file; see `JudgmentModel.load`.

    Raises
    ------
    ValueError
        When the file is not a saved model, or was damaged.
    """
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error})") from None
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
        raise InputError(f"{path}: not a saved JudgmentModel")
    version = content.pop("version", None)
    if version != VERSION:
        raise InputError(f"{path}: must be of version {VERSION}; got {version!r}")
    if not _is_model(dict(content)):
        raise InputError(f"{path}: a damaged JudgmentModel: a field is missing or wrong")
    fields = _with_tuples(content)
    thresholds = fields.pop("thresholds")
    return JudgmentModel(
        **fields, thresholds=None if thresholds is None else Thresholds(**thresholds)
    )


def _is_model(content: dict[str, Any]) -> bool:
    """Whether the fields are those of a model; numpy refuses lists of other shapes and values."""
    try:
        counts = [_integers([content.pop(name)]) for name in COUNTS]
        grades = _integers(content.pop("grades"))
        labels = [_integers(values) for values in content.pop("machines")]
        prior, thresholds = content.pop("prior"), content.pop("thresholds")
    except (KeyError, TypeError, ValueError):
        return False
    ordered = len(grades) > 0 and grades[0] == 0 and bool((np.diff(grades) > 0).all())
    if content or not ordered or min(count[0] for count in counts) < 0:
        return False
    if prior == "transferred":
        return thresholds is None and not labels
    features = len(FEATURES) + sum(len(values) + 1 for values in labels)
    return prior in ("shrunk", "local") and _are_thresholds(
        thresholds, features, len(grades) - 1, prior == "shrunk"
    )


def _are_thresholds(content: Any, features: int, levels: int, shrunk: bool) -> bool:
    if not isinstance(content, dict) or set(content) != {*VECTORS, "coefficients", "shrunk"}:
        return False
    try:
        vectors = np.array([content[name] for name in VECTORS], np.float64)
        coefficients = np.array(content["coefficients"], np.float64).reshape(levels, -1)
    except (TypeError, ValueError):
        return False
    return (
        content["shrunk"] is shrunk
        and vectors.shape == (len(VECTORS), features)
        and coefficients.shape == (levels, 1 + features)
        and bool(np.isfinite(vectors).all() and np.isfinite(coefficients).all())
        and bool((vectors[-1] > 0).all())
    )


def _integers(values: Any) -> Int64Array:
    array = np.asarray(values)
    if not isinstance(values, list) or array.ndim != 1 or (len(array) and array.dtype.kind != "i"):
        raise ValueError(values)
    return array.astype(np.int64)


def _with_tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with_tuples(field) for name, field in value.items()}
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value
