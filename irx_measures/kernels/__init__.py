"""The mathematics of the measures: numpy in, numpy out, one file per paper.

A kernel does not know identifiers. The documents of a query are columns. A run is an array of
ranks: the rank of each document, or 0 if the run does not return it. Kernels do not validate their
input.
"""
