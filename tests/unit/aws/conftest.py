"""What the tests of the function share: a cloud in memory, and a function with a ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fake_cloud import Cloud
from unit.aws.memory_function import MemoryFunction

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


@pytest.fixture
def function() -> MemoryFunction:
    """A function whose site has two pages, and a ledger."""
    made = MemoryFunction()
    made.put_pages("index.html", "a.html")
    made.rebuild()
    return made
