"""Dates of built pages by the tracked files that they are made of, in small real repositories."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from repositories import Repository, in_repository
from unit.cli.invoke import BASE, index
from unit.sample_sites import RecordingStore, pages

from waypost.build import generator_sitemaps
from waypost.core.dates import format_unix_time
from waypost.core.model import Item
from waypost.core.sitemap_rows import SitemapRows
from waypost.dates import source_dates
from waypost.dates.commit_dates import NoDateReason
from waypost.dates.page_sources import PageSources
from waypost.dates.source_dates import GeneratorDates, SourceDates, opting_out
from waypost.files.folder_source import FolderSource
from waypost.git.tracked_files import TrackedFiles
from waypost.pages.own_dates import NO_DATES
from waypost.settings.output_names import MARK
from waypost.sitemaps.render import Renderer

T = 1_700_000_000
NOW = T + 1_000
Built = Mapping[str, str | bytes]
EDIT = "<a href='https://example.org/o/r/edit/main/docs/b.md'>Edit</a>"
WHEN = "2020-02-03T04:05:06Z"
KEPT = "dates.json"


def text(name: str, words: int = 40) -> str:
    """How many words, each five of which are in no other text."""
    return " ".join(f"{name}{n}" for n in range(words))


def html(*paragraphs: str, head: str = "", language: str = "") -> str:
    menu = "<nav><a href=/>The menu of the whole site</a></nav>"
    body = "".join(f"<p>{each}</p>" for each in paragraphs)
    return f"<!doctype html><html lang='{language}'><head><title>A site</title>{head}</head><body>{menu}{body}"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of three texts, each in a commit of its own, and of other files."""
    made = Repository(tmp_path_factory.mktemp("template"))
    made.commit({".gitignore": "/public/\n", "logo.png": b"\x89PNG\0", "doc.pdf": b"%PDF-1\0"}, T)
    for n, name in enumerate("abc"):
        made.commit({f"docs/{name}.md": f"# Title {name}\n\n{text(name)}\n"}, T + n + 1)
    return made.folder


@pytest.fixture
def repository(template: Path, tmp_path: Path) -> Repository:
    """A copy of the template, as that takes less time than four commits."""
    return Repository(shutil.copytree(template, tmp_path / "project"))


def dated(
    repository: Repository, pages: Built, generator_dates: Mapping[str, str] | None = None, now: int = NOW
) -> SourceDates:
    """The search for the sources of these pages, which are built into a folder that Git ignores."""
    repository.write({f"public/{key}": content for key, content in pages.items()})
    output = repository.folder / "public"
    given = GeneratorDates(dates={f"example.org/{path}": date for path, date in (generator_dates or {}).items()})
    found = SourceDates(TrackedFiles(in_repository(repository.folder), output), now, lambda: given)
    found.find([Item(key, key) for key in pages], FolderSource(output), {key: BASE + key for key in pages})
    return found


def at(seconds: int) -> str:
    return format_unix_time(T + seconds)


def test_pages_have_the_dates_of_the_files_with_their_texts(repository: Repository) -> None:
    found = dated(repository, {f"x-{name}.html": html(text(name)) for name in "abc"})
    assert [found.of(f"x-{name}.html") for name in "abc"] == [at(1), at(2), at(3)]
    assert (found.sources("x-a.html").files, found.sources("x-a.html").evidence) == (("docs/a.md",), "text")


def test_a_page_without_a_source_has_the_reason(repository: Repository) -> None:
    pages = {"lone.html": html(text("lone")), "a.html": html(text("a")), "tags/a/index.html": html(text("a"))}
    found = dated(repository, pages)
    assert found.of("lone.html") == NoDateReason.NO_EVIDENCE
    assert found.of("tags/a/index.html") == NoDateReason.LIST_PAGE


def test_a_page_that_was_not_searched_has_no_evidence(repository: Repository) -> None:
    found = dated(repository, {"b.html": html(text("b"))})
    assert found.sources("a.html") == PageSources(reason="no-evidence")
    assert found.of("a.html") == NoDateReason.NO_EVIDENCE


def test_equal_texts_without_other_evidence_are_ambiguous(repository: Repository) -> None:
    repository.commit({"x/copy.md": text("a"), "y/copy.md": text("a"), "docs/a.md": None}, T + 9)
    assert dated(repository, {"page.html": html(text("a"))}).of("page.html") == NoDateReason.AMBIGUOUS


