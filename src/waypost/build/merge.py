"""A run without pages of its own: several sitemaps become one sitemap, or the children of one index."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from waypost.build.job import Job, SiteInput, check_all
from waypost.build.named_places import NamedPlaces
from waypost.core.errors import ConfigIssue
from waypost.core.model import Item, Skipped
from waypost.core.private_hosts import PrivateHosts
from waypost.core.reasons import Reason
from waypost.files import FolderStore
from waypost.files.folder_source import FolderSource
from waypost.settings.load import ConfigSource


class _NoPages(FolderSource):
    """A folder of which no page is listed; its robots.txt and the sitemaps in it count."""

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """Nothing."""
        del prunes
        return iter(())


def prepare(
    sitemaps: Sequence[str],
    output: Path,
    *flags: ConfigSource,
    is_index: bool,
    private: PrivateHosts,
    issues: Sequence[ConfigIssue] = (),
) -> Job:
    """Check the settings of a merge; paths are relative to the working folder. Raises ConfigurationError."""
    named = [{"from": each, "as": "child"} if is_index else each for each in sitemaps]
    values = {"sitemaps": named, "lastmod": "none"}
    config_sources = [ConfigSource("command line", values, is_trusted=True), *flags]
    site = replace(check_all(config_sources, issues), private_hosts=private)
    nothing = SiteInput(_NoPages(output, may_be_absent=True))  # the first write creates the folder
    return Job(site, NamedPlaces(config_sources, Path()), nothing, FolderStore(output))
