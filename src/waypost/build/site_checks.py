"""Warnings about the site as a whole: sitemaps of others, robots.txt and CNAME that contradict it, one date for all."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from waypost.build.lister import Listing
from waypost.build.removal_guard import replaced_sitemaps
from waypost.core.finding_types import site_warning, stated_warning
from waypost.core.gzip import decompress_if_gzip, decompress_start
from waypost.core.model import Example, Item, Plan, SiteWarning, printable
from waypost.core.tree_files import MOST_BYTES, SMALL_FILE
from waypost.core.urls import is_host_root, page_identity
from waypost.dates.commit_dates import CommitDates
from waypost.dates.source_mapping import SourceMapper
from waypost.files import Store
from waypost.files.sitemap_files import root_of
from waypost.files.source import Source
from waypost.pages import robots
from waypost.pages.html_head import visible_text
from waypost.settings.schema import Site
from waypost.settings.values import Patterns
from waypost.sitemaps.output_format import is_marked
from waypost.sitemaps.render import Renderer

_EXAMPLES = 3
_SITEMAP = re.compile(r"sitemap[^/]*\.xml(\.gz)?$", re.IGNORECASE)
_SCRIPT = re.compile(rb"<script\b[^>]{0,1000}\bsrc\b", re.IGNORECASE)
_ROOTS = (b"urlset", b"sitemapindex")
_START_BYTES = 65_536
_MAX_READ = 100
"""How many files that are named like sitemaps are read."""
_FILE = re.compile(r"\.\w+\Z")
_CAPITAL, _ESCAPE = re.compile("[A-Z]"), re.compile("%[0-9A-F]{2}")
_MAX_NOSCRIPT = 10
_MIN_PAGES, _MIN_SHARE = 20, 0.95
"""From how many dated pages on there is a warning, and which share of them has one date."""
_WHY = {
    "commit": "one commit changed nearly all pages, such as an import, or a deployment that changed the text of each; "
    "if a generator builds them, run Waypost where the site is built, so that their sources date them",
    "url-list": "the list of URLs gives nearly all the same, as tools do that write the time at which they run",
    "content": "nearly all pages changed at once, as after a new design",
}
_WHY_SOURCES = "one commit changed nearly all source files, such as an import or a reformatting"
_YES_OR_NO = ("yes", "no")
_SIGNALS: Mapping[str, tuple[str, ...]] = {
    "search": _YES_OR_NO,
    "ai-input": _YES_OR_NO,
    "ai-train": _YES_OR_NO,
    "use": ("immediate", "reference", "full"),
}
"""The values of each signal; Cloudflare adds `use` to the robots.txt that it manages."""
_SIGNAL_LINE = re.compile(r"content[-_ ]?signals?[ \t]*:(.*)", re.IGNORECASE)
"""A line that was meant as a `Content-Signal`, also if its name is misspelt."""
_SIGNAL_NAME = re.compile(r"content-signal[ \t]*:", re.IGNORECASE)
_SIGNAL_PATH = re.compile(r"/\S*[ \t]+")
"""The beginning of the URLs' paths that a line is about, if it is not about all."""
_MAX_SHOWN = 120


def contradictions(
    plan: Plan, listing: Listing, source: Source, site: Site, store: Store, renderer: Renderer
) -> Iterator[SiteWarning]:
    """The warnings about settings, templates and files of the site that have no effect, or the wrong one."""
    robots_txt = next((document.body for document in plan.documents if document.kind == "robots"), None)
    robots_txt = robots_txt or listing.robots_txt or b""
    elsewhere = [url for url in plan.changes.removed if not url.startswith(site.base_url)]
    if elsewhere and len(elsewhere) == plan.listed_before:
        yield site_warning("base-url-changed", [Example(elsewhere[0])])
    yield from replaced_sitemaps(plan, site)
    yield from other_sitemaps(plan, source, site, robots_txt)
    yield from _robots_warnings(plan, robots_txt, site)
    yield from same_dates(listing)
    yield from single_page_app(listing, source)
    yield from wrong_cname(plan, source, site)
    yield from stale_copies(plan, store)
    yield from capital_letters(plan, site)
    yield from redirected_routes(plan, site)
    yield from unmatched_patterns(plan, site)
    if unused := renderer.unused_overrides():
        yield stated_warning("unused-template", len(unused), names=", ".join(unused))


