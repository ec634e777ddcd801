"""What every room uses: array aliases, validators, chunks, a cache."""
