"""Chooses the parameters of a test that `make test` runs; `make test-all` runs all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _pytest.mark import ParameterSet


def every(n: int, values: Iterable[Any]) -> list[Any | ParameterSet]:
    """The values as parameters: every n-th is quick, from the first on, and the others are marked slow."""
    return [
        each if i % n == 0 else pytest.param(*_arguments(each), marks=pytest.mark.slow) for i, each in enumerate(values)
    ]


def _arguments(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
