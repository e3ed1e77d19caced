"""Dates of built pages by the tracked files that they are made of, in small real repositories."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from repositories import Repository, in_repository

from waypost.core.dates import format_unix_time
from waypost.core.model import Item
from waypost.dates.commit_dates import NoDateReason
from waypost.dates.page_sources import PageSources
from waypost.dates.source_dates import BuiltPage, GeneratorDates, SourceDates
from waypost.files.folder_source import FolderSource
from waypost.git.tracked_files import TrackedFiles

T = 1_700_000_000
NOW = T + 1_000
BASE = "https://example.org/"
Built = Mapping[str, str | bytes]


def text(name: str, words: int = 40) -> str:
    """How many words, each five of which are in no other text."""
    return " ".join(f"{name}{n}" for n in range(words))


def html(*paragraphs: str, head: str = "", language: str = "") -> str:
    menu = "<nav><a href=/>The menu of the whole site</a></nav>"
    body = "".join(f"<p>{each}</p>" for each in paragraphs)
    return f"<!doctype html><html lang='{language}'><head><title>A site</title>{head}</head><body>{menu}{body}"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository of three texts, each in a commit of its own, and of other files."""
    made = Repository(tmp_path / "project")
    made.commit({".gitignore": "/public/\n", "logo.png": b"\x89PNG\0", "doc.pdf": b"%PDF-1\0"}, T)
    for n, name in enumerate("abc"):
        made.commit({f"docs/{name}.md": f"# Title {name}\n\n{text(name)}\n"}, T + n + 1)
    return made


def dated(
    repository: Repository, pages: Built, generator_dates: Mapping[str, str] | None = None, now: int = NOW
) -> SourceDates:
    """The search for the sources of these pages, which are built into a folder that Git ignores."""
    repository.write({f"public/{key}": content for key, content in pages.items()})
    output = repository.folder / "public"
    given = GeneratorDates(dates={f"example.org/{path}": date for path, date in (generator_dates or {}).items()})
    found = SourceDates(TrackedFiles(in_repository(repository.folder), output), now, lambda: given)
    found.find([BuiltPage(Item(key, key), BASE + key) for key in pages], FolderSource(output))
    return found


def at(seconds: int) -> str:
    return format_unix_time(T + seconds)


def test_pages_have_the_dates_of_the_files_with_their_texts(repository: Repository) -> None:
    found = dated(repository, {f"x-{name}.html": html(text(name)) for name in "abc"})
    assert {key: found.of(key) for key in ("x-a.html", "x-b.html", "x-c.html")} == {
        "x-a.html": at(1),
        "x-b.html": at(2),
        "x-c.html": at(3),
    }
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
    found.find([BuiltPage(Item(f"{n}.html", f"{n}.html"), f"{BASE}{n}") for n in "ac"], FolderSource(folder / "public"))
    assert (found.of("a.html"), found.of("c.html")) == (NoDateReason.SHALLOW, at(3))


def test_a_file_that_was_copied_has_the_date_of_the_tracked_file_with_its_bytes(repository: Repository) -> None:
    found = dated(repository, {"doc.pdf": b"%PDF-1\0", "other/doc.pdf": b"%PDF-1\0", "new.pdf": b"%PDF-2"})
    assert (found.of("doc.pdf"), found.sources("doc.pdf").evidence) == (at(0), "copy")
    assert found.of("other/doc.pdf") == found.of("new.pdf") == NoDateReason.NO_EVIDENCE


def test_a_copied_page_is_no_evidence_for_other_pages(repository: Repository) -> None:
    content = html(text("static"))
    repository.commit({"static/about.html": content}, T + 30)
    found = dated(repository, {"about.html": content, "a.html": html(text("a"))})
    assert (found.of("about.html"), found.sources("about.html").files) == (at(30), ("static/about.html",))
    assert found.sources("a.html").files == ("docs/a.md",)


def test_the_frame_of_the_site_is_no_text_of_a_page(repository: Repository) -> None:
    frame = text("frame")
    repository.commit({"layout.html": f"<body><header>{frame}</header></body>"}, T + 40)
    found = dated(repository, {f"{n}.html": html(frame, text(f"own-{n}-")) for n in range(8)})
    assert {found.of(f"{n}.html") for n in range(8)} == {NoDateReason.NO_EVIDENCE}


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
    pages = [BuiltPage(Item(key, key), BASE + key) for key in ("new.html", "b.html")]
    found.find(pages, FolderSource(repository.folder), {"old.html", "new.html", "b.html"})
    assert (found.of("new.html"), found.of("b.html")) == (NoDateReason.NO_EVIDENCE, at(2))


# Other evidence than the text


AB = {"a.html": html(text("a")), "b.html": html(text("b"))}
EDIT = "<a href='https://example.org/o/r/edit/main/docs/b.md'>Edit</a>"
OWN_DATE = f'<meta property="article:modified_time" content="{at(3)}">'


@pytest.mark.parametrize(
    ("pages", "generator_dates", "key", "date", "evidence"),
    [
        ({"b.html": html(EDIT)}, {}, "b.html", at(2), "edit-link"),
        ({"b.html": html("little")}, {"b": at(2)}, "b.html", at(2), "generator-date"),
        ({"b.html": html("little")}, {"b": at(500)}, "b.html", NoDateReason.NO_EVIDENCE, None),
        ({"c.html": html("little", head=OWN_DATE)}, {}, "c.html", at(3), "generator-date"),
        (AB | {"c.html": html("little")}, {}, "c.html", at(3), "path"),
        (
            {"a.html": html(text("a")), "b.html": html(text("b")), "z.html": html("-")},
            {},
            "z.html",
            "no-evidence",
            None,
        ),
    ],
    ids=["a link", "a generator's date", "no commit's date", "its own date", "where others lie", "no file lies there"],
)
def test_a_page_with_little_text_has_a_source_by_other_evidence(
    repository: Repository, pages: Built, generator_dates: dict[str, str], key: str, date: str, evidence: str | None
) -> None:
    found = dated(repository, pages, generator_dates)
    assert (found.of(key), found.sources(key).evidence) == (date, evidence)


def test_a_date_that_all_pages_have_is_that_of_the_build(repository: Repository) -> None:
    for n in range(6):
        repository.commit({f"docs/note{n}.md": text(f"note{n}-")}, T + 60 + n)
    given = {f"note{n}": at(65) for n in range(6)}
    found = dated(repository, {f"note{n}.html": html("little") for n in range(6)}, generator_dates=given)
    assert {found.of(f"note{n}.html") for n in range(6)} == {NoDateReason.NO_EVIDENCE}


def test_a_page_in_another_language_has_its_own_file(repository: Repository) -> None:
    repository.commit({"docs/de/a.md": text("a") + "\n\n" + text("zusatz", 10)}, T + 70)
    pages = {"a.html": html(text("a"), language="en"), "de/a.html": html(text("a"), text("zusatz", 10), language="de")}
    found = dated(repository, pages)
    assert found.sources("de/a.html").files == ("docs/de/a.md",)
    assert found.sources("a.html").files == ("docs/a.md",)


def test_a_page_that_cannot_be_read_has_no_evidence(repository: Repository) -> None:
    repository.write({"public/a.html": html(text("a"))})
    found = SourceDates(TrackedFiles(in_repository(repository.folder)), NOW)
    pages = [BuiltPage(Item("a.html", "a.html"), BASE), BuiltPage(Item("gone.html", "gone.html"), BASE)]
    found.find(pages, FolderSource(repository.folder / "public"))
    assert (found.of("a.html"), found.of("gone.html")) == (at(1), NoDateReason.NO_EVIDENCE)