def test_the_newest_of_the_files_that_a_page_is_made_of_dates_it(repository: Repository) -> None:
    repository.commit({"parts/note.md": text("note", 20)}, T + 20)
    found = dated(repository, {"a.html": html(text("a"), text("note", 20)), "b.html": html(text("b"))})
    assert found.sources("a.html").files == ("docs/a.md", "parts/note.md")
    assert (found.of("a.html"), found.of("b.html")) == (at(20), at(2))


def test_a_source_with_uncommitted_changes_dates_nothing(repository: Repository) -> None:
    repository.write({"docs/a.md": f"# Title a\n\n{text('a')}\n\nMore.\n"})
    found = dated(repository, {"a.html": html(text("a")), "b.html": html(text("b"))})
    assert (found.of("a.html"), found.of("b.html")) == (NoDateReason.UNCOMMITTED, at(2))


def test_a_source_that_is_not_committed_at_all_is_none(repository: Repository) -> None:
    repository.write({"docs/new.md": text("new")})
    assert dated(repository, {"new.html": html(text("new"))}).of("new.html") == NoDateReason.NO_EVIDENCE


def test_a_commit_after_the_present_dates_nothing(repository: Repository) -> None:
    pages = {"a.html": html(text("a")), "b.html": html(text("b"))}
    found = dated(repository, pages, now=T + 1)
    assert (found.of("a.html"), found.of("b.html")) == (at(1), NoDateReason.WRONG_TIME)


def test_a_source_beyond_the_edge_of_a_shallow_clone_dates_nothing(repository: Repository, tmp_path: Path) -> None:
    folder = tmp_path / "clone"
    repository.git("clone", "--quiet", "--depth=2", repository.folder.as_uri(), str(folder))
    (folder / "public").mkdir()
    for name in "ac":
        (folder / "public" / f"{name}.html").write_text(html(text(name)))
    found = SourceDates(TrackedFiles(in_repository(folder), folder / "public"), NOW)
    locs = {key: BASE + key for key in ("a.html", "c.html")}
    found.find([Item(key, key) for key in locs], FolderSource(folder / "public"), locs)
    assert (found.of("a.html"), found.of("c.html")) == (NoDateReason.SHALLOW, at(3))


def test_a_file_that_was_copied_has_the_date_of_the_tracked_file_with_its_bytes(repository: Repository) -> None:
    repository.commit({"docs/static/two.pdf": b"%PDF-3\0", "a/b/c/three.pdf": b"%PDF-4\0"}, T + 9)
    pages = {"doc.pdf": b"%PDF-1\0", "other/doc.pdf": b"%PDF-1\0", "new.pdf": b"%PDF-2"}
    found = dated(repository, {**pages, "two.pdf": b"%PDF-3\0", "three.pdf": b"%PDF-4\0"})
    assert (found.of("doc.pdf"), found.sources("doc.pdf").evidence, found.of("two.pdf")) == (at(0), "copy", at(9))
    others = ("other/doc.pdf", "new.pdf", "three.pdf")
    assert {found.of(key) for key in others} == {NoDateReason.NO_EVIDENCE}


def test_a_copied_page_is_no_evidence_for_other_pages(repository: Repository) -> None:
    content = html(text("static"))
    repository.commit({"static/about.html": content}, T + 30)
    found = dated(repository, {"about.html": content, "a.html": html(text("a"))})
    assert (found.of("about.html"), found.sources("about.html").files) == (at(30), ("static/about.html",))
    assert found.sources("a.html").files == ("docs/a.md",)


def test_files_in_the_output_folder_are_no_sources(repository: Repository) -> None:
    repository.git("add", "--force", "--all")
    repository.write({"public/old.html": html(text("old"))})
    repository.git("add", "--force", "public/old.html")
    repository.git("commit", "--quiet", "--message", "built", when=T + 50)
    assert dated(repository, {"new.html": html(text("old"))}).of("new.html") == NoDateReason.NO_EVIDENCE


def test_a_page_of_the_site_is_no_source_of_another(repository: Repository) -> None:
    repository.commit({"old.html": html(text("old"))}, T + 50)
    repository.write({"new.html": html(text("old")), "b.html": html(text("b"))})
    found = SourceDates(TrackedFiles(in_repository(repository.folder), repository.folder), NOW)
    locs = {key: BASE + key for key in ("old.html", "new.html", "b.html")}
    found.find([Item(key, key) for key in ("new.html", "b.html")], FolderSource(repository.folder), locs)
    assert (found.of("new.html"), found.of("b.html")) == (NoDateReason.NO_EVIDENCE, at(2))


