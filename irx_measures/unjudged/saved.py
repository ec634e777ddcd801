"""A JudgmentModel as a JSON file."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ..common.numeric import FloatArray, Int64Array
from ..common.validators import LARGEST, integer
from ..common.writing import shown
from ..exceptions import InputError
from ..io.files import write_whole
from .features import FEATURES
from .model import RANK, JudgmentModel
from .thresholds import Thresholds

FORMAT, VERSION = "irx_measures.JudgmentModel", 1

COUNTS = ("documents", "groups")

VECTORS = ("low", "high", "centre", "scale")

MOST_BYTES = 1 << 24  # 16 MB: a model of a hundred labels has less than one

TINIEST = 1e-100  # divided by it, numbers up to `LARGEST` do not overflow


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
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)  # a device may have no end
    if len(data) > MOST_BYTES:
        raise InputError(f"{path}: longer than a saved JudgmentModel")
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON ({error})") from None
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
        raise InputError(f"{path}: not a saved JudgmentModel")
    version = content.pop("version", None)
    if version != VERSION:
        raise InputError(f"{path}: must be of version {VERSION}; got {shown(version)}")
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
        RANK.convert(content.pop("depth"))
        for name in COUNTS:
            integer(0).convert(content.pop(name))
        grades = _increasing(content.pop("grades"))
        machines = content.pop("machines")
        labels = [_increasing(values) for values in machines]
        prior, thresholds = content.pop("prior"), content.pop("thresholds")
    except (KeyError, TypeError, ValueError):
        return False
    if content or not isinstance(machines, list) or grades[:1].tolist() != [0]:
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
        low, high, _, scale = (_numbers(content[name], features) for name in VECTORS)
        _numbers(content["coefficients"], levels, *([1 + features] if levels else []))
    except (TypeError, ValueError):
        return False
    return content["shrunk"] is shrunk and bool((low <= high).all() and (scale > TINIEST).all())


def _increasing(values: Any) -> Int64Array:
    """Increasing integers; ValueError for everything else."""
    array = np.asarray(values)
    kind = array.dtype.kind if array.size else "i"
    if not isinstance(values, list) or array.ndim != 1 or kind != "i":
        raise ValueError(values)
    if (np.diff(array) <= 0).any():
        raise ValueError(values)
    return array.astype(np.int64)


def _numbers(values: Any, *shape: int) -> FloatArray:
    """Numbers in lists of this shape, with which the model overflows nowhere; else ValueError."""
    array = np.asarray(values)
    if not isinstance(values, list) or array.shape != shape:
        raise ValueError(values)
    if array.size and (array.dtype.kind not in "if" or not (np.abs(array) <= LARGEST).all()):
        raise ValueError(values)
    return array.astype(np.float64)


def _with_tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with_tuples(field) for name, field in value.items()}
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value
