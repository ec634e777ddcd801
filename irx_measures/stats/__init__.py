"""Statistics of score arrays: numpy and scipy only."""
