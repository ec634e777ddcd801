"""Columns as arrays: the qrels, the ranking of a run, and the judged run."""
