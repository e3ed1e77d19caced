"""Reads and chooses the URLs without a file that the settings name, in lists and in the sitemaps of other tools."""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from urllib.parse import urljoin

from waypost.build.answers import count_noun
from waypost.build.named_places import NamedPlaces
from waypost.build.page_choice import IsDisallowed, ListingNotes
from waypost.build.page_reader import ReadPage
from waypost.build.present_sitemaps import named_sitemaps
from waypost.core import dates, reasons, tree_files, urls
from waypost.core.dates import at_precision
from waypost.core.errors import ConfigIssue, ConfigurationError, SourceError, StoreError
from waypost.core.finding_types import site_warning
from waypost.core.gzip import decompress_if_gzip
from waypost.core.model import Example, IndexChild, NamedSource, NamedUrls, SiteWarning, UrlEntry
from waypost.core.sitemap_rows import EXTENSION_NAMESPACES
from waypost.pages.page_url import SiteUrls, entry_key
from waypost.pages.url_entries import CheckedEntries, EntryChoice
from waypost.settings import url_lists
from waypost.settings.schema import Site
from waypost.settings.values import CHANGEFREQS, OtherSitemap
from waypost.validate import SITEMAP_NAMESPACE, Element, SitemapEntry, is_priority, sitemap_content, split_name

