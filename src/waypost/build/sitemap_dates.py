"""Gives the sitemaps of any tool, where they are, the dates of the site's pages."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace as replace_field

from waypost.build.answers import count_noun
from waypost.build.job import Job, now
from waypost.build.lister import DateSources, Listing
from waypost.build.locations import Locations, parse_location
from waypost.build.page_reader import Progress
from waypost.build.present_sitemaps import name_in, named_sitemaps, with_children
from waypost.core import tree_files, urls
from waypost.core.dates import at_precision
from waypost.core.errors import ConfigIssue, ConfigurationError, RemovalError, RenderError, SourceError
from waypost.core.gzip import compress_if_gzip, decompress_if_gzip
from waypost.core.model import Item, Page, printable
from waypost.core.places import is_web
from waypost.core.private_hosts import PrivateHosts
from waypost.core.removals import is_too_much
from waypost.dates.commit_dates import NoDateReason
from waypost.dates.honest_dates import DateDecision, Listed, Why, decide, false_times
from waypost.files import Store
from waypost.pages.page_url import SiteUrls
from waypost.settings.schema import LIMITS, Site
from waypost.sitemaps.redating import WrittenEntry, WrittenSitemap

_NOWHERE = "https://localhost/"
_MOST_TRIED = 50
"""How many URLs are looked for below each folder that they may begin with."""
_MOST_SLASHES = 20
_MOST_BYTES = LIMITS["current"].bytes
_TEXT_ENDINGS = (".txt", ".txt.gz")
OpenJob = Callable[[str | None, str | None], Job]
"""Prepares a run over a source, at a base URL that no setting names; None is what is recognised."""
_WHY = {
    Why.CHANGED_THEN: "the page changed then",
    Why.FUTURE: "it is in the future",
    Why.SAME_FOR_ALL: "nearly all URLs have it, and pages that were found changed at other times",
}


class DateChange(Struct, frozen=True, omit_defaults=True):
    """A date that is not as it should be: in a file, of a URL, as it was and as it is to be (`""` for none)."""

    file: str
    loc: str
    before: str
    after: str
    why: Why


class DateAnswer(Struct, frozen=True):
    """What was changed in which files, of how many URLs, of which so many were found on the site.

    `known_count` are the found ones whose change is known. `wrong_count` are the changes of dates that were there: the
    others were missing. Of the sitemaps that an index lists, `unread_count` were not read.
    """

    changed_files: Sequence[str]
    url_count: int
    found_count: int
    known_count: int
    wrong_count: int
    unread_count: int
    changes: Sequence[DateChange]

    @property
    def summary(self) -> str:
        """The counts in words."""
        missing = len(self.changes) - self.wrong_count
        undated = self.found_count - self.known_count
        unknown = f", {undated:,} of these without a known date" if undated else ""
        found = f"{count_noun(self.url_count, 'URL')}, {self.found_count:,} of them found on the site{unknown}"
        shared = sum(each.why is Why.SAME_FOR_ALL for each in self.changes)
        of_all = f" ({shared:,} of these are a time that nearly all URLs have)" if shared else ""
        return f"{found}: {count_noun(self.wrong_count, 'wrong date')}{of_all}, {missing:,} missing"

    @property
    def warning(self) -> str:
        """What is probably wrong, or an empty text."""
        if self.unread_count:
            return f"{count_noun(self.unread_count, 'sitemap')} of an index could not be read, and was left as it is"
        if not self.url_count or self.known_count:
            return ""
        if self.found_count:
            return "when the pages changed is not known: is the site in a Git repository, with its whole history?"
        where = "name the folder of the built site (--source DIR; in a workflow `source`)"
        return f"none of the URLs is a page in the folder of the sitemap; {where}"


class Redated(Struct, frozen=True):
    """The answer, and the new uncompressed bytes of each file."""

    answer: DateAnswer
    bodies: Mapping[str, bytes]


def known_pages(listing: Listing, dates: DateSources, site: Site) -> Mapping[str, Page]:
    """The pages of a site with their dates, by key, also those that are left out, which other tools may list."""
    commits = dates.commits() if dates.commits else None
    found: dict[str, Page] = {}
    for each in listing.skipped:
        if each.reason.is_about_page and not each.key.endswith("/"):
            date = commits.of(Item(each.key, each.key)) if commits else None
            is_known = date is not None and not isinstance(date, NoDateReason)
            loc = site.base_url + urls.encode_path(each.key)
            found[each.key] = Page(each.key, loc, lastmod=at_precision(date, site.precision) if is_known else None)
    return found | {page.key: page for page in listing.pages if page.key not in listing.entry_keys}


def redate(files: Mapping[str, bytes], pages: Mapping[str, Page], site: Site, now: int) -> Redated:
    """Sitemaps and indexes by name, uncompressed, with the dates of the pages, at the time `now` in Unix seconds.

    Text sitemaps beside others are left as they are: they have no dates. The compressed twin of a file changes with it.
    Raises SourceError for a file that is no sitemap in XML, RemovalError if more than `max_removed` percent of the
    dates would go because they are in the future, and RenderError if a file would become too large.
    """
    twins = _compressed_twins(files)
    single = {name: body for name, body in files.items() if name not in twins}
    dated = {name: body for name, body in single.items() if len(single) == 1 or not name.endswith(_TEXT_ENDINGS)}
    written = {name: WrittenSitemap(name, body) for name, body in dated.items()}
    lists = {name: each for name, each in written.items() if each.kind == "urlset"}
    site_urls = SiteUrls({key: page.loc for key, page in pages.items()}, site)

    def as_listed(entry: WrittenEntry) -> Listed:
        key = site_urls.key(urls.normalize(entry.loc, site.base_url) or entry.loc) if entry.loc else None
        changed = "" if key is None else pages[key].lastmod or ""
        return Listed(entry.loc, entry.lastmod, key is not None, changed)

    by_file = {name: list(map(as_listed, each.entries)) for name, each in lists.items()}
    newest = {name: _newest(of_file) for name, of_file in by_file.items()}
    newest |= {twin: newest.get(plain, "") for twin, plain in twins.items()}
    children = {name: _children(name, each, files) for name, each in written.items() if each.kind == "sitemapindex"}
    by_index = {name: _as_children(written[name], each, newest) for name, each in children.items()}
    false = false_times([*by_file.values()]) + false_times([*by_index.values()])
    decisions = {name: decide(listed, false, now) for name, listed in (by_file | by_index).items()}
    unread = sum(found.count("") for found in children.values())
    redated = _redated(dated, written, decisions, [*chain.from_iterable(by_file.values())], unread, site)
    return _with_twins(redated, twins)


def _compressed_twins(files: Mapping[str, bytes]) -> Mapping[str, str]:
    """The files that are others' bytes, compressed, by their names: each with the name of the other."""
    plain = {name: name.removesuffix(".gz") for name in files if name.endswith(".gz")}
    return {name: other for name, other in plain.items() if files[name] == files.get(other)}


