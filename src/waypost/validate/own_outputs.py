"""Checks every document of Waypost's own before it replaces a published file.

What a user's template rendered is read tag by tag, as any file is. Waypost's own template renders one line for each
row, which is valid if its values are (a test ensures that). So all values are checked at once, which takes a fraction
of the time of rendering, and only the first row, the last and some between are read in full.
"""

from collections.abc import Sequence

from waypost.core import dates, languages
from waypost.core.errors import RenderError
from waypost.core.finding_types import SCHEMA, Severity
from waypost.core.model import Document, Video
from waypost.core.search_engine_limits import MAX_VIDEO_DESCRIPTION, MAX_VIDEO_SECONDS, MAX_VIDEO_TITLE
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings.schema import FileLimits
from waypost.settings.values import CHANGEFREQS
from waypost.validate import url_checks
from waypost.validate.file_validator import FileValidator, SitemapInMemory, is_priority
from waypost.validate.findings import Finding, FindingReport

_KINDS = {"sitemap": "urlset", "news": "urlset", "index": "sitemapindex", "text": "text"}
_REFUSED = ("date-form", "date-impossible", "loc-above", "loc-bracket", "loc-character")
"""Warnings for which a document of Waypost's own is not published."""
_OF_EXTENSIONS = ("hreflang-", "image-", "news-", "video-", "extension-")
"""How the codes of the findings in extensions begin."""
_COLUMNS = ("lastmod", "changefreq", "priority")
_OPEN, _CLOSE = b"<url><loc>", b"</url>\n"
_SAMPLE_DISTANCE = 131_072
"""The distance, in bytes, between rows that are read in full."""
_ANY_TIME = float("inf")
"""The time for which dates count as past: they were checked where they came from, and documents depend on no clock."""


_MAX_DATES = 100_000
_VALID_DATES: set[str | None] = set()
"""Dates that were valid before: a site has few different ones."""


def check_document(document: Document, urls: SitemapRows, limits: FileLimits, *, is_own: bool = False) -> None:
    """Raise RenderError unless a rendered document is valid and lists exactly these URLs, in order.

    `is_own` means that Waypost's own template rendered it. The limits apply to the uncompressed document.
    """
    most = limits.sitemaps if document.kind == "index" else limits.urls
    if len(document.body) > limits.bytes:
        raise _broken(document, f"it has {len(document.body):,} bytes and may have {limits.bytes:,}")
    if len(urls) > most:
        raise _broken(document, f"it lists {len(urls):,} entries and may list {most:,}")
    is_valid = is_own and document.kind == "sitemap" and _are_plain(document, urls) and _are_described(urls)
    if not (is_valid and _is_framed(document, urls)):
        _validate(document, document.body, urls)


def _are_plain(document: Document, urls: SitemapRows) -> bool:
    """Whether all values are certainly valid, by checks of all of them at once."""
    scope = url_checks.scope_of(document.loc)
    if not scope or not url_checks.are_valid(urls.locs, urls.text, scope.folder):
        return False
    return all(map(_are_valid, _COLUMNS, urls.columns[1:]))


def _are_described(urls: SitemapRows) -> bool:
    """Whether the alternates, images and videos of the pages are certainly valid."""
    if urls.are_plain:
        return True
    if urls.has_extensions:
        return False
    videos = [video for page in urls.pages for video in page.videos]
    named = [href for page in urls.pages for _, href in page.alternates]
    shown = [image for page in urls.pages for image in page.images]
    played = [url for video in videos for url in (video.thumbnail, video.content, video.player) if url]
    codes = {code for page in urls.pages for code, _ in page.alternates}
    return (
        url_checks.are_urls([*named, *shown, *played])
        and not any(languages.problem(code) or languages.unsupported(code) for code in codes)
        and all(map(_is_valid_video, videos))
    )


def _is_valid_video(video: Video) -> bool:
    given = {each for each in (video.published, video.expires) if each}
    is_whole = video.thumbnail and video.title.strip() and video.description.strip() and (video.content or video.player)
    return bool(
        is_whole
        and f"{video.title}{video.description}".isprintable()
        and len(video.title) <= MAX_VIDEO_TITLE
        and len(video.description) <= MAX_VIDEO_DESCRIPTION
        and (video.duration is None or 1 <= video.duration <= MAX_VIDEO_SECONDS)
        and _are_valid("lastmod", [*given, None])
    )


def _are_valid(name: str, values: Sequence[str | None]) -> bool:
    """Whether the values of a column are valid by the protocol."""
    if values[0] is None and values.count(None) == len(values):
        return True
    if name == "lastmod":
        return _VALID_DATES.issuperset(values) or _are_dates(set(values) - _VALID_DATES)
    known = set(values) - {None}
    if name == "changefreq":
        return all(value in CHANGEFREQS for value in known)
    return all(value and is_priority(value) for value in known)


def _are_dates(values: set[str | None]) -> bool:
    if len(_VALID_DATES) > _MAX_DATES:
        _VALID_DATES.clear()
    are_valid = all(
        isinstance(dates.parse_strict_w3c_date(value), dates.DateRange) for value in values if value is not None
    )
    if are_valid:
        _VALID_DATES.update(values)
    return are_valid


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


def _validate(document: Document, body: bytes, urls: SitemapRows) -> None:
    """Read a document tag by tag; raises RenderError if it is not valid or lists other locs.

    What other tools' sitemaps have for their URLs is kept as it is, also where a search engine has other rules.
    """
    ignored = _OF_EXTENSIONS if urls.has_extensions else ()
    if problem := _difference(_validated(document, body, ignored), urls.locs):
        raise _broken(document, problem)


def _validated(document: Document, body: bytes, ignored: tuple[str, ...] = ()) -> list[str]:
    """The locs of a document, read tag by tag; raises RenderError for the first finding that makes it invalid."""
    report, found = FindingReport(), list[str]()
    validated = FileValidator(
        SitemapInMemory(document.name, document.loc, body),
        report,
        _ANY_TIME,
        lambda entries: found.extend(entry.loc or "" for entry in entries),
    ).validate()
    wrong = next((each for each in report if _is_refused(each) and not each.code.startswith(ignored)), None)
    if wrong:
        at = f"line {wrong.line}: " if wrong.line else ""
        raise _broken(document, f"{at}{wrong.message}{f' ({wrong.loc})' if wrong.loc else ''}; {wrong.advice}")
    if validated.kind != _KINDS[document.kind]:
        raise _broken(document, f"it is not of the kind {_KINDS[document.kind]}")
    return [child.loc for child in validated.children] if document.kind == "index" else found


def _is_refused(finding: Finding) -> bool:
    is_invalid = finding.severity == Severity.ERROR or finding.source == SCHEMA or finding.code in _REFUSED
    return is_invalid and finding.code != "empty"


def _difference(found: Sequence[str], listed: Sequence[str]) -> str:
    if list(found) == list(listed):
        return ""
    known, seen = set(listed), set(found)
    missing = next((loc for loc in listed if loc not in seen), None)
    if missing:
        return f"{missing} is missing"
    extra = next((loc for loc in found if loc not in known), None)
    return (
        f"it lists {extra!r}, which is not a page" if extra is not None else "its entries are repeated or out of order"
    )


def _broken(document: Document, problem: str) -> RenderError:
    return RenderError(
        f"{document.name} as rendered breaks the protocol: {problem}; "
        "no file was replaced. Correct the template that renders it"
    )
