"""Inputs that hosts' rules, and choices among the pages of a site, read: versions, languages, and older versions."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from waypost.build import version_choice
from waypost.build.version_choice import find_versions
from waypost.core.page_changes import PageChange
from waypost.dates.changed_text import changed_text
from waypost.dates.source_changes import SourceChanges
from waypost.git.page_walk import moves
from waypost.pages.sibling_folders import language_folders
from waypost.project.host_files import HostContext, HostFiles, read_host
from waypost.project.site_folder import find_sites
from waypost.settings.values import Patterns

_PATH = "/" + "a" * 250 + ".html"


def _hosts(name: str, rules: Mapping[str, str], path: str = _PATH) -> object:
    """Ask a host's rules for a redirect and a header of 100 pages."""
    found = read_host(name, HostContext(HostFiles(rules, {}), "www.example.org", lambda file, problem: None))
    return [(found.redirect(f"{path}{n}"), found.header(f"{path}{n}", "x-robots-tag")) for n in range(100)]


def _answers_of_host(paths: list[str], sources: list[str] | None = None) -> object:
    """Ask for each path, by a rule for each source, by default for each path."""
    rules = "".join(f"{source} /b 301!\n" for source in sources or paths)
    found = read_host("netlify", HostContext(HostFiles({"_redirects": rules}, {}), "a.dev", lambda file, problem: None))
    return [found.redirect(path) for path in paths]


def _lines(name: str, file: str) -> Callable[[str], object]:
    return lambda text: _hosts(name, {file: text})


def _versions(keys: list[str]) -> object:
    return list(find_versions(keys, {}, {}))


def _languages(keys: list[str]) -> object:
    return list(language_folders(keys, lambda key: ""))


def _sources(text: bytes) -> object:
    check = SourceChanges(lambda versions: (text + b"*"[: n % 2] for n, _ in enumerate(versions)), 10, lambda _: None)
    return check.check([PageChange("a.md", b"1", b"2")], {"a.md"})


def _compared(middle: bytes) -> object:
    head = b"<!doctype html><title>x</title><body><p>text</p>"
    return changed_text(head + middle + b"<p>a</p>", head + middle + b"<p>b</p>" + middle)


def _project(workflow: str) -> object:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".git").mkdir()
        workflows = folder / ".github" / "workflows"
        workflows.mkdir(parents=True)
        (workflows / "a.yml").write_text(workflow)
        return find_sites(folder)


def _repeated(text: bytes) -> Callable[[int], bytes]:
    return lambda n: text * n