def _with_twins(redated: Redated, twins: Mapping[str, str]) -> Redated:
    """The same with the compressed twins of its files, which change with them."""
    answer, bodies = redated.answer, redated.bodies
    changed = [*answer.changed_files, *(twin for twin, plain in twins.items() if plain in answer.changed_files)]
    of_twins = {twin: bodies[plain] for twin, plain in twins.items() if plain in bodies}
    return Redated(replace_field(answer, changed_files=changed), {**bodies, **of_twins})


def base_url_of(bodies: Mapping[str, bytes], exists: Callable[[str], bool]) -> str | None:
    """The URL of the site's root by what sitemaps list: the one below which most URLs name files; None if none do."""
    found: Counter[str] = Counter()
    locs = (entry.loc for name, body in bodies.items() for entry in WrittenSitemap(name, body).entries)
    for loc in islice((loc for loc in locs if "://" in loc), _MOST_TRIED):
        url = urls.normalize(loc, _NOWHERE)
        if url and url.count("/") <= _MOST_SLASHES:
            folders = (n + 1 for n, character in enumerate(url) if character == "/" and n >= len("https://"))
            found.update(url[:end] for end in folders if any(map(exists, _files_at(urls.decode_path(url[end:])))))
    return min(found, key=lambda base: (-found[base], len(base)), default=None)


def _files_at(path: str) -> Sequence[str]:
    """The files that servers answer at a path with."""
    is_folder = not path or path.endswith("/")
    return (f"{path}index.html",) if is_folder else (path, f"{path}.html", f"{path}/index.html")


