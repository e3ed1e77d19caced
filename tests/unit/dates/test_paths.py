from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from waypost.dates import paths
from waypost.dates.paths import SourceFolders

LISTS = """tags/iron/index.html blog/tags/a/index.html Tags/Iron.html tag/winter.html tags.html category/water.html
categories/index.html kategorien/holz/index.html author/ada.html authors/index.html topics/a.html labels/a.html
series/index.html archive/index.html archives/2026/01/index.html blog/page/2/index.html page2/index.html
blog/page-3.html index-1.html index2.html blog/page/12/deep.html 2026/index.html 2026/01/10/index.html
genindex.html py-modindex.html
search.html en/search/index.html"""
OTHERS = """index.html about.html 1.0/index.html 404.html 2026/03/emma/index.html notes/2017/08/15/3431/index.html
2026/01/10/concert.html en/tagging.html vintage/index.html pages/index.html research.html page.html newspage2/index.html
guide/tagged-unions.md serieshow/a.html"""


@pytest.mark.parametrize(
    ("path", "segments"),
    [
        ("index.html", ()),
        ("about.html", ("about",)),
        ("Guide/Getting_Started.html", ("guide", "gettingstarted")),
        ("content/_index.md", ("content",)),
        ("docs/start/tools.fr.md", ("docs", "start", "toolsfr")),
        ("blog/2016-08-24-6.14.0.md", ("blog", "6-14-0")),
        ("docs/02-install.md", ("docs", "install")),
        ("docs/index.fr.md", ("docs",)),
        ("_posts/2026-01-10-new-year.md", ("posts", "newyear")),
        ("2015_10_28_062-unique_paths.rst", ("uniquepaths",)),
        ("2015_10-28_paths.rst", ("2015-10-28paths",)),
        ("01_intro/03. setup.rst", ("intro", "setup")),
        ("src/routes/contact/+page.svelte", ("src", "routes", "contact")),
        ("2026.md", ("2026",)),
        ("env-from-requirements.txt-file.md", ("envfromrequirementstxtfile",)),
        ("", ()),
    ],
)
def test_a_path_has_comparable_segments(path: str, segments: tuple[str, ...]) -> None:
    assert paths.segments(path) == segments


@pytest.mark.parametrize("path", ["docs/intro.html.md.erb", "docs/intro.md.html"])
def test_a_template_has_the_name_before_all_its_endings(path: str) -> None:
    assert paths.segments(path) == ("docs", "intro")


@pytest.mark.parametrize(
    ("page", "file", "count"),
    [
        ((), (), 0),
        (("a", "b"), ("docs", "a", "b"), 2),
        (("x", "b"), ("docs", "a", "b"), 1),
        (("a", "b"), ("a", "c"), 0),
    ],
)
def test_equal_segments_are_counted_from_the_end(page: tuple[str, ...], file: tuple[str, ...], count: int) -> None:
    assert paths.common_end(page, file) == count


@pytest.mark.parametrize(
    ("key", "file", "agrees", "is_whole"),
    [
        ("guide/setup/index.html", "docs/guide/setup.md", True, True),
        ("guide/setup.html", "docs/other/setup.md", True, False),
        ("de/guide/setup/index.html", "content/de/guide/setup.md", True, True),
        ("de/guide/setup/index.html", "content/guide/setup.md", True, False),
        ("fr/tools/index.html", "docs/tools.fr.md", False, False),
        ("2026/01/10/concert/index.html", "_posts/2026-01-10-concert.md", True, False),
        ("index.html", "index.md", True, True),
        ("index.html", "src/routes/+page.svelte", True, True),
        ("index.html", "docs/guide/index.md", False, False),
        ("about.html", "index.md", False, False),
    ],
)
def test_the_paths_of_a_page_and_of_its_file_agree(key: str, file: str, agrees: bool, is_whole: bool) -> None:
    assert (paths.agree(key, file), paths.names_whole(key, file)) == (agrees, is_whole)


