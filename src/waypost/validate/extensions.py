"""What an entry's extensions must hold: alternates, images, news and videos, as their readers ask for it."""

import re
from collections.abc import Iterator
from typing import Any

from waypost.core import dates, languages
from waypost.core.search_engine_limits import (
    MAX_IMAGES,
    MAX_NEWS_AGE,
    MAX_VIDEO_DESCRIPTION,
    MAX_VIDEO_SECONDS,
    is_news_language,
)
from waypost.validate import url_checks
from waypost.validate.sitemap_entry import (
    IMAGE_NAMESPACE,
    NEWS_NAMESPACE,
    VIDEO_NAMESPACE,
    XHTML_NAMESPACE,
    Element,
    SitemapEntry,
)

Found = tuple[str, int, dict[str, Any]]
"""A rule's code, a line, and what was seen."""

_LANGUAGE = 40
"""No hreflang is nearly as long."""
_UNUSED = ("caption", "geo_location", "title", "license")
_TAGS = 32
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)", re.ASCII)
_NEEDED = ("thumbnail_loc", "title", "description")


def problems(entry: SitemapEntry, now: float) -> Iterator[Found]:
    """What is wrong with the extensions of an entry; `now` in Unix seconds tells what are news."""
    yield from _alternates(entry)
    yield from _images(entry)
    for node in entry.elements(NEWS_NAMESPACE, "news"):
        yield from _news(node, now)
    for node in entry.elements(VIDEO_NAMESPACE, "video"):
        yield from _video(node, entry.loc or "", now)


def _alternates(entry: SitemapEntry) -> Iterator[Found]:
    named: dict[str, str] = {}
    for node in entry.elements(XHTML_NAMESPACE, "link"):
        value, href = node.attributes.get("hreflang", ""), node.attributes.get("href", "").strip()
        if "media" in node.attributes and not value:  # a page of its own for small screens, which has no language
            continue
        if why := _incomplete(node.attributes):
            yield "hreflang-link", node.line, {"why": why}
            continue
        if why := languages.problem(value[:_LANGUAGE]):
            yield "hreflang-code", node.line, {"value": value, "why": why}
        first = named.setdefault(value.lower(), href)
        if first != href:
            yield "hreflang-repeated", node.line, {"value": value, "first": first, "second": href}
    if named and entry.loc not in named.values():
        yield "hreflang-self", entry.line, {}


def _incomplete(attributes: dict[str, str]) -> str:
    if "alternate" not in attributes.get("rel", "").split():
        return "it has no rel=alternate"
    if not attributes.get("hreflang"):
        return "it has no hreflang"
    return _no_url(attributes.get("href", ""))


def _no_url(text: str) -> str:
    """Why a reference can be no URL of anything, or `""`; that it is spelled well is another matter."""
    if not text:
        return "it has none"
    wrong = {
        "loc-relative": "is not absolute",
        "loc-scheme": "is neither http nor https",
        "loc-host-name": "has no host",
    }
    found = (wrong[code] for code, _ in url_checks.problems(text.strip(), None) if code in wrong)
    return next((f"{text[:80]!r} {why}" for why in found), "")


def _images(entry: SitemapEntry) -> Iterator[Found]:
    count = 0
    for node in entry.elements(IMAGE_NAMESPACE, "image"):
        count += 1
        if why := _no_url(node.value("loc")):
            yield "image-loc", node.line, {"why": why}
        for name in _UNUSED:
            if below := node.find(name):
                yield "image-unused", below.line, {"name": name}
    if count > MAX_IMAGES:
        yield "image-count", entry.line, {"count": count, "most": MAX_IMAGES}


def _news(node: Element, now: float) -> Iterator[Found]:
    publication = node.find("publication")
    for name, value in (
        ("publication_date", node.value("publication_date")),
        ("title", node.value("title")),
        ("the publication's name", publication.value("name") if publication else ""),
        ("the publication's language", publication.value("language") if publication else ""),
    ):
        if not value:
            yield "news-incomplete", node.line, {"name": name}
    language = publication.value("language") if publication else ""
    if language and not is_news_language(language):
        yield "news-language", node.line, {"value": language}
    if value := node.value("publication_date"):
        yield from _news_date(value, node.line, now)


def _news_date(value: str, line: int, now: float) -> Iterator[Found]:
    date = dates.parse_strict_w3c_date(value)
    if isinstance(date, str):
        yield "news-date", line, {"value": value, "why": "it is no W3C datetime that there is"}
    elif dates.is_range_future(date, now):
        yield "news-date", line, {"value": value, "why": "it lies in the future"}
    elif date.end < now - MAX_NEWS_AGE:
        yield "news-old", line, {"value": value}


def _video(node: Element, loc: str, now: float) -> Iterator[Found]:
    for name in _NEEDED:
        if not node.value(name):
            yield "video-incomplete", node.line, {"name": name}
    if not (node.value("content_loc") or node.value("player_loc")):
        yield "video-incomplete", node.line, {"name": "content_loc or player_loc"}
    for below in node.children:
        if why := "it is the page's own URL" if _is_place(below, loc) else _wrong(below, now):
            yield "video-value", below.line, {"name": below.name, "value": below.text[:60], "why": why}
    tags = sum(below.name == "tag" for below in node.children)
    if tags > _TAGS:
        yield "video-value", node.line, {"name": "tag", "value": tags, "why": f"no more than {_TAGS} are read"}


def _is_place(node: Element, loc: str) -> bool:
    return node.name in ("content_loc", "player_loc") and node.text == loc


def _wrong(node: Element, now: float) -> str:
    """What is wrong with the value of a video's field, or `""`."""
    name, text = node.name, node.text
    if name == "duration":
        return _out_of(text, 1, MAX_VIDEO_SECONDS, "seconds")
    if name == "rating":
        return _out_of(text, 0, 5, "stars")
    if name == "view_count" and not (text.isascii() and text.isdecimal()):
        return "it is no count"
    if name == "description" and len(text) > MAX_VIDEO_DESCRIPTION:
        return f"it has {len(text):,} characters, and may have {MAX_VIDEO_DESCRIPTION:,}"
    if name in ("thumbnail_loc", "content_loc", "player_loc"):
        return _no_url(text) if text else ""
    if name in ("family_friendly", "requires_subscription", "live") and text.lower() not in ("yes", "no"):
        return "it must be yes or no"
    if name in ("publication_date", "expiration_date"):
        date = dates.parse_strict_w3c_date(text)
        if isinstance(date, str):
            return "it is no W3C datetime that there is"
        return "it is over" if name == "expiration_date" and date.end < now else ""
    return ""


def _out_of(text: str, least: float, most: float, unit: str) -> str:
    if not _NUMBER.fullmatch(text):
        return "it is no number"
    return "" if least <= float(text) <= most else f"it must be {least:,} to {most:,} {unit}"
