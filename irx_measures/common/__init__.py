"""What every room uses: array aliases, safe division, validators, chunks, a cache."""
