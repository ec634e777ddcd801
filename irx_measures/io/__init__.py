"""Runs and qrels of every form as columns; the only folder that knows files and containers."""
