"""What every output of Waypost's own must pass before it replaces another.

What a user's template rendered is read tag by tag, as anyone's file is. Of Waypost's own template a row is one
line, right whenever its values are (a test holds it to that): so all values are checked, many at once, which takes
a part of the time that rendering took, and of the rows the first, the last and some between are read in full.
"""

from collections.abc import Iterable, Sequence

from waypost.config.schema import FileLimits
from waypost.config.values import CHANGEFREQS
from waypost.core import dates, languages
from waypost.core.errors import RenderError
from waypost.core.model import Document, Video
from waypost.core.search_engine_limits import MAX_VIDEO_DESCRIPTION, MAX_VIDEO_SECONDS
from waypost.core.sitemap_rows import SitemapRows
from waypost.validate import url_checks
from waypost.validate.file_validator import FileValidator, is_priority
from waypost.validate.findings import Finding, FindingReport
from waypost.validate.rules import SCHEMA, Severity

_KINDS = {"sitemap": "urlset", "news": "urlset", "index": "sitemapindex", "text": "text"}
_HINTS = ("lastmod", "changefreq", "priority")
_OPEN, _CLOSE = b"<url><loc>", b"</url>\n"
_STEP = 131_072
"""So far apart, in bytes, are the rows that are read in full."""
_ANY_TIME = float("inf")
"""An output's dates were judged where they came from; no present time decides what is rendered."""


_DATES = 100_000
_RIGHT_DATES: set[str | None] = set()
"""Dates that were found right before: a site has few, and again and again."""


class _Body:
    """A document's bytes as a file to examine."""

    def __init__(self, document: Document, body: bytes) -> None:
        self.modified: float | None = None
        self.redirected_to = ""
        self.name, self.loc, self._body = document.name.removesuffix(".gz"), document.loc, body

    def chunks(self) -> Iterable[bytes]:
        """All of it at once."""
        return (self._body,)


def check_document(document: Document, urls: SitemapRows, limits: FileLimits, *, is_own: bool = False) -> None:
    """Raise RenderError unless a rendered document is right and lists exactly these URLs, in order.

    `is_own` says that Waypost's own template rendered it. Limits are the profile's, counted uncompressed.
    """
    most = limits.sitemaps if document.kind == "index" else limits.urls
    if len(document.body) > limits.bytes:
        raise _broken(document, f"it has {len(document.body):,} bytes and may have {limits.bytes:,}")
    if len(urls) > most:
        raise _broken(document, f"it lists {len(urls):,} entries and may list {most:,}")
    is_right = is_own and document.kind == "sitemap" and _are_plain(document, urls) and _are_described(urls)
    if not (is_right and _is_framed(document, urls)):
        _examine(document, document.body, urls.locs)


def _are_plain(document: Document, urls: SitemapRows) -> bool:
    """Whether all values are surely right, as far as passes over all of them at once can tell."""
    scope = url_checks.scope_of(document.loc)
    if not scope or not url_checks.are_valid(urls.locs, urls.text, scope.folder):
        return False
    return all(map(_are_right, _HINTS, urls.columns[1:]))


def _are_described(urls: SitemapRows) -> bool:
    """Whether what is said of pages besides their dates is surely right."""
    if urls.are_plain:
        return True
    videos = [video for page in urls.pages for video in page.videos]
    named = [href for page in urls.pages for _, href in page.alternates]
    shown = [image for page in urls.pages for image in page.images]
    played = [url for video in videos for url in (video.thumbnail, video.content, video.player) if url]
    codes = {code for page in urls.pages for code, _ in page.alternates}
    return (
        url_checks.are_urls([*named, *shown, *played])
        and not any(map(languages.problem, codes))
        and all(map(_is_right_video, videos))
    )


