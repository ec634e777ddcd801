"""The mathematics of the measures: numpy in, numpy out, one file per paper.

A kernel knows no identifiers. It sees the documents of a query as columns and a run as the rank
at which it returned each of them, 0 where it did not. Kernels trust their input.
"""
