"""Reads the files in which a site's project keeps the rules of its host: one reader for each host."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from msgspec import structs

from waypost.core.data_files import DataError, load_json, load_toml, table_of, tables_of, text_of
from waypost.core.errors import SourceError
from waypost.core.model import UrlShape
from waypost.project.host_paths import firebase_pattern, redirects_pattern, vercel_pattern
from waypost.project.redirects_file import (
    READ_HEADERS,
    REDIRECTS,
    Report,
    Syntax,
    cloudflare_headers,
    cloudflare_redirects,
    netlify_headers,
    netlify_redirects,
    netlify_rule,
    read_pattern,
)
from waypost.settings.host_rules import ANY_SHAPE, AnsweredShapes, HeaderRule, OneHost, PathPattern, PathRule
from waypost.settings.hosts import HOSTS

WRANGLER = ("wrangler.jsonc", "wrangler.json", "wrangler.toml")
SITE_FILES = ("_redirects", "_headers", "staticwebapp.config.json", ".htaccess", "CNAME", ".nojekyll")
"""Files in the published folder."""
PROJECT_FILES = ("package.json", "netlify.toml", "vercel.json", "firebase.json", "staticwebapp.config.json", *WRANGLER)
"""Files in the folder of the project."""
_STRING = r'("(?:[^"\\\n]++|\\.)*+(?:"|(?=\n)|\\?\Z))'
"""A string of JSON; one that does not end is as long as its line, so that no text is read again and again."""
_STRING_OR_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_STRING_OR_LAST_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
_AZURE_BYTES = 20_480
"""The most that staticwebapp.config.json may have (Azure, "Configure Azure Static Web Apps", Restrictions)."""
_MOST_WILDCARD_RULES = 2_000
"""Each costs a page a microsecond or two; Cloudflare reads 100, Vercel 2,048 of all kinds."""
_MOST_SHOWN = 200
"""So many characters of a rule that cannot be read are shown."""
_VERCEL_RULES = 2_048
"""The most redirects, and the most rules of headers, that vercel.json may have (Vercel, "Configuration redirects")."""


class HostFiles(NamedTuple):
    """The texts of the files of hosts by name: those of the published folder, and those of the project's."""

    site: Mapping[str, str]
    project: Mapping[str, str]

    def of(self, *names: str) -> dict[str, str]:
        """The files with these names, the published folder's first."""
        found = {**self.project, **self.site}
        return {name: found[name] for name in names if name in found}


class HostContext(NamedTuple):
    """The files, the host of the base URL, and what takes the rules that cannot be read, by their file.

    `deploys_pages` if a workflow deploys to GitHub Pages, and not a branch is published.
    """

    files: HostFiles
    domain: str
    report: Callable[[str, str], None]
    deploys_pages: bool = False

    def reporter(self, name: str) -> Report:
        """Reports what of one file cannot be read."""
        return lambda problem: self.report(name, problem[:_MOST_SHOWN])

    def table(self, name: str, load: Callable[[str], object]) -> Mapping[str, Any]:
        """The values of a file; empty if there is no such file, or if it cannot be read."""
        text = self.files.of(name).get(name)
        try:
            found = load(text) if text is not None else {}
        except DataError as error:
            self.report(name, str(error))
            return {}
        return table_of(found)


def load_jsonc(text: str) -> object:
    """The value of JSON with comments and commas at the ends of lists; raises DataError."""
    plain = _STRING_OR_COMMENT.sub(_kept_string, text)
    return load_json(_STRING_OR_LAST_COMMA.sub(_kept_string, plain))


def _kept_string(found: re.Match[str]) -> str:
    return found[1] or ""


def read_host(name: str, context: HostContext) -> OneHost:
    """What is known of a host by its row, and what its files say; raises SourceError for too many rules."""
    read = _READERS.get(name)
    found = read(context) if read else OneHost(name, HOSTS[name].shapes)
    if found.most_wildcards > _MOST_WILDCARD_RULES:
        raise SourceError(
            f"the files of {HOSTS[name].title} have {found.most_wildcards:,} rules with wildcards for the same paths, "
            f"and at most {_MOST_WILDCARD_RULES:,} are tried; write fewer rules, or name the paths without wildcards"
        )
    row = HOSTS[name]
    return replace(found, escaped=row.escaped, lowers_case=row.lowers_case, lists_folders=row.lists_folders)


