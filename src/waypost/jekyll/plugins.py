"""Which plugins a Jekyll site runs, and what each means for its URLs."""

import re
from collections.abc import Iterable

from waypost.core.errors import SourceError
from waypost.jekyll.plugin_names import IMPLEMENTED, PAGE_MAKERS, WITHOUT_PAGES

BUILD_ADVICE = "build the site and point Waypost at its output, usually _site"

_NAME = re.compile(r":jekyll_plugins\b")
_GROUP = (re.compile(r"\bgroup\b"), _NAME, re.compile(r"\bdo\b"))
_OWN_GROUP = (re.compile(r"\bgroups?(?::|\s*=>)"), _NAME)
_GEM = re.compile(r"""\bgem\b[\s(]*["']([\w-]+)["']""")


def gems_of_plugin_group(gemfile: str) -> frozenset[str]:
    """The gems of a Gemfile's group `jekyll_plugins`, which Jekyll loads like the gems in the setting `plugins`."""
    gems: set[str] = set()
    is_in_group = False
    for line in gemfile.splitlines():
        code = line.partition("#")[0]
        if _has_in_order(code, _GROUP):
            is_in_group = True
        elif code.strip() == "end":
            is_in_group = False
        elif (gem := _GEM.search(code)) and (is_in_group or _has_in_order(code, _OWN_GROUP)):
            gems.add(gem[1])
    return frozenset(gems)


def _has_in_order(code: str, patterns: Iterable[re.Pattern[str]]) -> bool:
    """Whether a line has these patterns one after another."""
    end = 0
    for pattern in patterns:
        found = pattern.search(code, end)
        if found is None:
            return False
        end = found.end()
    return True


def refuse_page_makers(names: Iterable[str]) -> None:
    """Raise SourceError if one of the plugins makes pages that Waypost cannot derive from the source."""
    if found := sorted(PAGE_MAKERS.intersection(names)):
        plural = "s" if len(found) > 1 else ""
        raise SourceError(
            f"this Jekyll site uses the plugin{plural} {', '.join(found)}, whose pages cannot be derived from the "
            f"source; {BUILD_ADVICE}"
        )


def unknown(names: Iterable[str]) -> list[str]:
    """The plugins of which Waypost does not know whether they make pages."""
    return sorted(set(names) - IMPLEMENTED - WITHOUT_PAGES - PAGE_MAKERS)
