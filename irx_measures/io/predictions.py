"""Predictions as mteb and sentence-transformers write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..common.writing import shown, some
from ..exceptions import InputError
from .columns import RESULTS

META = "mteb_model_meta"  # the key beside the subsets in a file of mteb

MOST_NAMED = 5  # parts of a file of mteb in a message, a choice


def is_of_mteb(source: object) -> bool:
    """Whether a source is what a prediction file of mteb holds."""
    return isinstance(source, Mapping) and META in source


def run_of_mteb(source: Mapping[str, Any], what: str) -> Any:
    """The run in a prediction file of mteb: subset, split, query, document, score.

    InputError, which says how to take one run, if the file holds several, or none.
    """
    found = [
        (subset, split)
        for subset, splits in source.items()
        if subset != META and isinstance(splits, Mapping)
        for split in splits
    ]
    if len(found) == 1:
        subset, split = found[0]
        return source[subset][split]
    if not found:
        raise InputError(f"{what}: predictions of mteb without a subset and a split")
    named = some([f"{subset}/{split}" for subset, split in found], MOST_NAMED)
    subset, split = found[0]
    raise InputError(
        f"{what}: predictions of mteb for {len(found)} parts ({named}), each of which is a run; "
        f"one of them: Path(RUN).write_text(json.dumps(json.loads(Path(FILE).read_text())"
        f"[{shown(subset)}][{shown(split)}]))"
    )


def with_results(rows: Iterable[Any]) -> Iterator[Any]:
    """Rows, of which those with a list of results, as sentence-transformers has, become several.

    Each result gets the other cells of its row.
    """
    for row in rows:
        results = row.get(RESULTS) if isinstance(row, Mapping) else None
        if not isinstance(results, list):
            yield row
            continue
        cells = {name: cell for name, cell in row.items() if name != RESULTS}
        for result in results:
            if not isinstance(result, Mapping):
                yield row  # which has no document: its reader says so
            else:
                yield {**cells, **result}
