"""Peers and contents are those of ../test. Without Connext all is skipped, and says so."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / 'test'))

from peers import CONNEXT  # noqa: E402

REASON = "NOTHING WAS EXCHANGED WITH RTI CONNEXT: 'make connext' installs it, for who accepts RTI's terms"


def pytest_collection_modifyitems(items):
    if not CONNEXT.exists():
        for item in items:
            item.add_marker(pytest.mark.skip(REASON))
