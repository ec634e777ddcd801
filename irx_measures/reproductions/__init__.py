"""The experiments of the papers, and what they say about your own runs."""

from .material import load_data

__all__ = ["load_data"]
