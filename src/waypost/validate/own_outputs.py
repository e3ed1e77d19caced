"""Checks every document of Waypost's own before it replaces a published file.

What a user's template rendered is read tag by tag, as any file is. Waypost's own template renders one line for each
row, which is valid if its values are (a test ensures that). So all values are checked at once, which takes a fraction
of the time of rendering, and only the first row, the last and some between are read in full.
"""

from collections.abc import Sequence

from waypost.core import dates, languages
from waypost.core.errors import RenderError
from waypost.core.finding_types import SCHEMA, Severity
from waypost.core.model import Document
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings.schema import FileLimits
from waypost.settings.values import CHANGEFREQS
from waypost.validate import url_checks
from waypost.validate.file_validator import FileValidator, SitemapInMemory, is_priority
from waypost.validate.findings import Finding, FindingReport
from waypost.validate.sitemap_entry import SitemapEntry

_KINDS = {"sitemap": "urlset", "news": "urlset", "index": "sitemapindex", "text": "text"}
_REFUSED = ("date-form", "date-impossible", "loc-above", "loc-bracket", "loc-character")
"""Warnings for which a document of Waypost's own is not published."""
_OF_EXTENSIONS = ("hreflang-", "image-", "news-", "video-", "extension-")
"""How the codes of the findings in extensions begin."""
_OPEN, _CLOSE = b"<url><loc>", b"</url>\n"
_SAMPLE_DISTANCE = 131_072
"""The distance, in bytes, between rows that are read in full."""
_ANY_TIME = float("inf")
"""The time for which dates count as past: they were checked where they came from, and documents depend on no clock."""


def check_document(document: Document, urls: SitemapRows, limits: FileLimits, *, is_own: bool = False) -> None:
    """Raise RenderError unless a rendered document is valid and lists exactly these URLs, in order.

    `is_own` means that Waypost's own template rendered it. The limits apply to the uncompressed document. What other
    tools' sitemaps have for their URLs is kept as it is, also where a search engine has other rules.
    """
    most = limits.sitemaps if document.kind == "index" else limits.urls
    if len(document.body) > limits.bytes:
        raise _broken(document, f"it has {len(document.body):,} bytes and may have {limits.bytes:,}")
    if len(urls) > most:
        raise _broken(document, f"it lists {len(urls):,} entries and may list {most:,}")
    is_valid = is_own and document.kind == "sitemap" and _are_plain(document, urls) and _are_described(urls)
    if is_valid and _is_framed(document, urls):
        return
    ignored = _OF_EXTENSIONS if urls.has_extensions else ()
    if problem := _difference(_validated(document, document.body, ignored), urls.locs):
        raise _broken(document, problem)


def _are_plain(document: Document, urls: SitemapRows) -> bool:
    """Whether all values are certainly valid, by checks of all of them at once."""
    scope = url_checks.scope_of(document.loc)
    if not scope or not url_checks.are_valid(urls.locs, urls.text, scope.folder):
        return False
    lastmods, changefreqs, priorities = (set(filter(None, column)) for column in urls.columns[1:])
    return all(map(_is_date, lastmods)) and changefreqs <= {*CHANGEFREQS} and all(map(is_priority, priorities))


def _are_described(urls: SitemapRows) -> bool:
    """Whether the alternates and images of the pages are certainly valid; few sites have videos."""
    if urls.has_extensions or urls.has_videos:
        return False
    alternates = [alternate for page in urls.pages for alternate in page.alternates]
    hrefs = [href for _, href in alternates]
    images = [image for page in urls.pages for image in page.images]
    return url_checks.are_urls([*hrefs, *images]) and not any(map(languages.problem, {code for code, _ in alternates}))


def _is_date(text: str) -> bool:
    return isinstance(dates.parse_strict_w3c_date(text), dates.DateRange)


def _is_framed(document: Document, urls: SitemapRows) -> bool:
    """Whether a document has a line for each URL, the right first and last ones, and valid rows in between."""
    body = document.body
    begin, end = body.find(_OPEN), body.rfind(_CLOSE) + len(_CLOSE)
    if body.count(b"\n", begin, end) != len(urls):
        return False
    starts = sorted({body.rfind(b"\n", 0, at) + 1 for at in (*range(begin + 1, end, _SAMPLE_DISTANCE), end - 1)})
    rows = [body[start : body.index(b"\n", start) + 1] for start in starts]
    some = _validated(document, body[:begin] + b"".join(rows) + body[end:])
    return (some[0], some[-1]) == (urls.locs[0], urls.locs[-1])


def _validated(document: Document, body: bytes, ignored: tuple[str, ...] = ()) -> list[str]:
    """The locs of a document, read tag by tag; raises RenderError for the first finding that makes it invalid."""
    file, report, pages = SitemapInMemory(document.name, document.loc, body), FindingReport(), list[SitemapEntry]()
    validated = FileValidator(file, report, _ANY_TIME, lambda _, entries: pages.extend(entries)).validate()
    wrong = next((each for each in report if _is_refused(each) and not each.code.startswith(ignored)), None)
    if wrong:
        at = f"line {wrong.line}: " if wrong.line else ""
        raise _broken(document, f"{at}{wrong.message}{f' ({wrong.loc})' if wrong.loc else ''}; {wrong.advice}")
    if validated.kind != _KINDS[document.kind]:
        raise _broken(document, f"it is not of the kind {_KINDS[document.kind]}")
    return [entry.loc or "" for entry in (validated.children if document.kind == "index" else pages)]


def _is_refused(finding: Finding) -> bool:
    is_invalid = finding.severity == Severity.ERROR or finding.source == SCHEMA or finding.code in _REFUSED
    return is_invalid and finding.code != "empty"


def _difference(found: Sequence[str], listed: Sequence[str]) -> str:
    if list(found) == list(listed):
        return ""
    found_set, listed_set = set(found), set(listed)
    if missing := next((loc for loc in listed if loc not in found_set), ""):
        return f"{missing} is missing"
    for loc in found:
        if loc not in listed_set:
            return f"it lists {loc!r}, which is not a page"
    return "its entries are repeated or out of order"


def _broken(document: Document, problem: str) -> RenderError:
    return RenderError(
        f"{document.name} as rendered breaks the protocol: {problem}; "
        "no file was replaced. Correct the template that renders it"
    )