@pytest.mark.parametrize(
    ("path", "version"),
    [
        ("3.2/a.html", (3, 2)),
        ("versioned_docs/version-1.0/a.md", (1, 0)),
        ("i18n/de/plugin/version-2.x/a.md", (2,)),
        ("versioned_docs/version-v1.9/a.md", (1, 9)),
        ("press-1.0/modules/a.adoc", (1, 0)),
        ("docs/next/a/index.html", (-1,)),
        ("docs/2.dev/a/index.html", (-1,)),
        ("content/docs/v2/_dev/a.md", (-1,)),
        ("docs/3.0/api/v1/dev/a.md", (3, 0)),
        ("docs/next-steps/a.html", ()),
        ("2026/a.html", ()),
        ("1.0.html", ()),
        ("release-notes-1.0", ()),
    ],
)
def test_a_folder_names_a_version(path: str, version: tuple[int, ...]) -> None:
    assert paths.version(path) == version


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("content.de/a.md", "de"),
        ("docs/pt-BR/a.md", "pt"),
        ("docs/a.fr.md", "fr"),
        ("es/a.md", ""),
        ("de.md", ""),
        ("fr/de/a.md", "fr"),
        ("german-de-x/a.md", ""),
    ],
)
def test_a_folder_or_the_name_of_a_file_names_one_of_the_site_s_languages(path: str, language: str) -> None:
    assert paths.language(path, {"de", "fr", "pt", "zh"}) == language


def test_without_languages_no_path_names_one() -> None:
    assert paths.language("de/a.fr.md", set()) == ""


def test_a_number_that_is_too_long_is_no_version() -> None:
    assert paths.version(f"v{'1' * 5_000}/a.md") == ()
    assert paths.version(f"version-{'1' * 5_000}/a.md") == ()
    assert paths.version("version-20240131123045/a.md") == (20240131123045,)


@pytest.mark.parametrize("key", LISTS.split())
def test_a_page_that_generators_make_of_many_files_is_a_list(key: str) -> None:
    assert paths.is_list(key)


@pytest.mark.parametrize("key", OTHERS.split())
def test_a_page_with_such_a_path_is_no_list(key: str) -> None:
    assert not paths.is_list(key)


def files(key: str, known: Mapping[str, str], names: Sequence[str]) -> list[Sequence[str]]:
    return list(SourceFolders(known.items(), names, {"de", "fr"}).files(key))


@pytest.mark.parametrize(
    ("known", "key", "file"),
    [
        ({"a.html": "docs/a.md", "b/c.html": "docs/b/c.md"}, "d/index.html", "docs/d.md"),
        ({"a.html": "docs/a.md", "b.html": "docs/b.md"}, "index.html", "docs/README.md"),
        ({"de/a.html": "i18n/de/docs/a.md", "de/b.html": "i18n/de/docs/b.md"}, "de/c.html", "i18n/de/docs/c.md"),
        ({"docs/a.html": "docs/a.md", "blog/b.html": "blog/b.md"}, "docs/c.html", "docs/c.md"),
        ({"de/a.html": "docs/a.DE.md", "de/b.html": "docs/b.de.md"}, "de/c.html", "docs/c.de.md"),
        ({"2025/01/a.html": "posts/a.md", "2026/12/b.html": "posts/b.md"}, "2026/11/c.html", "posts/c.md"),
    ],
)
def test_a_page_has_its_file_where_other_pages_have_theirs(known: Mapping[str, str], key: str, file: str) -> None:
    assert files(key, known, [*known.values(), file, "x/c.md", "x/d.md", "x/README.md"]) == [[file]]


@pytest.mark.parametrize(
    ("known", "key"),
    [
        ({"a.html": "docs/a.md"}, "c.html"),
        ({"a.html": "docs/one.md", "b.html": "docs/two.md"}, "c.html"),
        ({"de/a.html": "docs/de/content/a.md", "de/b.html": "docs/de/content/b.md"}, "fr/c.html"),
    ],
)
def test_one_page_or_pages_of_another_folder_tell_nothing(known: Mapping[str, str], key: str) -> None:
    assert files(key, known, ["docs/c.md", "docs/de/content/c.md"]) == []


def test_the_folder_of_most_pages_comes_first() -> None:
    known = {
        f"{name}.html": f"{folder}/{name}.md" for folder, names in (("old", "ab"), ("new", "cde")) for name in names
    }
    assert files("x.html", known, ["old/x.md", "new/x.md"]) == [["new/x.md"], ["old/x.md"]]
    assert files("y.html", known, ["old/y.md"]) == [["old/y.md"]]


def test_all_files_with_the_path_of_the_page_are_named() -> None:
    known = {"a.html": "docs/a.md", "b.html": "docs/b.md"}
    assert files("c.html", known, ["docs/c.md", "docs/c/index.rst"]) == [["docs/c.md", "docs/c/index.rst"]]


def test_the_readme_of_the_project_is_no_home_page_by_its_path_alone() -> None:
    known = {"a.html": "a.md", "b.html": "b.md"}
    assert files("index.html", known, ["README.md"]) == []
    assert files("index.html", known, ["README.md", "index.md"]) == [["index.md"]]
