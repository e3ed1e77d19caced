"""Builds of real folders: which dates stand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builds import BASE, Standing, T, locs, page, warnings, when
from repositories import Repository

from waypost.core.errors import SourceError, StateError

if TYPE_CHECKING:
    from sites import Build, Entries, Write


# Dates from Git


def test_an_index_dates_a_group_by_the_last_commit_that_touched_or_removed_a_page_of_it(
    build: Build, repository: Repository, entries: Entries
) -> None:
    site = repository.folder
    repository.commit({"index.html": page(), "blog/a.html": page(), "blog/b.html": page()}, when=T)
    repository.commit({"blog/a.html": page("changed")}, when=T + 1)
    repository.commit({"blog/b.html": None}, when=T + 2)
    repository.commit({"blog/style.css": "a{}", "blog/.hidden.html": page()}, when=T + 3)
    repository.commit({"about.html": page()}, when=T + 4)
    build(site, lastmod="git", groups={"blog": ["/blog/"], "docs": ["/docs/"]})
    assert entries(site / "sitemap-blog.xml") == {f"{BASE}blog/a.html": when(1)}
    assert entries(site / "sitemap.xml") == {f"{BASE}sitemap-pages.xml": when(4), f"{BASE}sitemap-blog.xml": when(2)}


def test_committing_the_sitemaps_makes_nothing_stale(build: Build, repository: Repository) -> None:
    repository.commit({"index.html": page(), "blog/a.html": page()}, when=T)
    settings: dict[str, Any] = {"lastmod": "git", "groups": {"blog": ["/blog/"]}, "robots_sitemaps": True}
    build(repository.folder, **settings)
    repository.commit({}, when=T + 5)
    assert not build.plan(repository.folder, **settings).is_stale


def test_a_date_may_be_the_day_alone(build: Build, repository: Repository, entries: Entries) -> None:
    repository.commit({"index.html": page(), "blog/a.html": page()}, when=T)
    build(repository.folder, lastmod="git", precision="date", groups={"blog": ["/blog/"]})
    assert entries(repository.folder / "sitemap-blog.xml") == {f"{BASE}blog/a.html": "2023-11-14"}
    assert set(entries(repository.folder / "sitemap.xml").values()) == {"2023-11-14"}


def test_pages_without_a_commit_have_no_date_and_are_warned_of(build: Build, repository: Repository) -> None:
    repository.commit({"a.html": page(), "b.html": page()}, when=T)
    repository.write({"b.html": page("edited"), "c.html": page("new")})
    plan = build.plan(repository.folder, lastmod="git")
    assert [each.lastmod for each in plan.pages] == [when(0), None, None]
    assert warnings(plan) == {"uncommitted": 1, "untracked": 1}


def test_an_insignificant_commit_moves_no_date_of_a_page_or_of_an_index(
    build: Build, repository: Repository, entries: Entries
) -> None:
    settings: dict[str, Any] = {"lastmod": "git", "groups": {"blog": ["/blog/"]}}
    site = repository.folder
    repository.commit({"index.html": page(), "blog/a.html": page()}, when=T)
    repository.commit({"blog/a.html": page(head="<link rel=stylesheet href=/new.css>")}, when=T + 5)
    build(site, **settings)
    assert entries(site / "sitemap-blog.xml") == {f"{BASE}blog/a.html": when(0)}
    assert entries(site / "sitemap.xml")[f"{BASE}sitemap-blog.xml"] == when(0)
    build(site, **settings, significance="bytes")
    assert entries(site / "sitemap-blog.xml") == {f"{BASE}blog/a.html": when(5)}
    assert entries(site / "sitemap.xml")[f"{BASE}sitemap-blog.xml"] == when(5)


def test_pages_beyond_the_budget_are_counted_in_a_warning(build: Build, repository: Repository) -> None:
    for n in range(2):
        stamp = f"<meta name=build content={n}>"
        repository.commit({f"{name}.html": page(name, head=stamp) for name in "abc"}, when=T + n)
    plan = build(repository.folder, lastmod="git", date_budget=4)
    assert [(warning.code, warning.count) for warning in plan.warnings] == [("beyond-budget", 1)]


def test_a_shallow_clone_warns_of_the_pages_beyond_its_edge(
    build: Build, repository: Repository, tmp_path: Path
) -> None:
    repository.commit({"a.html": page("a")}, when=T)
    repository.commit({"b.html": page("b")}, when=T + 1)
    repository.commit({"c.html": page("c")}, when=T + 2)
    repository.git("clone", "--quiet", "--depth=2", repository.folder.as_uri(), str(tmp_path / "shallow"))
    plan = build.plan(tmp_path / "shallow", lastmod="git")
    assert [each.lastmod for each in plan.pages] == [None, None, when(2)]
    assert warnings(plan) == {"shallow": 2}
    assert any("fetch-depth: 0" in warned.message for warned in plan.warnings)


def test_a_folder_in_no_repository_has_no_dates_and_that_is_said_once(build: Build, write: Write) -> None:
    plan = build.plan(write({"a.html": page("a"), "b.html": page("b")}), lastmod="git")
    assert [each.lastmod for each in plan.pages] == [None, None]
    assert warnings(plan) == {"no-repository": 1}


def test_a_repository_that_git_refuses_is_an_error_with_git_s_own_remedy_where_dates_are_wanted(
    build: Build, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({"a.html": page()}, when=T)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(SourceError, match=r"safe\.directory"):
        build.plan(repository.folder, lastmod="git")
    assert locs(build.plan(repository.folder, lastmod="none")) == [f"{BASE}a.html"]


# Dates of pages built from sources


@pytest.fixture
def built(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], Path]:
    """A repository of sources, each committed a second after the one before, and its untracked site."""

    def make(pages: dict[str, str]) -> Path:
        repository.commit({".gitignore": "/_built/\n"}, when=T - 9)
        for n, source in enumerate(dict.fromkeys(pages.values())):
            repository.commit({source: f"# {source}"}, when=T + n)
        repository.write({f"_built/{name}": page(name) for name in pages})
        monkeypatch.chdir(repository.folder)
        return repository.folder / "_built"

    return make


def test_sources_with_captures_and_globs_date_a_page_by_the_newest_file_it_is_made_of(
    build: Build, built: Callable[[dict[str, str]], Path], repository: Repository
) -> None:
    site = built({"team/index.html": "data/team/a.yml", "de/docs/x/y/index.html": "i18n/de/x/y.md", "lone.html": "-"})
    repository.commit({"data/team/b.yml": "b", "data/team/deep/c.yml": "c", "theme/x/base.html": "x"}, when=T + 20)
    repository.commit({"data/team/deep/c.yml": "d", "i18n/en/x/y.md": "en"}, when=T + 30)
    plan = build.plan(
        site,
        sources=[
            {"page": "team/index.html", "files": ["data/team/*.yml"]},
            {"page": "{lang}/docs/{**path}/index.html", "files": ["i18n/{lang}/{**path}.md", "theme/**"]},
        ],
    )
    assert {each.key: each.lastmod for each in plan.pages} == {
        "de/docs/x/y/index.html": when(20),
        "lone.html": None,
        "team/index.html": when(20),
    }
    assert warnings(plan) == {"sourceless": 1}


@pytest.mark.parametrize("settings", [{}, {"sources": [{"page": "{**path}.html", "files": ["docs/{**path}.md"]}]}])
def test_a_page_of_a_link_has_the_date_of_the_file_to_which_it_leads(
    build: Build, repository: Repository, settings: dict[str, Any]
) -> None:
    (repository.folder / "docs").mkdir()
    (repository.folder / "docs/index.md").symlink_to("../README.md")
    (repository.folder / "docs/guide").symlink_to("../manual")
    text = {name: " ".join(f"{name}{n}" for n in range(40)) for name in ("readme", "tour")}
    files: dict[str, str | bytes | None] = {"README.md": "Soon", "manual/tour.md": "Soon", ".gitignore": "/_built/"}
    repository.commit(files, when=T)
    repository.commit({"README.md": text["readme"]}, when=T + 1)
    repository.commit({"manual/tour.md": text["tour"]}, when=T + 2)
    pages = {"index.html": "readme", "guide/tour.html": "tour"}
    repository.write({f"_built/{key}": page(name, body=f"<p>{text[name]}</p>") for key, name in pages.items()})
    plan = build.plan(repository.folder / "_built", lastmod="git", **settings)
    assert {each.key: each.lastmod for each in plan.pages} == {"index.html": when(1), "guide/tour.html": when(2)}


# Dates by content


@pytest.fixture
def remembering(build: Build, write: Write, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, str | None]]:
    """Write files and build with a state at a time; the dates by key."""

    def run(files: dict[str, str | bytes], at: int, **settings: Any) -> dict[str, str | None]:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(T + at))
        plan = build(write(files), lastmod="content", state="state.jsonl", **settings)
        return {each.key: each.lastmod for each in plan.pages}

    return run


Remembering = Callable[..., dict[str, str | None]]


def test_content_has_no_date_until_it_changes(remembering: Remembering) -> None:
    first = {"a.html": page(body="one"), "b.html": page(), "c.pdf": b"one"}
    assert set(remembering(first, 0).values()) == {None}
    assert set(remembering(first, 1).values()) == {None}
    changed = {"a.html": page(body="two"), "c.pdf": b"two"}
    assert remembering(changed, 2) == {"a.html": when(2), "b.html": None, "c.pdf": when(2)}
    assert remembering({}, 3) == {"a.html": when(2), "b.html": None, "c.pdf": when(2)}


def test_what_no_reader_sees_moves_no_date(remembering: Remembering) -> None:
    head = (
        '<script nonce=abc>let build = 1</script><script src="/app.4f3e.js"></script><!-- built at 12:00 -->'
        "<meta name=generator content='Hugo 1'><style>a{}</style><link rel=stylesheet href=/a.css?v=2>"
    )
    remembering({"a.html": page(body='<p class="x">Some  text.')}, 0)
    assert remembering({"a.html": page(head=head, body=f'<p class="y">Some\n text.</p>{head}')}, 1) == {"a.html": None}
    assert remembering({"a.html": page(body="Some text. More.")}, 2) == {"a.html": when(2)}


def test_a_damaged_state_is_an_error_and_nothing_changes(
    remembering: Remembering, info: Standing, tmp_path: Path
) -> None:
    remembering({"a.html": page()}, 0)
    (tmp_path / "state.jsonl").write_bytes(b"not json\n")
    (tmp_path / "site" / "b.html").write_text(page())
    before = info(tmp_path)
    with pytest.raises(StateError, match=r"state\.jsonl:1: ") as raised:
        remembering({}, 1)
    assert raised.value.exit_code == 6
    assert info(tmp_path) == before


def test_a_build_stamp_on_every_page_moves_neither_a_page_nor_an_index(
    remembering: Remembering, entries: Entries, tmp_path: Path
) -> None:
    groups = {"blog": ["/blog/"]}
    remembering({"index.html": page(), "blog/a.html": page()}, 0, groups=groups)
    remembering({"blog/a.html": page(body="new")}, 1, groups=groups)
    metadata = "<!-- build 2 -->"
    remembering({"index.html": page(head=metadata), "blog/a.html": page(head=metadata, body="new")}, 2, groups=groups)
    index = entries(tmp_path / "site" / "sitemap.xml")
    assert index == {f"{BASE}sitemap-pages.xml": None, f"{BASE}sitemap-blog.xml": when(1)}


def test_a_state_in_the_site_is_not_listed(build: Build, write: Write) -> None:
    site = write({"a.html": page()})
    settings: dict[str, Any] = {
        "lastmod": "content",
        "state": str(site / ".waypost" / "state.jsonl"),
        "pages": ["html", ".jsonl"],
    }
    build(site, **settings)
    assert locs(build(site, **settings)) == [f"{BASE}a.html"]


# Dates that pages give themselves


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.html", page(head='<meta property="article:modified_time" content="2020-02-03T04:05:06+02:00">')),
        ("a.md", "---\ndate: 2019-01-01\nlastmod: 2020-02-03T02:05:06Z\n---\n"),
    ],
)
def test_a_page_s_own_date_is_believed_if_asked(build: Build, repository: Repository, name: str, content: str) -> None:
    repository.commit({name: content, "b.html": page()}, when=T)
    settings: dict[str, Any] = {"lastmod": "git", "pages": ["html", "markdown"]}
    believed = build.plan(repository.folder, page_dates=True, **settings)
    assert [each.lastmod for each in believed.pages] == ["2020-02-03T02:05:06Z", when(0)]
    assert [each.lastmod for each in build.plan(repository.folder, **settings).pages] == [when(0), when(0)]


def test_a_date_in_the_future_is_not_believed_and_warned_of(
    build: Build, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(T))
    head = '<meta property="article:modified_time" content="{}">'
    site = write({f"{day}.html": page(head=head.format(day)) for day in ("2023-11-14", "2023-11-15", "2099-01-01")})
    plan = build.plan(site, page_dates=True)
    assert [each.lastmod for each in plan.pages] == ["2023-11-14", None, None]
    assert warnings(plan) == {"wrong-page-date": 2}


def test_a_state_of_another_site_is_refused_unless_the_settings_say_what_that_means(
    build: Build, tmp_path: Path, remembering: Remembering
) -> None:
    remembering({"a.html": page(body="one")}, 0)
    remembering({"a.html": page(body="two")}, 1)
    before = (tmp_path / "state.jsonl").read_bytes()
    asked: dict[str, Any] = {"state": "state.jsonl", "lastmod": "content", "base_url": "https://moved.example.org/"}
    with pytest.raises(StateError, match=r"is the state of https://example.org/, .* --adopt-state"):
        build(tmp_path / "site", **asked)
    assert (tmp_path / "state.jsonl").read_bytes() == before
    assert [each.lastmod for each in build(tmp_path / "site", preview=True, **asked).pages] == [when(1)]
    assert (tmp_path / "state.jsonl").read_bytes() == before
    assert [each.lastmod for each in build(tmp_path / "site", adopt_state=True, **asked).pages] == [when(1)]
    assert [each.lastmod for each in build(tmp_path / "site", **asked).pages] == [when(1)]


def test_a_site_with_a_git_folder_of_its_own_is_dated_by_the_repository_around_it_and_a_warning_says_so(
    build: Build, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({"content/a.md": "# Alpha\n\nAll about the alphabet.\n", ".gitignore": "public\n"}, when=T)
    inner = Repository(repository.folder / "public")
    inner.commit({"a.html": page("Alpha", body="<h1>Alpha</h1><p>All about the alphabet.</p>")}, when=T + 99)
    monkeypatch.chdir(repository.folder)
    plan = build.plan(inner.folder, lastmod="git")
    assert [each.lastmod for each in plan.pages] == [when(0)]
    assert warnings(plan) == {"nested-repository": 1}
    assert [each.key for warning in plan.warnings for each in warning.examples] == [".git"]