# Other evidence than the text


AB = {"a.html": html(text("a")), "b.html": html(text("b"))}
OWN_DATE = f'<meta property="article:modified_time" content="{at(3)}">'


@pytest.mark.parametrize(
    ("pages", "generator_dates", "key", "date", "evidence"),
    [
        ({"b.html": html(EDIT)}, {}, "b.html", at(2), "edit-link"),
        ({"b.html": html("little")}, {"b": at(2)}, "b.html", at(2), "generator-date"),
        ({"b.html": html("little")}, {"b": at(500)}, "b.html", NoDateReason.NO_EVIDENCE, None),
        ({"c.html": html("little", head=OWN_DATE)}, {}, "c.html", at(3), "generator-date"),
        (AB | {"c.html": html("little")}, {}, "c.html", at(3), "path"),
        (AB | {"z.html": html("-")}, {}, "z.html", "no-evidence", None),
    ],
    ids=["a link", "a generator's date", "no commit's date", "its own date", "where others lie", "no file lies there"],
)
def test_a_page_with_little_text_has_a_source_by_other_evidence(
    repository: Repository, pages: Built, generator_dates: dict[str, str], key: str, date: str, evidence: str | None
) -> None:
    found = dated(repository, pages, generator_dates)
    assert (found.of(key), found.sources(key).evidence) == (date, evidence)


@pytest.mark.parametrize(("pages", "sharing", "is_build"), [(4, 3, False), (12, 5, False), (12, 7, True)])
def test_a_date_that_many_pages_have_is_that_of_the_build(
    repository: Repository, pages: int, sharing: int, *, is_build: bool
) -> None:
    keys = ["a", *map(str, range(pages - 1))]
    found = dated(repository, {f"{key}.html": html("little") for key in keys}, dict.fromkeys(keys[:sharing], at(1)))
    assert found.of("a.html") == (NoDateReason.NO_EVIDENCE if is_build else at(1))


def test_a_page_in_another_language_has_its_own_file(repository: Repository) -> None:
    repository.commit({"docs/de/a.md": text("a") + "\n\n" + text("zusatz", 10)}, T + 70)
    pages = {"a.html": html(text("a"), language="en"), "de/a.html": html(text("a"), text("zusatz", 10), language="de")}
    found = dated(repository, pages)
    assert found.sources("de/a.html").files == ("docs/de/a.md",)
    assert found.sources("a.html").files == ("docs/a.md",)


def test_a_page_that_cannot_be_read_has_no_evidence(repository: Repository) -> None:
    repository.write({"public/a.html": html(text("a"))})
    found = SourceDates(TrackedFiles(in_repository(repository.folder)), NOW)
    locs = {"a.html": BASE, "gone.html": BASE}
    found.find([Item(key, key) for key in locs], FolderSource(repository.folder / "public"), locs)
    assert (found.of("a.html"), found.of("gone.html")) == (at(1), NoDateReason.NO_EVIDENCE)


def test_a_page_is_kept_out_by_the_word_of_its_only_source(repository: Repository) -> None:
    repository.commit({"docs/p.md": f"Title: P\nStatus: hidden\n\n{text('p')}\n"}, T + 9)
    repository.write({f"public/{name}.html": html(text(name)) for name in "pa"})
    found = SourceDates(TrackedFiles(in_repository(repository.folder)), NOW, generators=lambda: ["Pelican"])
    locs = {key: BASE + key for key in ("p.html", "a.html")}
    found.find([Item(key, key) for key in locs], FolderSource(repository.folder / "public"), locs)
    assert [found.opting_out(key) for key in locs] == ["docs/p.md: Status: hidden", ""]


def urlset(**dates: str) -> bytes:
    entries = "".join(f"<url><loc>{BASE}{name}</loc><lastmod>{date}</lastmod></url>" for name, date in dates.items())
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()


def read(files: dict[str, bytes], kept: RecordingStore | None = None) -> GeneratorDates:
    return generator_sitemaps.generator_dates(RecordingStore(files), kept or RecordingStore(), KEPT)


def kept_after(found: GeneratorDates) -> RecordingStore:
    store = RecordingStore()
    source_dates.keep(found, store, KEPT)
    return store


