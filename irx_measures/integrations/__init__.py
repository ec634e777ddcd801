"""The hosts: ir_measures and PyTerrier."""
