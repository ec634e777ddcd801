"""Scores of many runs on many measures at once."""
