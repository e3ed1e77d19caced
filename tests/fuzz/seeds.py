"""Files to begin with: each form of the protocol, and what has troubled readers; the first byte names the kind."""

import gzip
import zlib
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from waypost.core.finding_types import SITEMAP_RULES
from waypost.validate import SITEMAP_NAMESPACE
from waypost.validate.sitemap_entry import (
    IMAGE_NAMESPACE,
    MOBILE_NAMESPACE,
    NEWS_NAMESPACE,
    VIDEO_NAMESPACE,
    XHTML_NAMESPACE,
)

PACKED = 4
"""The kind that is compressed behind the first byte, so that what is thrown arrives whole."""
KINDS = {0: "sitemap.xml", 1: "sitemap.xml.gz", 2: "sitemap.txt", 3: "feed.rss", PACKED: "packed.xml.gz"}
BASE = "https://www.example.org/"
_ROOT = (
    f'xmlns="{SITEMAP_NAMESPACE}" xmlns:xhtml="{XHTML_NAMESPACE}" xmlns:image="{IMAGE_NAMESPACE}" '
    f'xmlns:news="{NEWS_NAMESPACE}" xmlns:video="{VIDEO_NAMESPACE}" '
    f'xmlns:mobile="{MOBILE_NAMESPACE}"'
)
_DATES = ("2005", "2005-05", "2005-05-10", "2005-05-10T17:33+08:00", "2005-05-10T17:33:09.25Z", "2026-02-30", "x")
_EXTENSIONS = (
    f'<xhtml:link rel="alternate" hreflang="de-AT" href="{BASE}de"/><xhtml:link rel="alternate" hreflang="x-default"/>',
    f"<image:image><image:loc>{BASE}i.png</image:loc><image:caption>C</image:caption></image:image>",
    "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>"
    "<news:publication_date>2026-03-02</news:publication_date><news:title>T</news:title></news:news>",
    f"<video:video><video:thumbnail_loc>{BASE}v.png</video:thumbnail_loc><video:title>T</video:title><video:duration>1"
    "</video:duration><video:rating>4.5</video:rating><video:view_count>9</video:view_count></video:video>",
    '<mobile:mobile/><x:y xmlns:x="urn:x" z="1">text</x:y>',
)
_PLACES = ("", "a%20b", "a b", "ü", "{a}", "100%", "a%2520b", "#top", "a/../b", "\\", "?a=1&amp;b=2", "&#x1F600;")
_SUBSETS = (
    '<!ENTITY a "b">',
    '<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;',
    '<!ATTLIST url a CDATA "b">',
    "<!ELEMENT urlset (url+)>",
)


def seeds() -> Iterator[bytes]:
    """Each seed: a byte that names the kind, and the file."""
    documents = [document.encode() for document in _documents()]
    for document in documents:
        yield b"\x00" + document
        yield b"\x01" + gzip.compress(document, mtime=0)
        yield bytes([PACKED]) + document
    first = documents[0]
    yield b"\x01" + gzip.compress(first, mtime=0)[:-8]
    yield b"\x01" + gzip.compress(first[:90], mtime=0) + gzip.compress(first[90:], mtime=0)
    yield b"\x01" + gzip.compress(first, mtime=0) + bytes(8)
    yield b"\x01" + zlib.compress(first)
    for encoding in ("utf-8-sig", "utf-16", "utf-16-be", "latin-1", "utf-7"):
        yield b"\x00" + f"{documents[0].decode()}<!-- ü -->".encode(encoding)
    for lines in ("\n".join(BASE + place for place in _PLACES), f"# pages\r\n{BASE}\r\n", "\x00\n", "/a"):
        yield b"\x02" + lines.encode()
    yield from (b"\x03" + document.encode() for document in _feeds())
    yield from (b"\x00" + rule.example.encode() for rule in SITEMAP_RULES.values())


def _documents() -> Iterator[str]:
    dated = (f"<url><loc>{BASE}{place}</loc><lastmod>{date}</lastmod></url>" for place, date in product(("a",), _DATES))
    for inside in ("".join(dated), *(f"<url><loc>{BASE}{place}</loc></url>" for place in _PLACES)):
        yield f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {_ROOT}>\n{inside}\n</urlset>\n'
    hints = "<changefreq>daily</changefreq><priority>0.5</priority>"
    for extension in _EXTENSIONS:
        yield f"<urlset {_ROOT}><url><loc>{BASE}</loc>{hints}{extension}</url></urlset>"
    child = f"<sitemap><loc>{BASE}a.xml</loc><lastmod>2026-03-01</lastmod></sitemap>"
    yield f'<sitemapindex xmlns="{SITEMAP_NAMESPACE}">{child}</sitemapindex>'
    for subset in _SUBSETS:
        yield f"<!DOCTYPE urlset [{subset}]><urlset {_ROOT}><url><loc>&a;</loc></url></urlset>"
    yield f'<s:urlset xmlns:s="{SITEMAP_NAMESPACE}"><s:url><s:loc><![CDATA[{BASE}]]></s:loc></s:url><?x y?></s:urlset>'
    yield f"<urlset {_ROOT}>{'<image:image>' * 40}"


def _feeds() -> Iterator[str]:
    dates = ("Sun, 01 Mar 2026 12:00:00 +0000", "01 Mar 26 12:00 EST", "2026-03-01", "99 Foo 9999999 99:99 -9999")
    items = "".join(f"<item><link>{BASE}{n}</link><pubDate>{date}</pubDate></item>" for n, date in enumerate(dates))
    yield f'<rss version="2.0"><channel><title>T</title>{items}</channel></rss>'
    entry = f'<entry><link rel="alternate" href="{BASE}"/><updated>2026-03-01T12:00:00Z</updated></entry>'
    yield f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}</feed>'
    yield f'<r:RDF xmlns:r="urn:r" xmlns="http://purl.org/rss/1.0/"><item><link>{BASE}</link></item></r:RDF>'


def write(folder: Path) -> None:
    """Lay the seeds down as files."""
    for n, seed in enumerate(seeds()):
        (folder / f"seed-{n:03}").write_bytes(seed)
