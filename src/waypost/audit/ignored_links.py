"""Finds the links that the setting `audit_ignore` names."""

from collections.abc import Sequence


class IgnoredLinks:
    """The patterns of links that are not checked, in which `*` is any text; `unused` matched nothing."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._parts = {pattern: pattern.split("*") for pattern in patterns}
        self.unused = set(patterns)

    def has(self, *texts: str) -> bool:
        """Whether a pattern fits one of these texts: a link as it is written, and its URL."""
        found = [name for name, parts in self._parts.items() if any(_fits(parts, text) for text in texts)]
        self.unused.difference_update(found)
        return bool(found)


def _fits(parts: Sequence[str], text: str) -> bool:
    """Whether a text has these parts in their order, the first and the last at its ends, in time that grows with it."""
    first, *others = parts
    if not others:
        return text == first
    *middle, last = others
    if not text.startswith(first) or not text.endswith(last) or len(text) < len(first) + len(last):
        return False
    place, end = len(first), len(text) - len(last)
    for part in middle:
        place = text.find(part, place, end)
        if place < 0:
            return False
        place += len(part)
    return True
