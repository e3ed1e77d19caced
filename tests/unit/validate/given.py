"""Files in memory under examination, and the forms of the protocol to make them of."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise

from waypost.core.sitemap_rows import EXTENSION_NAMESPACES
from waypost.validate import SITEMAP_NAMESPACE, FileResult, Finding, FindingReport, SitemapEntry, Validator

BASE = "https://www.example.org/"
URL = f"{BASE}sitemap.xml"
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC).timestamp()
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
XHTML_NAMESPACE, IMAGE_NAMESPACE, VIDEO_NAMESPACE, NEWS_NAMESPACE, _ = (each for _, each in EXTENSION_NAMESPACES)
PREFIXES = " ".join(f'xmlns:{prefix}="{namespace}"' for prefix, namespace in EXTENSION_NAMESPACES)


def urlset(inside: str, attributes: str = f'xmlns="{SITEMAP_NAMESPACE}" {PREFIXES}') -> bytes:
    return f"{DECLARATION}<urlset {attributes}>{inside}</urlset>\n".encode()


def index(*children: str) -> bytes:
    inside = "".join(f"<sitemap>{child}</sitemap>" for child in children)
    return f'{DECLARATION}<sitemapindex xmlns="{SITEMAP_NAMESPACE}">{inside}</sitemapindex>\n'.encode()


def loc(path: str = "") -> str:
    """A loc below the base, or a whole URL."""
    return f"<loc>{path if ':' in path else BASE + path}</loc>"


def url(inside: str = "", path: str = "") -> str:
    """A page, with whatever stands behind its loc."""
    return f"<url>{loc(path)}{inside}</url>"


def link(hreflang: str, path: str) -> str:
    return f'<xhtml:link rel="alternate" hreflang="{hreflang}" href="{BASE}{path}"/>'


def news(date: str = "2026-03-02", language: str = "en", title: str = "Today") -> str:
    publication = f"<news:publication><news:name>N</news:name><news:language>{language}</news:language>"
    return (
        f"<news:news>{publication}</news:publication><news:publication_date>{date}</news:publication_date>"
        f"<news:title>{title}</news:title></news:news>"
    )


def video(inside: str = "") -> str:
    needed = f"<video:thumbnail_loc>{BASE}v.png</video:thumbnail_loc><video:title>V</video:title>"
    return (
        f"<video:video>{needed}<video:description>D</video:description>"
        f"<video:content_loc>{BASE}v.mp4</video:content_loc>{inside}</video:video>"
    )


def feed(*items: str) -> bytes:
    channel = f"<title>News</title><link>{BASE}</link>"
    inside = "".join(f"<item>{item}</item>" for item in items)
    return f'{DECLARATION}<rss version="2.0"><channel>{channel}{inside}</channel></rss>'.encode()


def atom(*entries: str) -> bytes:
    inside = "".join(f"<entry>{entry}</entry>" for entry in entries)
    return f'{DECLARATION}<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>{inside}</feed>'.encode()


@dataclass
class Given:
    """A file; `taken` counts the bytes that were asked of it, `fails` is raised behind them."""

    content: Iterable[bytes]
    name: str = "sitemap.xml"
    loc: str = URL
    modified: float | None = None
    redirected_to: str = ""
    is_sent_as_gzip: bool | None = None
    fails: OSError | None = None
    taken: int = field(default=0, init=False)

    def chunks(self) -> Iterator[bytes]:
        for chunk in self.content:
            self.taken += len(chunk)
            yield chunk
        if self.fails:
            raise self.fails


@dataclass
class Result:
    """What an examination came to."""

    examined: FileResult
    report: FindingReport
    entries: list[SitemapEntry]

    @property
    def findings(self) -> list[Finding]:
        return list(self.report)

    @property
    def codes(self) -> list[str]:
        return [finding.code for finding in self.findings]


def examine(content: bytes | Iterable[bytes] | Given, name: str = "sitemap.xml", loc: str = URL) -> Result:
    file = content if isinstance(content, Given) else Given(pieces(content), name, loc)
    report, entries = FindingReport(), list[SitemapEntry]()
    with closing(Validator(NOW, report, take=entries.extend)) as validator:
        (examined,) = validator.validate([file])
    return Result(examined, report, entries)


def pieces(content: bytes | Iterable[bytes]) -> Iterable[bytes]:
    return (content,) if isinstance(content, bytes) else content


def survey(files: Sequence[Given]) -> FindingReport:
    """All findings of several files; what an index lists is found among them."""
    at: Mapping[str, Given] = {file.loc: file for file in files}

    with closing(Validator(NOW, FindingReport(0), lambda _, loc: at.get(loc))) as validator:
        list(validator.validate(files))
    return validator.report


def cut(body: bytes, places: Iterable[int]) -> list[bytes]:
    """The bytes in pieces, cut at these places."""
    edges = [0, *sorted({min(place, len(body)) for place in places}), len(body)]
    return [body[begin:end] for begin, end in pairwise(edges)]


def seen(findings: Iterable[Finding]) -> list[tuple[str, int, str, str]]:
    """What was found, in a form that compares."""
    return [(each.code, each.line, each.loc, each.message) for each in findings]


def shown(value: object) -> str:
    """A value as the name of a test shows it."""
    if isinstance(value, bytes | str):
        return ascii(value[:60])[:60]
    return ascii(tuple(each[:60] for each in value) if isinstance(value, tuple) else value)[:60]
