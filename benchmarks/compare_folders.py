"""Folders that two checkouts build: Debian's documentation, the example, and generated sites."""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import debian_docs
import generated_sites
import repositories
from checkouts import Checkout, Comparison, Published, files_below
from compare_settings import BASE_URL, DAY, LARGE, MANY_GROUPS, METADATA, TREES

_ARTICLES = 3_000
_GIT = ("git", "-c", "user.name=Example", "-c", "user.email=example@example.org", "-c", "init.defaultBranch=main")
_TEMPLATES = ("sitemap.xml.j2", "sitemap-index.xml.j2", "robots.txt.j2")
_FIRST_COMMIT = 1_700_000_000


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


def example(comparison: Comparison, now: int) -> None:
    """Build the example of BEFORE in place: by its own settings and Git's dates, with templates, by content."""
    with tempfile.TemporaryDirectory() as name:
        garden = Path(name, "garden")
        shutil.copytree(comparison.before.folder / "examples" / "garden", garden, symlinks=True)
        _commit(garden)
        copies = {each.name: Path(name, each.name) for each in (comparison.before, comparison.after)}
        for copy in copies.values():
            shutil.copytree(garden, copy, symlinks=True)

        def publish(checkout: Checkout, *flags: str, days: int = 0) -> Published:
            folder = copies[checkout.name]
            checkout.waypost("build", "public", *flags, now=now + days * DAY, folder=folder)
            return files_below(folder / "public")

        comparison.step("example in place: its own settings", publish)
        for copy in copies.values():
            _override_templates(comparison.before.folder / "templates", copy / "own")
        templates = ("--set", "templates=own", "--set", 'formats=["xml"]')
        comparison.step("example in place: templates of its own", lambda each: publish(each, *templates))
        state = ("--state", "state.jsonl", "--set", "stylesheet=true", "--set", "precision=date")
        comparison.step("example in place: dates by content", lambda each: publish(each, *state))
        for copy in copies.values():
            _edit(copy / "public")
        comparison.step("example in place: dates by content, pages changed", lambda each: publish(each, *state, days=1))


def _commit(garden: Path) -> None:
    """Three commits: all pages, a change, a page moved; and a change that is in no commit."""
    public = garden / "public"
    subprocess.run([*_GIT, "init", "--quiet", str(garden)], check=True)
    _commit_all(garden, 1)
    _append(public / "blog" / "first-frost.html", "<p>It came early.")
    _commit_all(garden, 2)
    (public / "about.html").rename(public / "about-us.html")
    _commit_all(garden, 3)
    _append(public / "guides" / "pruning.html", "<p>Not yet in a commit.")


def _commit_all(garden: Path, number: int) -> None:
    date = f"{_FIRST_COMMIT + number * DAY} +0000"
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    subprocess.run([*_GIT, "-C", str(garden), "add", "--all"], check=True)
    commit = [*_GIT, "-C", str(garden), "commit", "--quiet", "--message", f"Commit {number}"]
    subprocess.run(commit, check=True, env=os.environ | dates)


def _append(page: Path, text: str) -> None:
    page.write_bytes(page.read_bytes() + text.encode())


def _override_templates(own: Path, folder: Path) -> None:
    """Copies of a checkout's templates with a comment, as users make them."""
    folder.mkdir()
    for name in _TEMPLATES:
        comment = "# Changed\n" if name == "robots.txt.j2" else "<!-- Changed -->\n"
        (folder / name).write_text((own / name).read_text(encoding="utf-8") + comment, encoding="utf-8")


def _edit(public: Path) -> None:
    _append(public / "index.html", "<p>Another text.")
    _append(public / "blog" / "index.html", "<!-- The same text. -->")
    (public / "about-us.html").unlink()
    (public / "new.html").write_text("<title>New</title>", encoding="utf-8")


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
