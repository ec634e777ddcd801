"""What a measure declares: its parameters, papers, doubts, explanations, and the runs it needs."""
