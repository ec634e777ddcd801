"""Other packages: the hosts' own test suites run against this one, and values of peers."""
