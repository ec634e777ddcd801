"""Readers of runs and qrels; only this folder knows file formats and containers."""
