"""Which system is better: every difference tested, and what cannot be told apart."""
