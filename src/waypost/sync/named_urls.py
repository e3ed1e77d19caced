"""Takes the URLs without an object, which the settings name, into a ledger; only a rebuild reads their lists."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from waypost.build import last_good_lists
from waypost.core.errors import LostRecordsError
from waypost.core.model import Example, NamedSource
from waypost.core.warnings import site_warning
from waypost.ledger import url_list
from waypost.ledger.manifest import Manifest
from waypost.ledger.store import LedgerVersion
from waypost.ledger.url_list import UrlList
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater
from waypost.sync.url_list_source import entries_by_key

Files = Mapping[str, bytes]


class NamedUrls:
    """What the settings of one rebuild name; it is read once, however often other writers are first.

    No source may remove more than `max_removed` percent of the URLs that it named last.
    """

    def __init__(self, updater: Updater, max_removed: int) -> None:
        self._updater, self._max_removed = updater, max_removed
        self._sources: Sequence[NamedSource] | None = None
        self.result = RunResult()

    def read(self, before: Manifest) -> UrlList | None:
        """What the settings name now, or None if neither they nor the manifest name anything.

        A source that cannot be read keeps what it named last. `result` has the warnings, and counts what is left out.
        Raises SourceError for a source that never could be read and is not optional, RemovalError if one names too few
        URLs, and ConfigurationError for mistakes in lists.
        """
        if not (self._updater.site.has_url_entries or before.url_list):
            return None
        if self._sources is None:
            self._sources = list(self._updater.named_sources())
        known, base_url = self._updater.ledger.url_list(before), self._updater.site.base_url
        found, warnings = last_good_lists.merged(
            last_good_lists.below(known or UrlList(), base_url), self._sources, is_lost=known is None
        )
        if known is None:
            warnings = (site_warning("records-lost", [Example("urls", before.url_list)]), *warnings)
        last_good_lists.check_removals(last_good_lists.below(known or UrlList(), base_url), found, self._max_removed)
        self.result = RunResult(ignored=entries_by_key(found, self._updater.site)[1], warnings=warnings)
        return found

    def remembered(self, version: LedgerVersion, after: Manifest, urls: UrlList | None) -> tuple[Manifest, Files]:
        """The manifest to replace a version with, which remembers these URLs and whose indexes list their children.

        With it comes the file to write. A build in progress begins again if the URLs are others. Where records of
        articles are lost, which the news sitemap needs for new indexes, the next rebuild takes the children.
        """
        before, ledger = version.manifest, self._updater.ledger
        if urls is None:
            return after, {}
        data = url_list.dump(urls)
        known = before.url_list if ledger.url_list(before) is not None else ""
        name = url_list.file_name(data, known, ledger.new_id) if urls.sources else ""
        files = {} if name in ("", known) else {name: data}
        if after.builder and after.builder.position and name != before.url_list:
            after = replace(after, builder=replace(after.builder, position=""))
        after = replace(after, url_list=name)
        if urls.children == after.children:
            return after, files
        with_children = replace(after, children=urls.children)
        if not (after.is_complete and after.entries):
            return with_children, files
        try:
            updater = self._updater.manifest_updater(with_children)
            return updater.refresh(with_children, self._updater.loader(version)).manifest, files
        except LostRecordsError:
            return after, files
