"""The native core, which these tests need."""

import os

import pytest

from irx_measures.io import core


@pytest.fixture(autouse=True)
def built():
    """Skip where the core was not built, except where it had to be."""
    if not core.BUILT:
        if os.environ.get("IRX_NATIVE") == "1":
            pytest.fail("IRX_NATIVE=1, but the native core was not built")
        pytest.skip("the native core was not built")
