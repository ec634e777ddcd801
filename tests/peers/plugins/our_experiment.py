"""A pytest plugin: pt.Experiment is irx_measures.Experiment, which calls PyTerrier's own."""

from types import SimpleNamespace

import pyterrier

import irx_measures
from irx_measures.integrations import pyterrier as ours


def pytest_configure():
    stock = SimpleNamespace(**vars(pyterrier))
    ours._pyterrier = lambda: stock
    pyterrier.Experiment = irx_measures.Experiment
