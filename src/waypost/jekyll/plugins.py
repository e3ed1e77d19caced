"""Which plugins a Jekyll site runs, and what each means for its URLs."""

import re
from collections.abc import Iterable

from waypost.core.errors import SourceError
from waypost.jekyll.plugin_names import IMPLEMENTED, PAGE_MAKERS, WITHOUT_PAGES

BUILD_ADVICE = "build the site and point Waypost at its output, usually _site"

_GROUP = re.compile(r"\bgroup\b.*:jekyll_plugins\b.*\bdo\b")
_OWN_GROUP = re.compile(r"\bgroups?(?::|\s*=>).*:jekyll_plugins\b")
_GEM = re.compile(r"""\bgem\b[\s(]*["']([\w-]+)["']""")


def gems_of_plugin_group(gemfile: str) -> frozenset[str]:
    """The gems of a Gemfile's group `jekyll_plugins`, which Jekyll loads as it does those of the setting `plugins`."""
    gems: set[str] = set()
    is_in_group = False
    for line in gemfile.splitlines():
        code = line.partition("#")[0]
        if _GROUP.search(code):
            is_in_group = True
        elif code.strip() == "end":
            is_in_group = False
        elif (gem := _GEM.search(code)) and (is_in_group or _OWN_GROUP.search(code)):
            gems.add(gem[1])
    return frozenset(gems)


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
