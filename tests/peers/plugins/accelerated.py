"""A pytest plugin: our kernels score ir_measures' own measures.

Most tests of ir_measures name a provider. Here the names stand for the default pipeline, in which
our provider is first.
"""

import ir_measures

import irx_measures


def pytest_configure():
    irx_measures.accelerate()
    for name in ("pytrec_eval", "judged", "msmarco"):
        setattr(ir_measures, name, ir_measures.DefaultPipeline)
