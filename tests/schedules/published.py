"""What published files hold, read once for each content."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from waypost.core.model import UrlForm
from waypost.ledger import records
from waypost.ledger.classify import PageClassifier
from waypost.rules import robots

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waypost.config.schema import Site

BASE = "https://example.org/"
_LOC = re.compile(rb"<loc>([^<]*)</loc>")
_DATES = re.compile(rb"<lastmod>[^<]*</lastmod>|<time[^>]*>[^<]*</time>")
_SITEMAP_LINE = re.compile(rb"(?im)^sitemap:\s*(\S+)\s*$")


class PublishedContent(NamedTuple):
    """What kind of a file it is, and its locs; the kind of a file that is not well-formed is `""`."""

    kind: str
    locs: frozenset[str]

    @property
    def children(self) -> frozenset[str]:
        """The names of the files that an index names."""
        return frozenset(loc.removeprefix(BASE) for loc in self.locs) if self.kind == "index" else frozenset()


def plain(name: str, content: bytes) -> bytes:
    """The uncompressed bytes of a file."""
    return zlib.decompress(content, 31) if name.endswith(".gz") else content


@lru_cache(maxsize=50_000)
def read_xml(name: str, content: bytes) -> PublishedContent:
    """An XML file's kind and locs."""
    try:
        body = plain(name, content)
        expat.ParserCreate().Parse(body, True)
    except (expat.ExpatError, zlib.error):
        return PublishedContent("", frozenset())
    kind = "index" if b"<sitemapindex" in body else "news" if b"<news:news>" in body else "urlset"
    return PublishedContent(kind, frozenset(loc.decode() for loc in _LOC.findall(body)))


def undated(name: str, content: bytes) -> bytes:
    """The uncompressed bytes of a file without the dates in it."""
    return _DATES.sub(b"", plain(name, content))


def robots_sitemaps(content: bytes) -> set[str]:
    """The names of the files of this site that robots.txt names."""
    return {url.decode().removeprefix(BASE) for url in _SITEMAP_LINE.findall(content)}


def own_lines(content: bytes) -> bytes:
    """The lines of robots.txt that its owner wrote."""
    text = b"\n".join(line for line in content.splitlines() if not _SITEMAP_LINE.match(line))
    return b"\n".join(line for line in text.splitlines() if line.strip() and not line.startswith(b"#"))


class Listing(NamedTuple):
    """The keys of a file of records with their dates, and the locs of those that are listed with what readers see."""

    dates: Mapping[str, str | None]
    pages: Mapping[str, object]


_MAX_LISTINGS = 50_000
_listings: dict[tuple[bytes, str, str, UrlForm], Listing] = {}


def listing(content: bytes, digest: str, site: Site, rules: str, url_form: UrlForm) -> Listing:
    """What a file of records holds under these settings, which have this digest, rules and form of URLs."""
    key = content, digest, rules, url_form
    found = _listings.get(key)
    if found is None:
        if len(_listings) > _MAX_LISTINGS:
            _listings.clear()
        found = _listings[key] = _listing(content, site, rules, url_form)
    return found


def _listing(content: bytes, site: Site, rules: str, url_form: UrlForm) -> Listing:
    is_disallowed = robots.is_disallowed_by(rules.encode()) if rules else lambda loc: False
    classifier = PageClassifier(replace(site, url_form=url_form), "2026-11-21T00:00:00Z", is_disallowed)
    found = records.load(content, "records")
    pages = (classifier.page(record) for record in found)
    seen_by_readers = {page.loc: (page.lastmod, page.alternates) for page in pages if page}
    return Listing({record.key: record.lastmod for record in found}, seen_by_readers)
