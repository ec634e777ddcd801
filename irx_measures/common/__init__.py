"""Code that all subpackages use: array aliases, safe division, validators, chunks, a cache."""
