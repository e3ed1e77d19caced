"""Hostile pages, sources, sitemaps, URLs and rules of servers: an input of any size, its reader, and a first size."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from waypost.audit import link_checks, page_checks
from waypost.audit.page_tags import read_tags
from waypost.audit.pages import AuditedPage
from waypost.audit.references import References
from waypost.audit.site_files import SiteFiles
from waypost.audit.site_graph import SiteGraph
from waypost.build.present_sitemaps import name_in, with_children
from waypost.cli.target_opener import _relative_paths
from waypost.core import dates, languages, urls
from waypost.core.character_references import unescape
from waypost.core.gzip import compress, decompress_if_gzip
from waypost.dates.page_evidence import SourceLinks
from waypost.dates.source_text import read_blocks
from waypost.dates.text_matches import shingles
from waypost.live.robots_rules import origin_of, rules_of_answer
from waypost.pages import structured_data
from waypost.pages.robots import rules_for
from waypost.project.server_rules import read_server_rules
from waypost.settings.load import ConfigSource, check_settings
from waypost.validate import SITEMAP_NAMESPACE, ReadingStoppedError
from waypost.validate.decompress import DecompressedChunks
from waypost.validate.extensions import problems as extension_problems
from waypost.validate.sitemap_content import read_entries
from waypost.validate.sitemap_entry import VIDEO_NAMESPACE, XHTML_NAMESPACE
from waypost.validate.url_checks import problems as url_problems

Read = Callable[[Any], object]
Entry = tuple[Callable[[int], bytes | str], Read, int]
BASE = "https://example.org/"
SITE = check_settings([ConfigSource("benchmark", {"base_url": BASE})])


class _Store:
    """A store with one file."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def names(self, name_prefix: str = "") -> Iterable[str]:
        return [name for name in self._files if name.startswith(name_prefix)]

    def read(self, name: str) -> bytes | None:
        return self._files.get(name)

    def write(self, name: str, content: bytes) -> None:
        raise NotImplementedError

    def remove(self, name: str) -> None:
        raise NotImplementedError


def _blocks(path: str) -> Read:
    return lambda data: read_blocks(path, data)


def _rules(name: str) -> Read:
    """Reads a file of server rules, and asks for some paths."""

    def read(data: bytes) -> object:
        answers = read_server_rules({name: data}.get, "/")
        return [answers("a" * 60), answers("a/" * 60), answers("b")]

    return read


def _files(unknown: Iterable[str] = ()) -> SiteFiles:
    return SiteFiles(["index.html"], unknown, SITE, lambda path: False)


def _references(data: bytes) -> object:
    page = AuditedPage("x.html", BASE + "x.html")
    return References(_files(), SITE).of_page(page, read_tags(data))


def _circles(text: str) -> object:
    """Follows a chain of redirects; the text has a key in each line, and each leads to the next one."""
    keys = text.split()
    return list(link_checks.circles(dict(pairwise(keys))))


def _sections(data: bytes) -> object:
    page = AuditedPage("index.html", BASE)
    graph = SiteGraph([page], _files(), SITE)
    graph.add(page, data)
    return list(link_checks.broken_references(graph))


def _islands(text: str) -> object:
    """Pages to which nothing links, each with a link to another one; the text has a number in each line."""
    links = {"index.html": "a.html", "a.html": ""} | {f"p{n}.html": f"q{n}.html" for n in text.split()}
    keys = [*links, *(f"q{n}.html" for n in text.split())]
    pages = [AuditedPage(key, BASE + key) for key in keys]
    graph = SiteGraph(pages, SiteFiles(keys, (), SITE, lambda path: False), SITE)
    for page in pages:
        graph.add(page, f'<a href="{links.get(page.key, "")}">'.encode())
    return Counter(each.code for each in page_checks.unlinked_pages(graph))


def _microdata(data: bytes) -> object:
    from selectolax.lexbor import LexborHTMLParser

    return [len(each) for each in structured_data.microdata(LexborHTMLParser(data))]


def _sitemap(data: bytes) -> object:
    return read_entries("sitemap.xml", data)


def _extensions(data: bytes) -> object:
    return sum(1 for entry in read_entries("sitemap.xml", data)[1] for _ in extension_problems(entry, 0))


def _decompressed(data: bytes) -> object:
    chunks = (data[n : n + 65_536] for n in range(0, len(data), 65_536))
    try:
        return sum(map(len, DecompressedChunks(chunks, "a.xml.gz", 209_715_200, _ignore)))
    except ReadingStoppedError:
        return None


def _ignore(code: str, line: int = 0, loc: str = "", **details: object) -> None:
    """Ignore a finding."""


def _index(data: bytes) -> object:
    store = _Store({"sitemap.xml": data})
    return with_children(["sitemap.xml"], store.read, name_in(store))


def _disallowed(data: bytes) -> object:
    return rules_for(data)["*"].allow(BASE + "p")