SITES: dict[str, tuple[Callable[[int], Any], Callable[[Any], object], int]] = {
    "redirects: placeholders": (lambda n: f"/{':a' * n}! /x 301!\n", _lines("netlify", "_redirects"), 1),
    "redirects: a rest and placeholders": (lambda n: f"/*a{':ba' * n}! /x 301!\n", _lines("netlify", "_redirects"), 1),
    "redirects: rules": (
        lambda n: "".join(f"/{k}/:a /x 301!\n" for k in range(n)),
        _lines("netlify", "_redirects"),
        100,
    ),
    "headers: placeholders": (lambda n: f"/{':a' * n}!\n  X-Robots-Tag: noindex\n", _lines("netlify", "_headers"), 1),
    "firebase: stars": (
        lambda n: json.dumps(
            {"hosting": {"public": ".", "redirects": [{"source": f"/{'*a' * n}b", "destination": "/x"}]}}
        ),
        _lines("firebase", "firebase.json"),
        1,
    ),
    "vercel: rules": (
        lambda n: json.dumps({"redirects": [{"source": f"/{k}/:a", "destination": "/x"} for k in range(n)]}),
        _lines("vercel", "vercel.json"),
        200,
    ),
    "azure: routes": (
        lambda n: json.dumps({"routes": [{"route": "/a", "headers": {"link": ""}}] * n}),
        _lines("azure-static-web-apps", "staticwebapp.config.json"),
        500,
    ),
    "versions: folders with the same pages": (
        lambda n: [f"{kind}{k}.0/{page}.html" for k in range(n) for kind in "vr" for page in ("a", kind + str(k))],
        _versions,
        100,
    ),
    "versions: pages above them": (
        lambda n: [*(f"{k}.html" for k in range(n)), *(f"v{k}.0/{k}.html" for k in range(n))],
        _versions,
        200,
    ),
    "versions: depth": (lambda n: [f"{'v1/' * n}{k}.html" for k in range(200)], _versions, 50),
    "languages: folders with the same pages": (
        lambda n: [f"{a}{b}/{page}.html" for a in "abcdef" for b in "deru" for page in range(n)],
        _languages,
        100,
    ),
    "translated: unclosed pre": (lambda n: b"<pre>" + b"x " * n, version_choice.texts, 20_000),
    "translated: many pre": (_repeated(b"<pre>"), version_choice.texts, 5_000),
    "translated: many ends": (_repeated(b"<pre></pre"), version_choice.texts, 5_000),
    "netlify: rules times pages": (
        lambda n: (f"/{'a' * 100}/{k}" for k in range(n)),
        lambda paths: _answers_of_host(list(paths)),
        500,
    ),
    "netlify: wildcards, as many as are read, times pages": (
        lambda n: [f"/{'a' * 100}/{k}" for k in range(n)],
        lambda paths: _answers_of_host(paths, [f"/{'a' * 100}/*/{k}" for k in range(2_000)]),
        20,
    ),
    "settings: patterns, as many as are read, times pages": (
        lambda n: [f"docs/{'a' * 100}/{k}.html" for k in range(n)],
        lambda keys: list(map(Patterns([f"/docs/**/x{k}/*.html" for k in range(1_000)]).decision, keys)),
        50,
    ),
    "moves of files of one name": (
        lambda n: ({f"a/{k}/x.html": b"%d" % k for k in range(n)}, {f"b/{k}/x.html": b"-%d" % k for k in range(n)}),
        lambda both: list(moves(*both)),
        1_000,
    ),
    "moves of equal files": (
        lambda n: ({f"a/{k}/x.html": b"1" for k in range(n)}, {f"b/{-k}/x.html": b"1" for k in range(n)}),
        lambda both: list(moves(*both)),
        1_000,
    ),
    "source: emphasis": (_repeated(b"_a "), _sources, 2_000),
    "source: brackets": (_repeated(b"["), _sources, 2_000),
    "source: images": (_repeated(b"!["), _sources, 1_000),
    "source: references": (_repeated(b"[a\n"), _sources, 1_000),
    "source: rows of a table": (lambda n: b"a|b\n-|-\n" + b"|\n" * n, _sources, 1_000),
    "source: tags": (_repeated(b"<div class=a>"), _sources, 500),
    "source: spaces": (_repeated(b" "), _sources, 5_000),
    "source: hashes": (_repeated(b" #"), _sources, 5_000),
    **{
        f"compared: {name}": (_repeated(text), _compared, 2_000)
        for name, text in {
            "paragraphs": b"<p>a</p>",
            "attributes": b'<p a="b" c=d e>a',
            "unclosed comments": b"<!--",
            "comments": b"<!-- - -->",
            "scripts": b"<script>",
            "closed scripts": b"<script>a</script>",
            "noscript": b"<noscript>",
            "closed noscript": b"<noscript><p>a</p></noscript>",
            "iframes": b"<iframe>",
            "svg": b"<svg>",
            "closed svg": b"<svg><path/></svg>",
            "selects": b"<select>",
            "table rows": b"<tr>",
            "inline tags": b"<b>",
            "unclosed tags": b"<p ",
            "unclosed values": b'<p a="',
            "references": b"&a",
            "spaces": b" ",
        }.items()
    },
    "workflow: uses on one line": (lambda n: "uses: JamesIves/github-pages-deploy-action@ " * n, _project, 1_000),
    "workflow: uses": (lambda n: "- uses: JamesIves/github-pages-deploy-action@\n" * n, _project, 1_000),
}
"""By name: what makes the input of size n, what reads it, and a size to begin with."""
