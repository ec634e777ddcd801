"""What may be relevant where nobody judged."""