def _newest(listed: Sequence[Listed]) -> str:
    """The date of a file: that of its newest page, if the changes of all pages in it are known."""
    return max((each.changed for each in listed), default="") if all(each.changed for each in listed) else ""


def _as_children(index: WrittenSitemap, files: Sequence[str], newest: Mapping[str, str]) -> list[Listed]:
    """What an index says of the sitemaps in these files, and what is known of them."""
    pairs = zip(index.entries, files, strict=True)
    return [Listed(entry.loc, entry.lastmod, bool(file), newest.get(file, "")) for entry, file in pairs]


def _children(index: str, written: WrittenSitemap, files: Mapping[str, bytes]) -> list[str]:
    """The file of each sitemap that an index names, `""` for one that was not read.

    It is the one with the sitemap's URL, or the one beside the index with the longest end of its path; two URLs never
    mean the same file.
    """
    folder = index[: index.rfind("/") + 1]
    locs = (entry.loc for entry in written.entries)
    found = [loc if loc in files else _beside(loc, folder, index, files) for loc in locs]
    counts = Counter(found)
    return [each if counts[each] == 1 else "" for each in found]


def _beside(loc: str, folder: str, index: str, files: Mapping[str, bytes]) -> str:
    parts = (urls.decoded_path(loc) or "").split("/")
    ends = (folder + "/".join(parts[n:]) for n in range(max(0, len(parts) - _MOST_SLASHES), len(parts)))
    return next((end for end in ends if end in files and end != index), "")


def _redated(
    files: Mapping[str, bytes],
    written: Mapping[str, WrittenSitemap],
    decisions: Mapping[str, Sequence[DateDecision]],
    listed: Sequence[Listed],
    unread: int,
    site: Site,
) -> Redated:
    changes = [
        DateChange(name, entry.loc, entry.lastmod, decision.lastmod, decision.why)
        for name, each in written.items()
        for entry, decision in zip(each.entries, decisions[name], strict=True)
        if decision.why
    ]
    dated = sum(bool(entry.lastmod) for each in written.values() for entry in each.entries)
    gone = sum(change.why is Why.FUTURE for change in changes)
    if is_too_much(gone, dated, site.max_removed):
        raise RemovalError(
            f"{gone:,} of {dated:,} dates would go, more than max_removed = {site.max_removed} allows, so nothing was "
            "written; is the history complete, and is the source right? If the dates are wrong, set max_removed = 100"
        )
    bodies = {
        name: each.with_dates([decision.lastmod for decision in decisions[name]]) for name, each in written.items()
    }
    for name, body in bodies.items():
        if len(body) > max(_MOST_BYTES, len(files[name])):
            raise RenderError(f"{name} would have {len(body):,} bytes, and may have {_MOST_BYTES:,}")
    changed = [name for name, body in bodies.items() if body != files[name]]
    found, known = sum(each.is_found for each in listed), sum(bool(each.changed) for each in listed)
    wrong_count = sum(bool(change.before) for change in changes)
    answer = DateAnswer(changed, len(listed), found, known, wrong_count, unread, changes)
    return Redated(answer, bodies)


class DatedFile:
    """A sitemap, and those that it lists; `bodies` are uncompressed, by the names that they have in messages.

    With twins, there are also the files beside them that list the same, compressed or not. `site` is the folder that it
    is in, or None for standard input and URLs. `private` are the hosts of private networks
    that may be asked. Raises SourceError if there is none.
    """

    def __init__(self, target: str, private: PrivateHosts, *, has_twins: bool = False) -> None:
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
            if has_twins:
                found |= dict(_twins(found, self._store))
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


def _twins(found: Mapping[str, bytes], store: Store) -> Iterator[tuple[str, bytes]]:
    """The files beside sitemaps that list the same URLs, but are compressed, or are not."""
    for name, body in found.items():
        twin = name.removesuffix(".gz") if name.endswith(".gz") else f"{name}.gz"
        content = None if twin in found else store.read(twin)
        if content is not None:
            with suppress(SourceError):
                other = decompress_if_gzip(twin, content)
                if _locs(twin, other) == _locs(name, body):
                    yield twin, other


def _locs(name: str, body: bytes) -> list[str]:
    return [entry.loc for entry in WrittenSitemap(name, body).entries]


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
