"""Finds the file of a site that answers at a URL, or says why it cannot be known whether one does."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from waypost.core.languages import is_two_letter_name
from waypost.core.versions import is_version
from waypost.pages import page_url
from waypost.pages.url_shapes import served_paths, shape_of
from waypost.settings.output_names import output_names
from waypost.settings.schema import Site

Uncertainty = Literal[
    "other-site",
    "above-site",
    "outside",
    "left-out-folder",
    "folder-without-index",
    "other-language",
    "other-version",
    "of-host",
    "written-later",
    "server-rules",
    "query",
    "placeholder",
    "not-http",
    "ignored",
]
"""Why it is not checked whether a reference leads to something that exists."""
_LIKENESS = 0.75
"""From this likeness of two names of folders on (difflib), one is the other one misspelt, if the target is there."""
_MOST_COMPARED = 300
"""So many names are compared with as many others: each pair takes about 10 microseconds."""
_OF_HOSTS = ("cdn-cgi/", "_vercel/", ".netlify/", "__/", ".auth/")
"""The folders in which Cloudflare, Vercel, Netlify, Firebase and Azure answer themselves, without a site's file."""


class FilePlace(NamedTuple):
    """What is at a path of the site: a file with this key, or nothing, or something that cannot be known.

    If there is nothing, `other_case` is the key of a file that differs in capital letters only, `other_unicode` of one
    with the same name in another Unicode form, `near` of one with a similar name, and `section` the first folder of the
    path if the site has none of that name, so that another site may publish it there. `unserved` is the file or folder
    that is there, and that the host does not answer at this path; `is_likely` if that is not certain.
    `is_private` if only one computer or a private network can know.
    """

    key: str = ""
    not_checked: Uncertainty | None = None
    other_case: str = ""
    section: str = ""
    other_unicode: str = ""
    is_private: bool = False
    near: str = ""
    unserved: str = ""
    is_likely: bool = False

    @property
    def is_missing(self) -> bool:
        """Whether no file answers, for certain."""
        return not self.key and not self.not_checked and not self.is_private and not self.is_likely

    @property
    def is_unchecked(self) -> bool:
        """Whether it is a place of this site, and it was not checked what is there."""
        return self.not_checked not in (None, "other-site")


