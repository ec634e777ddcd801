"""Arrays of the qrels, of a run's ranking, and of a judged run."""
