"""The experiments of the papers as functions; ``irx reproduce`` and the notebooks call them."""
