"""Reads sitemaps of any tool where they are, gives them the dates of a site's pages, and writes them there again."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from waypost.build.job import Job, now
from waypost.build.locations import Locations, parse_location
from waypost.build.named_sitemaps import named_sitemaps
from waypost.build.page_reader import Progress
from waypost.build.present_sitemaps import name_in, with_children
from waypost.build.sitemap_dates import DateAnswer, Redated, base_url_of, known_pages, redate
from waypost.core import tree_files
from waypost.core.errors import ConfigIssue, ConfigurationError, SourceError
from waypost.core.gzip import compress_if_gzip, decompress_if_gzip
from waypost.core.model import printable
from waypost.core.places import is_web
from waypost.core.private_hosts import PrivateHosts
from waypost.dates.honest_dates import Why
from waypost.files import Store

OpenJob = Callable[[str | None, str | None], Job]
"""Prepares a run over a source, at a base URL that no setting names; None is what is recognised."""
_WHY = {
    Why.CHANGED_THEN: "the page changed then",
    Why.FUTURE: "it is in the future",
    Why.SAME_FOR_ALL: "nearly all URLs have it, and pages that were found changed at other times",
}


class DatedFile:
    """A sitemap, and those that it lists; `bodies` are uncompressed, by the names that they have in messages.

    `site` is the folder that it is in, or None for standard input and URLs. `private` are the hosts of private networks
    that may be asked. Raises SourceError if there is none.
    """

    def __init__(self, target: str, private: PrivateHosts) -> None:
        self._target, self._store = target, _store_of(target)
        self._folder, self.site = "", None
        if target == "-":
            data = sys.stdin.buffer.read(tree_files.MOST_BYTES)
            found: Mapping[str, bytes] = {"standard input": decompress_if_gzip("-.gz", data)}
        elif self._store is None:
            found = named_sitemaps(target, Path, "SITEMAP", private)
        else:
            folder, slash, name = target.replace(os.sep, "/").rpartition("/")
            self._folder, self.site = f"{folder}{slash}", folder or slash or "."
            found = with_children([name], self._store.read, name_in(self._store))
        if not found:
            raise SourceError(f"{target} does not exist; name a file, s3://bucket/key, an http(s) URL, or -")
        self.bodies = {f"{self._folder}{name}": body for name, body in found.items()}

    def write(self, redated: Redated) -> None:
        """Write what changed of this target; raises StoreError, and ConfigurationError for what has no place."""
        if self._store is None:
            problem = f"{self._target} cannot be written"
            raise ConfigurationError((ConfigIssue("command line", "--in-place", problem),))
        for path in self.bodies.keys() & set(redated.answer.changed_files):
            self._store.write(path.removeprefix(self._folder), compress_if_gzip(path, redated.bodies[path]))


def _store_of(target: str) -> Store | None:
    """Where a file can be written again; None for a URL and for standard input."""
    if target == "-" or is_web(target):
        return None
    folder = target.replace(os.sep, "/").rpartition("/")[0]
    return Locations().store(parse_location(folder or ("/" if target.startswith("/") else ".")))


def redated_files(
    files: Sequence[DatedFile],
    source: str | None,
    open_job: OpenJob,
    progress: Progress,
    before: Callable[[Job], None] = lambda job: None,
) -> Redated:
    """The sitemaps with the dates of the site's pages; nothing is written. Without a source, the first one's folder.

    `before` is called with the run before the pages are read. Raises as `redate`, and ConfigurationError.
    """
    bodies = {path: body for file in files for path, body in file.bodies.items()}
    job = _opened(source or files[0].site, open_job, bodies)
    job = replace(job, site=replace(job.site, urls=(), sitemaps=()))  # what they name is no page of the site
    before(job)
    pages = known_pages(*job.list_pages(progress, believes_sitemaps=False), job.site)
    return redate(bodies, pages, job.site, now())


def _opened(source: str | None, open_job: OpenJob, bodies: Mapping[str, bytes]) -> Job:
    """The run over the site, at the base URL of the sitemaps' own URLs if nothing else says which it is."""
    try:
        return open_job(source, None)
    except ConfigurationError as error:
        is_missing = {issue.key for issue in error.issues} == {"base_url"}
        folder = Path(source or ".")
        base_url = base_url_of(bodies, lambda key: tree_files.is_file(folder / key, folder)) if is_missing else None
        if base_url is None:
            raise
        return open_job(source, base_url)


def change_lines(answer: DateAnswer, most: int, where_all_are: str = "") -> Iterator[str]:
    """The first dates that are wrong or missing, and why."""
    for each in answer.changes[:most]:
        yield f"{printable(each.loc)}: {each.before or 'no date'} -> {each.after or 'no date'} ({_WHY[each.why]})"
    if (more := len(answer.changes) - most) > 0:
        yield f"… and {more:,} more{where_all_are}"