Find = Callable[[str], bytes | None]
_MOST_PARTS = 32
_STANDARD_INPUT = "-"
_XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
_PREFIXES = {namespace: prefix for prefix, namespace in EXTENSION_NAMESPACES} | {_XML_NAMESPACE: "xml"}
_LINE_ENDS = str.maketrans({"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def named_urls(site: Site, places: NamedPlaces, find: Find, now: str) -> NamedUrls:
    """What the settings `urls` and `sitemaps` name, of all sources together; see `named_sources`.

    Raises SourceError for a sitemap that cannot be read and is not optional.
    """
    entries, warnings = list[UrlEntry](), list[SiteWarning]()
    children: dict[str, IndexChild] = {}
    for each in named_sources(site, places, find, now):
        if each.error and not each.is_optional:
            raise SourceError(each.error)
        if each.error:
            warnings.append(site_warning("sitemap-missing", [Example(each.name, each.error)]))
        if each.child:
            children.setdefault(each.child.loc, each.child)
        entries += each.entries
        warnings += each.warnings
    return NamedUrls(entries, list(children.values()), warnings)


def named_sources(site: Site, places: NamedPlaces, find: Find, now: str) -> Iterator[NamedSource]:
    """What the settings `urls` and each of `sitemaps` name; a sitemap that cannot be read, or is empty, is an error.

    `places` opens what the settings name, and `find` reads the site's files. Raises ConfigurationError with all
    mistakes in lists, also for a file that cannot be read or names no URL at all.
    """
    if listed := tuple(_listed(site, places, now)):
        yield NamedSource("urls", listed)
    for each in site.sitemaps:
        name = f"{each.location} (child)" if each.is_child else each.location
        lost = Counter[str]()
        try:
            found = list(_sitemap_entries(each, site, places, find, lost))
        except (SourceError, StoreError) as error:
            yield NamedSource(name, error=str(error), is_optional=each.is_optional)
            continue
        if each.is_child:
            child = IndexChild(_child_loc(each, site), at_precision(_newest(found, now), site.precision))
            yield NamedSource(name, (), child, list(_out_of_scope(child.loc, found)))
        else:
            entries = [_entry(entry, site, each.location, now, lost) for entry in found]
            yield NamedSource(name, entries, warnings=list(_not_kept(name, lost)))


def _newest(entries: Sequence[SitemapEntry], now: str) -> str | None:
    """The date of a sitemap: that of its newest entry, if all of them have one that can be."""
    found = [dates.parse_page_date(entry.lastmod or "") for entry in entries]
    known = [date for date in found if date and dates.may_be_change(date, now)]
    return max(known) if len(known) == len(found) else None


def _out_of_scope(child: str, entries: Sequence[SitemapEntry]) -> Iterator[SiteWarning]:
    """The warning of URLs that a sitemap may not list (sitemaps.org 0.9, "Sitemap file location")."""
    folder = urljoin(child, ".")
    outside = [entry.loc or "" for entry in entries if not (entry.loc or "").startswith(folder)]
    if outside:
        yield site_warning("child-scope", [Example(child, loc) for loc in outside])


def _listed(site: Site, places: NamedPlaces, now: str) -> Iterable[UrlEntry]:
    """The URLs that the setting `urls` names; raises ConfigurationError."""
    entries, issues = _read(site.urls, places) if isinstance(site.urls, str) else (site.urls, [])
    checked = CheckedEntries(site, now)
    checked.add(entries)
    if issues := [*issues, *checked.issues]:
        raise ConfigurationError(tuple(sorted(issues, key=lambda each: each.line or 0)))
    return checked.entries


def _read(path: str, places: NamedPlaces) -> tuple[Sequence[UrlEntry], list[ConfigIssue]]:
    is_piped = path == _STANDARD_INPUT and places.is_trusted("urls")
    name = "standard input" if is_piped else path
    try:
        data = _standard_input() if is_piped else tree_files.read(places.path("urls", path))
    except OSError as error:
        raise _error("urls", f"{name} cannot be read: {error.strerror or error}") from None
    entries, issues = url_lists.parse(data, name)
    if not entries and not issues:
        raise _error("urls", f"{name} lists no URL; an empty list would remove all of them")
    return entries, issues


def _standard_input() -> bytes:
    data = sys.stdin.buffer.read(tree_files.MOST_BYTES + 1)
    if len(data) > tree_files.MOST_BYTES:
        raise OSError(f"it is larger than {tree_files.MOST_BYTES:,} bytes")
    return data


def _error(setting: str, problem: str) -> ConfigurationError:
    return ConfigurationError((ConfigIssue("settings", setting, problem),))


def _sitemap_entries(
    named: OtherSitemap, site: Site, places: NamedPlaces, find: Find, lost: Counter[str]
) -> Iterator[SitemapEntry]:
    """What another tool's sitemap lists; `lost` counts what cannot be kept.

    Raises SourceError, and StoreError for a file.
    """
    bodies = _bodies(named, site, places, find)
    listed, is_empty = set[str](), True
    for name, body in bodies.items():
        kind, entries, lost_here = sitemap_content.read_whole_entries(name, body)
        lost += lost_here
        if not kind:
            raise SourceError(f"{name}, which `sitemaps` names, is no sitemap")
        if kind == "sitemapindex" and named.is_child:
            raise SourceError(f"{name} is an index, which no index may list; name the sitemaps that it lists")
        if kind == "sitemapindex":
            listed |= {entry.loc or "" for entry in entries}
        else:
            is_empty = is_empty and not entries
            yield from entries
    if missing := sum(not _was_read(loc, bodies) for loc in listed):
        count = count_noun(missing, "sitemap")
        raise SourceError(f"{named.location} lists {count} that cannot be read, or are on another host")
    if is_empty:
        raise SourceError(f"{named.location}, which `sitemaps` names, lists no URL")


def _was_read(loc: str, bodies: Mapping[str, bytes]) -> bool:
    """Whether a sitemap that an index lists is among those that were read: by its URL, or by an end of its path."""
    parts = (urls.decoded_path(loc) or "").split("/")[-_MOST_PARTS:]
    return loc in bodies or any("/".join(parts[n:]) in bodies for n in range(len(parts)))


def _child_loc(named: OtherSitemap, site: Site) -> str:
    """The URL of a sitemap that our index is to list; raises ConfigurationError if it may not."""
    loc = urls.normalize(named.location, site.base_url)
    if loc is None or not loc.startswith(site.base_url):
        raise _error("sitemaps", f"{named.location} is not below {site.base_url}, so our index may not list it")
    return loc


def _bodies(named: OtherSitemap, site: Site, places: NamedPlaces, find: Find) -> Mapping[str, bytes]:
    """The files of another tool's sitemap; raises SourceError, and ConfigurationError for a child outside of the site.

    A child is read from the site's own files, if it is there.
    """
    location = _child_loc(named, site) if named.is_child else named.location
    key = urls.decode_path(location.removeprefix(site.base_url))
    if named.is_child and (body := _own_file(key, find)) is not None:
        return {key: decompress_if_gzip(key, body)}
    bodies = named_sitemaps(location, partial(places.path, "sitemaps"), "sitemaps", site.private_hosts)
    if not bodies:
        raise SourceError(f"{location}, which `sitemaps` names, does not exist")
    return bodies


def _own_file(key: str, find: Find) -> bytes | None:
    """A file of the site; None if there is none, or it cannot be read or is too large here: its URL is read then."""
    try:
        return find(key)
    except OSError:
        return None


def _entry(entry: SitemapEntry, site: Site, where: str, now: str, lost: Counter[str]) -> UrlEntry:
    """What a sitemap says of a URL, with all extensions as they are; `lost` counts what is not valid."""
    loc = entry.loc or ""
    date = dates.parse_page_date(entry.lastmod or "")
    lastmod = date if date and dates.may_be_change(date, now) else None
    changefreq = entry.changefreq if entry.changefreq in CHANGEFREQS else None
    priority = entry.priority if is_priority(entry.priority or "") else None
    kept = {"lastmod": lastmod, "changefreq": changefreq, "priority": priority}
    lost.update(name for name, value in kept.items() if value is None and getattr(entry, name))
    return UrlEntry(
        urls.normalize(loc, site.base_url) or loc,
        lastmod,
        changefreq,
        priority,
        alternates=tuple(entry.alternates),
        where=where,
        line=entry.line,
        extensions=extension_xml(entry.extensions or ()),
    )


def _not_kept(name: str, lost: Mapping[str, int]) -> Iterator[SiteWarning]:
    """The warning of what a sitemap has and the new one cannot have."""
    if lost:
        counts = ", ".join(f"{count:,} {what}" for what, count in sorted(lost.items()))
        yield site_warning("not-kept", [Example(name, counts)])


def chosen_entries(
    entries: Iterable[UrlEntry],
    read: Sequence[ReadPage],
    site: Site,
    is_disallowed: IsDisallowed | None,
    notes: ListingNotes,
) -> Mapping[str, UrlEntry]:
    """The URLs that are listed, by their keys."""
    keys = {each.item.key for each in read}
    chosen = ((entry_key(each.loc, site), each) for each in _chosen(entries, read, site, is_disallowed, notes))
    return {each.loc if key in keys else key: each for key, each in chosen}


def _chosen(
    entries: Iterable[UrlEntry],
    read: Sequence[ReadPage],
    site: Site,
    is_disallowed: IsDisallowed | None,
    notes: ListingNotes,
) -> Iterator[UrlEntry]:
    """The URLs that nothing leaves out: neither a file of the site, nor a setting, nor robots.txt; each once."""
    site_urls = SiteUrls({each.item.key: each.loc for each in read}, site)
    choice = EntryChoice(site)
    for entry in entries:
        if skipped := choice.skipped(entry):
            notes.leave_out(skipped.key, skipped.reason, skipped.detail)
        elif file := site_urls.key(entry.loc):
            notes.leave_out(entry.loc, reasons.OWN_FILE, file)
        elif is_disallowed and is_disallowed(entry.loc):
            notes.leave_out(entry.loc, reasons.ROBOTS_TXT)
        else:
            yield entry


def extension_xml(elements: Iterable[Element]) -> str:
    """The elements in one line. The usual prefixes are declared by the sitemap, and any other namespace here."""
    return "".join(_with_declarations(each) for each in elements)


def _with_declarations(element: Element) -> str:
    unknown = dict.fromkeys(each for each in _namespaces(element) if each and each not in _PREFIXES)
    unknown.pop(SITEMAP_NAMESPACE, None)
    prefixes = _PREFIXES | {namespace: f"ns{number}" for number, namespace in enumerate(unknown, 1)}
    declared = "".join(f' xmlns:{prefixes[namespace]}="{_text(namespace)}"' for namespace in unknown)
    return _xml(element, prefixes, declared)


def _namespaces(element: Element) -> Iterator[str]:
    yield element.namespace
    yield from (split_name(name)[0] for name in element.attributes)
    for child in element.children:
        yield from _namespaces(child)


def _xml(element: Element, prefixes: Mapping[str, str], declared: str = "") -> str:
    prefix = prefixes.get(element.namespace)
    name = f"{prefix}:{element.name}" if prefix else element.name
    default = "" if prefix else f' xmlns="{_text(element.namespace)}"'
    attributes = "".join(_attribute(*each, prefixes) for each in element.attributes.items())
    inner = _text(element.text) + "".join(_xml(child, prefixes) for child in element.children)
    start = f"<{name}{declared}{default}{attributes}"
    return f"{start}>{inner}</{name}>" if inner else f"{start}/>"


def _attribute(name: str, value: str, prefixes: Mapping[str, str]) -> str:
    namespace, local = split_name(name)
    return f' {f"{prefixes[namespace]}:" if namespace else ""}{local}="{_text(value)}"'


def _text(value: str) -> str:
    return escape(value).translate(_LINE_ENDS)
