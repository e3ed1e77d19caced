"""Reads the images, videos, title, description and publication date of a whole HTML page."""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import chain, islice
from typing import Any

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from waypost.core import dates, languages
from waypost.core.model import Video
from waypost.core.search_engine_limits import (
    MAX_IMAGES,
    MAX_VIDEO_DESCRIPTION,
    MAX_VIDEO_SECONDS,
    MAX_VIDEO_TITLE,
    news_language,
)
from waypost.pages import html_tree, structured_data

_MAX_TITLE, _MAX_DESCRIPTION, _MAX_ELEMENTS = 500, 500, 5_000
"""The most characters of a title and of a description, and the most elements in which images are looked for."""
_SOURCES = ("src", "data-src", "data-original", "data-lazy-src", "data-lazy")
_SOURCE_SETS = ("srcset", "data-srcset", "data-lazy-srcset")
_SHARED_IMAGES = ("og:image", "og:image:url", "og:image:secure_url")
"""The properties of Open Graph that name an image."""
_CANDIDATE = re.compile(r"[\s,]*+(?:(\S*+)(?<=,)|(\S++)([^,]*+))")
"""A URL that ends at a comma, or one with its descriptor; for text that does not end in white space."""
_SIZE = re.compile(r"([\d.]+)[wx]")
_DURATION = re.compile(r"P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.\d+)?S)?)?")
_DATE_NAMES = ("article:published_time", "date", "dc.date.issued", "pubdate")
_META_NAMES = {"og:title", "description", "og:description", *_DATE_NAMES}
_JOINERS = "\u200c\u200d"
"""Invisible characters that words of Persian and some emoji need."""


class Media(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is on a page; references are as written, not yet resolved against the page's URL."""

    images: tuple[str, ...] = ()
    videos: tuple[Video, ...] = ()
    title: str = ""
    headline: str = ""
    published: str = ""
    language: str = ""
    description: str = ""
    markdown: str = ""


KINDS = frozenset({"images", "videos", "news", "title", "description"})
"""What the settings may require to be read."""


def read_media(data: bytes, wanted: Set[str]) -> Media:
    """Read the wanted kinds of a whole page as an HTML parser sees it; of one that exceeds a bound, its beginning."""
    tree = html_tree.parse(data)
    named = tree.css_first("title")
    title = _clean(named.text(), _MAX_TITLE) if named else ""
    meta = _meta(tree) if wanted - {"images"} else {}
    described = tuple(structured_data.all_objects(tree)) if wanted & {"videos", "news"} else ()
    return Media(
        tuple(dict.fromkeys(_images(tree)))[:MAX_IMAGES] if "images" in wanted else (),
        tuple(_videos(tree, title, meta, described)) if "videos" in wanted else (),
        (title or meta.get("og:title", "")) if "title" in wanted else "",
        _headline(title, meta, described) if "news" in wanted else "",
        _published(meta, described) if "news" in wanted else "",
        _language(tree) if "news" in wanted else "",
        _description(meta)[:_MAX_DESCRIPTION] if "description" in wanted else "",
        _markdown(tree) if "description" in wanted else "",
    )


def _images(tree: LexborHTMLParser) -> Iterator[str]:
    """The visible images: the largest of each set of sizes, one of a `picture`, also those that scripts load later."""
    yield from _shared_images(tree)
    for node in islice(tree.css("img, picture:not(picture picture), input[type=image]"), _MAX_ELEMENTS):
        if node.tag == "picture":
            of_picture = [found for each in node.css("source, img") for found in _shown(each)]
            yield from [max(of_picture, key=lambda found: found[0])[1]] if of_picture else ()
        elif node.parent is None or node.parent.tag != "picture":
            yield from (reference for _, reference in _shown(node))


def _shared_images(tree: LexborHTMLParser) -> Iterator[str]:
    """The images of Open Graph, each once: `og:image:secure_url` names the same image as the `og:image` before it."""
    found: list[str] = []
    for node in tree.css("meta[property]"):
        name = (node.attributes.get("property") or "").strip().lower()
        for reference in _reference(node.attributes.get("content")) if name in _SHARED_IMAGES else ():
            if name != _SHARED_IMAGES[0] and found:
                found.pop()
            found.append(reference)
    yield from found


def _shown(node: LexborNode) -> Iterator[tuple[float, str]]:
    """The references of an image, each with its width or density; without smaller sizes and without placeholders.

    What a script replaces is a placeholder, and so is an image of one pixel.
    """
    attributes = node.attributes
    if {attributes.get("width"), attributes.get("height")} & {"0", "1"}:
        return
    sets = [attributes.get(name) or "" for name in _SOURCE_SETS]
    sources = [attributes.get(name) or "" for name in _SOURCES] if node.tag != "source" else []
    is_lazy = any(sources[1:]) or any(sets[1:])
    candidates = " ".join(sets).replace(",", " ").split()
    for source in sources[1:] if is_lazy else sources:
        if source.strip() not in candidates:
            yield from ((1, reference) for reference in _reference(source))
    for size, each in map(_largest, sets):
        yield from ((size, reference) for reference in _reference(each))


def _reference(text: str | None) -> Iterator[str]:
    """A reference, unless it contains the image itself or is a placeholder for a script."""
    reference = (text or "").strip()
    if reference and not reference.lower().startswith(("data:", "blob:", "javascript:", "about:", "#")):
        yield reference


def _largest(candidates: str) -> tuple[float, str]:
    """The image of a `srcset` with the greatest width or density, and that (HTML, "Srcset attributes")."""
    read = enumerate(_CANDIDATE.findall(candidates.strip()))
    found = [(_size(descriptor), -n, (bare or url).rstrip(",")) for n, (bare, url, descriptor) in read]
    size, _, image = max(found, default=(0, 0, ""))
    return size, image


def _size(descriptor: str) -> float:
    match = next(filter(None, map(_SIZE.fullmatch, descriptor.split())), None)
    try:
        return float(match[1]) if match else 1
    except ValueError:
        return 1


def _videos(
    tree: LexborHTMLParser, title: str, meta: Mapping[str, str], described: Iterable[dict[str, Any]]
) -> Iterator[Video]:
    """The videos with a thumbnail, a title, a description, and a file or a player; each file once."""
    shared, description = meta.get("og:title") or title, _description(meta)
    found = [_described(each) for each in described if structured_data.is_of_type(each, "VideoObject")]
    found += [_embedded(node, shared, description) for node in islice(tree.css("video"), _MAX_ELEMENTS)]
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
        title=_clean(structured_data.text(found.get("name")), MAX_VIDEO_TITLE),
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
        title=_clean(node.attributes.get("title") or node.attributes.get("aria-label") or title, MAX_VIDEO_TITLE),
        description=_clean(description, MAX_VIDEO_DESCRIPTION),
        content=(node.attributes.get("src") or next(filter(None, sources), "")).strip(),
    )


