"""What the tests of the function share: a function with a state."""

from __future__ import annotations

import pytest
from unit.aws.memory_function import MemoryFunction


@pytest.fixture
def function() -> MemoryFunction:
    """A function whose site has two pages, and a state."""
    made = MemoryFunction()
    made.put_pages("index.html", "a.html")
    made.rebuild()
    return made
