"""Builds of real folders: which dates stand."""

from __future__ import annotations

import re
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


def test_an_index_is_dated_by_a_page_that_left_but_not_by_a_file_that_makes_no_page(
    build: Build, built: Callable[[dict[str, str]], Path], repository: Repository, entries: Entries
) -> None:
    site = built({"index.html": "index.md", "about.html": "about.md"})
    sources = [{"page": "{**path}.html", "files": ["{**path}.md"]}]
    settings: dict[str, Any] = {"sources": sources, "groups": {"about": ["/about.html"]}}
    repository.commit({"_layouts/default.html": "x", "notes.html": "x"}, when=T + 30)
    build(site, **settings)
    assert entries(site / "sitemap.xml")[f"{BASE}sitemap-pages.xml"] == when(0)
    repository.commit({"README.md": "x", "_includes/x.html": "x"}, when=T + 31)
    repository.commit({"README.md": None, "_includes/x.html": None, "_layouts/default.html": None}, when=T + 32)
    build(site, **settings)
    assert entries(site / "sitemap.xml")[f"{BASE}sitemap-pages.xml"] == when(0)
    repository.commit({"hidden.md": "x"}, when=T + 40)
    repository.write({"_built/hidden.html": page(head="<meta name=robots content=noindex>")})
    build(site, **settings)
    assert entries(site / "sitemap.xml")[f"{BASE}sitemap-pages.xml"] == when(40)


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


