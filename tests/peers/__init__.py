"""The hosts' own test suites, run against this package from a checkout of their source."""
