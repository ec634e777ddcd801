"""The open reproduction: systems that are built on the spot for any ir_datasets id."""

from .experiment import repeat, run_open

__all__ = ["repeat", "run_open"]