def test_a_repository_that_git_refuses_is_an_error_with_git_s_own_remedy(
    build: Build, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({"a.html": page()}, when=T)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(SourceError, match=r"safe\.directory"):
        build.plan(repository.folder, lastmod="git")


def test_a_repository_that_git_refuses_is_no_matter_where_no_dates_are_wanted(
    build: Build, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({"a.html": page()}, when=T)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert locs(build.plan(repository.folder, lastmod="none")) == [f"{BASE}a.html"]


def test_without_git_on_the_machine_there_are_no_dates_and_that_is_said(
    build: Build, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({"a.html": page()}, when=T)
    monkeypatch.setenv("PATH", "/nowhere")
    plan = build.plan(repository.folder, lastmod="git")
    assert [each.lastmod for each in plan.pages] == [None]
    assert warnings(plan) == {"no-repository": 1}


def test_a_linked_page_has_the_date_of_its_content(build: Build, repository: Repository) -> None:
    repository.commit({"a.html": page()}, when=T)
    (repository.folder / "b.html").symlink_to("a.html")
    repository.commit({}, when=T + 1)
    repository.commit({"a.html": page("changed")}, when=T + 2)
    assert [each.lastmod for each in build.plan(repository.folder, lastmod="git").pages] == [when(2), when(2)]


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


def test_sources_may_be_written_from_the_root(build: Build, built: Callable[[dict[str, str]], Path]) -> None:
    site = built({"about/index.html": "content/about.md"})
    plan = build.plan(site, sources=[{"page": "/about/index.html", "files": ["/content/about.md", "./other.md"]}])
    assert [each.lastmod for each in plan.pages] == [when(0)]


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


def test_a_page_whose_source_is_removed_dates_its_sitemap(
    build: Build, built: Callable[[dict[str, str]], Path], repository: Repository, entries: Entries
) -> None:
    site = built(
        {
            "posts/a/index.html": "content/posts/a.md",
            "posts/b/index.html": "content/posts/b.md",
            "index.html": "content/_index.md",
        }
    )
    repository.commit({"content/posts/b.md": None}, when=T + 40)
    (site / "posts/b/index.html").unlink()
    sources = [{"page": "{**path}/index.html", "files": ["content/{**path}.md"]}]
    build(
        site, sources=[*sources, {"page": "index.html", "files": ["content/_index.md"]}], groups={"posts": ["/posts/"]}
    )
    assert entries(site / "sitemap.xml") == {f"{BASE}sitemap-pages.xml": when(2), f"{BASE}sitemap-posts.xml": when(40)}


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


@pytest.mark.parametrize(
    "head",
    [
        '<script src="/app.4f3e.js"></script>',
        "<script nonce=abc>let build = 1</script>",
        "<!-- built at 12:00 -->",
        "<meta name=generator content='Hugo 1'>",
        "<style>a{}</style>",
        "<link rel=stylesheet href=/a.css?v=2>",
    ],
)
def test_what_no_reader_sees_moves_no_date(remembering: Remembering, head: str) -> None:
    remembering({"a.html": page(body='<p class="x">Some  text.')}, 0)
    assert remembering({"a.html": page(head=head, body=f'<p class="y">Some\n text.</p>{head}')}, 1) == {"a.html": None}


@pytest.mark.parametrize("change", [{"title": "Other"}, {"body": "Other"}, {"body": "Some text. More."}])
def test_what_a_reader_sees_moves_the_date(remembering: Remembering, change: dict[str, str]) -> None:
    remembering({"a.html": page()}, 0)
    assert remembering({"a.html": page(**change)}, 1) == {"a.html": when(1)}


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


def test_a_lost_state_is_warned_of_where_it_costs_dates(build: Build, remembering: Remembering, tmp_path: Path) -> None:
    remembering({"a.html": page(body="one")}, 0)
    remembering({"a.html": page(body="two")}, 1)
    (tmp_path / "state.jsonl").unlink()
    plan = build.plan(tmp_path / "site", lastmod="content", state="state.jsonl")
    assert warnings(plan) == {"state-lost": 1}


def test_the_state_lists_what_is_there_and_nothing_that_is_gone(remembering: Remembering, tmp_path: Path) -> None:
    remembering({"a.html": page(), "b.html": page()}, 0)
    (tmp_path / "site" / "a.html").unlink()
    remembering({}, 1)
    state = (tmp_path / "state.jsonl").read_text()
    assert '"b.html"' in state
    assert '"a.html"' not in state


@pytest.mark.parametrize(
    "state",
    [
        b"",
        b"not json\n",
        b'["other-program",1]\n',
        b'["waypost-state",1]\n["page","a.html","x",null]\n',
        b'{"format":"waypost-state","version":4,"rules_version":1}\n["page","new-kind-of-line"]\n',
        b'{"format":"waypost-state","version":2,"rules_version":1}\n["page","a.html","x"]\n',
        b'{"format":"waypost-state","version":2,"rules_version":1}\n["ghost","a.html","x",null]\n',
        b"\xff\xfe\x00",
    ],
)
def test_a_state_that_is_damaged_or_newer_is_an_error_and_nothing_changes(
    remembering: Remembering, info: Standing, tmp_path: Path, state: bytes
) -> None:
    remembering({"a.html": page()}, 0)
    (tmp_path / "state.jsonl").write_bytes(state)
    (tmp_path / "site" / "b.html").write_text(page())
    before = info(tmp_path)
    with pytest.raises(StateError, match=r"state\.jsonl:[12]: ") as raised:
        remembering({}, 1)
    assert raised.value.exit_code == 6
    assert info(tmp_path) == before


def test_no_page_gets_another_date_when_the_rules_change(
    remembering: Remembering, entries: Entries, tmp_path: Path
) -> None:
    remembering({"a.html": page(body="one"), "b.html": page()}, 0)
    remembering({"a.html": page(body="two")}, 1)
    recorded = (tmp_path / "state.jsonl").read_text()
    by_other_rules = re.sub(r'(?m)^(\["page","[^"]+"),"[^"]+"', r'\1,"another digest"', recorded)
    header = f'{{"format":"waypost-state","version":3,"rules_version":0,"base_url":"{BASE}"}}\n'
    (tmp_path / "state.jsonl").write_text(header + by_other_rules.partition("\n")[2])
    remembering({"b.html": page(body="changed while the rules did")}, 2)
    assert entries(tmp_path / "site" / "sitemap.xml") == {f"{BASE}a.html": when(1), f"{BASE}b.html": None}
    assert (tmp_path / "state.jsonl").read_text().startswith(recorded.partition("\n")[0])
    remembering({"b.html": page(body="changed again")}, 3)
    assert entries(tmp_path / "site" / "sitemap.xml") == {f"{BASE}a.html": when(1), f"{BASE}b.html": when(3)}


def test_a_half_written_state_is_an_error(remembering: Remembering, tmp_path: Path) -> None:
    remembering({f"{n}.html": page() for n in range(9)}, 0)
    whole = (tmp_path / "state.jsonl").read_bytes()
    (tmp_path / "state.jsonl").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StateError):
        remembering({}, 1)


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
        ("a.html", page(head='<meta name="Last-Modified" content="2020-02-03T02:05:06Z">')),
        (
            "a.html",
            page(
                body='<script type="application/ld+json">{"@graph":[{"dateModified":"2020-02-03T02:05:06Z"}]}</script>'
            ),
        ),
        ("a.md", "---\ndate: 2019-01-01\nlastmod: 2020-02-03T02:05:06Z\n---\n"),
        ("a.md", "+++\ndate = 2020-02-03T02:05:06Z\n+++\n"),
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


def test_a_page_s_own_date_is_that_of_its_first_sight(remembering: Remembering) -> None:
    head = '<meta property="article:modified_time" content="2020-02-03">'
    assert remembering({"a.html": page(head=head)}, 0, page_dates=True) == {"a.html": "2020-02-03"}
    assert remembering({"a.html": page(head=head, body="new")}, 1, page_dates=True) == {"a.html": when(1)}


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