def stale_robots_lines(plan: Plan, site: Site, robots_txt: bytes) -> list[SiteWarning]:
    """The warning of a robots.txt that Waypost does not update, and that names a file which is removed."""
    words = frozenset(robots_txt.decode("utf-8", "replace").split())
    urls = [site.base_url + name for name in plan.removed if site.base_url + name in words]
    return [site_warning("robots-stale", [Example("robots.txt", url) for url in urls])] if urls else []


def unmatched_patterns(plan: Plan, site: Site) -> list[SiteWarning]:
    """The warning about patterns that match no file; empty if all match.

    The files in a folder that is left out are not known, so a pattern below such a folder counts as matched.
    """
    settings = [(name, patterns) for name, patterns in _settings(plan, site) if patterns]
    if not settings:
        return []
    keys = [*(page.key for page in plan.pages), *(skipped.key for skipped in plan.skipped)]
    folders = tuple(each.key for each in plan.skipped if each.key.endswith("/"))
    found = [
        f"{name}: {line}"
        for name, patterns in settings
        for line in patterns.unmatched(keys)
        if not line.lstrip("!/").startswith(folders)
    ]
    return [_warning(found)] if found else []


def _settings(plan: Plan, site: Site) -> Iterator[tuple[str, Patterns]]:
    """The settings that have patterns, without the groups of one pattern that have pages."""
    groups = {page.group for page in plan.pages}
    yield "include", site.include
    yield "exclude", site.exclude
    for name, patterns in site.groups:
        if len(patterns.lines) > 1 or name not in groups:
            yield f"groups.{name}", patterns
    for override in site.overrides:
        yield "overrides", override.match
    if site.news:
        yield "news", site.news.pages


def _warning(found: Sequence[str]) -> SiteWarning:
    words = {"subject": "a pattern matches", "verb": "has", "object": "it"}
    if len(found) > 1:
        words = {"subject": f"{len(found):,} patterns match", "verb": "have", "object": "them"}
    return stated_warning("unmatched-pattern", len(found), patterns=_first(found, ", "), **words)


def _first(found: Sequence[str], separator: str) -> str:
    """The first cases, and how many more there are."""
    more = f" and {len(found) - _EXAMPLES:,} more" if len(found) > _EXAMPLES else ""
    return f"{separator.join(found[:_EXAMPLES])}{more}"


def unmatched_sources(plan: Plan, site: Site, commits: CommitDates | None) -> list[SiteWarning]:
    """The warning about mappings that match no page, or name no tracked file; empty if all date a page.

    The files in a folder that is left out are not known, so a mapping of pages in such a folder counts as matched.
    """
    if commits is None or not site.sources:
        return []
    keys = [*(page.key for page in plan.pages), *(skipped.key for skipped in plan.skipped)]
    folders = tuple(each.key for each in plan.skipped if each.key.endswith("/"))
    found = list(_found(keys, folders, site, commits))
    return [stated_warning("unmatched-sources", len(found), rows=_first(found, "; "))] if found else []


def _found(keys: Sequence[str], folders: tuple[str, ...], site: Site, commits: CommitDates) -> Iterator[str]:
    """What is wrong with each mapping that dates no page."""
    for row in site.sources:
        mapper = SourceMapper([row])
        if any(mapper.unmatched(keys)):
            if not row.page.startswith(folders):
                yield f"`sources` has a row for {row.page}, and there is no such page: correct or remove it"
        elif not any(_has_file(mapper, key, commits.tracked) for key in keys):
            yield f"`sources` names {', '.join(row.files)} for {row.page}, and Git tracks no such file: correct it"


def _has_file(mapper: SourceMapper, key: str, tracked: Sequence[str]) -> bool:
    return any(True for _ in mapper.files(key, tracked))


