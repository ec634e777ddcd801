"""The ``irx`` command."""
