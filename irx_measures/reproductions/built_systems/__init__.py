"""The open reproduction: systems that are built on the spot for any ir_datasets id."""
