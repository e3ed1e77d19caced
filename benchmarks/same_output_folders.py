"""Folders over which the commands of two checkouts are compared, and what the commands show of them."""

import gzip
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import edited_garden
from edited_garden import DAY
from forked_commands import ForkedCommands

BASE_URL = "https://www.example.org/"
NOW = 1_798_761_600
"""The time of the first command over a folder, 2027-01-01: later than all commits."""
_ENDINGS = (".xml", ".xml.gz", ".txt", ".rss", ".atom")
_NOT_RECOGNISED = ("mkdocs-versions", "nextjs-slash", "sphinx", "sphinx-dirhtml")
"""Sites of generators whose built site is not found without its name."""
_PAGES = {
    **{f"{name}.html": f"<!doctype html><title>{name}</title><p>Text of {name}" for name in ("index", "about")},
    **{f"docs/{name}.html": f"<!doctype html><title>{name}</title><p>Text" for name in ("index", "old", "secret")},
}
_HOSTS = {
    "netlify": {"_redirects": "/docs/old.html /about 301!\n", "_headers": "/docs/secret\n  X-Robots-Tag: noindex\n"},
    "netlify-toml": {"netlify.toml": '[[redirects]]\nfrom = "/docs/old"\nto = "/about"\nforce = true\n'},
    "vercel": {"vercel.json": '{"cleanUrls": true, "redirects": [{"source": "/docs/old", "destination": "/about"}]}'},
    "firebase": {"firebase.json": '{"hosting": {"public": ".", "cleanUrls": true, "trailingSlash": true}}'},
    "azure": {"staticwebapp.config.json": '{"trailingSlash": "always", "routes": [{"route": "/a", "redirect": "/"}]}'},
    "cloudflare-pages": {"wrangler.toml": 'pages_build_output_dir = "."\n', "_redirects": "/docs/old /about 301\n"},
    "cloudflare-workers": {"wrangler.jsonc": '{"assets": {"directory": ".", "html_handling": "force-trailing-slash"}}'},
    "github-pages": {"CNAME": "www.example.org\n", ".nojekyll": ""},
    "apache": {".htaccess": "Redirect 301 /docs/old.html /about.html\n"},
    "mistakes": {"vercel.json": "{", "_redirects": "/a\n", "netlify.toml": "x", "staticwebapp.config.json": "[]"},
}  # fmt: skip
SETTINGS = {
    "default": "",
    "text, html, stylesheet": 'formats = ["xml", "text", "html"]\nstylesheet = true\n',
    "text alone, robots.txt": 'formats = ["text"]\nrobots_sitemaps = true\n',
    "gzip, groups, robots.txt": """
gzip = true
formats = ["xml", "text"]
robots_sitemaps = true
groups = { first = ["/[a-h]*"], deep = ["/*/*/*/"] }
""",
    "metadata": """
alternates = true
images = true
image_hosts = ["cdn.example.net"]
videos = true
news = { name = "The Tea & Bread Times", language = "en", pages = ["/en/", "/de/"] }
formats = ["xml", "html"]
stylesheet = true
page_dates = true
""",
    "other URLs, names and limits": """
name = "map"
limits = "current"
drop_html = true
trailing_slash = "always"
index_files = []
pages = ["html", "pdf", ".txt", ".svg"]
exclude = ["*index*", "!.nojekyll"]
respect_robots = false
foreign_canonical = "skip"
overrides = [
    { match = ["*"], changefreq = "monthly" },
    { match = ["/[a-m]*"], changefreq = "daily", priority = 0.75 },
]
""",
    "llms, html for engines": 'formats = ["xml", "html", "llms"]\nhtml_language = "de"\nhtml_indexed = true\n',
    "URLs without files": '[[urls]]\nloc = "products/1"\nlastmod = "2026-03-01"\n[[urls]]\nloc = "x y"\npriority = 1\n',
    "mistakes": 'formats = "xml"\npages = ["exe"]\nunknown = 1\nlimits = "large"\nmax_removed = 101\n',
    "no page": 'include = ["/nothing/"]\n',
    "dates": 'page_dates = true\nprecision = "date"\nevidence = false\n',
}
"""The texts of a waypost.toml, by what they are about."""


class Seen(NamedTuple):
    """What one case of a kind shows, each text by its name."""

    kind: str
    case: str
    shown: Mapping[str, str]