def _is_right_video(video: Video) -> bool:
    told = {each for each in (video.published, video.expires) if each}
    is_whole = video.thumbnail and video.title.strip() and video.description.strip() and (video.content or video.player)
    return bool(
        is_whole
        and f"{video.title}{video.description}".isprintable()
        and len(video.description) <= MAX_VIDEO_DESCRIPTION
        and (video.duration is None or 1 <= video.duration <= MAX_VIDEO_SECONDS)
        and _are_right("lastmod", [*told, None])
    )


def _are_right(name: str, values: Sequence[str | None]) -> bool:
    """Whether the values of a column are such as the protocol knows."""
    if values[0] is None and values.count(None) == len(values):
        return True
    if name == "lastmod":
        return _RIGHT_DATES.issuperset(values) or _are_dates(set(values) - _RIGHT_DATES)
    known = set(values) - {None}
    if name == "changefreq":
        return all(value in CHANGEFREQS for value in known)
    return all(value and is_priority(value) for value in known)


def _are_dates(values: set[str | None]) -> bool:
    if len(_RIGHT_DATES) > _DATES:
        _RIGHT_DATES.clear()
    are_right = all(
        isinstance(dates.parse_strict_w3c_date(value), dates.DateRange) for value in values if value is not None
    )
    if are_right:
        _RIGHT_DATES.update(values)
    return are_right


def _is_framed(document: Document, urls: SitemapRows) -> bool:
    """Whether a document has a line for each URL, begins and ends with the right ones, and reads well in places."""
    body = document.body
    begin, end = body.find(_OPEN), body.rfind(_CLOSE) + len(_CLOSE)
    if body.count(b"\n", begin, end) != len(urls):
        return False
    starts = sorted({body.rfind(b"\n", 0, at) + 1 for at in (*range(begin + 1, end, _STEP), end - 1)})
    rows = [body[start : body.index(b"\n", start) + 1] for start in starts]
    some = _validated(document, body[:begin] + b"".join(rows) + body[end:])
    return (some[0], some[-1]) == (urls.locs[0], urls.locs[-1])


def _examine(document: Document, body: bytes, listed: Sequence[str]) -> None:
    """Read a document tag by tag; raises RenderError as `_examined`, and for other locs than these."""
    if problem := _difference(_validated(document, body), listed):
        raise _broken(document, problem)


def _validated(document: Document, body: bytes) -> list[str]:
    """The locs of a document, read tag by tag; raises RenderError for the first that readers or the schema refuse."""
    report, found = FindingReport(), list[str]()
    examined = FileValidator(
        _Body(document, body), report, _ANY_TIME, lambda entries: found.extend(entry.loc or "" for entry in entries)
    ).validate()
    refused = (each for each in report if each.severity == Severity.ERROR or each.source == SCHEMA or _is_date(each))
    wrong = next((each for each in refused if each.code != "empty"), None)
    if wrong:
        at = f"line {wrong.line}: " if wrong.line else ""
        raise _broken(document, f"{at}{wrong.message}{f' ({wrong.loc})' if wrong.loc else ''}; {wrong.advice}")
    if examined.kind != _KINDS[document.kind]:
        raise _broken(document, f"it is no {_KINDS[document.kind]}")
    return [child.loc for child in examined.children] if document.kind == "index" else found


def _is_date(finding: Finding) -> bool:
    return finding.code in ("date-form", "date-impossible")


def _difference(found: Sequence[str], listed: Sequence[str]) -> str:
    if list(found) == list(listed):
        return ""
    known, seen = set(listed), set(found)
    missing = next((loc for loc in listed if loc not in seen), None)
    if missing:
        return f"{missing} is missing"
    extra = next((loc for loc in found if loc not in known), None)
    return f"it lists {extra!r}, which is no page" if extra is not None else "its entries are repeated or out of order"


def _broken(document: Document, problem: str) -> RenderError:
    return RenderError(
        f"{document.name} as rendered breaks the protocol: {problem}; "
        "nothing was replaced. Correct the template that renders it"
    )