def _disallowed_pages(data: bytes) -> object:
    """Ask for as many pages as the file has lines."""
    rules = rules_for(data)["*"]
    return [rules.allow(f"{BASE}{'abcd' * 40}{n}/") for n in range(data.count(b"\n"))]


def _live_rules(data: bytes) -> object:
    rules = rules_of_answer(200, data)
    return rules.disallowed_for(BASE + "p"), rules.crawl_delay


def _urlset(inside: bytes, namespace: bytes = b"") -> bytes:
    return (
        b'<urlset xmlns="%s" xmlns:x="%s"' % (SITEMAP_NAMESPACE.encode(), XHTML_NAMESPACE.encode())
        + (b' xmlns:a="%s"' % namespace if namespace else b"")
        + b"><url><loc>https://example.org/a</loc>"
        + inside
        + b"</url></urlset>"
    )


def _alternate(path: bytes) -> bytes:
    return b'<x:link rel="alternate" hreflang="de" href="https://example.org/' + path + b'"/>'


def _lines(pattern: bytes, n: int) -> bytes:
    return b"".join(pattern % number for number in range(n))


_MARKS = "\u0301\u0316"
"""Two combining characters that are not in the order of their classes: normalizing many sorts them."""

PAGES_AND_SITEMAPS: dict[str, Entry] = {
    # Pages of an audit
    "page: titles without an end": (lambda n: b"<title " * n, read_tags, 8_000),
    "page: titles in the body": (lambda n: b"<body>" + _lines(b"<title>%d</title>", n), read_tags, 8_000),
    "page: values before a link": (lambda n: b"<a " + b' ="a> "' * n, read_tags, 20_000),
    "page: a long srcset": (lambda n: b'<img srcset="' + b"a 1x, " * n + b'">', read_tags, 50_000),
    "page: long tags": (lambda n: _lines(b"<img src=%d" + b"a" * 2_000 + b">", n), read_tags, 500),
    "page: a long number of a character": (lambda n: f"&#{'1' * n};", unescape, 5_000),
    "page: a long link": (lambda n: b'<a href="/' + b"a/" * n + b'">', _references, 50_000),
    "page: links to sections": (lambda n: _lines(b"<a href=/s%d/x>", n), _sections, 2_000),
    "page: a path in unknown folders": (lambda n: "a/" * n + "b", lambda d: _files(["u/v"]).at(d), 20_000),
    "page: properties in one another": (
        lambda n: b"<div itemscope itemtype=x>" + _lines(b"<div itemprop=a%d>", n) + b"word " * n * 10,
        _microdata,
        500,
    ),
    "page: a date with spaces": (lambda n: "2020-01-01T00:00" + " " * n + "x", dates.parse_page_date, 50_000),
    "page: a long hreflang": (lambda n: "en-" + "a" * n, languages.problem, 50_000),
    "site: a chain of redirects": (lambda n: "\n".join(map(str, range(n))), _circles, 5_000),
    "site: unlinked pages": (lambda n: "\n".join(map(str, range(n))), _islands, 1_000),
    # Rules of servers and of crawlers
    "redirects: wildcards": (lambda n: b"/" + b"*a" * n + b"!", _rules("_redirects"), 8),
    "redirects: placeholders": (lambda n: b"/" + b":a" * n + b"!", _rules("_redirects"), 8),
    "redirects: many rules": (lambda n: _lines(b"/a%d/* /b\n", n), _rules("_redirects"), 5_000),
    "htaccess: empty lines": (lambda n: b"\n" * n, _rules(".htaccess"), 20_000),
    "htaccess: many rules": (lambda n: _lines(b"Redirect /a%d /b\n", n), _rules(".htaccess"), 5_000),
    "robots.txt: many crawlers of one group": (
        lambda n: _lines(b"User-agent: a%d\n", n) + b"User-agent: *\n" + b"Disallow: /x\n" * n,
        _disallowed,
        2_000,
    ),
    "robots.txt: many crawlers in another spelling": (
        lambda n: _lines(b"user   agent a%d*\n", n) + b"User-agent: *\n" + b"Disallow: /x\n" * n,
        _live_rules,
        2_000,
    ),
    "robots.txt: rules times pages": (
        lambda n: b"User-agent: *\n" + _lines(b"Disallow: /%d/\n", n),
        _disallowed_pages,
        1_000,
    ),
    "robots.txt: wildcards, as many as are read, times pages": (
        lambda n: b"User-agent: *\n" + _lines(b"Disallow: /*a*b*c*d%d*\n", 500) + b"\n" * n,
        _disallowed_pages,
        100,
    ),
    "robots.txt: a long delay": (
        lambda n: b"User-agent: *\nCrawl-delay: " + b"1" * n + b"\nDisallow: /x",
        _live_rules,
        100,
    ),
    # Sources
    "source: links without an end": (lambda n: b"https://x[" * n, _blocks("a.md"), 5_000),
    "source: links before a parenthesis": (lambda n: b"![](" * n, _blocks("a.md"), 10_000),
    "source: references": (lambda n: b"x ]:\n" + b"[\n" * n, _blocks("a.md"), 20_000),
    "source: tags without an end": (lambda n: b"<p " * n, _blocks("a.md"), 20_000),
    "source: a title with spaces": (lambda n: b"---\ntitle: a" + b" " * n + b"x\n---\n", _blocks("a.md"), 50_000),
    "source: a role with spaces": (lambda n: b":a:`" + b" " * n + b"b", _blocks("a.rst"), 50_000),
    "source: a link with spaces": (lambda n: b"`b" + b" " * n + b"<c", _blocks("a.rst"), 50_000),
    "source: a long number of a character": (lambda n: b"&#" + b"1" * n + b";", _blocks("a.md"), 5_000),
    "source: a line of spaces": (lambda n: b" " * n, _blocks("a.yml"), 50_000),
    "source: a name after spaces": (lambda n: b" " * n + b"x:", _blocks("a.yml"), 50_000),
    "source: quotes": (lambda n: b'\\"' * n, _blocks("a.js"), 20_000),
    "source: quotes after several backslashes": (lambda n: b'\\\\\\"' * n, _blocks("a.js"), 20_000),
    "source: templates without an end": (lambda n: b"{{{%{#<%" * n, _blocks("a.md"), 5_000),
    "source: comments without an end": (lambda n: b"<!--{/*{%comment<script<style" * n, _blocks("a.js"), 2_000),
    "source: cells": (lambda n: b'"' + b" " * n + b"\n" + b'" ' * n + b",", _blocks("a.json"), 20_000),
    "source: many words": (lambda n: " ".join(map(str, range(n))), lambda d: len(shingles([d])), 50_000),
    "source: a link for editing": (
        lambda n: "https://example.org/edit/" + "a/" * n,
        lambda d: SourceLinks(["a/b.md"]).files([d]),
        20_000,
    ),
    # URLs
    "URL: a host of combining characters": (
        lambda n: "https://a" + _MARKS * n + "/",
        lambda d: (urls.normalize(d, BASE), origin_of(d), urls.decoded_path(d)),
        20_000,
    ),
    "URL: a long path": (lambda n: "a/../" * n, lambda d: urls.normalize(d, BASE), 50_000),
    "loc: a host of combining characters": (
        lambda n: "https://a" + _MARKS * n + "/",
        lambda d: list(url_problems(d, None)),
        20_000,
    ),
    "loc: different characters": (
        lambda n: "https://" + "".join(map(chr, range(0x4E00, 0x4E00 + min(n, 20_000)))) + "/" + "a" * n,
        lambda d: list(url_problems(d, None)),
        20_000,
    ),
    "loc: a deep path below a local index": (
        lambda n: BASE + "a/" * n + "b.xml",
        lambda d: list(_relative_paths(d, "")),
        20_000,
    ),
    "loc: a deep path in a store": (
        lambda n: BASE + "a/" * n + "b.xml",
        lambda d: name_in(_Store({}))(d),
        20_000,
    ),
    # Sitemaps
    "sitemap: a long namespace": (lambda n: _urlset(b"<a:b/>" * n, b"x" * n), _sitemap, 20_000),
    "sitemap: names in a namespace": (lambda n: _urlset(_lines(b"<a:b%d/>", n), b"x" * 1_000), _sitemap, 5_000),
    "sitemap: different names": (lambda n: _urlset(_lines(b"<b%d/>", n)), _sitemap, 20_000),
    "sitemap: a long alternate": (
        lambda n: _urlset(_alternate(b"%61" * 3 * n) + _alternate(b"b") * n),
        _extensions,
        2_000,
    ),
    "sitemap: a long duration": (
        lambda n: _urlset(
            b'<v:video xmlns:v="%s"><v:duration>' % VIDEO_NAMESPACE.encode()
            + b"1" * min(n, 60_000)
            + b"x</v:duration></v:video>"
        ),
        _extensions,
        7_500,
    ),
    "sitemap: an index that lists itself": (
        lambda n: (
            b'<sitemapindex xmlns="%s">' % SITEMAP_NAMESPACE.encode()
            + b"<sitemap><loc>https://example.org/sitemap.xml</loc></sitemap>" * n
            + b"</sitemapindex>"
        ),
        _index,
        5_000,
    ),
    "gzip: members without data": (
        lambda n: compress(b"") * n,
        lambda d: len(decompress_if_gzip("a.gz", d)),
        5_000,
    ),
    "gzip: members without data in a sitemap": (lambda n: compress(b"") * n, _decompressed, 5_000),
    "gzip: a bomb": (
        lambda n: compress(b"\0" * 1_000 * n),
        lambda d: len(decompress_if_gzip("a.gz", d)),
        10_000,
    ),
}
"""By name: makes an input of size n, reads it, and a size with which it takes little time."""
