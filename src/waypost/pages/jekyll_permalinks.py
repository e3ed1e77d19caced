"""Fills templates of URLs, and derives from a URL the file that Jekyll writes.

URLs begin with a slash. What a template's placeholders stand for is percent-encoded in them, and a literal permalink is
as its author wrote it, so paths of files are the decoded URLs.
"""

import posixpath
import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from urllib.parse import unquote

from waypost.core.errors import SourceError

STYLES = {
    "none": "/:categories/:title:output_ext",
    "date": "/:categories/:year/:month/:day/:title:output_ext",
    "ordinal": "/:categories/:year/:y_day/:title:output_ext",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "weekdate": "/:categories/:year/W:week/:short_day/:title:output_ext",
}
"""The templates of posts that the built-in styles are short for."""

_MOST_CHARACTERS = 4_096
"""No path of a file is longer, so Jekyll fails at a longer URL."""
_PLACEHOLDER = re.compile(r":([a-z_]+)")
_PRETTY = frozenset("._~!$&'()+,;=@")


def page_url(template: str, placeholders: Mapping[str, str]) -> str:
    """The URL of a page or of a static file: only its own placeholders are replaced, one after the other.

    Raises SourceError if it is too long for the path of a file.
    """
    url = template
    for name, value in placeholders.items():
        _check_length(url, template)
        url = url.replace(f":{name}", _escaped(value))
    _check_length(url, template)
    return _sanitized(url)


def document_url(template: str, placeholders: Mapping[str, Callable[[], str]]) -> str:
    """The URL of a post or of another document.

    Raises SourceError for a placeholder that Jekyll does not know, and if it is too long for the path of a file.
    """
    _check_length(template, template)
    values: dict[str, str] = {}

    def fill(match: re.Match[str]) -> str:
        for name in (match[1], match[1].removesuffix("_")):
            if name in placeholders:
                if name not in values:
                    values[name] = _escaped(placeholders[name]())
                    _check_length(values[name], template)
                return values[name] + match[1].removeprefix(name)
        raise SourceError(f"{match[0]} in the permalink {template} is no placeholder of Jekyll")

    url = _PLACEHOLDER.sub(fill, template)
    _check_length(url, template)
    return _sanitized(url)


def _check_length(url: str, template: str) -> None:
    if len(url) > _MOST_CHARACTERS:
        limit = f"more than {_MOST_CHARACTERS:,} characters, which is too long for a path"
        raise SourceError(f"the permalink {template[:80]} gives a URL of {limit}")


def with_style_suffix(template: str, permalink: str) -> str:
    """The template of pages or of a collection, with the ending that the site's permalink style gives it."""
    if permalink == "pretty" or permalink.endswith("/"):
        return f"{template}/"
    has_extension = permalink in ("date", "ordinal", "none") or permalink.endswith(":output_ext")
    return f"{template}:output_ext" if has_extension else template


def written_file(url: str, extension: str) -> str:
    """The path of the file that is written for a URL, below the site's root; `extension` is the output's."""
    path = posixpath.normpath(decoded(url)).lstrip("/")
    if url.endswith("/"):
        path = f"{path}/index" if path else "index"
    return path if path.endswith(extension) else path + extension


def permalink_extension(permalink: str) -> str:
    """The extension that a permalink prescribes, `""` if it has none."""
    return "" if permalink.endswith("/") else extension_of(permalink)


def extension_of(path: str) -> str:
    """The extension of a path with its dot, as Ruby defines it."""
    return posixpath.splitext(path.rpartition("/")[2])[1]


def without_extension(path: str) -> str:
    """A path without its extension."""
    return path[: len(path) - len(extension_of(path))]


def decoded(url: str) -> str:
    """A URL without percent-encoding; bytes that are not UTF-8 become surrogates, as in names of files."""
    return unquote(url, errors="surrogateescape")


@lru_cache(16_384)
def slugified(text: str, *, keeps_punctuation: bool = False) -> str:
    """The text with each run of characters that no slug has replaced by a hyphen; letters, marks and digits stay."""
    kept = _PRETTY if keeps_punctuation else frozenset()
    is_kept = (c in kept or unicodedata.category(c)[0] in "LM" or unicodedata.category(c) == "Nd" for c in text)
    slug = re.sub("\0+", "-", "".join(c if keep else "\0" for c, keep in zip(text, is_kept, strict=True)))
    return slug.removeprefix("-").removesuffix("-")


def _escaped(value: str) -> str:
    return value.replace("%", "%25")


def _sanitized(url: str) -> str:
    return re.sub("/+", "/", f"/{url}".replace("..", "/").replace("./", ""))
