"""Whether a key alone makes its item a page, before anything is read."""

from functools import lru_cache

from waypost.config.schema import Site
from waypost.core import reasons
from waypost.core.reasons import Reason
from waypost.rules.key_rules import DEFAULT_RULES, KEY_RULES, NAME_RULES, first_reason

_MAX_KEYS = 100_000
"""The number of keys whose groups are remembered: records are asked for theirs again and again."""


class Selection:
    """The rules of one site for keys.

    The patterns of `exclude` come first: they leave out, or take back (`!`) what the rules by default leave out.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._name_checks = [rule(site) for rule in NAME_RULES]
        self._default_checks = [rule(site) for rule in DEFAULT_RULES]
        self._key_checks = [rule(site) for rule in KEY_RULES]
        self._folder_reasons: dict[str, Reason | None] = {"": None}
        self._matching_group = lru_cache(_MAX_KEYS)(self._match_group)

    def exclusion_reason(self, key: str) -> Reason | None:
        """Why the key is no page, or None if it may be one."""
        return self._parents_reason(key) or self._own_reason(key) or first_reason(self._key_checks, key)

    def folder_exclusion_reason(self, key: str) -> Reason | None:
        """Why nothing below a folder (`key` ends with `/`) is a page, or None if something may be."""
        is_excluded = self._site.exclude.decision(key)
        if is_excluded is None:
            return first_reason(self._name_checks, key[:-1].rpartition("/")[2])
        return reasons.EXCLUDED if is_excluded else None

    def group(self, key: str) -> str:
        """The first group whose patterns match the key; `""` is the default group."""
        return self._matching_group(key) if self._site.groups else ""

    def changefreq_and_priority(self, key: str) -> tuple[str | None, str | None]:
        """The changefreq and priority that overrides give the key; the last match of each wins."""
        changefreq = priority = None
        for override in self._site.overrides:
            if override.match.decision(key):
                changefreq = override.changefreq or changefreq
                priority = override.priority or priority
        return changefreq, priority

    def _parents_reason(self, key: str) -> Reason | None:
        """The reason of a folder above: as in Git, nothing below it can be taken back."""
        known, unknown = self._folder_reasons, list[str]()
        folder = above = parent_folder(key)
        while above not in known:
            unknown.append(above)
            above = parent_folder(above)
        for each in reversed(unknown):
            known[each] = known[parent_folder(each)] or self.folder_exclusion_reason(each)
        return known[folder]

    def _own_reason(self, key: str) -> Reason | None:
        is_excluded = self._site.exclude.decision(key)
        if is_excluded is None:
            name = key.rpartition("/")[2]
            return first_reason(self._name_checks, name) or first_reason(self._default_checks, key)
        return reasons.EXCLUDED if is_excluded else None

    def _match_group(self, key: str) -> str:
        return next((name for name, match in self._site.groups if match.decision(key)), "")


def parent_folder(key: str) -> str:
    """The folder, with a slash at its end, that holds a key, which may be a folder itself; `""` is the root."""
    return key[: key.rfind("/", 0, -1) + 1]
