"""``python -m tests.peers.ir_measures CHECKOUT``: ir_measures' own suite, with us imported.

The suite runs a third time with `irx_measures.accelerate`. Exits with 1 where a test ends
differently than without this package.
"""

import sys

from .suites import checkout_in, outcomes, report


def main() -> int:
    checkout = checkout_in(sys.argv, __doc__)
    without = outcomes(checkout, ["tests"])
    changed = report(without, outcomes(checkout, ["tests"], ["irx_measures"]))
    print("With accelerate():")
    return changed | report(without, outcomes(checkout, ["tests"], ["accelerated"]))


if __name__ == "__main__":
    raise SystemExit(main())
