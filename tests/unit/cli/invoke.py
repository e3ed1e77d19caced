"""The type of the fixture that runs a command, and what the commands are run on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from click.testing import Result

BASE = "https://example.org/"
FLAGS = ("--base-url", BASE, "--set", "lastmod=none")
SITE = "cloud://site/"
STATE = ("--base-url", BASE, "--set", "state=cloud://private/state")
"""The options of a bucket in the cloud in memory that has a state."""
PAGES = {"index.html": "<title>Home</title>", "hidden.html": "<meta name=robots content=noindex>"}


class Invoke(Protocol):
    """Runs the command `waypost`."""

    def __call__(self, *arguments: str, stdin: str = "") -> Result: ...


def urlset(*paths: str, lastmod: str = "") -> str:
    """A sitemap that lists these paths of the site."""
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    urls = "".join(f"<url><loc>{BASE}{path}</loc>{date}</url>" for path in paths)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'


def index(*locs: str) -> str:
    """A sitemap index that lists these sitemaps."""
    sitemaps = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{sitemaps}</sitemapindex>'


def put(files: dict[str, str]) -> None:
    """Write files below the working folder."""
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
