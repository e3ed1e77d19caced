"""What a folder is recognised as, and by which file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from source_folders import GENERATORS, JEKYLL, PAGE, SITES, package

from waypost.project.project_folder import ProjectFolder
from waypost.project.source_kind import generators_in, is_complete_page, recognize

if TYPE_CHECKING:
    from sites import Write


@pytest.mark.parametrize(("name", "file", "files"), GENERATORS)
def test_a_source_is_recognised_by_its_generator_s_own_file_or_package(
    write: Write, name: str, file: str, files: dict[str, str]
) -> None:
    kind = recognize(write(files))
    assert (kind.kind, kind.generator, kind.file) == ("generator", name, file)
    assert name in kind.reason or "dependency" in kind.reason
    assert kind.command
    assert kind.output


@pytest.mark.parametrize(("profile", "file", "files"), JEKYLL)
def test_a_jekyll_source_is_built_by_github_pages_unless_it_has_gems_or_a_workflow_of_its_own(
    write: Write, profile: str, file: str, files: dict[str, str]
) -> None:
    kind = recognize(write(files))
    assert (kind.kind, kind.generator, kind.file) == (profile, "Jekyll", file)


@pytest.mark.parametrize(("file", "files"), SITES)
def test_any_other_folder_is_a_site_as_it_is(write: Write, file: str, files: dict[str, str]) -> None:
    kind = recognize(write(files))
    assert (kind.kind, kind.generator, kind.file, kind.output) == ("static", "", file, "")
    assert kind.reason


@pytest.mark.parametrize("setting", ["static", "jekyll", "github-pages"])
def test_the_setting_decides_without_regard_to_the_files(write: Write, setting: str) -> None:
    kind = recognize(write({"hugo.toml": "", "_config.yml": "", ".nojekyll": ""}), setting)
    assert (kind.kind, kind.file) == (setting, "source_kind")


def test_the_result_says_how_the_site_is_built_and_whether_its_folder_exists(write: Write) -> None:
    files = {"hugo.toml": "publishDir = 'html'\n"}
    kind = recognize(write(files))
    assert (kind.command, kind.output, kind.output_exists) == ("hugo", "html", False)
    assert recognize(write({**files, "html/index.html": PAGE})).output_exists


@pytest.mark.parametrize(
    ("gemfile", "command"), [({}, "jekyll build"), ({"Gemfile": 'gem "jekyll"\n'}, "bundle exec jekyll build")]
)
def test_jekyll_builds_with_the_gems_of_the_project_if_it_has_any(
    write: Write, gemfile: dict[str, str], command: str
) -> None:
    kind = recognize(write({"_config.yml": "", "_site/index.html": PAGE, **gemfile}))
    assert (kind.command, kind.output, kind.output_exists) == (command, "_site", True)


@pytest.mark.parametrize(
    ("text", "is_complete"),
    [
        (PAGE, True),
        ("<HTML><TITLE>A</TITLE>", True),
        ("<!DOCTYPE html><title>A</title>", True),
        ("<title>A</title>", False),
        ("<!doctype html><p>A</p>", False),
        (f"---\n---\n{PAGE}", False),
        (PAGE.replace("Home", "{{ page.title }}"), False),
        (PAGE.replace("Text", "{% include nav.html %}"), False),
        (PAGE.replace("Text", "<!-- {% comment %} --><textarea>{{ a }}</textarea>"), True),
        ("", False),
    ],
)
def test_a_complete_page_has_a_title_and_neither_front_matter_nor_template_tags(
    text: str, *, is_complete: bool
) -> None:
    assert is_complete_page(text) is is_complete


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, []),
        ({"hugo.toml": ""}, [("Hugo", "public")]),
        ({"hugo.toml": 'publishDir = "out"', "_config.yml": ""}, [("Hugo", "out"), ("Jekyll", "_site")]),
        ({"package.json": package("@11ty/eleventy")}, [("Eleventy", "_site")]),
        ({"hugo.toml": "", "package.json": package("@11ty/eleventy")}, [("Hugo", "public")]),
    ],
)
def test_the_generators_of_a_project_are_those_of_its_configurations_or_else_of_its_packages(
    write: Write, files: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    assert generators_in(ProjectFolder(write({**files, "README.md": ""}))) == expected


@pytest.mark.parametrize("mark", ["<!--", "<script ", "<pre>", "<pre></pre ", "<code></code  "])
def test_marks_that_nothing_closes_are_searched_once(mark: str) -> None:
    assert is_complete_page("<!doctype html><title>x</title>" + mark * 50_000)
    assert not is_complete_page("<!doctype html><title>x</title>" + mark * 50_000 + "{{ x }}")


@pytest.mark.parametrize("text", ["\n" * 1_000_000, "gem" + " " * 1_000_000, "gem(" + " " * 1_000_000])
def test_white_space_of_a_gemfile_is_read_once(write: Write, text: str) -> None:
    assert recognize(write({"Gemfile": text})).kind == "static"
