"""Estimates of the relevance of unjudged documents."""
