"""Sets of runs, judged sets of runs, and the registry of named sets."""
