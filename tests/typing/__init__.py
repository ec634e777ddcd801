"""What a type checker says of calls of the public functions."""
