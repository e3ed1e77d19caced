"""Checks the extensions of an entry: alternates, images, news and videos."""

import re
from collections.abc import Iterator
from typing import Any

from waypost.core import dates, languages
from waypost.core import search_engine_limits as limits
from waypost.validate import url_checks
from waypost.validate.sitemap_entry import IN_URL, PREFIXES, Element, SitemapEntry
from waypost.validate.url_checks import normal_spelling

Problem = tuple[str, int, dict[str, Any]]
"""The code of a rule, a line, and the values for the rule's message."""

_MAX_HREFLANG = 40
"""The most characters of an hreflang that are checked; a valid one is much shorter."""
_UNUSED = {
    "image": ("caption", "geo_location", "title", "license"),
    "news": ("access", "genres", "keywords", "stock_tickers"),
    "video": ("category", "gallery_loc", "price", "tvshow"),
}
"""The elements that search engines do not read any more, by the element that they are in."""
_SINGLE = {
    "image": ("loc",),
    "news": ("publication", "publication_date", "title"),
    "video": ("thumbnail_loc", "title", "description", "content_loc", "player_loc", "duration"),
}
"""The elements that may be there only once, by the element that they are in."""
_PLAYER_UNUSED = ("allow_embed", "autoplay")
"""Attributes of `player_loc`."""
_PLATFORMS = ("web", "mobile", "tv")
_VIDEO_LENGTHS = {"title": limits.MAX_VIDEO_TITLE, "description": limits.MAX_VIDEO_DESCRIPTION}
_VIDEO_REQUIRED = ("thumbnail_loc", "title", "description")
_MAX_VIDEO_TAGS = 32
_NUMBER = re.compile(r"-?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)
_INVALID_DATE = "it is not a valid W3C datetime"


def problems(entry: SitemapEntry, now: float) -> Iterator[Problem]:
    """What is wrong with the extensions of an entry; `now` (Unix seconds) decides which news are too old."""
    yield from _places(entry)
    yield from _alternates(entry)
    yield from _images(entry)
    articles = list(entry.elements("news"))
    for node in articles:
        yield from _news(node, now)
    if len(articles) > 1:
        yield "extension-repeated", articles[1].line, {"name": "news:news", "where": "url"}
    for node in entry.elements("video"):
        yield from _video(node, entry.loc or "", now)


def _places(entry: SitemapEntry) -> Iterator[Problem]:
    """The elements that are directly in the entry, although they belong into another one."""
    for node in entry.extensions or ():
        right = IN_URL.get(node.namespace, node.name)
        if node.name != right:
            prefix = PREFIXES[node.namespace]
            names = {"name": f"{prefix}:{node.name}", "where": "url", "right": f"{prefix}:{right}"}
            yield "extension-place", node.line, names


def _repeated(node: Element) -> Iterator[Problem]:
    """The elements that an image, a news element or a video may have only once; its prefix is its name."""
    for name in _SINGLE[node.name]:
        children = [child for child in node.children if child.name == name]
        if len(children) > 1:
            names = {"name": f"{node.name}:{name}", "where": f"{node.name}:{node.name}"}
            yield "extension-repeated", children[1].line, names


def _alternates(entry: SitemapEntry) -> Iterator[Problem]:
    first_links: dict[tuple[str, str], tuple[str, str]] = {}
    for node in entry.elements("link"):
        value, href = node.attributes.get("hreflang", ""), node.attributes.get("href", "").strip()
        if node.is_app_link or ("media" in node.attributes and not value):  # for small screens: it needs no language
            continue
        if why := _link_problem(node.attributes):
            yield "hreflang-link", node.line, {"why": why}
            continue
        if why := languages.problem(value[:_MAX_HREFLANG]):
            yield "hreflang-code", node.line, {"value": value, "why": why}
        elif why := languages.unsupported(value):
            yield "hreflang-unsupported", node.line, {"value": value, "why": why}
        normal = normal_spelling(href)
        first, normal_first = first_links.setdefault((value.lower(), node.attributes.get("media", "")), (href, normal))
        if normal_first != normal:
            yield "hreflang-repeated", node.line, {"value": value, "first": first, "second": href}
    if first_links and normal_spelling(entry.loc or "") not in {normal for _, normal in first_links.values()}:
        yield "hreflang-self", entry.line, {}


def _link_problem(attributes: dict[str, str]) -> str:
    if "alternate" not in attributes.get("rel", "").split():
        return "it has no rel=alternate"
    if not attributes.get("hreflang"):
        return "it has no hreflang"
    return _url_problem(attributes.get("href", ""))


def _url_problem(text: str, *, may_be_ftp: bool = False) -> str:
    """Why a text is not an absolute URL, or `""`; its spelling is not checked."""
    if may_be_ftp and text.lower().startswith("ftp://"):
        text = text.replace(text[:3], "http", 1)
    if not text:
        return "it has no URL"
    reasons = {
        "loc-relative": "is not absolute",
        "loc-scheme": "is neither http nor https",
        "loc-host-name": "has no valid host",
        "loc-space": "has white space, which is %20 in a URL",
        "loc-percent": "has a % that no two hexadecimal digits follow",
    }
    found = (reasons[code] for code, _ in url_checks.problems(text.strip(), None) if code in reasons)
    return next((f"{text[:80]!r} {reason}" for reason in found), "")


def _images(entry: SitemapEntry) -> Iterator[Problem]:
    images = list(entry.elements("image"))
    for node in images:
        if why := _url_problem(node.value("loc")):
            yield "image-loc", node.line, {"why": why}
        yield from _repeated(node)
        yield from _unused(node)
    if len(images) > limits.MAX_IMAGES:
        yield "image-count", entry.line, {"count": len(images), "most": limits.MAX_IMAGES}


def _unused(node: Element) -> Iterator[Problem]:
    """The elements in an image, a news element or a video that search engines do not read any more."""
    for name in _UNUSED[node.name]:
        if child := node.find(name):
            yield f"{node.name}-unused", child.line, {"name": name}


def _news(node: Element, now: float) -> Iterator[Problem]:
    publication = node.find("publication")
    name, language = (publication.value("name"), publication.value("language")) if publication else ("", "")
    date, title = node.value("publication_date"), node.value("title")
    needed = {"publication_date": date, "title": title, "publication name": name, "publication language": language}
    for missing in (key for key, value in needed.items() if not value):
        yield "news-incomplete", node.line, {"name": missing}
    if language and not limits.is_news_language(language):
        yield "news-language", node.line, {"value": language}
    yield from _unused(node)
    yield from _repeated(node)
    if date:
        yield from _news_date(date, node.line, now)


def _news_date(value: str, line: int, now: float) -> Iterator[Problem]:
    date = dates.parse_strict_w3c_date(value)
    if isinstance(date, str):
        yield "news-date", line, {"value": value, "why": _INVALID_DATE}
    elif dates.is_range_future(date, now):
        yield "news-date", line, {"value": value, "why": "it is in the future"}
    elif date.end < now - limits.MAX_NEWS_AGE:
        yield "news-old", line, {"value": value}


def _video(node: Element, loc: str, now: float) -> Iterator[Problem]:
    for name in _VIDEO_REQUIRED:
        if not node.value(name):
            yield "video-incomplete", node.line, {"name": name}
    if not (node.value("content_loc") or node.value("player_loc")):
        yield "video-incomplete", node.line, {"name": "content_loc or player_loc"}
    for child in node.children:
        if why := "it is the page's own URL" if _is_page_url(child, loc) else _video_value_problem(child, now):
            yield "video-value", child.line, {"name": child.name, "value": child.text[:60], "why": why}
    yield from _unused(node)
    yield from _repeated(node)
    player = node.find("player_loc")
    for attribute in _PLAYER_UNUSED:
        if player and attribute in player.attributes:
            yield "video-unused", player.line, {"name": f"{attribute} of player_loc"}
    tags = sum(child.name == "tag" for child in node.children)
    if tags > _MAX_VIDEO_TAGS:
        why = f"search engines read at most {_MAX_VIDEO_TAGS}"
        yield "video-value", node.line, {"name": "the number of tags", "value": tags, "why": why}


def _is_page_url(node: Element, loc: str) -> bool:
    return node.name in ("content_loc", "player_loc") and node.text == loc


def _video_value_problem(node: Element, now: float) -> str:
    """What is wrong with the value of a video's field, or `""`."""
    name, text = node.name, node.text
    if name in ("duration", "view_count") and not (text.isascii() and text.isdecimal()):
        return "it is not a whole number"
    if name == "duration":
        return _range_problem(text, 1, limits.MAX_VIDEO_SECONDS, "seconds")
    if name == "rating":
        return _range_problem(text, 0, 5, "stars")
    if name in _VIDEO_LENGTHS and len(text) > _VIDEO_LENGTHS[name]:
        return f"it has {len(text):,} characters, but the limit is {_VIDEO_LENGTHS[name]:,}"
    if name in ("restriction", "platform") and node.attributes.get("relationship") not in ("allow", "deny"):
        return "the attribute relationship must be allow or deny"
    if name == "restriction":
        return next(filter(None, map(languages.region_problem, text.split())), "")
    if name == "platform" and (unknown := [each for each in text.split() if each.lower() not in _PLATFORMS]):
        return f"{unknown[0]} is not one of web, mobile and tv"
    if name in ("thumbnail_loc", "content_loc", "player_loc"):
        return _url_problem(text, may_be_ftp=True) if text else ""
    if name in ("family_friendly", "requires_subscription", "live") and text.lower() not in ("yes", "no"):
        return "it must be yes or no"
    if name in ("publication_date", "expiration_date"):
        date = dates.parse_strict_w3c_date(text)
        if isinstance(date, str):
            return _INVALID_DATE
        return "it has passed" if name == "expiration_date" and date.end < now else ""
    return ""


def _range_problem(text: str, least: float, most: float, unit: str) -> str:
    if not _NUMBER.fullmatch(text):
        return "it is not a number"
    return "" if least <= float(text) <= most else f"it must be {least:,} to {most:,} {unit}"