def _netlify(context: HostContext) -> OneHost:
    site, settings = context.files.site, context.table("netlify.toml", load_toml)
    report = context.reporter("netlify.toml")
    redirects = list(netlify_redirects(site.get("_redirects", ""), context.domain, context.reporter("_redirects")))
    for rule in tables_of(settings, "redirects"):
        source, target = text_of(rule, "from"), text_of(rule, "to")
        is_conditional = bool(rule.get("conditions") or rule.get("query"))
        status = rule.get("status", 301)
        if source and isinstance(status, int) and not is_conditional:
            is_forced = rule.get("force") is True
            redirects += netlify_rule(source, target, status, context.domain, report, is_forced=is_forced)
    headers = list(netlify_headers(site.get("_headers", ""), context.reporter("_headers")))
    for rule in tables_of(settings, "headers"):
        values = rule.get("values")
        blocks = [f"{text_of(rule, 'for')}\n  {name}: {value}" for name, value in _items(values)]
        headers += netlify_headers("\n".join(blocks), report)
    return OneHost("netlify", HOSTS["netlify"].shapes, redirects, headers)


def _cloudflare_pages(context: HostContext) -> OneHost:
    return _cloudflare(context, "cloudflare-pages", HOSTS["cloudflare-pages"].shapes)


def _cloudflare_workers(context: HostContext) -> OneHost:
    assets = wrangler(context).get("assets")
    handling = assets.get("html_handling", "") if isinstance(assets, dict) else ""
    shapes = _HTML_HANDLING.get(str(handling), HOSTS["cloudflare-workers"].shapes)
    return _cloudflare(context, "cloudflare-workers", shapes)


_HTML_HANDLING = {
    "force-trailing-slash": AnsweredShapes(("slash",), ("slash",)),
    "drop-trailing-slash": AnsweredShapes(("bare",), ("bare",)),
    "none": AnsweredShapes(("file",), ("file",)),
}


def _cloudflare(context: HostContext, name: str, shapes: AnsweredShapes) -> OneHost:
    site = context.files.site
    redirects = list(cloudflare_redirects(site.get("_redirects", ""), context.domain, context.reporter("_redirects")))
    headers = list(cloudflare_headers(site.get("_headers", ""), context.domain, context.reporter("_headers")))
    return OneHost(name, shapes, redirects, headers, merges_headers=True)


def wrangler(context: HostContext) -> Mapping[str, Any]:
    """The configuration of Cloudflare's tool, in the first of its files that there is."""
    name = wrangler_file(context)
    return context.table(name, load_toml if name.endswith(".toml") else load_jsonc) if name else {}


def wrangler_file(context: HostContext) -> str:
    """The first of the files of Cloudflare's tool that there is; empty if there is none."""
    return next((name for name in WRANGLER if name in context.files.project), "")


def _vercel(context: HostContext) -> OneHost:
    settings, report = context.table("vercel.json", load_jsonc), context.reporter("vercel.json")
    is_clean, slash = settings.get("cleanUrls") is True, settings.get("trailingSlash")
    for key in ("redirects", "headers"):
        if len(tables_of(settings, key)) > _VERCEL_RULES:
            report(f"it has over {_VERCEL_RULES:,} {key}, with which Vercel deploys nothing")
    redirects, headers = (
        _unconditional(tables_of(settings, key), "has", "missing") for key in ("redirects", "headers")
    )
    redirects = [rule for rule in redirects if rule.get("statusCode", 308) in REDIRECTS]
    rules = _rules_of_sources(redirects, headers, vercel_pattern, report)
    shapes = _vercel_shapes(slash, is_clean=is_clean)
    is_of_next = '"next"' in context.files.project.get("package.json", "")  # Vercel has a builder of its own for it
    return OneHost("vercel", structs.replace(shapes, missing=()) if is_of_next else shapes, *rules)


def _vercel_shapes(slash: object, *, is_clean: bool) -> AnsweredShapes:
    found = _clean_shapes(slash, is_clean=is_clean, folders=("bare", "slash"))
    return AnsweredShapes(("bare", "slash"), found.folder) if is_clean and not isinstance(slash, bool) else found


def _clean_shapes(slash: object, *, is_clean: bool, folders: tuple[UrlShape, ...]) -> AnsweredShapes:
    """The shapes by the options `cleanUrls` and `trailingSlash`; `folders` are those without the latter."""
    if isinstance(slash, bool):
        folders = ("slash",) if slash else ("bare",)
    if not is_clean:
        # A framework may answer without `.html`, so that this form may be listed where the site's links have it.
        return AnsweredShapes(ANY_SHAPE, (*folders, "file"), missing=("bare", "slash"))
    return AnsweredShapes(("slash",) if slash is True else ("bare",), folders)


def _firebase(context: HostContext) -> OneHost:
    settings = firebase_hosting(context)
    rules = _rules_of_sources(
        tables_of(settings, "redirects"),
        tables_of(settings, "headers"),
        firebase_pattern,
        context.reporter("firebase.json"),
    )
    is_clean, slash = settings.get("cleanUrls") is True, settings.get("trailingSlash")
    shapes = _clean_shapes(slash, is_clean=is_clean, folders=("slash", "bare") if is_clean else ("slash",))
    return OneHost("firebase", shapes, *rules)