class SiteFiles:
    """The files of a site: their keys, and the folders and links of which the content is not known.

    `server_rules` says whether the rules of a server, such as redirects, answer at a path without a file. `listed` has
    the key of each listed page by its path below the site's root, which is not encoded.
    """

    def __init__(
        self,
        keys: Iterable[str],
        unknown: Iterable[str],
        site: Site,
        server_rules: Callable[[str], bool],
        listed: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._keys, self._site, self._server_rules, self._listed = frozenset(keys), site, server_rules, listed
        self._unknown = frozenset(key.rstrip("/") for key in unknown)
        self._unknown_depth = max((key.count("/") + 1 for key in self._unknown), default=0)
        self._folders = _folders(self._keys)
        self._outputs = output_names(site)
        self._rules, self._site_path = site.host_rules, urlsplit(site.base_url).path.lstrip("/")
        self._is_below_project = bool(self._site_path)
        self._near_folders: dict[str, Sequence[str]] = {}
        self._indexes = tuple(name for name in site.index_files if name.endswith((".html", ".htm"))) or ("index.html",)

    def at(self, path: str) -> FilePlace:
        """What is at a path below the site's root, which is not encoded."""
        if path in self._keys or path in self._listed:
            return FilePlace(self._listed.get(path, path))
        index = self._index(path) if not path or path.endswith("/") else ""
        key = index or page_url.answering_key(path, self._keys.__contains__, self._site) or self._html(path)
        if key and (index or not self._is_unserved(path, key)):
            return FilePlace(key)
        if reason := self._uncertainty(path):
            return FilePlace(not_checked=reason)
        is_likely = not self._rules.is_certain
        if key:
            return FilePlace(key if is_likely else "", unserved=key, is_likely=is_likely)
        if path.rstrip("/") in {*self._folders, ""}:
            return FilePlace(unserved=f"{path.rstrip('/')}/", is_likely=is_likely)
        return self._missing(path)

    def _is_unserved(self, path: str, key: str) -> bool:
        """Whether a host answers with 404 at this path of a page: in a form that it does not know, or an ending."""
        paths = served_paths(key, self._site)
        shape = shape_of(path, paths) if paths.kind == "page" else None
        if shape is None:
            return False
        is_page = key.lower().endswith(".html")
        return shape in self._rules.missing or (shape == "bare" and not is_page and key.lower().endswith(".htm"))

    def _missing(self, path: str) -> FilePlace:
        """Where nothing is, what is there in other letters, or in another folder."""
        first, slash, rest = path.partition("/")
        name = path.strip("/")
        other_case = self._keys_by_lower_case.get(name.lower(), "") if name not in self._keys else ""
        other_unicode = "" if path.isascii() else self._keys_by_nfc.get(unicodedata.normalize("NFC", name), "")
        is_section = slash and first not in self._folders and first not in self._keys and not other_case
        near = self._near(first, rest) if is_section else ""
        section = first if is_section and not near and not self._is_below_project else ""
        unserved = name if name in self._keys else ""
        return FilePlace("", None, other_case, section, other_unicode, near=near, unserved=unserved)

    def _near(self, folder: str, rest: str) -> str:
        """The key of the file in a folder with a similar name, such as `guide/a.html` for `gudie/a.html`."""
        for name in self._alike(folder):
            path = f"{name}/{rest}"
            if path in self._keys:
                return path
            if key := self._index(path) or page_url.answering_key(path, self._keys.__contains__, self._site):
                return key
        return ""

    def _alike(self, folder: str) -> Sequence[str]:
        """The first folders of the site with similar names; each name is compared once, and only so many are."""
        if folder not in self._near_folders and len(self._near_folders) < _MOST_COMPARED:
            self._near_folders[folder] = get_close_matches(folder, self._first_folders, cutoff=_LIKENESS)
        return self._near_folders.get(folder, ())

    @cached_property
    def _first_folders(self) -> Sequence[str]:
        return sorted(folder for folder in self._folders if "/" not in folder)[:_MOST_COMPARED]

    def _index(self, folder: str) -> str:
        """The index file of a folder, or `""`."""
        return next((folder + name for name in self._indexes if folder + name in self._keys), "")

    def _html(self, path: str) -> str:
        """The page that servers answer with at `/index`, or `""`: they add `.html` to any name."""
        key = f"{path.rstrip('/')}.html"
        return key if key in self._keys else ""

    def _uncertainty(self, path: str) -> Uncertainty | None:
        names = path.rstrip("/").split("/", self._unknown_depth)[: self._unknown_depth]
        if any("/".join(names[: n + 1]) in self._unknown for n in range(len(names))):
            return "left-out-folder"
        if any(f"/{self._site_path}{path}".startswith(prefix) for prefix in self._site.outside):
            return "outside"
        if self._rules.lists_folders and self._rules.of_hosts and path.rstrip("/") in {*self._folders, ""}:
            return "folder-without-index"
        if path.startswith(_OF_HOSTS):
            return "of-host"
        if "/" not in path and (self._outputs.could_be_ours(path) or path == "robots.txt"):
            return "written-later"
        return "server-rules" if self._server_rules(path) else self._other_part(path)

    def _other_part(self, path: str) -> Uncertainty | None:
        """Whether a path is in the folder of another language or version, which may be built and published apart."""
        first, slash, rest = path.partition("/")
        reason: Uncertainty | None = (
            "other-version" if is_version(first) else "other-language" if is_two_letter_name(first) else None
        )
        return reason if reason and slash and first not in self._folders and not self._near(first, rest) else None

    @cached_property
    def _keys_by_lower_case(self) -> dict[str, str]:
        """The first key, in their order, of those that are equal in lower case; pages also without their endings."""
        return self._by_name(str.lower)

    @cached_property
    def _keys_by_nfc(self) -> dict[str, str]:
        """The same of those that are equal in the Unicode form NFC."""
        return self._by_name(lambda name: unicodedata.normalize("NFC", name))

    def _by_name(self, form: Callable[[str], str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for key in sorted(self._keys):
            for name in (key, key.removesuffix("/index.html"), key.removesuffix(".html")):
                found.setdefault(form(name), key)
        return found


def _folders(keys: Iterable[str]) -> frozenset[str]:
    """All folders that contain a file."""
    found: set[str] = set()
    for folder in {key.rpartition("/")[0] for key in keys}:
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(found)
