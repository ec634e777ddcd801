"""The known name that a mistyped one may mean, for error messages."""

from __future__ import annotations

from collections.abc import Mapping


def did_you_mean(name: str, spelled: Mapping[str, str], cutoff: float = 0.5) -> str:
    """The end of an error message; empty if no known name is near.

    Parameters
    ----------
    name
        The unknown name.
    spelled
        The known names as the message spells them, by their lower case.
    cutoff
        The least similarity, from 0 to 1, as `difflib` measures it.
    """
    if not spelled:
        return ""
    from difflib import get_close_matches  # for mistakes only

    near = get_close_matches(name.lower(), spelled, n=1, cutoff=cutoff)
    return f"; did you mean {spelled[near[0]]}?" if near else ""
