"""``python -m tests.peers.ir_measures CHECKOUT``: ir_measures' own suite, with us imported.

Exits with 1 where a test ends differently than without this package.
"""

import sys

from .suites import checkout_in, outcomes, report


def main() -> int:
    checkout = checkout_in(sys.argv, __doc__)
    return report(outcomes(checkout, ["tests"]), outcomes(checkout, ["tests"], ["irx_measures"]))


if __name__ == "__main__":
    raise SystemExit(main())
