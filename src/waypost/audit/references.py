"""Resolves the references on pages, each distinct one once, to the files of the site."""

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import cache, lru_cache, partial
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from msgspec import Struct

from waypost.audit.ignored_links import IgnoredLinks
from waypost.audit.page_tags import PageTags, ReferenceKind, WrittenReference, written
from waypost.audit.pages import AuditedPage
from waypost.audit.site_files import FilePlace, SiteFiles
from waypost.core import urls
from waypost.pages import html_head
from waypost.pages.link_votes import OTHER_LINK, SIMPLE_HREF, joined_path
from waypost.settings.schema import Site

_PLACEHOLDER = re.compile(r"\{\{|\{%|\$\{|<%|(?i:%7B%7B)|%[A-Z][A-Z_]{2,}%|\$[A-Z][A-Z_]+|<[a-zA-Z][\w -]*>")
"""What a template or a script replaces, and what a reader is to replace: `{{ url }}`, `%HOST%`, `$HOST` or `<host>`."""
_SCHEME = re.compile(r"([a-z]{2,7}):(?=/)|(file):", re.IGNORECASE)
_SLASHES = re.compile(r"^\s*+(https?):/*+(?=[^/\s])", re.IGNORECASE)
"""Browsers take any number of slashes after http: and https: (WHATWG URL, 4.4)."""
_ABSOLUTE = re.compile(r"/|https?:", re.IGNORECASE)
_DRIVE = re.compile(r"[a-z]:/", re.IGNORECASE)
"""A path on a computer with Windows, after its backslashes have become slashes as in browsers."""
_LIKENESS = 0.8
"""From this likeness to http or https on (difflib), a scheme is one of these, misspelt; those of apps have less."""
_IGNORED_CHARACTERS = re.compile(r"[\t\n\r]")
_IS_STATIC = re.compile(
    r"/[^/]*\.(?!(?:php\d?|phtml|cgi|f?cgi|pl|py|rb|aspx?|ashx|axd|jspx?|do|action|cfm|exe|dll)$)[a-z][a-z0-9]*$",
    re.IGNORECASE,
)
"""A path to a file that no program answers, by its ending; what follows `?` does not count there."""
_IN_QUERY = "/:?[]@!$&'()*+,;=%"
_STEPS_UP = re.compile(r"(?:\.{1,2}/)*")
_NONE = -1
"""In place of the number of what is not checked at all."""
_CONTAINED = ("data:", "blob:", "about:")
_REMEMBERED, _MAX_REMEMBERED = 65_536, 1_000
"""How many links are remembered, and how many bytes each may have: the memory has a limit, too."""


class Reference(Struct, frozen=True, gc=False):
    """A distinct reference: what it is for, the URL without query and fragment, and what is there.

    `path` is the path below the site's root, not encoded, or `""` if it is unknown.
    """

    kind: ReferenceKind
    url: str
    place: FilePlace
    path: str = ""


class _Base(NamedTuple):
    """What references on a page are resolved against.

    `url` is the URL of the page or its base element, `folder` the path of its folder below the site's root, None
    outside of the site or with a base element, and `file_url` the URL of its file, in another folder of which the
    server may serve the page.
    """

    url: str
    folder: str | None
    file_url: str


