"""Chooses the parameters of a test that run each time; the others run in `make test-all` or before a release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _pytest.mark import MarkDecorator, ParameterSet


def every(n: int, values: Iterable[Any], others: MarkDecorator = pytest.mark.slow) -> list[Any | ParameterSet]:
    """The values as parameters: every n-th has no mark, from the first on; the others are marked."""
    return [each if i % n == 0 else pytest.param(*_arguments(each), marks=others) for i, each in enumerate(values)]


def _arguments(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
