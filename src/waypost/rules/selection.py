"""Whether a key alone makes its item a page, before anything is read."""

import re
from functools import lru_cache

from waypost.config.output_names import OutputNames, output_names
from waypost.config.schema import Site
from waypost.core.model import Reason

_ERROR = r"(?:40[013457]|41[0-9]|42[0-9]|451|50[0-5]|4xx|5xx|50x)"
_KEYS = 100_000
"""Of so many keys it is kept which group they are of: a shelf asks again and again."""
_PLACE = r"(?:(?:errors?|[a-z]{2}(?:[-_][a-z]{2,4})?)/)?"
_ERROR_PAGE = re.compile(rf"(?:.*/)?404\.\w+|{_PLACE}(?:{_ERROR}|error|{_ERROR}/index)\.\w+")
"""`404.html` anywhere; other codes and `error.html` where servers look: the root, a language's folder, `errors/`."""


class Selection:
    """The site's rules for keys.

    Waypost's own defaults come first; `exclude` may add to them, or take them back with `!`.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._names: OutputNames = output_names(site)
        self._suffixes = tuple(site.pages)
        self._ancestors: dict[str, Reason | None] = {"": None}
        self._matched = lru_cache(_KEYS)(self._match)

    def exclusion_reason(self, key: str) -> Reason | None:
        """Why the key is no page, or None where it may be one."""
        if reason := self._ancestors_reason(key) or self._own_reason(key):
            return reason
        if self._is_output(key):
            return Reason.OUTPUT
        if key == "robots.txt" or not key.lower().endswith(self._suffixes):
            return Reason.NOT_A_PAGE
        return Reason.NOT_INCLUDED if self._site.include and not self._site.include.decision(key) else None

    def folder_exclusion_reason(self, key: str) -> Reason | None:
        """Why nothing below a folder (`key` ends with `/`) is a page, or None where something may be."""
        decided = self._site.exclude.decision(key)
        if decided is False:
            return None
        return Reason.EXCLUDED if decided else self._name_reason(key[:-1].rpartition("/")[2])

    def group(self, key: str) -> str:
        """The group whose patterns match the key first; `""` is the default group."""
        return self._matched(key) if self._site.groups else ""

    def changefreq_and_priority(self, key: str) -> tuple[str | None, str | None]:
        """The changefreq and priority that overrides give the key; the last match of each wins."""
        changefreq = priority = None
        for override in self._site.overrides:
            if override.match.decision(key):
                changefreq = override.changefreq or changefreq
                priority = override.priority or priority
        return changefreq, priority

    def _ancestors_reason(self, key: str) -> Reason | None:
        """The reason of a folder above: as in Git, nothing below it can be taken back."""
        folder = key[: key.rfind("/", 0, -1) + 1]
        if folder not in self._ancestors:
            self._ancestors[folder] = self._ancestors_reason(folder) or self.folder_exclusion_reason(folder)
        return self._ancestors[folder]

    def _own_reason(self, key: str) -> Reason | None:
        decided = self._site.exclude.decision(key)
        if decided is not None:
            return Reason.EXCLUDED if decided else None
        return self._name_reason(key.rpartition("/")[2]) or (
            Reason.ERROR_PAGE if _ERROR_PAGE.fullmatch(key.lower()) else None
        )

    def _name_reason(self, name: str) -> Reason | None:
        """Why a folder or file of this name is left out by default."""
        if name.startswith("."):
            return Reason.HIDDEN
        if name == "node_modules":
            return Reason.DEPENDENCY
        return Reason.UNPUBLISHED if name.startswith("_") and ".md" in self._site.pages else None

    def _match(self, key: str) -> str:
        return next((name for name, match in self._site.groups if match.decision(key)), "")

    def _is_output(self, key: str) -> bool:
        is_robots = key == "robots.txt" and self._site.robots_sitemaps
        return is_robots or (key.startswith(self._site.name) and self._names.is_configured(key))