def other_sitemaps(plan: Plan, source: Source, site: Site, robots_txt: bytes) -> list[SiteWarning]:
    """The warning about sitemaps of another tool: files beside a plan's, and files that robots.txt names.

    Another part of the host may have a sitemap of its own, so a URL in robots.txt counts only if this site has pages
    in the same folder.
    """
    keys = [each.key for each in plan.skipped if "sitemap" in each.key.lower() and _SITEMAP.search(each.key)]
    ours = {*(document.name for document in plan.documents), *plan.removed}
    found = {key: Example(key) for key in keys if key not in ours and not _is_named(key, site)}
    found = {key: found[key] for key in _foreign(list(found)[:_MAX_READ], source)}
    known = {page_identity(site.base_url + key): key for key in (*keys, *ours)}
    folders = {page_identity(site.base_url + folder) for folder in {page.key.rpartition("/")[0] for page in plan.pages}}
    for url in named_sitemaps(robots_txt, site):
        key = known.get(page_identity(url), "")
        if key in found:
            found[key] = Example(key, "robots.txt names it")
        elif not (key or _is_named(url, site)) and page_identity(url.rpartition("/")[0]) in folders:
            found[url] = Example("robots.txt", url)
    if not found:
        return []
    examples = sorted(found.values(), key=lambda each: (not each.detail, each.key))
    return [site_warning("other-sitemap", examples)]


def _is_named(key: str, site: Site) -> bool:
    """Whether the setting `sitemaps` names a file, by its URL or by the end of a path."""
    return any(f"/{each.location}".endswith(f"/{key}") for each in site.sitemaps)


def _foreign(keys: list[str], source: Source) -> Iterator[str]:
    """Those of these files that are sitemaps, and that Waypost did not write."""
    for key in keys:
        try:
            read = source.read(Item(key, key), _START_BYTES)
            if root_of(decompress_start(read.data)) in _ROOTS:
                body = read.data if read.is_whole else source.read(Item(key, key), MOST_BYTES).data
                if not is_marked(decompress_if_gzip(key, body)):
                    yield key
        except OSError:  # the file was removed meanwhile, or the site's owner knows that it cannot be read
            continue


def wrong_cname(plan: Plan, source: Source, site: Site) -> list[SiteWarning]:
    """The warning about a CNAME file, by which GitHub Pages serves the site on another host than `base_url` has."""
    if not any(each.key == "CNAME" for each in plan.skipped):
        return []
    try:
        names = (source.find("CNAME") or b"").decode("utf-8", "replace").split(maxsplit=1)
    except OSError:  # without its text there is nothing to compare
        return []
    host = names[0].lower().rstrip(".") if names else ""
    if not host or host == urlsplit(site.base_url).hostname:
        return []
    example = Example("CNAME", f"it names {host}, and base_url is {site.base_url}")
    return [site_warning("wrong-cname", [example])]


def single_page_app(listing: Listing, source: Source) -> list[SiteWarning]:
    """The warning that the only page is the shell of an application: a page with scripts and without any text."""
    if len(listing.pages) != 1:
        return []
    key = listing.pages[0].key
    try:
        read = source.read(Item(key, key), SMALL_FILE)
    except OSError:
        return []
    if not read.is_whole:
        return []
    data = read.data
    shown = visible_text(_without_noscript(data))
    if shown is None or shown.partition("\n")[2].strip() or not _SCRIPT.search(data):
        return []
    return [site_warning("single-page-app", [Example(printable(key))])]


def _without_noscript(data: bytes) -> bytes:
    """A page without the first elements for browsers that run no scripts."""
    for _ in range(_MAX_NOSCRIPT):
        start = data.find(b"<noscript")
        end = data.find(b"</noscript>", start)
        if start < 0 or end < 0:
            break
        data = data[:start] + data[end + len(b"</noscript>") :]
    return data


def same_dates(listing: Listing) -> list[SiteWarning]:
    """The warning that nearly all dates are one, and why; empty if they differ."""
    if listing.datings and len(listing.pages) >= _MIN_PAGES:
        counts = Counter(page.lastmod for page in listing.pages if page.lastmod)
        (date, count), dated = counts.most_common(1)[0] if counts else ("", 0), counts.total()
        if dated >= _MIN_PAGES and count >= _MIN_SHARE * dated:
            by = Counter(listing.datings[page.key].dated_by for page in listing.pages if page.lastmod == date)
            why = _WHY.get(str(by.most_common(1)[0][0]), _WHY_SOURCES)
            return [stated_warning("same-dates", count, same=f"{count:,}", dated=f"{dated:,}", date=date, reason=why)]
    return []


