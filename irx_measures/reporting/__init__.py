"""Results as text.

`form` is a key of `results.tables.FORMATS`; `places` are decimal places, -1 for all. ``json`` and
``jsonl`` always have all.
"""
