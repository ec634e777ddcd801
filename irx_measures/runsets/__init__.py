"""Sets of runs, the same sets judged, and the registry of their names."""
