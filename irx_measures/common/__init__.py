"""Code that all subpackages use: arrays, checks of values, words, tables, progress."""
