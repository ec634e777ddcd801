"""What every result is: a sentence, a table, and equality by content."""
