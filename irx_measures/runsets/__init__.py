"""Sets of runs: ordered, named, grouped; the registry and `others`."""
