"""Finds the links that the setting `audit_ignore` names."""

from collections.abc import Sequence

from waypost.pages.robots import follow_one_another


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
    """Whether a whole text fits the parts of a pattern."""
    return text == parts[0] if len(parts) == 1 else follow_one_another(parts, text, is_anchored=True)
