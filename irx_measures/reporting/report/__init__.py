"""The report: one HTML file that shows which differences between systems are real."""

from .page import report

__all__ = ["report"]
