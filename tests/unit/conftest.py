"""What the tests of several packages share: a cloud in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fake_cloud import Cloud

from waypost.app.locations import SCHEMES, Scheme

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def cloud() -> Iterator[Cloud]:
    """A cloud in memory, whose locations begin with `cloud://`."""
    made = Cloud()
    SCHEMES["cloud"] = Scheme("cloud://bucket/prefix", made.connect)
    yield made
    del SCHEMES["cloud"]
