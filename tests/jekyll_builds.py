"""Small Jekyll sites, what the real Jekyll writes for them, and what Waypost derives from their sources."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from waypost.core.model import Skipped
from waypost.files.folder_source import FolderSource
from waypost.pages.jekyll_config import Profile
from waypost.pages.jekyll_source import JekyllSource

FIXTURES = Path(__file__).parent / "fixtures"
SITES = sorted(path.name for path in (FIXTURES / "jekyll").iterdir())
NOW = 1_717_243_200
"""2024-06-01T12:00:00Z, the time of all builds."""
BY_PLUGINS = ("redirects.json", "sitemap.xml", "robots.txt", "feed.xml", ".css.map")
"""Files without a source that plugins write beside the pages."""
MakeSource = Callable[..., JekyllSource]
"""Makes a source of files, by path; a file without text is a page without values."""
GITHUB_PLUGINS = ("jekyll-paginate", "jekyll-readme-index", "jekyll-optional-front-matter")


class Written(NamedTuple):
    """A file that a build writes: its path, and the path of its URL, decoded."""

    file: str
    url: str


def source_folder(site: str) -> Path:
    """The source of a site."""
    return FIXTURES / "jekyll" / site / "source"


def expected(site: str) -> list[Written]:
    """What the real Jekyll was recorded to write."""
    rows = json.loads((FIXTURES / "jekyll" / site / "expected.json").read_text(encoding="utf-8"))
    return [Written(*row) for row in rows]


def profile(site: str) -> Profile:
    """The profile under which a site is built, by its name."""
    return "github-pages" if site.startswith("github") else "jekyll"


def derived(site: str) -> list[Written]:
    """What Waypost derives, in order."""
    source = JekyllSource(FolderSource(source_folder(site)), profile(site), NOW)
    list(source.items(lambda _: None))
    return sorted(Written(file.key, unquote(file.url)) for file in source.written)


def skipped(source: JekyllSource) -> list[Skipped]:
    """What a source leaves out, by key."""
    found = (each for each in source.items(lambda _: None) if isinstance(each, Skipped))
    return sorted(found, key=lambda each: each.key)


def has_jekyll() -> bool:
    """Whether the real Jekyll is installed."""
    return shutil.which("jekyll") is not None


def real_build(site: str, folder: Path) -> list[Written]:
    """What the real Jekyll writes for a site, in order; `folder` is for its copy."""
    copy = folder / site
    shutil.copytree(source_folder(site), copy)
    return build(copy, profile(site), folder)


def build(source: Path, used: Profile, folder: Path) -> list[Written]:
    """Run Jekyll over a source; `folder` is for the output and the list of its files."""
    settings = {"time": "2024-06-01 12:00:00 UTC"}
    own = source / "_config.yml"
    if used == "github-pages":
        settings["plugins"] = json.dumps([*GITHUB_PLUGINS, *_plugins(own)])
    extra = folder / "extra.yml"
    extra.write_text("".join(f"{name}: {value}\n" for name, value in settings.items()))
    (folder / "plugins").mkdir()
    shutil.copy(FIXTURES / "jekyll_written_files.rb", folder / "plugins")
    command = ["jekyll", "build", "--disable-disk-cache", "--plugins", str(folder / "plugins")]
    command += ["--config", ",".join(str(path) for path in (own, extra) if path.exists())]
    written = folder / "written.jsonl"
    environment = {**os.environ, "TZ": "UTC", "LANG": "C.UTF-8", "WRITTEN_FILES": str(written)}
    done = subprocess.run(
        command, cwd=source, env={**environment, "JEKYLL_NO_BUNDLER_REQUIRE": "true"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in written.read_text(encoding="utf-8").splitlines()]
    found = {row["file"]: Written(row["file"], unquote(row["url"])) for row in rows}
    return sorted(row for row in found.values() if not row.file.endswith(BY_PLUGINS))


def _plugins(configuration: Path) -> list[str]:
    import yaml

    values = yaml.safe_load(configuration.read_text(encoding="utf-8")) if configuration.exists() else {}
    return list((values or {}).get("plugins") or [])
