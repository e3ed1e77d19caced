"""What pages say of the base URL: by their own URLs, and by the folder with which their links begin."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import unquote, urlsplit

from waypost.core.urls import encode_path, normalize, normalize_base_url, origin_of
from waypost.pages.html_head import HtmlHead
from waypost.pages.link_votes import Target
from waypost.pages.url_shapes import stem_of
from waypost.settings.schema import Site

MIN_SHARE = 0.8
"""The share of pages, or of URLs, that must name one base URL; others name other versions or sites."""
_MIN_LINKS = 3
_SLASHES = re.compile(r"/{2,}")
_ROOT_RELATIVE = re.compile(rb"""[hH](?<!\w.)[rR][eE][fF]\s{0,9}=\s{0,9}["']?(/(?!/)[^"'#?\s>]{0,500})""", re.DOTALL)
"""Without a flag that ignores case, and with a letter first, it skips large scripts twice as fast."""
_ANYWHERE = "https://home.invalid/"
"""Against which references are resolved; what is relative names no host, so it names no base URL."""


def own_base(head: HtmlHead, key: str) -> str | None:
    """The base URL that a page's canonical link or og:url names, if it names the page itself; not of a noindex page."""
    if head.noindex or head.refresh or len(head.canonicals) > 1:
        return None
    url = head.canonicals[0] if head.canonicals else head.og_url
    target = normalize(url, _ANYWHERE) if url else None
    if target is None or target.startswith(_ANYWHERE) or "?" in target:
        return None
    own, named = stem_of(key), stem_of(_path(target))
    if not own or own == named:
        return base_at(target, "" if own else named)
    return base_at(target, named[: -len(own) - 1]) if named.endswith(f"/{own}") else None


def base_of_file(url: str, is_file: Callable[[str], bool]) -> str | None:
    """The shortest base URL of which the rest of a URL's path names a file."""
    target = normalize(url, _ANYWHERE)
    if target is None or target.startswith(_ANYWHERE) or "?" in target:
        return None
    folders, names = "", _path(target).split("/")
    for number, name in enumerate(names):
        if is_file("/".join(names[number:])):
            return base_at(target, folders)
        folders = f"{folders}/{name}".strip("/")
    return None


def base_at(url: str, folder: str) -> str | None:
    """The base URL of a site in a folder, not yet encoded, of the host that a URL names."""
    try:
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}/"
        return normalize_base_url(f"{origin}{encode_path(folder)}/" if folder else origin)
    except ValueError:
        return None


def agreed(bases: Iterable[str]) -> str | None:
    """The base URL on which nearly all agree."""
    counts = Counter(bases)
    base, count = counts.most_common(1)[0] if counts else ("", 0)
    return base if base and count >= MIN_SHARE * counts.total() else None


def root_relative_paths(data: bytes) -> set[str]:
    """The paths, decoded and without their first slash, of the links on a page that begin at the host's root."""
    return {unquote(found.decode("utf-8", "replace"))[1:] for found in _ROOT_RELATIVE.findall(data)}


def linked_base(paths: Iterable[str], target: Callable[[str], Target | None], site: Site) -> str:
    """The other base URL on the site's host below which root-relative links name files; empty if none do, or few."""
    own_path = unquote(urlsplit(site.base_url).path)[1:]
    counts = Counter(prefix for path in paths for prefix in _prefixes(path, own_path, target))
    prefix, count = max(counts.items(), key=lambda each: (each[1], each[0]), default=(own_path, 0))
    is_clear = count >= _MIN_LINKS and count >= MIN_SHARE * counts.total()
    return f"{origin_of(site.base_url)}/{encode_path(prefix)}" if prefix != own_path and is_clear else ""


def _prefixes(path: str, own: str, target: Callable[[str], Target | None]) -> Iterator[str]:
    """The folder below which a path names a file: the site's own, else the host's root, or the path's first folder."""
    first = path[: path.find("/") + 1]
    for prefix in dict.fromkeys((own, "", first)):
        if path.startswith(prefix) and target(path[len(prefix) :]):
            yield prefix
            return


def _path(url: str) -> str:
    """The decoded path of a URL without its first slash; several slashes in a row are answered as one."""
    return unquote(_SLASHES.sub("/", urlsplit(url).path)).lstrip("/")