def stale_copies(plan: Plan, store: Store) -> list[SiteWarning]:
    """The warning about compressed copies of written files, which only who made them can make again."""
    written = [name for name in plan.written if name not in plan.removed]
    stems = {name.partition(".")[0].partition("-")[0] for name in written}
    present = {name for stem in stems for name in store.names(stem)}
    stale = [name + ending for name in written for ending in (".br", ".zst") if name + ending in present]
    return [site_warning("stale-copy", list(map(Example, stale)))] if stale else []


def capital_letters(plan: Plan, site: Site) -> list[SiteWarning]:
    """The warning about URLs with capital letters, where the host redirects them to small ones."""
    if not site.host_rules.lowers_case:
        return []
    found = [page for page in plan.pages if _CAPITAL.search(_ESCAPE.sub("", page.loc[len(site.base_url) :]))]
    return (
        [site_warning("capital-letters", [Example(printable(page.key), page.loc) for page in found])] if found else []
    )


def redirected_routes(plan: Plan, site: Site) -> list[SiteWarning]:
    """The warning about URLs without a file in a form that the host redirects, where it answers pages in one alone."""
    shapes = {*site.host_rules.shapes.page, *site.host_rules.shapes.folder}
    if shapes not in ({"bare"}, {"slash"}):
        return []
    is_wrong = shapes == {"bare"}
    paths = ((page, page.loc[len(site.base_url) :]) for page in plan.pages)
    found = [page for page, path in paths if path and path.endswith("/") == is_wrong and not _FILE.search(path)]
    return (
        [site_warning("route-redirected", [Example(printable(page.key), page.loc) for page in found])] if found else []
    )


def content_signal_problems(text: bytes) -> list[str]:
    """What crawlers do not understand of the `Content-Signal` lines, each with its line."""
    found: list[str] = []
    in_group = False
    for line in robots.read_lines(text):
        in_group = in_group or bool(robots.AGENT_LINE.match(line))
        if match := _SIGNAL_LINE.match(line):
            found += (
                f"`{line[:_MAX_SHOWN]}`: {problem}" for problem in _signal_problems(line, match[1], in_group=in_group)
            )
    return found


def _signal_problems(line: str, value: str, *, in_group: bool) -> Iterator[str]:
    if not _SIGNAL_NAME.match(line):
        yield "the name of the line is Content-Signal"
    if not in_group:
        yield "it belongs below a User-agent line"
    value = value.strip()
    path = _SIGNAL_PATH.match(value)
    for signal in (value[path.end() :] if path else value).split(","):
        name, _, chosen = (part.strip().lower() for part in signal.partition("="))
        if name not in _SIGNALS:
            yield f"{name[:_MAX_SHOWN] or 'nothing'} is no signal; there are {', '.join(_SIGNALS)}"
        elif chosen not in _SIGNALS[name]:
            yield f"{name} is {' or '.join(_SIGNALS[name])}"


def named_sitemaps(robots_txt: bytes, site: Site) -> list[str]:
    """The URLs of this site that robots.txt names."""
    if not is_host_root(site.base_url):
        return []
    urls = sorted(set(robots.named_sitemaps(robots_txt)))
    return [url for url in urls if page_identity(url).startswith(f"{page_identity(site.base_url)}/")]


def blocked_sitemaps(robots_txt: bytes, site: Site, urls: Iterable[str]) -> list[str]:
    """Those of these URLs of sitemaps that robots.txt keeps from all crawlers, or from Google's."""
    return robots.blocked(robots_txt, urls) if robots_txt and is_host_root(site.base_url) else []


def _robots_warnings(plan: Plan, robots_txt: bytes, site: Site) -> Iterator[SiteWarning]:
    """What is wrong with a robots.txt for the sitemaps of a plan, and what crawlers read in different ways."""
    urls = [document.loc for document in plan.documents if document.kind not in ("robots", "llms")]
    if found := blocked_sitemaps(robots_txt, site, urls):
        yield site_warning("sitemap-disallowed", [Example("robots.txt", url) for url in found])
    if robots_txt and is_host_root(site.base_url):
        yield from _misunderstood(robots_txt)


def _misunderstood(robots_txt: bytes) -> Iterator[SiteWarning]:
    """What crawlers read in different ways, or not at all."""
    for code, found in (
        ("robots-groups", robots.joined_groups(robots_txt)),
        ("content-signal", content_signal_problems(robots_txt)),
    ):
        if found:
            yield site_warning(code, [Example("robots.txt", printable(each)) for each in found])
