"""The base URL in the configuration of a site generator."""

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from waypost.core.model import SourceKind
from waypost.core.urls import normalize_base_url
from waypost.sources.project_folder import ProjectFolder


class _Keys(NamedTuple):
    """The keys with a site's URL and with the path of its root, and further files to look in before the configuration.

    `is_nested`: the key is that of a table's entry, so it may be indented.
    """

    url: str
    path: str = ""
    files: tuple[str, ...] = ()
    is_nested: bool = False


_KEYS: Mapping[str, _Keys] = {
    "Jekyll": _Keys("url", "baseurl"),
    "Hugo": _Keys("baseURL"),
    "Zola": _Keys("base_url"),
    "MkDocs": _Keys("site_url"),
    "Zensical": _Keys("site_url", is_nested=True),
    "Docusaurus": _Keys("url", "baseUrl", is_nested=True),
    "Astro": _Keys("site", "base", is_nested=True),
    "Gatsby": _Keys("siteUrl", "pathPrefix", is_nested=True),
    "Next.js": _Keys(
        r"metadataBase",
        files=tuple(f"{folder}app/layout.{ending}" for folder in ("", "src/") for ending in ("tsx", "jsx", "js")),
        is_nested=True,
    ),
    "Create React App": _Keys("homepage", is_nested=True),
    "VitePress": _Keys("hostname", "base", is_nested=True),
    "Hexo": _Keys("url", "root"),
    "Pelican": _Keys("SITEURL", files=("publishconf.py",)),
    "Nikola": _Keys("SITE_URL"),
    "Sphinx": _Keys("html_baseurl"),
    "Antora": _Keys("url", is_nested=True),
    "Quarto": _Keys("site-url", "site-path", is_nested=True),
    "pkgdown": _Keys("url"),
}
"""The keys by the name of the generator; those that know no URL of the site are not here."""
_OBJECT = r"(?:export[ \t]+default[ \t]+|module\.exports[ \t]*=[ \t]*)(?:\w+\([ \t]*)?\{"
"""The beginning of a configuration in JavaScript, which may have its first keys in the same line."""
_URL = r"(https?://[^\s\"'`,)#<>]{1,500})"
_PATH = r"(/[^\s\"'`,)#<>]{0,500})"


class ConfiguredUrl(NamedTuple):
    """A base URL, and the file and the key that name it."""

    base_url: str
    file: str
    key: str


def configured_url(project: ProjectFolder, kind: SourceKind) -> ConfiguredUrl | None:
    """The base URL that the configuration of a folder's generator names as a plain text, or None."""
    keys = _KEYS.get(kind.generator)
    if keys is None:
        return None
    for file in (*keys.files, *_configurations(project, kind)):
        text = project.text(file)
        if url := _value(text, keys.url, _URL, is_nested=keys.is_nested):
            path = _value(text, keys.path, _PATH, is_nested=keys.is_nested) if keys.path else ""
            base = _joined(url, path)
            return ConfiguredUrl(base, file, keys.url) if base else None
    return None


def _configurations(project: ProjectFolder, kind: SourceKind) -> tuple[str, ...]:
    """The file by which the generator was recognised, or Jekyll's configuration, if its Gemfile showed it."""
    if kind.generator == "Jekyll":
        return tuple(filter(project.has_file, ("_config.yml", "_config.yaml", "_config.toml")))
    return (kind.file,)


def _value(text: str, key: str, value: str, *, is_nested: bool) -> str:
    """The first value of a key that is not in a comment, as YAML, TOML, JSON, Python and JavaScript write it."""
    indent = rf"(?:{_OBJECT}[^{{}}\n]*?(?<=[{{,\s]))?[ \t]*" if is_nested else ""
    call = r"(?:new[ \t]+URL\([ \t]*)?"
    found = re.search(
        rf"""^{indent}["']?{key}["']?[ \t]*[:=][ \t]*{call}["'`]?{value}""", text, re.MULTILINE | re.IGNORECASE
    )
    return found[1] if found else ""


def _joined(url: str, path: str) -> str | None:
    """The base URL; a path that the URL has already is not added again."""
    added = path.strip("/")
    try:
        own = urlsplit(url).path.strip("/")
        return normalize_base_url(url if not added or own == added else f"{url.rstrip('/')}/{added}/")
    except ValueError:
        return None
