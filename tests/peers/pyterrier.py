"""``python -m tests.peers.pyterrier CHECKOUT``: PyTerrier's tests of Experiment, run with ours.

Java is replaced by a small retriever in Python, so tests that expect Terrier's numbers fail both
times. Exits with 1 where a test ends differently than with ``pt.Experiment``.
"""

import sys

from .suites import checkout_in, outcomes, report

# The base class is collected with each of its two subclasses; `linear` is its default.
TESTS = [
    *(f"tests/test_experiment_{kind}.py" for kind in ("linear", "tree", "other")),
    "-k",
    "not TestExperimentBase",
]


def main() -> int:
    checkout = checkout_in(sys.argv, __doc__)
    without = outcomes(checkout, TESTS, ["no_java"])
    return report(without, outcomes(checkout, TESTS, ["no_java", "our_experiment"]))


if __name__ == "__main__":
    raise SystemExit(main())
