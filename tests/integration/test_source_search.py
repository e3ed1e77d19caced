"""Dates of built pages with nothing configured: real repositories with a built folder that Git ignores."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import quick
from builds import BASE, T, warnings, when
from repositories import Repository
from sites import Build, Command, Entries

from waypost.core.dates import count_text
from waypost.core.errors import ConfigurationError
from waypost.core.model import DateCount, Plan

Texts = dict[str, str | bytes | None]


def text(name: str, words: int = 40) -> str:
    """How many words, each five of which are in no other text."""
    return " ".join(f"{name}{n}" for n in range(words))


def html(*paragraphs: str, language: str = "en", head: str = "") -> str:
    menu = "<nav><a href='/'>The menu of all the pages of the site</a></nav>"
    body = "".join(f"<p>{each}</p>" for each in paragraphs)
    return f"<!doctype html><html lang='{language}'><head><title>A site</title>{head}</head><body>{menu}{body}"


def sitemap(**dates: str) -> str:
    entries = "".join(f"<url><loc>{BASE}{name}</loc><lastmod>{date}</lastmod></url>" for name, date in dates.items())
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'


@pytest.fixture
def project(repository: Repository) -> Repository:
    """A repository of three texts, each in a commit of its own."""
    repository.commit({".gitignore": "/public/\n", "layout.html": "<body>{{ content }}</body>"}, T)
    for n, name in enumerate("abc"):
        repository.commit({f"texts/{name}.md": f"---\ntitle: A site\n---\n{text(name)}\n"}, T + n + 1)
    return repository


def built(project: Repository, pages: Mapping[str, str | bytes]) -> Path:
    """The folder that holds these pages."""
    project.write({f"public/{key}": content for key, content in pages.items()})
    return project.folder / "public"


def dates(plan: Plan) -> dict[str, str | None]:
    return {page.key: page.lastmod for page in plan.pages}


PAGES = {f"page-of-{name}.html": html(text(name)) for name in "abc"}
DATES = {"page-of-a.html": when(1), "page-of-b.html": when(2), "page-of-c.html": when(3)}


def test_a_built_page_has_the_date_of_its_source_s_commit(build: Build, project: Repository, entries: Entries) -> None:
    site = built(project, PAGES)
    plan = build(site, lastmod="git")
    assert dates(plan) == DATES
    assert not plan.warnings
    assert entries(site / "sitemap.xml") == {BASE + key: date for key, date in DATES.items()}


def test_the_newer_date_of_a_copy_of_a_source_does_not_date_its_page(build: Build, project: Repository) -> None:
    site = built(project, {"a.html": html(text("a")), "b.html": html(text("b"))})
    project.commit({"drafts/old-name.md": text("a")}, T + 20)
    assert dates(build.plan(site, lastmod="git")) == {"a.html": when(1), "b.html": when(2)}


def test_without_evidence_no_source_is_searched(build: Build, project: Repository) -> None:
    plan = build.plan(built(project, PAGES), lastmod="git", evidence=False)
    assert set(dates(plan).values()) == {None}
    assert warnings(plan) == {"untracked": 3}


def test_a_list_page_has_no_date_and_no_warning_of_its_own(build: Build, project: Repository) -> None:
    site = built(project, PAGES | {"tags/iron/index.html": html(text("a"), text("b"))})
    plan = build.plan(site, lastmod="git")
    assert dates(plan) == DATES | {"tags/iron/index.html": None}
    assert plan.no_date_reason == {"tags/iron/index.html": "list-page"}
    assert not plan.warnings


def test_with_lists_newest_a_list_has_the_date_of_the_newest_entry_of_its_main_content(
    build: Build, project: Repository, waypost: Command
) -> None:
    menu = "<nav><a href=/page-of-c.html>C</a></nav>"
    entries = "<main><a href=/page-of-a.html>A</a><a href=/page-of-b.html>B</a></main>"
    tags = {f"tags/x/{key}": html(menu, entries) for key in ("index.html", "page/2/index.html")}
    site = built(project, PAGES | tags)
    project.commit({"texts/a.md": f"---\ntitle: Another\n---\n{text('a')}\n"}, T + 20)
    project.commit({"texts/b.md": f"---\ntitle: A site\n---\n{text('b')}\n\nMore of this page.\n"}, T + 30)
    project.commit({"texts/c.md": f"---\ntitle: In the menu\n---\n{text('c')}\n"}, T + 40)
    plan = build.plan(site, lastmod="git", lists="newest")
    found = dates(plan)
    assert [found["page-of-b.html"], *(found[key] for key in tags)] == [when(30), when(20), None]
    assert DateCount(1, dated_by="entry") in plan.date_counts
    out = waypost("explain", str(site), "tags/x/index.html", *flags("--set", "lists=newest")).stdout
    assert f"  lastmod   {when(20)}, commit " in out
    assert "  entry     texts/a.md appeared last, or changed its title or summary" in out


def test_a_tracked_page_keeps_the_date_of_its_own_commit(build: Build, project: Repository) -> None:
    site = built(project, PAGES)
    project.git("add", "--force", "public/page-of-a.html")
    project.git("commit", "--quiet", "--message", "built", when=T + 30)
    assert dates(build.plan(site, lastmod="git")) == DATES | {"page-of-a.html": when(30)}


def test_a_new_page_that_is_not_committed_is_not_dated_by_a_page_with_its_text(
    build: Build, repository: Repository
) -> None:
    repository.commit({"old.html": html(text("old")), "b.html": html(text("b"))}, T)
    repository.write({"new.html": html(text("old"), "A line of its own.")})
    plan = build.plan(repository.folder, lastmod="git")
    assert dates(plan) == {"b.html": when(0), "new.html": None, "old.html": when(0)}
    assert warnings(plan) == {"untracked": 1}


def test_configured_sources_count_more_than_the_text(
    build: Build, project: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.folder)
    rows = [{"page": "page-of-a.html", "files": ["texts/c.md"]}]
    assert dates(build.plan(built(project, PAGES), sources=rows)) == DATES | {"page-of-a.html": when(3)}


# The generator's own dates


def test_the_generator_s_sitemap_is_read_before_it_is_replaced_and_remembered_for_the_next_run(
    build: Build, project: Repository
) -> None:
    own = sitemap(**{"a.html": when(1), "c.html": when(3)})
    site = built(project, {"a.html": html("little"), "c.html": html("less"), "sitemap.xml": own})
    for _ in range(2):
        assert dates(build(site, lastmod="git")) == {"a.html": when(1), "c.html": when(3)}
        assert "<lastmod>" in (site / "sitemap.xml").read_text()
    (site / "sitemap.xml").unlink()
    assert dates(build(site, lastmod="git")) == {"a.html": when(1), "c.html": when(3)}
    kept = sorted((project.folder / ".git" / "waypost").iterdir())
    assert [path.name.rpartition("-")[0] for path in kept] == ["generator-dates", "history", "history"]
    assert not project.git("status", "--porcelain")


def test_a_run_that_writes_nothing_remembers_nothing(build: Build, project: Repository) -> None:
    site = built(project, {"a.html": html("little"), "sitemap.xml": sitemap(**{"a.html": when(1)})})
    assert dates(build.plan(site, lastmod="git")) == {"a.html": when(1)}
    assert not (project.folder / ".git" / "waypost").exists()


# What the owner reads


def flags(*more: str) -> Sequence[str]:
    return ("--base-url", BASE, *more)


def test_explain_names_the_files_the_strength_and_the_commit(project: Repository, waypost: Command) -> None:
    site = built(project, PAGES)
    commit = project.git("log", "--format=%H", "--", "texts/b.md").strip()
    found = json.loads(waypost("explain", str(site), "page-of-b.html", *flags("--json")).stdout)[0]
    assert found["lastmod"] == when(2)
    assert (found["dating"]["dated_by"], found["dating"]["files"]) == ("text", ["texts/b.md"])
    assert commit.startswith(found["commit"])
    assert len(found["commit"]) >= 7
    out = waypost("explain", str(site), "page-of-b.html", *flags()).stdout
    assert "texts/b.md" in out
    assert found["dating"]["strength"] in out
    assert found["commit"] in out


def test_explain_says_why_a_page_has_no_date(project: Repository, waypost: Command) -> None:
    site = built(project, PAGES | {"lone.html": html(text("lone")), "tags/x/index.html": html(text("a"))})
    lone, tag = json.loads(waypost("explain", str(site), "lone.html", "tags/x/index.html", *flags("--json")).stdout)
    assert lone["no_date_reason"]
    assert tag["no_date_reason"]
    assert lone["no_date_reason"] != tag["no_date_reason"]


def test_the_answer_counts_dates_by_their_evidence_and_pages_without_a_date(
    build: Build, project: Repository, waypost: Command
) -> None:
    link = "<a href='https://example.org/o/r/edit/main/texts/c.md'>Edit</a>"
    pages = {"a.html": html(text("a")), "b.html": html(text("b")), "c.html": html(link), "tags/x.html": html(text("a"))}
    site = built(project, pages)
    assert build.plan(site, lastmod="git").date_counts == [
        DateCount(2, dated_by="text"),
        DateCount(1, dated_by="edit-link"),
        DateCount(1, no_date_reason="list-page"),
    ]
    done = waypost("build", str(site), *flags("--dry-run", "--json"))
    assert json.loads(done.stdout)["date_counts"] == [
        {"count": 2, "dated_by": "text"},
        {"count": 1, "dated_by": "edit-link"},
        {"count": 1, "no_date_reason": "list-page"},
    ]
    out = waypost("build", str(site), *flags("--dry-run")).stdout
    assert all(count_text(each) in out for each in build.plan(site, lastmod="git").date_counts)


def test_a_site_of_one_commit_is_said_to_be_one(build: Build, repository: Repository) -> None:
    sources: Texts = {f"texts/{n}.md": text(f"t{n}x") for n in range(30)}
    repository.commit({".gitignore": "/public/\n", **sources}, T)
    plan = build.plan(built(repository, {f"doc{n}.html": html(text(f"t{n}x")) for n in range(30)}), lastmod="git")
    assert set(dates(plan).values()) == {when(0)}
    assert warnings(plan) == {"same-dates": 30}


# Where the repository and the project are


def test_of_two_copies_the_one_in_the_project_dates_the_page_and_a_file_outside_of_it_those_that_show_it(
    build: Build, repository: Repository
) -> None:
    shared = text("shared")
    repository.commit({"docs/mkdocs.yml": "site_name: x\n", ".gitignore": "/docs/site/\n"}, T)
    repository.commit({"docs/docs/guide.md": shared}, T + 1)
    repository.commit({"other/guide.md": shared}, T + 2)
    repository.commit({"CHANGES.md": text("changes")}, T + 3)
    repository.write({"docs/site/guide/index.html": html(shared), "docs/site/index.html": html("little")})
    repository.write({"docs/site/changes/index.html": html(text("changes"))})
    plan = build.plan(repository.folder / "docs" / "site", lastmod="git")
    assert dates(plan)["guide/index.html"] == when(1)
    assert dates(plan)["changes/index.html"] == when(3)


def test_an_output_folder_outside_of_the_repository_is_dated_from_the_working_folder(
    build: Build, project: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(project, PAGES).rename(tmp_path / "elsewhere")
    monkeypatch.chdir(project.folder)
    assert dates(build.plan(tmp_path / "elsewhere", lastmod="git")) == DATES


# What dates never depend on


FILES = ["texts/a.md", "texts/b.md", "texts/c.md", "x/copy.md", "y/copy.md", "parts/note.md"]


def shuffled(folder: Path, order: Sequence[str], mtimes: Sequence[int], *, is_reversed: bool) -> dict[str, str | None]:
    """The dates of one site whose files are written, added to the index and touched in this order."""
    texts = {path: text(path[6]) for path in order if path.startswith("texts/")}
    texts |= {path: text("copied") for path in order if path.endswith("copy.md")} | {"parts/note.md": text("note", 20)}
    repository = Repository(folder)
    repository.commit({".gitignore": "/public/\n"}, T)
    repository.write({path: texts[path] for path in order})
    for n, path in enumerate(sorted(texts)):
        repository.git("add", path)
        repository.git("commit", "--quiet", "--message", "change", when=T + n)
    repository.git("rm", "--quiet", "--cached", "-r", "texts", "x", "y", "parts")
    for path in order:
        repository.git("add", path)
    pages = {**PAGES, "copied.html": html(text("copied")), "with-note.html": html(text("b", 39), text("note", 20))}
    site = built(repository, dict(reversed(pages.items())) if is_reversed else pages)
    files = sorted(each for each in folder.rglob("*") if each.is_file() and ".git/" not in each.as_posix())
    for file, mtime in zip(files, mtimes, strict=False):
        os.utime(file, (mtime, mtime))
    return dates(Build().plan(site, lastmod="git"))


@pytest.mark.parametrize("seed", quick.every(4, range(8)))
def test_dates_do_not_depend_on_the_order_of_files_or_on_their_times(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    order, mtimes = random.sample(FILES, len(FILES)), [random.randrange(2**31) for _ in range(12)]
    made = shuffled(tmp_path / "shuffled", order, mtimes, is_reversed=seed % 2 == 0)
    assert made == shuffled(tmp_path / "plain", sorted(order), [T] * 12, is_reversed=False)
    assert made["copied.html"] is None
    assert [made[f"page-of-{name}.html"] for name in "ac"] == [when(1), when(3)]


@pytest.mark.parametrize("settings", [{"lastmod": "git"}, {"sources": [{"page": "**", "files": ["content/*.md"]}]}])
def test_the_sources_in_a_submodule_have_the_dates_of_its_commits(
    build: Build, project: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    content = Repository(tmp_path / "content")
    content.commit({"d.md": text("d")}, T + 40)
    add = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", content.folder.as_uri(), "content")
    project.git(*add)
    project.commit({}, T + 90)
    assert dates(build.plan(built(project, {"d.html": html(text("d"))}), **settings)) == {"d.html": when(40)}
    project.git("clone", "--quiet", project.folder.as_uri(), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    plan = build.plan(built(Repository(tmp_path / "clone"), {"d.html": html(text("d"))}), **settings)
    assert "submodule-missing" in warnings(plan)


def test_a_setting_names_another_repository_with_sources(
    build: Build, project: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.folder)
    content = Repository(project.folder / "content")
    project.write({".gitignore": "/public/\n/content/\n"})
    content.commit({"d.md": text("d")}, T + 40)
    site = built(project, {"d.html": html(text("d"))})
    assert dates(build.plan(site, lastmod="git")) == {"d.html": None}
    assert dates(build.plan(site, lastmod="git", source_repository="content")) == {"d.html": when(40)}
    with pytest.raises(ConfigurationError, match="is in no Git repository"):
        build.plan(site, lastmod="git", source_repository=str(tmp_path.parent / "none"))


@pytest.mark.parametrize("names", ["123", "321"])
def test_of_equal_texts_the_first_in_a_walk_never_decides(build: Build, project: Repository, names: str) -> None:
    for n, name in enumerate(names):
        project.commit({f"{name}/copied.md": text("copied")}, T + 30 + n)
    assert dates(build.plan(built(project, PAGES | {"x.html": html(text("copied"))}), lastmod="git"))["x.html"] is None


@pytest.mark.parametrize("names", [["1/x.md", "2/other.md"], ["2/other.md", "1/x.md"]])
def test_of_equal_texts_the_one_with_the_page_s_path_decides_wherever_it_is(
    build: Build, project: Repository, names: Sequence[str]
) -> None:
    for n, name in enumerate(names):
        project.commit({name: text("copied")}, T + 30 + n)
    found = dates(build.plan(built(project, PAGES | {"x.html": html(text("copied"))}), lastmod="git"))
    assert found["x.html"] == when(30 + names.index("1/x.md"))


def test_of_pages_with_equal_texts_the_first_in_a_walk_never_decides(build: Build, project: Repository) -> None:
    pages = {"page-of-a.html": html(text("a"))} | {f"{n}.html": html(text("b")) for n in (3, 1, 2)}
    found = dates(build.plan(built(project, pages), lastmod="git"))
    assert len({found[f"{n}.html"] for n in (1, 2, 3)}) == 1


def with_keys(name: str, *keys: str) -> str:
    lines = "".join(f"{key}\n" for key in keys)
    return f"---\ntitle: A site\n{lines}---\n{text(name)}\n"


def test_a_commit_that_only_stamps_dates_in_front_matter_dates_no_page(build: Build, project: Repository) -> None:
    before = build.plan(built(project, PAGES), lastmod="git")
    project.commit({f"texts/{name}.md": with_keys(name, "updated: 2024-01-02") for name in "abc"}, T + 50)
    project.commit({f"texts/{name}.md": with_keys(name, "updated: 2024-01-03") for name in "ab"}, T + 60)
    project.commit({"texts/a.md": with_keys("a"), "texts/b.md": with_keys("b", "date: 2024-01-03")}, T + 70)
    after = build.plan(built(project, PAGES), lastmod="git")
    assert dates(after) == dates(before) | {"page-of-b.html": when(70)}


@pytest.mark.parametrize("sources", [[], [{"page": "page-of-{name}.html", "files": ["texts/{name}.md"]}]])
def test_a_source_may_date_its_page(
    build: Build, project: Repository, monkeypatch: pytest.MonkeyPatch, sources: list[dict[str, Any]]
) -> None:
    monkeypatch.chdir(project.folder)
    project.commit(
        {
            "texts/a.md": with_keys("a", "lastmod: 2020-01-02", "date: 2019-01-01"),
            "texts/b.md": with_keys("b", "lastmod: 2099-01-02", "date: 2019-01-01"),
            "texts/c.md": with_keys("c", "lastmod: 2020-01-02"),
        },
        T + 50,
    )
    own = '<meta property="og:updated_time" content="2021-01-02">'
    public = built(project, PAGES | {"page-of-c.html": html(text("c"), head=own)})
    settings: dict[str, Any] = {"lastmod": "git", "sources": sources}
    plan = build.plan(public, page_dates=True, **settings)
    assert list(dates(plan).values()) == ["2020-01-02", when(50), "2021-01-02"]
    assert warnings(plan) == {"wrong-page-date": 1}
    assert "2020-01-02" not in dates(build.plan(public, **settings)).values()


def test_a_source_says_when_its_page_was_published_where_git_does_not_know_more(
    build: Build, project: Repository
) -> None:
    project.commit({"texts/a.md": with_keys("a", "pubDate: 2020-01-02")}, T + 50)
    public = built(project, PAGES)
    project.write({"texts/a.md": with_keys("a", "pubDate: 2020-01-02") + "\nMore that is not committed.\n"})
    assert dates(build.plan(public, lastmod="git"))["page-of-a.html"] is None
    assert dates(build.plan(public, lastmod="git", page_dates=True))["page-of-a.html"] == "2020-01-02"


def test_explain_names_the_key_that_dated_a_page(project: Repository, waypost: Command) -> None:
    project.commit({"texts/a.md": with_keys("a", "lastUpdated: 2020-01-02")}, T + 50)
    own = '<time itemprop="dateModified" datetime="2021-01-02">then</time>'
    public = built(project, PAGES | {"page-of-b.html": html(text("b"), own)})
    flags = ("--base-url", BASE, "--set", "page_dates=true")
    done = waypost("explain", str(public), "page-of-a.html", "page-of-b.html", "page-of-c.html", *flags)
    assert "  lastmod   2020-01-02\n  dated by  lastUpdated in texts/a.md\n" in done.stdout
    assert "  lastmod   2021-01-02\n  dated by  dateModified in the page\n" in done.stdout
    assert done.stdout.count("dated by") == 2
