"""pytest plugin: ir_measures' own measures are scored by our kernels."""

import irx_measures

irx_measures.accelerate()
