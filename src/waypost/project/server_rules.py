"""Reads the files with which a site's folder gives its server rules: redirects, and answers for any URL."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from waypost.core.data_files import DataError, load_toml, table_of, tables_of, text_of
from waypost.project.host_files import load_jsonc
from waypost.project.host_paths import UnreadablePattern, redirects_pattern, vercel_pattern
from waypost.project.redirects_file import Syntax, redirect_lines
from waypost.settings.host_rules import PathPattern, first_name

_MOST_RULES = 2_000
"""So many rules for paths of any first folder are compared with a path; with more, any path may be answered."""
_NOT_FOUND = range(400, 500)
_APACHE_RULE = re.compile(r"^[^\S\n]*(?:Rewrite(?:Rule|Map)|RedirectMatch|FallbackResource|AliasMatch)\b", re.I | re.M)
_APACHE_REDIRECT = re.compile(
    r"^[^\S\n]*(?:Redirect(?:Permanent|Temp)?|Alias)\s+(?:\d{3}\s+|permanent\s+|temp\s+|seeother\s+)?\"?(/[^\s\"]*)",
    re.IGNORECASE | re.MULTILINE,
)
_WILDCARD = re.compile(r"[*:()\[\]{}+?\\|^$].*", re.DOTALL)
"""From the first character on that may be a wildcard."""

ServerRules = Callable[[str], bool]
"""Whether a rule may answer at a path below the site's root, which is not encoded."""
_Source = tuple[Syntax, str]
"""A path of a rule, as it is written, and the syntax of that."""


def read_server_rules(find: Callable[[str], bytes | None], site_path: str) -> ServerRules:
    """The rules in the files of a folder, which `find` reads; `site_path` is the path of the site's root.

    Where a file may have rules that only its server understands, any path may be answered. A rule that answers with
    404 answers nothing, and so does a 200.html beside a 404.html: Nuxt writes both for every site, for hosts of which
    Surge alone serves the first.
    """
    texts = {name: text.decode("utf-8", "replace") for name in _FILES if (text := find(name)) is not None}
    if find("404.html") is not None:
        texts.pop("200.html", None)
    try:
        sources = [source for name, text in texts.items() for source in _FILES[name](text)]
    except (DataError, UnreadablePattern):
        return lambda path: True
    patterns: dict[str, list[PathPattern]] = defaultdict(list)
    beginnings: list[str] = _APACHE_REDIRECT.findall(texts.get(".htaccess", ""))
    for syntax, written in dict.fromkeys(sources):
        try:
            pattern = syntax(written)
            patterns[pattern.first].append(pattern)
        except UnreadablePattern:
            beginnings.append(_WILDCARD.sub("", written))
    if len(patterns[""]) > _MOST_RULES:
        return lambda path: True
    has_beginning = _begins_with(beginnings)

    def answers(path: str) -> bool:
        found = (each for first in dict.fromkeys((first_name(path), "")) for each in patterns.get(first, ()))
        return has_beginning(path) or any(each.fits(path) for each in found)

    def may_answer(path: str) -> bool:
        whole = site_path + path
        return answers(whole) or (whole.endswith("/") and answers(whole[:-1]))

    return may_answer


def _begins_with(texts: Iterable[str]) -> ServerRules:
    """Finds out whether a path begins with one of many texts."""
    shortest: list[str] = []
    for text in sorted(texts):
        if not shortest or not text.startswith(shortest[-1]):
            shortest.append(text)

    def has_beginning(path: str) -> bool:
        # Only the last one that is not after the path in the order can be its beginning.
        number = bisect_right(shortest, path)
        return number > 0 and path.startswith(shortest[number - 1])

    return has_beginning


def _redirects(text: str) -> Iterator[_Source]:
    """The rules of Netlify and Cloudflare in `_redirects`."""
    lines = (each for each in redirect_lines(text) if each.status not in _NOT_FOUND)
    return ((redirects_pattern, each.source.partition("?")[0]) for each in lines if each.source.startswith("/"))


def _netlify(text: str) -> Iterator[_Source]:
    """The rules of netlify.toml."""
    rules = tables_of(table_of(load_toml(text)), "redirects")
    return ((redirects_pattern, text_of(each, "from")) for each in rules if each.get("status") not in _NOT_FOUND)


def _vercel(text: str) -> Iterator[_Source]:
    """The rules of vercel.json; those of its older `routes` are regular expressions."""
    settings = table_of(load_jsonc(text))
    for key in ("redirects", "rewrites"):
        yield from ((vercel_pattern, text_of(each, "source")) for each in tables_of(settings, key))
    yield from ((_unread, text_of(each, "src").lstrip("^")) for each in tables_of(settings, "routes"))


def _azure(text: str) -> Iterator[_Source]:
    """The routes of staticwebapp.config.json, and its page for any URL."""
    settings = table_of(load_jsonc(text))
    yield from ((redirects_pattern, text_of(each, "route")) for each in tables_of(settings, "routes"))
    yield from _any_path(text) if "navigationFallback" in settings else ()


def _apache(text: str) -> Iterator[_Source]:
    """A rule of Apache's that only it understands; those that name a path are read apart."""
    return _any_path(text) if _APACHE_RULE.search(text) else iter(())


def _any_path(text: str) -> Iterator[_Source]:
    del text
    yield redirects_pattern, "/*"


def _unread(text: str) -> PathPattern:
    raise UnreadablePattern(text)


_FILES: Mapping[str, Callable[[str], Iterator[_Source]]] = {
    "_redirects": _redirects,
    ".htaccess": _apache,
    "200.html": _any_path,
    "staticwebapp.config.json": _azure,
    "vercel.json": _vercel,
    "netlify.toml": _netlify,
}
"""The files, each with its reader; Surge serves 200.html for any URL."""