class References:
    """All references of a site, numbered; a page has an array of numbers.

    With `keeps_queries`, URLs of other sites that differ in their queries are different ones.
    """

    def __init__(self, files: SiteFiles, site: Site, *, keeps_queries: bool = False) -> None:
        self._base_url, self._keeps_queries = site.base_url, keeps_queries
        self.ignored = IgnoredLinks(site.audit_ignore)
        self._is_private = urls.is_private_host(urlsplit(site.base_url).hostname or "")
        self._all: list[Reference] = []
        self._numbers: dict[tuple[ReferenceKind, str, str | None, str], int] = {}
        self._at = cache(files.at)
        self._link_numbers: dict[_Base, Callable[[bytes], int]] = {}
        self._other_numbers: dict[_Base, Callable[[WrittenReference], int]] = {}
        self._numbers_of_links: dict[str, int] = {}

    def __getitem__(self, number: int) -> Reference:
        """The reference with a number."""
        return self._all[number]

    def __len__(self) -> int:
        """How many there are."""
        return len(self._all)

    def __iter__(self) -> Iterator[Reference]:
        """All of them, in the order of their numbers."""
        return iter(self._all)

    def of_page(self, page: AuditedPage, tags: PageTags) -> "array[int]":
        """The numbers of the references on a page, each once and in order."""
        base = self._base(page)
        if base not in self._link_numbers:  # each reference as written is resolved once for all pages with one base
            self._link_numbers[base] = cache(partial(self._link_number, base))
            self._other_numbers[base] = cache(partial(self._number, base))
        named = (link for link in self._links_of(tags) if page.head.base or not _is_own(link))
        links, others = map(self._link_numbers[base], named), map(self._other_numbers[base], tags.others)
        # A fragment alone leads to the URL of the base element, not to the page (HTML, "Document base URLs").
        leaves = bool(page.head.base) and any(_is_own(link) for link, _ in tags.fragments)
        own = [self._number(base, ("link", self._base_of(page)))] if leaves else []
        return array("I", sorted({*links, *others, *own} - {_NONE}))

    def _links_of(self, tags: PageTags) -> Iterable[bytes]:
        """The links as written; those with a query have it if it is asked for."""
        if not (self._keeps_queries and tags.queries):
            return tags.links
        cut = {link for link, _ in tags.queries}
        return [*(link for link in tags.links if link not in cut), *(link + query for link, query in tags.queries)]

    def target(self, page: AuditedPage, link: bytes) -> str:
        """The key of the file to which a link on a page leads, which `of_page` has numbered, or `""`."""
        if _is_own(link):
            return self.place_of(self._base_of(page)).key if page.head.base else page.key
        number = self._link_numbers[self._base(page)](link)
        return self._all[number].place.key if number != _NONE else ""

    def place_of(self, url: str) -> FilePlace:
        """What is at a normalized URL."""
        found = urls.path_on_site(url, self._base_url)
        return self._at(unquote(found.path)) if found else FilePlace(not_checked="other-site")

    def _base_of(self, page: AuditedPage) -> str:
        """The URL that the base element of a page names."""
        return html_head.resolved("", page.head, page.loc) or page.loc

    def _base(self, page: AuditedPage) -> _Base:
        loc = page.loc
        if page.head.base:
            url = html_head.resolved(".", page.head, loc) or loc
            return _Base(url, None, url)
        folder_url = loc[: loc.rindex("/") + 1]
        on_site = urls.path_on_site(loc, self._base_url)
        folder = unquote(on_site.path).rpartition("/")[0] if on_site else None
        file_folder = page.key.rpartition("/")[0]
        file_url = self._base_url + urls.encode_path(f"{file_folder}/" if file_folder else "")
        return _Base(folder_url, folder, file_url)

    def _link_number(self, base: _Base, link: bytes) -> int:
        """The number of a link as written; most are relative, and to a file to which other pages have links, too."""
        steps = _steps(link) if base.folder is not None and len(link) <= _MAX_REMEMBERED else None
        if steps and (above := _folder_above(base.folder or "", steps[0])) is not None:
            number = self._numbers_of_links.get(above + steps[1], _NONE)
            if number != _NONE:
                return number
        number = self._number(base, ("link", written(link)))
        if number != _NONE:
            found = self._all[number]
            if found.place.key and found.url == self._base_url + found.path:
                self._numbers_of_links[found.path] = number
        return number

    def _number(self, base: _Base, reference: WrittenReference) -> int:
        """The number of a reference as written; `_NONE` for one that names the page itself, or is no HTTP URL."""
        kind, text = reference
        plain = _IGNORED_CHARACTERS.sub("", text).replace("\\", "/").partition("#")[0].partition("?")[0]
        found = self._reference(base, kind, text, plain)
        if found and self.ignored.has(text, found.url):
            found = Reference(kind, found.url, FilePlace(not_checked="ignored"))
        return self._intern(found) if found else _NONE

    def _reference(self, base: _Base, kind: ReferenceKind, text: str, plain: str) -> Reference | None:
        """A reference as written, `plain` without its query and fragment; None for one that is no HTTP URL."""
        if _has_no_public_scheme(plain):
            return Reference(kind, plain[: urls.MAX_REFERENCE], FilePlace(is_private=True))
        if OTHER_LINK.match(plain) or plain.lower().startswith(_CONTAINED):
            return None
        if len(plain) > urls.MAX_REFERENCE:
            return Reference(kind, plain[: urls.MAX_REFERENCE], FilePlace(not_checked="not-http"))
        if _PLACEHOLDER.search(text):
            return Reference(kind, plain, FilePlace(not_checked="placeholder"))
        found = self._found(base, kind, plain)
        if found.place.is_missing and "?" in text and not _IS_STATIC.search(found.url):
            return Reference(kind, f"{found.url}?", FilePlace(not_checked="query"))
        if self._keeps_queries and found.place.not_checked == "other-site" and "?" in text:
            query = text.partition("#")[0].partition("?")[2].strip()
            return Reference(kind, f"{found.url}?{quote(query, _IN_QUERY, errors='replace')}", found.place)
        if found.place.is_missing and _steps_up(plain) > _depth(base.folder or ""):
            return Reference(kind, found.url, FilePlace(not_checked="above-site"))
        if found.place.section and not _ABSOLUTE.match(plain):  # another site is not named by its neighbours' pages
            return Reference(kind, found.url, found.place._replace(section=""), found.path)
        return found

    def _found(self, base: _Base, kind: ReferenceKind, plain: str) -> Reference:
        """What a reference leads to from the page's URL, or from its file's, where that is in another folder."""
        found: Reference | None
        if base.folder is not None and SIMPLE_HREF.match(plain):
            path = joined_path(base.folder, plain)
            found = None if path is None else Reference(kind, self._base_url + path, self._at(path), path)
        else:
            found = self._resolved(kind, plain, base.url)
        if found is None or (found.place.is_missing and base.file_url != base.url):
            again = self._resolved(kind, plain, base.file_url)
            found = again if found is None or again.place.key else found
        return found

    def _resolved(self, kind: ReferenceKind, text: str, base_url: str) -> Reference:
        url = urls.normalize(_SLASHES.sub(r"\1://", text), base_url)
        if url is None:
            return Reference(kind, text, FilePlace(is_private=True))
        found = urls.path_on_site(url, self._base_url)
        if found is None:
            is_private = not self._is_private and urls.is_private_host(urlsplit(url).hostname or "")
            return Reference(
                kind, url, FilePlace(not_checked=None if is_private else "other-site", is_private=is_private)
            )
        path = unquote(found.path)
        return Reference(kind, url, self._at(path), path)

    def _intern(self, reference: Reference) -> int:
        # Whether a URL is checked also depends on how a page writes it.
        identity = reference.kind, reference.url, reference.place.not_checked, reference.place.section
        number = self._numbers.setdefault(identity, len(self._all))
        if number == len(self._all):
            self._all.append(reference)
        return number


