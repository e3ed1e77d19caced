"""The URLs without a file that settings name: a list, or a sitemap, that cannot be read keeps its last answer."""

from collections.abc import Iterable

from msgspec import Struct

from waypost.core import removals
from waypost.core.errors import SourceError
from waypost.core.finding_types import site_warning
from waypost.core.model import Example, IndexChild, NamedSource, SiteWarning, UrlEntry
from waypost.core.removals import ACCEPT


class ListedSource(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What one list, or one sitemap of another tool, named last: URLs, or itself as a child of the index."""

    name: str
    entries: tuple[UrlEntry, ...] = ()
    child: IndexChild | None = None


class UrlList(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """All sources, in the order of the settings."""

    sources: tuple[ListedSource, ...] = ()

    @property
    def children(self) -> tuple[IndexChild, ...]:
        """The sitemaps of other tools that the index lists, each once."""
        found = {each.child.loc: each.child for each in reversed(self.sources) if each.child}
        return tuple(found[loc] for loc in dict.fromkeys(each.child.loc for each in self.sources if each.child))


def below(urls: UrlList, base_url: str) -> UrlList:
    """What is remembered of URLs below the base URL; a site that has moved names others."""
    return UrlList(
        tuple(
            ListedSource(
                each.name,
                tuple(entry for entry in each.entries if entry.loc.startswith(base_url)),
                each.child if each.child and each.child.loc.startswith(base_url) else None,
            )
            for each in urls.sources
        )
    )


def merged(before: UrlList, found: Iterable[NamedSource], *, is_lost: bool) -> tuple[UrlList, tuple[SiteWarning, ...]]:
    """What was found, with the last answer of each source that cannot be read now, and the warnings about it.

    If it `is_lost` what they named last, none may be missing.
    """
    known = {each.name: each for each in before.sources if each.entries or each.child}
    sources, warnings = list[ListedSource](), list[SiteWarning]()
    cases: dict[str, list[Example]] = {"sitemap-kept": [], "sitemap-missing": []}
    for each in found:
        warnings += each.warnings
        if not each.error:
            sources.append(ListedSource(each.name, tuple(each.entries), each.child))
        elif each.name in known:
            sources.append(known[each.name])
            cases["sitemap-kept"].append(Example(each.name, each.error))
        elif each.is_optional and not is_lost:
            cases["sitemap-missing"].append(Example(each.name, each.error))
        else:
            raise SourceError(each.error)
    warnings += (site_warning(code, examples) for code, examples in cases.items() if examples)
    return UrlList(tuple(sources)), tuple(warnings)


def check_removals(before: UrlList, after: UrlList, max_removed: int) -> None:
    """Raise RemovalError if a source names too few of the URLs that it named last: its answer may be incomplete.

    What another source names now is not removed.
    """
    names = {each.name for each in after.sources}
    now = {entry.loc for each in after.sources for entry in each.entries}
    for each in before.sources:
        gone = sorted({entry.loc for entry in each.entries} - now) if each.name in names else []
        if removals.is_too_much(len(gone), len(each.entries), max_removed):
            subject, advice = f"URLs that {each.name} names", ("look whether it is complete", ACCEPT)
            raise removals.removal_error(subject, len(gone), len(each.entries), max_removed, gone, advice=advice)
