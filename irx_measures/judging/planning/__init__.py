"""What to judge next, and when it is enough."""
