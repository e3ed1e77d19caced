"""What a whole HTML page shows and is: its images and videos, its title, and when it was published."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from waypost.core import dates
from waypost.core.model import Video
from waypost.core.search_engine_limits import MAX_IMAGES, MAX_VIDEO_DESCRIPTION, MAX_VIDEO_SECONDS
from waypost.rules import structured_data
from waypost.rules.encoding import as_utf8
from waypost.rules.html_head import is_parseable

_TITLE = 500
_SOURCES = ("src", "data-src", "data-original", "data-lazy-src", "data-lazy")
_SETS = ("srcset", "data-srcset", "data-lazy-srcset")
_SHARED = ("og:image", "og:image:url", "og:image:secure_url")
_CANDIDATE = re.compile(r"[\s,]*+(?:(\S*+)(?<=,)|(\S++)([^,]*+))")
"""A URL that ends at a comma, or one with its descriptor; of text that does not end in white space, read once."""
_SIZE = re.compile(r"([\d.]+)[wx]")
_DURATION = re.compile(r"P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.\d+)?S)?)?")
_DATED = ("article:published_time", "date", "dc.date.issued", "pubdate")
_JOINERS = "\u200c\u200d"
"""Not seen themselves, but words of Persian and some emoji are others without them."""


class Media(Struct, frozen=True, omit_defaults=True):
    """What is on a page; references are as they are written, not yet resolved against the page's URL."""

    images: tuple[str, ...] = ()
    videos: tuple[Video, ...] = ()
    title: str = ""
    headline: str = ""
    published: str = ""


class WantedMedia(Struct, frozen=True):
    """Which of these the settings ask for."""

    images: bool = False
    videos: bool = False
    news: bool = False
    titles: bool = False

    def __bool__(self) -> bool:
        return self.images or self.videos or self.news or self.titles


def read_media(data: bytes, wanted: WantedMedia) -> Media:
    """Read a whole page, as an HTML parser sees it; nothing of one that is nested too deeply to be parsed in time."""
    if not is_parseable(data):
        return Media()
    tree = LexborHTMLParser(as_utf8(data))
    named = tree.css_first("title")
    title = _clean(named.text(), _TITLE) if named else ""
    return Media(
        tuple(dict.fromkeys(_images(tree)))[:MAX_IMAGES] if wanted.images else (),
        tuple(_videos(tree, title)) if wanted.videos else (),
        (title or _meta(tree, "og:title")) if wanted.titles else "",
        _headline(tree, title) if wanted.news else "",
        _published(tree) if wanted.news else "",
    )


def _images(tree: LexborHTMLParser) -> Iterator[str]:
    """The images that are seen: of each set of sizes the largest, and those that are loaded only when scrolled to."""
    for node in tree.css("img, picture source, meta[property], input[type=image]"):
        attributes = node.attributes
        if node.tag == "meta":
            if (attributes.get("property") or "").strip().lower() in _SHARED:
                yield from _reference(attributes.get("content"))
            continue
        if not {attributes.get("width"), attributes.get("height")} & {"0", "1"}:
            yield from _shown(attributes, has_source=node.tag != "source")


def _shown(attributes: Mapping[str, str | None], *, has_source: bool) -> Iterator[str]:
    """What an image shows: no size of it where a larger is told, and no placeholder where a script brings another."""
    sets = [attributes.get(name) or "" for name in _SETS]
    sources = [attributes.get(name) or "" for name in _SOURCES] if has_source else []
    is_lazy = any(sources[1:]) or any(sets[1:])
    candidates = " ".join(sets).replace(",", " ").split()
    for source in sources[1:] if is_lazy else sources:
        if source.strip() not in candidates:
            yield from _reference(source)
    for each in sets:
        yield from _reference(_largest(each))


def _reference(text: str | None) -> Iterator[str]:
    """A reference, unless it holds the image itself, or stands for one that a script will bring."""
    reference = (text or "").strip()
    if reference and not reference.lower().startswith(("data:", "blob:", "javascript:", "about:", "#")):
        yield reference


