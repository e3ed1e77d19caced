"""What holds of settings whatever they are: they are right, or a message says what is wrong, with nothing of ours."""

import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from waypost.cli.options import SiteOptions, as_settings
from waypost.core.errors import ConfigurationError, RenderError
from waypost.core.model import Page
from waypost.core.sitemap_rows import SitemapRows
from waypost.dates.source_mapping import SourceMapper
from waypost.pages.jekyll_globs import entry_pattern, path_pattern
from waypost.pages.selection import Selection
from waypost.project import host_files
from waypost.project.host_files import HostContext, HostFiles
from waypost.settings import load
from waypost.settings.load import ConfigSource
from waypost.settings.schema import SETTINGS, Site
from waypost.settings.url_lists import parse as parse_list
from waypost.sitemaps.render import Renderer

_BASE = 'base_url = "https://example.org/"\n'
_KEYS = ("index.html", "docs/a.html", "docs/[a]/b-c.html", "x/y/z.pdf", ".hidden/a.html")
_HOSTS = {
    "netlify": "_redirects",
    "cloudflare-pages": "_headers",
    "vercel": "vercel.json",
    "firebase": "firebase.json",
    "azure-static-web-apps": "staticwebapp.config.json",
}


def _use(site: Site) -> None:
    """Ask the settings about some keys."""
    selection, mapper = Selection(site), SourceMapper(site.sources)
    for key in _KEYS:
        selection.exclusion_reason(key)
        selection.group(key)
        selection.changefreq_and_priority(key)
        list(mapper.files(key, sorted(_KEYS)))


def _read_setting(data: bytes) -> None:
    """The value of one setting, as a file has it and as `--set` does."""
    name = list(SETTINGS)[data[0] % len(SETTINGS)].name if data else "exclude"
    value = data[1:].decode("utf-8", "replace")
    with suppress(ConfigurationError):
        if found := load.parse_toml(f"{_BASE}{name} = {value}\n", "waypost.toml"):
            _use(load.check_settings([found]))
    flags, _ = as_settings(SiteOptions((f"{name}={value}",), base_url="https://example.org/"))
    with suppress(ConfigurationError):
        _use(load.check_settings([flags]))


def _read_patterns(data: bytes) -> None:
    """A pattern for each setting that has some."""
    text = data.decode("utf-8", "replace")
    tables = {"overrides": [{"match": [text], "priority": 0.5}], "groups": {"a": [text]}}
    tables |= {"sources": [{"page": text, "files": [text]}]}
    for name, value in {"exclude": [text], "include": [text], **tables}.items():
        values = {"base_url": "https://example.org/", name: value}
        with suppress(ConfigurationError):
            _use(load.check_settings([ConfigSource("waypost.toml", values)]))
    with suppress(ValueError):
        for key in _KEYS:
            entry_pattern(text).match(key)
            path_pattern(text).match(key)


def _read_file(data: bytes) -> None:
    with suppress(ConfigurationError):
        if found := load.parse_toml(data.decode("utf-8", "replace"), "waypost.toml"):
            _use(load.check_settings([ConfigSource("a", tomllib.loads(_BASE)), found]))
    parse_list(data, "urls.csv")
    parse_list(data, "urls.jsonl")


def _render(data: bytes) -> None:
    """A template of the site's owner."""
    renderer = Renderer({"sitemap.xml.j2": (data.decode("utf-8", "replace"), "sitemap.xml.j2")})
    with suppress(RenderError):
        renderer.text("sitemap.xml.j2", rows=SitemapRows([Page("a", "https://example.org/a")], are_plain=True))


def _read_rules_of_hosts(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for host, file in _HOSTS.items():
        files = HostFiles({file: text}, {file: text})
        found = host_files.read_host(host, HostContext(files, "example.org", lambda name, problem: None))
        for key in _KEYS:
            found.redirect(f"/{key}")
            found.header(f"/{key}", "x-robots-tag")


_TRIALS: tuple[Callable[[bytes], object], ...] = (
    *(_read_setting, _read_patterns, _read_file, _render, _read_rules_of_hosts),
)


def trial(data: bytes) -> None:
    """Read settings whose first byte names their kind; raises whatever ought not to be."""
    _TRIALS[data[0] % len(_TRIALS) if data else 0](data[1:])


_PARTS = (
    *('["[z-a]"]', '["a[b-\\\\d]", "[a--b]"]', "[[" * 900, "1" * 5_000, "0001-01-01T00:00:00+23:59", "{a.b = 1}"),
    *("[z-a]", "!/a/**/[!b]?", "\\", "[[:alpha:]]", "a[", "{**a}/{b}.{c}", "/*a*b*c*d", "***", "(?P<x>", "\0"),
    *("exclude = ['[a--b]']\n", 'groups = {a = ["/x"]}\n[[overrides]]\nmatch = "a"\n', "loc,lastmod\n/a,9999-99-99\n"),
    *("{{ 'a' * 9 }}{% for a in rows %}{{ a }}{% endfor %}", "{% include 'x' %}", "{{ 1 / 0 }}", "{{ x.y }}", "{{"),
    *("/a/* /b/:splat 301!\n/c/:d/e /f 302\n", '{"redirects": [{"source": "/a/:b*", "destination": "/c"}]}'),
    *('{"hosting": {"headers": [{"source": "**/a", "headers": [{"key": "Link", "value": 1}]}]}}', "/a\n  Link: x\n"),
)


def seeds() -> Iterator[bytes]:
    """Settings to begin with, of each kind; each setting has some."""
    for part in _PARTS:
        for kind in range(1, len(_TRIALS)):
            yield bytes([kind]) + part.encode()
        for number in range(len(SETTINGS)):
            yield bytes([0, number]) + part.encode()


def write(folder: Path) -> None:
    """Write the seeds as files."""
    for number, seed in enumerate(seeds()):
        (folder / f"seed-{number:04}").write_bytes(seed)