class Command(NamedTuple):
    """A command and its arguments, some of which are filled in; `edit` changes the folder before it.

    `case` is its name, if several commands of a kind are run over one folder.
    """

    kind: str
    arguments: Sequence[str]
    edit: Callable[[Path], None] = lambda folder: None
    case: str = ""


COMMANDS = (
    Command("recognise --json", ("recognise", "--json")),
    Command("build --dry-run --json", ("build", "{site}", "--dry-run", "--json", "{options}")),
    Command("explain --json", ("explain", "{site}", "{keys}", "--json", "{options}")),
    Command("audit --json", ("audit", "{site}", "--json", "{options}")),
    Command("build", ("build", "{site}", "{options}")),
    Command("validate --json", ("validate", "{site}", "--json", "{options}")),
    Command("date --in-place", ("date", "{sitemap}", "--in-place", "--json", "{options}")),
)
"""The commands over every folder. The first ones write nothing."""
_TEXTS = (
    Command("recognise", ("recognise",)),
    Command("build --dry-run", ("build", "{site}", "--dry-run", "{options}")),
    Command("explain", ("explain", "{site}", "{keys}", "{options}")),
    Command("audit", ("audit", "{site}", "--most", "0", "{options}")),
    Command("validate --against", ("validate", "{sitemap}", "--against", "{options}")),
    Command("build --check", ("build", "{site}", "--check", "--json", "{options}")),
    Command("date", ("date", "{sitemap}", "{options}")),
    Command("report", ("report", "{site}", "--to", "report.html", "{options}")),
    Command("init", ("init",)),
)
"""More commands over some folders: what people read, and files besides sitemaps."""


@dataclass(frozen=True)
class Folder:
    """A folder to copy, and commands that are run in each copy; `site` is the site's folder, if it is named."""

    name: str
    source: Path
    options: Sequence[str] = ()
    site: str = ""
    commands: Sequence[Command] = COMMANDS

    def observe(self, program: ForkedCommands, copy: Path) -> Iterator[Seen]:
        """What each command shows, and which files it changes."""
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.source, copy, symlinks=True)
        values = {"{site}": [self.site] if self.site else [], "{keys}": ["none.html"], "{options}": self.options}
        for number, command in enumerate(self.commands):
            command.edit(copy)
            before, values["{sitemap}"] = file_states(copy), [_sitemap(copy)]
            arguments = [word for each in command.arguments for word in values.get(each, [each])]
            shown = program.run(arguments, copy, NOW + number * DAY)
            if "--dry-run" in arguments:
                values["{keys}"] = [*_keys(shown["stdout"]), "none.html"]
            yield Seen(command.kind, command.case or self.name, shown | changed_files(copy, before))


def file_states(folder: Path) -> dict[str, tuple[int, int]]:
    """The time and the size of each file, but of a repository's own."""
    found: dict[str, tuple[int, int]] = {}
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            state = os.lstat(path := os.path.join(parent, name))
            found[os.path.relpath(path, folder)] = (state.st_mtime_ns, state.st_size)
    return found


def changed_files(folder: Path, before: Mapping[str, object]) -> dict[str, str]:
    """The contents of the files that were written since then, and the names of those that were removed."""
    now = file_states(folder)
    written = {f"file {name}": _text(folder / name) for name, state in now.items() if before.get(name) != state}
    return written | {f"file {name}": "(removed)" for name in before if name not in now}


def _text(path: Path) -> str:
    """The content of a file; a compressed one begins with its digest."""
    content, digest = path.read_bytes(), ""
    if content.startswith(b"\x1f\x8b"):
        digest, content = f"{hashlib.sha256(content).hexdigest()}\n", gzip.decompress(content)
    return digest + content.decode("utf-8", "backslashreplace")


def _sitemap(folder: Path) -> str:
    """The sitemap that is nearest to the root."""
    names = [name for name in file_states(folder) if Path(name).match("sitemap*.xml")]
    return min(names, key=lambda name: (name.count("/"), name), default="sitemap.xml")


def _keys(answer: str) -> list[str]:
    """Some of the listed files, and some that are left out, of an answer in JSON."""
    try:
        listed, excluded = ([each["key"] for each in json.loads(answer)[name]] for name in ("pages", "excluded"))
    except (ValueError, KeyError):
        return []
    return [*listed[:3], *listed[-1:], *excluded[:2], *excluded[-1:]]


