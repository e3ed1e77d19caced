"""Dates of built pages whose sources name other files, parts of files, and docstrings."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import quick
from builds import BASE, T, when
from chronicles import Chronicle
from repositories import Repository, in_repository
from sites import Build

from waypost.core.model import Plan
from waypost.core.page_changes import part_name
from waypost.dates.page_history import KeptHistories, part_times
from waypost.settings.schema import Site

SITE = Site(base_url=BASE)


def text(name: str, words: int = 40) -> str:
    return " ".join(f"{name}{n}" for n in range(words))


def html(*paragraphs: str) -> str:
    body = "".join(f"<p>{each}</p>" for each in paragraphs)
    return f"<!doctype html><html lang='en'><head><title>A site</title></head><body>{body}"


@pytest.fixture
def project(repository: Repository) -> Repository:
    """A repository of three texts that are pages of their own."""
    repository.commit({".gitignore": "/public/\n"}, T)
    repository.commit({f"docs/{name}.adoc": f"{text(name)}\n" for name in "abc"}, T + 1)
    repository.write({f"public/{name}.html": html(text(name)) for name in "abc"})
    return repository


def dates(plan: Plan) -> dict[str, str | None]:
    return {page.key: page.lastmod for page in plan.pages}


def test_a_page_of_files_with_variables_has_the_date_of_the_newest_file_that_it_names(
    project: Repository, build: Build
) -> None:
    sentence = "Open {dev} on the desk, then let {tool} read the list of {dev} in room "
    partial = "\n\n".join(f"{sentence}{n} and {{tool}} number{n} wait{n} here{n} now{n} again{n}." for n in range(20))
    project.commit(
        {"docs/manual.adoc": "= Manual\n\nA short introduction.\n\ninclude::part.adoc[]\n", "docs/part.adoc": partial},
        T + 2,
    )
    project.commit({"docs/part.adoc": f"{partial}\n\nThe end of it all is reached here and now."}, T + 9)
    shown = partial.replace("{dev}", "Plant Keeper").replace("{tool}", "keeperctl").split("\n\n")
    project.write({"public/manual.html": html("Manual", "A short introduction.", *shown)})
    assert dates(build(project.folder / "public", lastmod="git"))["manual.html"] == when(9)


def test_a_post_has_the_date_of_its_metadata_that_are_in_a_file_of_their_own(project: Repository, build: Build) -> None:
    meta = ".. title: Roses\n.. slug: roses\n.. tags: {}\n"
    project.commit({"posts/roses.md": text("roses"), "posts/roses.meta": meta.format("red")}, T + 2)
    project.commit({"posts/roses.meta": f"{meta.format('red')}\n"}, T + 7)
    project.write({"public/roses.html": html("Roses", text("roses"))})
    assert dates(build(project.folder / "public", lastmod="git"))["roses.html"] == when(2)
    project.commit({"posts/roses.meta": meta.format("red, garden")}, T + 9)
    assert dates(build(project.folder / "public", lastmod="git"))["roses.html"] == when(9)


@pytest.mark.parametrize(("pages", "date"), [("d", 9), ("defg", 3)], ids=["one page", "many pages"])
def test_a_page_that_begins_to_include_a_file_changes_unless_the_file_is_a_notice_on_many(
    project: Repository, build: Build, pages: str, date: int
) -> None:
    notice = text("notice", 60)
    project.commit({"docs/notice.adoc": f"{notice}\n"}, T + 2)
    own = {f"docs/{name}.adoc": f"= {name.upper()}\n\n{text(name)}\n" for name in pages}
    project.commit({**own}, T + 3)
    project.commit({path: f"{words}\ninclude::notice.adoc[]\n" for path, words in own.items()}, T + 9)
    project.write({f"public/{name}.html": html(name.upper(), text(name), notice) for name in pages})
    assert dates(build(project.folder / "public", lastmod="git"))["d.html"] == when(date)


MODULE = '"""{module}"""\n\n\ndef water():\n    """{water}"""\n    return {code}\n\n\ndef dig():\n    """{dig}"""\n'


def module(code: int = 0, **changed: str) -> str:
    given = {"module": text("module"), "water": text("water"), "dig": text("dig")} | changed
    return MODULE.format(code=code, **given)


@pytest.mark.parametrize(
    ("changed", "date"),
    [(module(code=1), 2), (module(dig="other"), 2), (module(water=f"{text('water')} more"), 9)],
    ids=["code", "the docstring of another function", "the docstring"],
)
def test_a_page_that_shows_a_docstring_has_its_date_and_not_that_of_the_code(
    project: Repository, build: Build, changed: str, date: int
) -> None:
    rst = f"Water\n=====\n\n{text('intro')}\n\n.. autofunction:: garden.water\n"
    project.commit({"src/garden.py": module(), "docs/api.rst": rst}, T + 2)
    project.commit({"src/garden.py": changed}, T + 9)
    project.write({"public/api.html": html("Water", text("intro"), text("water"))})
    assert dates(build(project.folder / "public", lastmod="git"))["api.html"] == when(date)


def test_a_page_that_shows_all_docstrings_of_a_module_is_not_dated_by_its_code(
    project: Repository, build: Build
) -> None:
    rst = f"Garden\n======\n\n{text('intro')}\n\n.. automodule:: garden\n   :members:\n"
    project.commit({"src/garden.py": module(), "docs/api.rst": rst}, T + 2)
    project.commit({"src/garden.py": module(code=1)}, T + 9)
    project.write({"public/api.html": html("Garden", *map(text, ("intro", "module", "water", "dig")))})
    assert dates(build(project.folder / "public", lastmod="git"))["api.html"] == when(2)


@pytest.mark.parametrize("file", ["docs/x.rb", "docs/part.txt"])
@pytest.mark.parametrize(("line", "date"), [("inside", 9), ("outside", 2)])
def test_a_page_that_shows_tagged_lines_has_the_date_of_these(
    project: Repository, build: Build, file: str, line: str, date: int
) -> None:
    def code(*, inside: str = "", outside: str = "") -> str:
        return f"# tag::a[]\n{text('shown', 300)} {inside}\n# end::a[]\n{text('hidden', 5)} {outside}\n"

    include = f"include::{file.removeprefix('docs/')}[tag=a]"
    project.commit({"docs/x.adoc": f"{text('x', 400)}\n\n{include}\n", file: code()}, T + 2)
    project.commit({file: code(**{line: "changed"})}, T + 9)
    project.write({"public/x.html": html(text("x", 400), text("shown", 300))})
    assert dates(build(project.folder / "public", lastmod="git"))["x.html"] == when(date)


@pytest.mark.parametrize(("folders", "date"), [(["v1.0", "v2.0"], 9), (["v1.0"], 2)])
def test_what_more_than_three_pages_of_one_version_show_dates_none(
    project: Repository, build: Build, folders: list[str], date: int
) -> None:
    names = [f"{folders[n % len(folders)]}/p{n}" for n in range(6)]
    for name in names:
        project.commit({f"docs/{name}.adoc": f"{text(name[-2:] + 'x')}\n\ninclude::/notice.txt[]\n"}, T + 2)
    project.commit({"docs/notice.txt": text("notice")}, T + 2)
    project.commit({"docs/notice.txt": f"{text('notice')} changed"}, T + 9)
    notice = f"{text('notice')} changed"
    project.write({f"public/{name}.html": html(text(f"{name[-2:]}x"), notice) for name in names})
    project.write({f"public/z{n}.html": html(text(f"z{n}x")) for n in range(30)})
    found = dates(build(project.folder / "public", lastmod="git"))
    assert {found[f"{name}.html"] for name in names} == {when(date)}


@pytest.mark.parametrize(("others", "is_dated"), [(9, True), (12, False)])
def test_sources_that_explain_too_little_of_a_page_do_not_date_it(
    project: Repository, build: Build, others: int, *, is_dated: bool
) -> None:
    project.commit({"docs/d.adoc": f"{text('d', 24)}\n"}, T + 2)
    project.write({"public/d.html": html(text("d", 24), *(text(f"else{n}x") for n in range(others)))})
    plan = build(project.folder / "public", lastmod="git")
    assert dates(plan)["d.html"] == (when(2) if is_dated else None)
    warned = [each.examples[0].key for each in plan.warnings if each.code == "weak-evidence"]
    assert warned == ([] if is_dated else ["d.html"])


@pytest.mark.parametrize(("words", "is_dated"), [(40, False), (80, True)])
def test_a_text_around_code_that_is_not_found_dates_a_page_of_which_it_is_most(
    project: Repository, build: Build, words: int, *, is_dated: bool
) -> None:
    project.commit({"docs/api.rst": f"API\n===\n\n{text('intro', words)}\n\n.. automodule:: other\n"}, T + 2)
    project.write({"public/api.html": html("API", text("intro", words), text("docstring", 40))})
    assert dates(build(project.folder / "public", lastmod="git"))["api.html"] == (when(2) if is_dated else None)


class Sources(Chronicle):
    """A history of files of which the first line changes seldom."""

    PATHS = ("a.md", "b.md", "c/d.md", "c/e.md", "f.md", "d.md", "c/f.md")

    def _fresh(self) -> str:
        return f"text {self.random.choice('ab')}\nmore {len(self.commits)}"


@pytest.mark.parametrize("seed", quick.every(3, range(12)))
def test_the_kept_history_of_parts_is_continued_as_the_whole_one(repository: Repository, seed: int) -> None:
    Sources(seed).import_into(repository)
    at = in_repository(repository.folder)
    parts = [part_name(f"lines:{line}", path) for path in Sources.PATHS for line in (1, 2)]
    present = [part for part in parts if (repository.folder / part.rpartition("\0")[2]).exists()]
    whole = part_times(at, SITE, present)
    assert whole.keys() == set(present)
    for commit in random.Random(seed).sample(repository.git("log", "--format=%H").split(), 4):
        repository.git("checkout", "--quiet", commit)
        keep(repository.folder, present)
        repository.git("checkout", "--quiet", "main")
        assert keep(repository.folder, present) == whole


def keep(folder: Path, parts: list[str]) -> dict[str, int | None]:
    kept = KeptHistories()
    there = [part for part in parts if (folder / part.rpartition("\0")[2]).exists()]
    found = part_times(in_repository(folder), SITE, there, kept)
    kept.keep()
    return dict(found)