def _has_no_public_scheme(url: str) -> bool:
    """Whether a URL names a file of somebody's computer, or misspells http or https."""
    if _DRIVE.match(url):
        return True
    found = _SCHEME.match(url)
    scheme = (found[1] or found[2]).lower() if found else "http"
    if scheme in ("http", "https", "file"):
        return scheme == "file"
    return bool(get_close_matches(scheme, ("http", "https"), cutoff=_LIKENESS))


def _is_own(link: bytes) -> bool:
    """Whether a link as written is no more than a query or a fragment."""
    return not link.strip(b"\"'?")


@lru_cache(_REMEMBERED)
def _steps(link: bytes) -> tuple[int, str] | None:
    """How many folders up a simple relative link leads, and the path from there; None if it is not simple.

    Pages of many folders have the same text.
    """
    text = link.lstrip(b"\"'").decode("utf-8", "replace")
    if not SIMPLE_HREF.match(text):
        return None
    return (_steps_up(text), _STEPS_UP.sub("", text, count=1))


def _folder_above(folder: str, up: int) -> str | None:
    """The beginning of the paths in the folder that is so many above; `""` for the site's root, None above it."""
    depth = _depth(folder)
    if up >= depth:
        return "" if up == depth else None
    return folder.rsplit("/", up)[0] + "/"


def _steps_up(text: str) -> int:
    """How many folders up a relative reference leads."""
    match = _STEPS_UP.match(text)
    return match[0].count("../") if match else 0


def _depth(folder: str) -> int:
    return folder.count("/") + 1 if folder else 0