def own_folders(before: Path, scratch: Path) -> Iterator[Folder]:
    """The folders of BEFORE: sites of generators and of hosts, sources of Jekyll, the example, the rules' files."""
    yield from _generators(scratch)
    base = ("--base-url", BASE_URL)
    for name, files in _HOSTS.items():
        yield Folder(f"host {name}", _written(scratch / f"host-{name}", _PAGES | files), base)
    for source in sorted((before / "tests" / "fixtures" / "jekyll").glob("*/source")):
        yield Folder(f"Jekyll {source.parent.name}", source, base)
    garden = edited_garden.make(before, scratch / "garden")
    yield Folder("garden", garden, site="public", commands=(*COMMANDS, *_TEXTS))
    yield Folder("garden, edited", garden, site="public", commands=_EDITED)
    rules = _rules(scratch / "rules")
    for number, (about, settings) in enumerate(SETTINGS.items()):
        for name, source, site in (("garden", garden, "public"), ("rules", rules, "")):
            (source / f"{number}.toml").write_text(settings, encoding="utf-8")
            yield Folder(f"{name}: {about}", source, (*base, "--config", f"{number}.toml"), site)


_STATE = ("--state", "state.jsonl", "--set", "stylesheet=true", "--set", "precision=date")
_EDITED = (
    Command("build", ("build", "{site}", *_STATE)),
    Command("build after changes", ("build", "{site}", *_STATE), edited_garden.edit),
    Command("build with templates", ("build", "{site}", "--set", "templates=own", "--set", 'formats=["xml"]')),
)


def _generators(scratch: Path) -> Iterator[Folder]:
    """The sites that generators built, each in a repository of its source."""
    dates, fixtures = import_module("generator_dates"), import_module("generator_fixtures")
    for name, site in fixtures.SITES.items():
        parent = scratch / "generators" / name
        parent.mkdir(parents=True)
        made = dates.make_site(name, parent)
        output = site.output if name in _NOT_RECOGNISED else ""
        yield Folder(f"generator {name}", made.folder, ("--base-url", site.base_url), output, (*COMMANDS, *_TEXTS))


def _rules(folder: Path) -> Path:
    """Each file of the rules' corpus, in a folder of its own."""
    for number, case in enumerate(import_module("rule_cases").cases()):
        path = folder / f"{number:03}" / case.key
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(case.data)
        except OSError:
            continue  # an object may have a longer name than a file
    return folder


def own_samples(before: Path, scratch: Path) -> Folder:
    """The sitemaps of BEFORE's tests: validated, compared and merged."""
    seeds, golden = import_module("fuzz.seeds"), before / "tests" / "golden"
    files = {path.name: path.read_bytes() for path in sorted(golden.iterdir()) if path.is_file()}
    for number, seed in enumerate(seeds.seeds()):
        if seed[0] != seeds.PACKED:
            files[f"{number:03}-{seeds.KINDS[seed[0]]}"] = seed[1:]
    made = _written(scratch / "samples", files)
    sides, target = (
        ("sitemap.xml", "sitemap-described.xml"),
        ("--base-url", "https://www.waypost.dev/", "--output", "out"),
    )
    more = (
        *(Command("validate", ("validate", ".", each), case=each) for each in ("--most=1", "--csv", "--json")),
        *(Command("diff", ("diff", *sides, f"--format={each}"), case=each) for each in ("text", "json", "markdown")),
        *(Command("merge", ("merge", *sides, each, *target), case=each) for each in ("--json", "--index", "--check")),
    )
    return _validated("samples", made, more)


def _validated(name: str, folder: Path, more: Sequence[Command] = ()) -> Folder:
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    each = (Command("validate sample", ("validate", file, "--json"), case=f"{name} {file}") for file in files)
    return Folder(name, folder, commands=(*each, *more))


def corpus_folders(corpus: Path, scratch: Path) -> Iterator[Folder]:
    """The checkouts in a folder; and its other sitemaps, to be validated."""
    checkouts = [each.parent for each in sorted(corpus.glob("*/.git"))]
    yield from (Folder(each.name, each) for each in checkouts)
    files = (path for path in sorted(corpus.rglob("*")) if path.name.endswith(_ENDINGS) and path.is_file())
    loose = [path for path in files if not any(path.is_relative_to(each) for each in checkouts)]
    if loose:
        named = {str(path.relative_to(corpus)): path.read_bytes() for path in loose}
        yield _validated(corpus.name, _written(scratch / f"corpus-{corpus.name}", named))


def _written(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder
