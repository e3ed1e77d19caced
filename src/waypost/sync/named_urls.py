"""Takes the URLs without an object, which the settings name, into a ledger; only a rebuild reads their lists."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from waypost.core import removals
from waypost.core.errors import LostRecordsError, SourceError
from waypost.core.model import Example, NamedSource, SiteWarning
from waypost.core.warnings import site_warning
from waypost.ledger import url_list
from waypost.ledger.manifest import Manifest
from waypost.ledger.store import LedgerVersion
from waypost.ledger.url_list import ListedSource, UrlList
from waypost.sync.builder_lease import BuilderLeaseHolder
from waypost.sync.removal_check import ACCEPT
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater
from waypost.sync.url_list_source import entries_by_key


class NamedUrls:
    """What the settings of one rebuild name; it is read once, however often other writers are first.

    No source may remove more than `max_removed` percent of the URLs that it named last.
    """

    def __init__(self, updater: Updater, builder: BuilderLeaseHolder, max_removed: int) -> None:
        self._updater, self._builder, self._max_removed = updater, builder, max_removed
        self._sources: Sequence[NamedSource] | None = None

    def take(self, version: LedgerVersion) -> tuple[LedgerVersion, RunResult]:
        """Have a manifest remember what the settings name now; the result has warnings, and counts what is left out.

        A source that cannot be read keeps what it named last. Raises SourceError for one that never could be read and
        is not optional, RemovalError if one names too few URLs, ConfigurationError for mistakes in lists,
        OutdatedSettingsError if the ledger has newer settings, and ConflictError if another writer was first.
        """
        before = version.manifest
        if not (self._updater.site.has_url_entries or before.url_list):
            return version, RunResult()
        if not self._updater.is_built_with(before, before.robots_rules):
            self._builder.require_newer_settings(before)
        if self._sources is None:
            self._sources = list(self._updater.named_sources())
        known = self._updater.ledger.url_list(before)
        urls, warnings = _merged(known, self._sources)
        _check_removals(known, urls, self._max_removed)
        ignored = entries_by_key(urls, self._updater.site)[1]
        return _remember(self._updater, version, urls), RunResult(ignored=ignored, warnings=warnings)


def _remember(updater: Updater, version: LedgerVersion, urls: UrlList) -> LedgerVersion:
    """The version that names a file with these URLs, and whose indexes list their children.

    It does not take the publisher's lease: the rebuild may still be refused.
    """
    before, ledger = version.manifest, updater.ledger
    data = url_list.dump(urls)
    name = url_list.file_name(data, before.url_list, ledger.new_id) if urls.sources else ""
    after = _with_children(updater, version, replace(before, url_list=name, children=urls.children))
    if after is before:
        return version
    return ledger.commit(version, after, {} if name in ("", before.url_list) else {name: data})


def _merged(before: UrlList, found: Iterable[NamedSource]) -> tuple[UrlList, tuple[SiteWarning, ...]]:
    """What was found, with the last answer of each source that cannot be read now, and the warnings about it."""
    known = {each.name: each for each in before.sources}
    sources, warnings = list[ListedSource](), list[SiteWarning]()
    cases: dict[str, list[Example]] = {"sitemap-kept": [], "sitemap-missing": []}
    for each in found:
        warnings += each.warnings
        if not each.error:
            sources.append(ListedSource(each.name, tuple(each.entries), each.child))
        elif each.name in known:
            sources.append(known[each.name])
            cases["sitemap-kept"].append(Example(each.name, each.error))
        elif each.is_optional:
            cases["sitemap-missing"].append(Example(each.name, each.error))
        else:
            raise SourceError(each.error)
    warnings += (site_warning(code, examples) for code, examples in cases.items() if examples)
    return UrlList(tuple(sources)), tuple(warnings)


def _check_removals(before: UrlList, after: UrlList, max_removed: int) -> None:
    """Raise RemovalError if a source names too few of the URLs that it named last: its answer may be incomplete."""
    now = {each.name: {entry.loc for entry in each.entries} for each in after.sources}
    for each in before.sources:
        gone = sorted({entry.loc for entry in each.entries} - now[each.name]) if each.name in now else []
        if removals.is_too_much(len(gone), len(each.entries), max_removed):
            subject, advice = f"URLs that {each.name} names", ("look whether it is complete", ACCEPT)
            raise removals.removal_error(subject, len(gone), len(each.entries), max_removed, gone, advice=advice)


def _with_children(updater: Updater, version: LedgerVersion, after: Manifest) -> Manifest:
    """The manifest, with new indexes if its children differ from those of the version, which is the result if not.

    Where records of articles are lost, which the news sitemap needs for that, the next rebuild takes the children.
    """
    before = version.manifest
    if after.children == before.children or not before.is_complete or not before.entries:
        return before if after == before else after
    try:
        return updater.manifest_updater(after).refresh(after, updater.loader(version)).manifest
    except LostRecordsError:
        return replace(after, children=before.children)
