"""The legend of the short heads of measures."""

from __future__ import annotations

from .layout import dimmed, legend
from .screen import Screen


def renamed(labels: dict[str, str], screen: Screen) -> list[str]:
    """The legend of the heads that are not the measures' own labels."""
    changed = {label: head for label, head in labels.items() if label != head}
    return dimmed(legend(changed, screen.width), screen.styled)