def firebase_hosting(context: HostContext) -> Mapping[str, Any]:
    """The settings of the one site in firebase.json, which may be in a list."""
    found = context.table("firebase.json", load_jsonc).get("hosting")
    found = found[0] if isinstance(found, list) and len(found) == 1 else found
    return table_of(found)


def _azure(context: HostContext) -> OneHost:
    settings = context.table("staticwebapp.config.json", load_jsonc)
    report = context.reporter("staticwebapp.config.json")
    if len(context.files.of("staticwebapp.config.json").get("staticwebapp.config.json", "")) > _AZURE_BYTES:
        report(f"it has over {_AZURE_BYTES:,} bytes, with which Azure deploys nothing")
    shapes = _AZURE_SHAPES.get(str(settings.get("trailingSlash")), HOSTS["azure-static-web-apps"].shapes)
    redirects, headers = list[PathRule](), list[HeaderRule]()
    for name, value in _items(settings.get("globalHeaders")):
        headers += _named_header(redirects_pattern("/*"), name, value)
    of_routes: list[list[HeaderRule]] = []
    for rule in _unconditional(tables_of(settings, "routes"), "methods"):
        found = read_pattern(redirects_pattern, text_of(rule, "route"), report)
        if found:
            roles = rule.get("allowedRoles")
            is_for_all = not isinstance(roles, list) or "anonymous" in roles
            redirects.append(PathRule(found, text_of(rule, "redirect") if is_for_all else ""))
            own = [each for name, value in _items(rule.get("headers")) for each in _named_header(found, name, value)]
            of_routes.append(own)
    # The first route that fits counts, and the last rule here.
    return OneHost("azure-static-web-apps", shapes, redirects, [*headers, *chain.from_iterable(reversed(of_routes))])


_AZURE_SHAPES = {
    "never": AnsweredShapes(("bare",), ("bare",)),
    "always": AnsweredShapes(("slash",), ("slash",)),
    "auto": AnsweredShapes(("bare",), ("slash",)),
}


def _rules_of_sources(
    redirects: Sequence[Mapping[str, Any]], headers: Sequence[Mapping[str, Any]], syntax: Syntax, report: Report
) -> tuple[list[PathRule], list[HeaderRule]]:
    """The rules that have a `source`, and headers as a list of keys and values, as those of Vercel and Firebase."""
    path_rules = [
        PathRule(pattern, text_of(rule, "destination"))
        for rule in redirects
        if (pattern := read_pattern(syntax, text_of(rule, "source"), report))
    ]
    return path_rules, [each for rule in headers for each in _key_values(rule, syntax, report)]


def _key_values(rule: Mapping[str, Any], syntax: Syntax, report: Report) -> Iterator[HeaderRule]:
    named = [(text_of(each, "key"), text_of(each, "value")) for each in tables_of(rule, "headers")]
    read = [(name, value) for name, value in named if name.lower() in READ_HEADERS]
    if read and (pattern := read_pattern(syntax, text_of(rule, "source"), report)):
        for name, value in read:
            yield from _named_header(pattern, name, value)


def _named_header(pattern: PathPattern, name: str, value: object) -> Iterator[HeaderRule]:
    if name.lower() in READ_HEADERS and isinstance(value, str):
        yield HeaderRule(pattern, name.lower(), value)


def _unconditional(rules: Sequence[Mapping[str, Any]], *conditions: str) -> list[Mapping[str, Any]]:
    """The rules that hold for every visitor."""
    return [rule for rule in rules if not any(rule.get(name) for name in conditions)]


def _items(values: object) -> list[tuple[str, object]]:
    return [(str(name), value) for name, value in values.items()] if isinstance(values, dict) else []


def _github_pages(context: HostContext) -> OneHost:
    """GitHub Pages builds a branch without .nojekyll by Jekyll, which leaves out such names."""
    is_built = ".nojekyll" not in context.files.site and not context.deploys_pages
    return OneHost("github-pages", HOSTS["github-pages"].shapes, hides_underscores=is_built)


_READERS: Mapping[str, Callable[[HostContext], OneHost]] = {
    "github-pages": _github_pages,
    "netlify": _netlify,
    "cloudflare-pages": _cloudflare_pages,
    "cloudflare-workers": _cloudflare_workers,
    "vercel": _vercel,
    "firebase": _firebase,
    "azure-static-web-apps": _azure,
}
"""The hosts whose files are read; of others, the row of the table is all that is known."""
