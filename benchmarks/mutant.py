"""One small mistake in the code, and the tests that should notice it."""

from collections.abc import Sequence
from typing import NamedTuple


class Mutant(NamedTuple):
    """One change of one module, and the tests that should notice it; `old` is there exactly once."""

    name: str
    module: str
    old: str
    new: str
    tests: Sequence[str]
