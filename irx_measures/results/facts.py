"""Facts about an object that holds too much to show: a line in Python, a table in a notebook."""

from __future__ import annotations

from collections.abc import Mapping

from ..common.escapes import html_text, printable


def line_of_facts(title: str, facts: Mapping[str, str]) -> str:
    """The facts in one line, by their names."""
    named = ", ".join(f"{name} {fact}" for name, fact in facts.items())
    return f"<{title}: {printable(named)}>"


def html_of_facts(title: str, facts: Mapping[str, str]) -> str:
    """The facts as a table: a row each, with its name."""
    rows = [
        f"<tr><th>{html_text(name)}</th><td>{html_text(fact)}</td></tr>"
        for name, fact in facts.items()
    ]
    body = "\n".join(rows)
    return f"<table><caption>{html_text(title)}</caption><tbody>\n{body}\n</tbody></table>"