def _seconds(text: str) -> int | None:
    """A duration of ISO 8601 in seconds; None if search engines would refuse it."""
    match = _DURATION.fullmatch(text.strip().upper())
    if not match:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    length = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    return length if 1 <= length <= MAX_VIDEO_SECONDS else None


def _headline(title: str, meta: Mapping[str, str], described: Iterable[dict[str, Any]]) -> str:
    headlines = (structured_data.text(each.get("headline")) for each in described)
    return _clean(next(filter(None, headlines), ""), _MAX_TITLE) or meta.get("og:title") or title


def _published(meta: Mapping[str, str], described: Iterable[dict[str, Any]]) -> str:
    """When the page was first published, by its own account, as a W3C date, or `""`."""
    declared = (meta.get(name, "") for name in _DATE_NAMES)
    in_json = (structured_data.text(each.get("datePublished")) for each in described)
    texts = islice(filter(None, chain(declared, in_json)), dates.MOST_TRIED)
    return next(filter(None, map(dates.parse_page_date, texts)), None) or ""


def _language(tree: LexborHTMLParser) -> str:
    """The language of the page as a news sitemap writes it; `""` if the page does not say it, or not well."""
    root = tree.css_first("html")
    code = ((root.attributes.get("lang") if root else "") or "").strip()
    return news_language(code) if not languages.problem(code.replace("_", "-")) else ""


def _description(meta: Mapping[str, str]) -> str:
    return meta.get("description") or meta.get("og:description", "")


def _markdown(tree: LexborHTMLParser) -> str:
    """The reference to the version of the page in Markdown, if the page names one."""
    for node in islice(tree.css("link[href][rel~=alternate i][type]"), _MAX_ELEMENTS):
        if (node.attributes.get("type") or "").partition(";")[0].strip().lower() == "text/markdown":
            return (node.attributes.get("href") or "").strip()
    return ""


def _meta(tree: LexborHTMLParser) -> Mapping[str, str]:
    """The content of the first meta element of each name that is read here."""
    found: dict[str, str] = {}
    for name, content in html_tree.named_meta(tree):
        if name in _META_NAMES and name not in found:
            found[name] = _clean(content, MAX_VIDEO_DESCRIPTION)
    return found


def _clean(text: str, max_length: int) -> str:
    """Text in one line, without characters that XML forbids (XML 1.0, 2.2), and cut to a length."""
    line = " ".join(text.split())
    if not line.isprintable():
        line = "".join(character for character in line if character.isprintable() or character in _JOINERS)
    return line[:max_length].rstrip()
