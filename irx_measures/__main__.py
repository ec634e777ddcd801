"""``python -m irx_measures`` is ``irx``."""

from .cli import main

if __name__ == "__main__":
    raise SystemExit(main())
