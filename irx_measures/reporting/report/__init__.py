"""The report: one HTML file that shows which differences between systems are real."""

from .page import name_of, report

__all__ = ["name_of", "report"]