def _largest(candidates: str) -> str:
    """The image of a `srcset` with the greatest width or density (HTML, "Srcset attributes")."""
    read = enumerate(_CANDIDATE.findall(candidates.strip()))
    found = [(_size(descriptor), -n, (bare or url).rstrip(",")) for n, (bare, url, descriptor) in read]
    return max(found)[2] if found else ""


def _size(descriptor: str) -> float:
    match = next(filter(None, map(_SIZE.fullmatch, descriptor.split())), None)
    try:
        return float(match[1]) if match else 1
    except ValueError:
        return 1


def _videos(tree: LexborHTMLParser, title: str) -> Iterator[Video]:
    """The videos of which thumbnail, title, description, and a file or a player are told; each file once."""
    shared, description = _meta(tree, "og:title") or title, _meta(tree, "description") or _meta(tree, "og:description")
    found = [
        _described(each) for each in structured_data.objects(tree) if structured_data.is_of_type(each, "VideoObject")
    ]
    found += [_embedded(node, shared, description) for node in tree.css("video")]
    seen: set[str] = set()
    for video in found:
        place = video.content or video.player
        if place and place not in seen and video.thumbnail and video.title and video.description:
            seen.add(place)
            yield video


def _described(found: dict[str, Any]) -> Video:
    """A video by its VideoObject (schema.org)."""
    return Video(
        thumbnail=structured_data.text(found.get("thumbnailUrl") or found.get("thumbnail")).strip(),
        title=_clean(structured_data.text(found.get("name")), _TITLE),
        description=_clean(structured_data.text(found.get("description")), MAX_VIDEO_DESCRIPTION),
        content=structured_data.text(found.get("contentUrl")).strip(),
        player=structured_data.text(found.get("embedUrl")).strip(),
        duration=_seconds(structured_data.text(found.get("duration"))),
        published=dates.parse_page_date(structured_data.text(found.get("uploadDate"))),
        expires=dates.parse_page_date(structured_data.text(found.get("expires"))),
        is_family_friendly=str(found.get("isFamilyFriendly", True)).lower() not in ("false", "no"),
    )


def _embedded(node: LexborNode, title: str, description: str) -> Video:
    """A `video` element; its title is its own or the page's, its description the page's."""
    sources = (below.attributes.get("src") for below in node.iter() if below.tag == "source")
    return Video(
        thumbnail=(node.attributes.get("poster") or "").strip(),
        title=_clean(node.attributes.get("title") or node.attributes.get("aria-label") or title, _TITLE),
        description=_clean(description, MAX_VIDEO_DESCRIPTION),
        content=(node.attributes.get("src") or next(filter(None, sources), "")).strip(),
    )


def _seconds(text: str) -> int | None:
    """A duration of ISO 8601 in seconds, where a reader takes it."""
    match = _DURATION.fullmatch(text.strip().upper())
    if not match:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    length = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    return length if 1 <= length <= MAX_VIDEO_SECONDS else None


def _headline(tree: LexborHTMLParser, title: str) -> str:
    headlines = (structured_data.text(each.get("headline")) for each in structured_data.objects(tree))
    return _clean(next(filter(None, headlines), ""), _TITLE) or _meta(tree, "og:title") or title


def _published(tree: LexborHTMLParser) -> str:
    """When the page says that it was first published, as a W3C date; `""` where it does not say."""
    given = (_meta(tree, name) for name in _DATED)
    structurally = (structured_data.text(each.get("datePublished")) for each in structured_data.objects(tree))
    found = (dates.parse_page_date(text) for texts in (given, structurally) for text in texts if text)
    return next(filter(None, found), None) or ""


def _meta(tree: LexborHTMLParser, name: str) -> str:
    for node in tree.css("meta[property], meta[name]"):
        if (node.attributes.get("property") or node.attributes.get("name") or "").strip().lower() == name:
            return _clean(node.attributes.get("content") or "", MAX_VIDEO_DESCRIPTION)
    return ""


def _clean(text: str, longest: int) -> str:
    """Text in one line, without what XML cannot hold (XML 1.0, 2.2), and no longer than a reader takes."""
    line = " ".join(text.split())
    if not line.isprintable():
        line = "".join(character for character in line if character.isprintable() or character in _JOINERS)
    return line[:longest].rstrip()
