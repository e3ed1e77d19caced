"""Whether a key alone makes its item a page, before anything is read."""

import re

from waypost.config import Site
from waypost.model import Reason
from waypost.naming import Names, names

_ERROR_STEM = r"(?:40[013457]|41[0-9]|42[0-9]|451|50[0-5]|4xx|5xx|50x)"
_ERROR_PAGE = re.compile(rf"(?:(?:.*/)?{_ERROR_STEM}|error|{_ERROR_STEM}/index)\.\w+")
"""`404.html` at any depth; `error.html` and `404/index.html` in the root, where servers look."""


class Selection:
    """The site's rules for keys.

    Waypost's own defaults come first; `exclude` may add to them, or take them back with `!`.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._names: Names = names(site)
        self._suffixes = tuple(site.pages)

    def reason(self, key: str) -> Reason | None:
        """Why the key is no page, or None where it may be one."""
        decided = self._site.exclude.decides(key)
        if decided or (decided is False and self._is_below_excluded(key)):
            return Reason.EXCLUDED
        if decided is None and (reason := _folder_reason(key) or self._default_reason(key)):
            return reason
        if self._is_output(key):
            return Reason.OUTPUT
        if not key.lower().endswith(self._suffixes):
            return Reason.NOT_A_PAGE
        return Reason.NOT_INCLUDED if self._site.include and not self._site.include.decides(key) else None

    def folder_reason(self, key: str) -> Reason | None:
        """Why nothing below a folder (`key` ends with `/`) is a page, or None where something may be."""
        decided = self._site.exclude.decides(key)
        if decided:
            return Reason.EXCLUDED
        if any(line.lstrip().startswith("!") for line in self._site.exclude.lines):
            return None
        return _folder_reason(key)

    def group(self, key: str) -> str:
        """The group whose patterns match the key first; `""` is the default group."""
        return next((name for name, match in self._site.groups if match.decides(key)), "")

    def hints(self, key: str) -> tuple[str | None, str | None]:
        """The changefreq and priority that overrides give the key; the last match of each wins."""
        changefreq = priority = None
        for override in self._site.overrides:
            if override.match.decides(key):
                changefreq = override.changefreq or changefreq
                priority = override.priority or priority
        return changefreq, priority

    def _is_below_excluded(self, key: str) -> bool:
        """Whether a folder above is excluded: as in Git, nothing below it can be taken back."""
        ends = (n + 1 for n, char in enumerate(key) if char == "/")
        return any(self._site.exclude.decides(key[:end]) for end in ends)

    def _default_reason(self, key: str) -> Reason | None:
        return Reason.ERROR_PAGE if _ERROR_PAGE.fullmatch(key.lower()) else None

    def _is_output(self, key: str) -> bool:
        return key == "robots.txt" or (key.startswith(self._site.name) and self._names.are_configured(key))


def _folder_reason(key: str) -> Reason | None:
    if key.startswith(".") or "/." in key:
        return Reason.HIDDEN
    if key.startswith("node_modules/") or "/node_modules/" in key:
        return Reason.DEPENDENCY
    return None
