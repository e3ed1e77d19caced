"""Folders that two checkouts build: Debian's documentation, and generated sites."""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import debian_docs
import generated_sites
import repositories
from checkouts import Checkout, Comparison, Published, files_below
from compare_settings import BASE_URL, DAY, LARGE, MANY_GROUPS, METADATA, TREES

_ARTICLES = 3_000


@dataclass(frozen=True)
class FolderSite:
    """A folder that both checkouts build at a time, each to an output folder of its own."""

    comparison: Comparison
    name: str
    source: Path
    scratch: Path
    now: int

    def build(self, about: str, settings: str, *, days: int = 0, config: Path | None = None) -> None:
        """Build with settings, which stand in `config` if a folder of their own matters, some days from now."""
        config = config or self.scratch / "settings.toml"
        config.write_text(settings, encoding="utf-8")
        command = ("build", str(self.source), "--base-url", BASE_URL, "--config", str(config))

        def publish(checkout: Checkout) -> Published:
            output = self.scratch / checkout.name / self.name
            checkout.waypost(*command, "--output", str(output), now=self.now + days * DAY, folder=self.scratch)
            return files_below(output)

        self.comparison.step(f"{self.name}: {about}", publish)


def trees(comparison: Comparison, now: int, debs: Path | None) -> None:
    """Build the documentation of Debian's packages with many settings."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        if debs is None:
            debian_docs.download(scratch)
        for package in debian_docs.ROOTS:
            source = debian_docs.unpack(package, debs or scratch, scratch / "unpacked" / package)
            site = FolderSite(comparison, package, source, scratch, now)
            for about, settings in TREES.items():
                site.build(about, settings)


def generated(comparison: Comparison, now: int, objects: int) -> None:
    """Build a seeded repository, articles with all metadata, and a folder of many pages."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        _repository(comparison, now, scratch)
        _write(scratch / "articles", generated_sites.articles(_ARTICLES, now))
        articles = FolderSite(comparison, "articles", scratch / "articles", scratch, now)
        articles.build("metadata", METADATA)
        articles.build("metadata, news a day later", METADATA, days=1)
        articles.build("1,000 groups", MANY_GROUPS)
        _write(scratch / "large", generated_sites.large(objects))
        large = FolderSite(comparison, f"{objects:,} files", scratch / "large", scratch, now)
        for about, settings in LARGE.items():
            large.build(about, settings)


def _repository(comparison: Comparison, now: int, scratch: Path) -> None:
    folder = scratch / "repository"
    repositories.make(folder, pages=2_000, commits=200)
    site = FolderSite(comparison, "repository", folder, scratch, now)
    site.build("dates from Git", "")
    site.build("dates from Git, groups", 'precision = "date"\ngroups = { first = ["/section-0*/"] }\n')
    sources = '[[sources]]\npage = "{**path}/{page}.html"\nfiles = ["{**path}/*.html"]\n'
    site.build("dates from sources", sources, config=folder / "settings.toml")


def _write(folder: Path, site: generated_sites.Site) -> None:
    for key, content in site.items():
        path = folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