def our_sitemap() -> bytes:
    """A sitemap that Waypost made, which gives a page the same date."""
    rows = SitemapRows(pages(["a.html"], lastmod=WHEN))
    return Renderer().text("sitemap.xml.j2", urls=rows, mark=MARK, stylesheet="")


@pytest.mark.parametrize("loc", [f"{BASE}a", f"{BASE}a/", f"{BASE}a/index.html"])
def test_a_date_is_that_of_the_page_in_any_form_of_its_url(loc: str) -> None:
    assert read({"sitemap.xml": urlset(**{"a.html": WHEN})}).of(loc) == (WHEN,)


def test_a_page_that_is_not_in_the_sitemaps_has_no_date() -> None:
    assert read({"sitemap.xml": urlset(a=WHEN)}).of(f"{BASE}b") == ()
    assert GeneratorDates().of(f"{BASE}a") == ()


@pytest.mark.parametrize(
    ("written", "date"),
    [(WHEN, (WHEN,)), ("2020-02-03T06:05:06+02:00", (WHEN,)), ("2020-02-03T04:05:06.789Z", (WHEN,)), ("yesterday", ())],
)
def test_only_a_time_is_compared_with_commits(written: str, date: tuple[str, ...]) -> None:
    assert read({"sitemap.xml": urlset(a=written)}).of(f"{BASE}a") == date


def test_the_sitemaps_that_an_index_lists_are_read() -> None:
    files = {"sitemap.xml": index(f"{BASE}de/sitemap.xml").encode(), "de/sitemap.xml": urlset(a=WHEN)}
    assert read(files).of(f"{BASE}a") == (WHEN,)


def test_a_sitemap_of_waypost_s_own_is_not_the_generator_s() -> None:
    assert read({"sitemap.xml": our_sitemap()}) == GeneratorDates()


def test_kept_dates_are_read_where_the_generator_s_sitemap_is_gone_or_replaced() -> None:
    found = read({"sitemap.xml": urlset(a=WHEN)})
    assert read({}, kept_after(found)) == found
    assert read({"sitemap.xml": our_sitemap()}, kept_after(found)) == found


def test_a_generator_s_new_sitemap_counts_instead_of_kept_dates() -> None:
    kept = kept_after(read({"sitemap.xml": urlset(a=WHEN, b=WHEN)}))
    later = "2021-02-03T04:05:06Z"
    assert read({"sitemap.xml": urlset(a=later)}, kept) == GeneratorDates(dates={"example.org/a": later})
    assert read({"sitemap.xml": urlset(a="2021-02-03")}, kept) == GeneratorDates()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'{"format":"waypost-generator-dates","version":2,"dates":{"example.org/a":"2020-02-03T04:05:06Z"}}',
        b'{"format":"other","version":1,"dates":{"example.org/a":"2020-02-03T04:05:06Z"}}',
        b'{"format":"waypost-generator-dates","version":1,"dates":{},"more":1}',
        b"\xff",
    ],
)
def test_a_kept_file_that_is_damaged_or_newer_counts_as_missing(content: bytes) -> None:
    assert read({}, RecordingStore({KEPT: content})) == GeneratorDates()


def test_the_same_dates_are_written_once_whatever_their_order() -> None:
    store = kept_after(read({"sitemap.xml": urlset(a=WHEN, b=WHEN)}))
    source_dates.keep(read({"sitemap.xml": urlset(b=WHEN, a=WHEN)}), store, KEPT)
    assert store.done == [("write", KEPT)]


def test_no_dates_are_not_written_over_kept_ones() -> None:
    store = kept_after(read({"sitemap.xml": urlset(a=WHEN)}))
    before = dict(store.files)
    source_dates.keep(GeneratorDates(), store, KEPT)
    assert store.files == before
    assert kept_after(GeneratorDates()).files == {}


@pytest.mark.parametrize("body", [b"", b"<html>404</html>", b"\x1f\x8bnot gzip"])
def test_a_sitemap_that_cannot_be_read_gives_no_dates(body: bytes) -> None:
    assert read({"sitemap.xml": body}) == GeneratorDates()


