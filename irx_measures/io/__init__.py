"""Runs and qrels of every form as columns; the only room that knows files and containers."""
