"""A pytest plugin: pt.Experiment is irx_measures.Experiment, which calls PyTerrier's own."""

import pyterrier

import irx_measures


def pytest_configure():
    pyterrier.Experiment = irx_measures.Experiment