def yaml(lines: str) -> str:
    return f"---\ntitle: A\n{lines}\n---\nText\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (yaml("sitemap: false"), "sitemap: false"),
        (yaml("sitemap:\n  disable: true"), "sitemap.disable: true"),
        (yaml('draft: "true"'), "draft: true"),
        (yaml("private: yes"), "private: yes"),
        (yaml("robots: nofollow, noindex"), "robots: nofollow, noindex"),
        (yaml("published: false"), "published: false"),
        ("+++\ntitle = 'A'\ndraft = true\n+++\n", "draft: true"),
        ("+++\ntitle = 'A'\n[sitemap]\n  disable = true\n+++\n", "sitemap.disable: true"),
        (".. title: A\n.. status: private\n\nText\n", ".. status: private"),
        ("<!--\n.. status: draft\n-->\nText\n", ".. status: draft"),
    ],
)
def test_the_author_s_word_in_front_matter_keeps_a_page_out(text: str, line: str) -> None:
    assert opting_out(text, ()) == line


@pytest.mark.parametrize(
    "text",
    [
        "",
        "draft: true\n",
        yaml("draft: false"),
        yaml("sitemap:\n  priority: 0.5\n  disable: false"),
        yaml("params:\n  draft: true"),
        yaml("private: maybe"),
        yaml("status: draft"),
        "---\ntitle: A\n---\nThe word draft: true stands here.\nsitemap: false\n",
        "+++\n[params]\ndraft = true\n+++\n",
        "PEP: 1\nStatus: Draft\n\nText\n",
    ],
)
def test_anything_else_keeps_nothing_out(text: str) -> None:
    assert opting_out(text, ()) == ""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Title: A\nStatus: hidden\n\nText\n", "Status: hidden"),
        ("A\n##\n:date: 2024-01-01\n:status: draft\n\nText\n", ":status: draft"),
        ("Title: A\nStatus: published\n\nText\n", ""),
        ("Title: A\n\nText\nStatus: hidden\n", ""),
    ],
)
def test_a_status_counts_in_a_project_of_pelican_s(text: str, line: str) -> None:
    assert opting_out(text, ["Pelican"]) == line


@pytest.mark.parametrize("unit", ["---\n", "a: {", "sitemap:\n", " ", "[a]\n", ".. status:", "a: {b: c, "])
def test_a_hostile_source_is_read_quickly(unit: str) -> None:
    assert opting_out(f"---\n{unit * 50_000}\n---\n", ["Pelican"]) == ""


def test_a_link_and_its_target_are_one_file(repository: Repository) -> None:
    (repository.folder / "docs/index.md").symlink_to("../README.md")
    (repository.folder / "docs/guide").mkdir()
    (repository.folder / "docs/guide/tour.md").symlink_to("../../TOUR.md")
    repository.commit({"README.md": text("readme"), "TOUR.md": text("tour")}, T + 10)
    repository.commit({"README.md": text("readme", 50)}, T + 20)
    built = {"index.html": html(text("readme", 50)), "guide/tour/index.html": html(text("tour"))}
    found = dated(repository, {**built, "a.html": html(text("a"))})
    assert [found.of(key) for key in (*built, "a.html")] == [at(20), at(10), at(1)]
    assert found.sources("guide/tour/index.html").files == ("docs/guide/tour.md",)


def test_the_files_of_a_folder_are_those_of_links_to_it(repository: Repository) -> None:
    for language in ("en", "nl"):
        (repository.folder / language).symlink_to("docs")
    repository.commit({}, T + 10)
    repository.commit({"docs/b.md": text("b", 50)}, T + 20)
    built = {
        f"{language}/{name}.html": html(text(name), language=language) for language in ("en", "nl") for name in "ab"
    }
    found = dated(repository, built)
    assert {key: found.of(key) for key in built} == {key: at(20 if key.endswith("b.html") else 10) for key in built}


def test_the_one_text_that_a_page_is_made_of_may_date_it(repository: Repository) -> None:
    dated_text = f"---\nupdated: 2020-01-02\n---\n{text('a')}"
    repository.commit({"docs/a.md": dated_text, "docs/c.yaml": "---\nupdated: 2020-01-02\n---\n"}, T + 9)
    found = dated(repository, {"a.html": html(text("a"))})
    assert found.own_dates(found.sources("a.html").files).date(None) == "2020-01-02"
    for files in ((), ("docs/a.md", "docs/b.md"), ("docs/b.md",), ("docs/c.yaml",), ("logo.png",), ("gone.md",)):
        assert found.own_dates(files) == NO_DATES
