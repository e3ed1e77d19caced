"""Pages, static files, posts and documents: what the recorded builds do not show."""

from datetime import UTC

import pytest
from jekyll_builds import MakeSource

from waypost.core.model import Item
from waypost.pages.jekyll_config import Collection, JekyllConfig
from waypost.pages.jekyll_defaults import FrontMatterDefaults, read_default_sets
from waypost.pages.jekyll_documents import (
    SourceFile,
    dated_name,
    document_file,
    is_dateless_name,
    read_document,
)
from waypost.pages.jekyll_front_matter import JekyllFrontMatter, parse_time

POSTS = Collection("posts", True, "/:categories/:year/:month/:day/:title:output_ext")
CONFIG = JekyllConfig(
    source="",
    destination="",
    collections_dir="",
    collections=(POSTS,),
    include=(),
    exclude=(),
    markdown_extensions=frozenset({".md"}),
    permalink="date",
    defaults=(),
    is_jekyll_3=False,
    zone=UTC,
    unknown_zone="",
    now=parse_time("2024-06-01", UTC),
    plugins=frozenset(),
    unknown_plugins=(),
    values={},
)


def url(path: str, values: dict[str, object], collection: Collection = POSTS, problem: str = "") -> str:
    file = SourceFile(path, Item(path, path), True, JekyllFrontMatter(values, "", problem))
    sets = read_default_sets([{"values": {"categories": "by-default"}, "scope": {"path": "defaulted"}}])
    document = read_document(path, file, collection, CONFIG, FrontMatterDefaults(sets, (), ""))
    return document_file(document, CONFIG).url


@pytest.mark.parametrize(
    ("path", "values", "expected"),
    [
        ("_posts/2024-01-02-a.md", {}, "/2024/01/02/a.html"),
        ("_posts/2024-01-02-a.md", {"categories": "B c b"}, "/b/c/2024/01/02/a.html"),
        ("_posts/2024-01-02-a.md", {"categories": [("b", [1])]}, "/('b', [1])/2024/01/02/a.html"),
        ("_posts/2024-01-02-a.md", {"category": "B c"}, "/b c/2024/01/02/a.html"),
        ("_posts/2024-01-02-a.md", {"category": ["x", None], "categories": ["x"]}, "/x/2024/01/02/a.html"),
        ("x/_posts/2024-01-02-a.md", {"categories": None}, "/x/2024/01/02/a.html"),
        ("defaulted/_posts/2024-01-02-a.md", {"category": "z"}, "/defaulted/by-default/z/2024/01/02/a.html"),
        ("_posts/2024-01-02-a.md", {"slug": "Other One"}, "/2024/01/02/Other-One.html"),
        ("_posts/2024-01-02-a.md", {"permalink": "/:slug/"}, "/a/"),
        ("_posts/2024-01-02-a.md", {"permalink": None}, "/2024/01/02/a.html"),
        ("_posts/2024-01-02-a.md", {"date": "2023-12-31 23:00 EST"}, "/2024/01/01/a.html"),
    ],
)
def test_the_url_of_a_post(path: str, values: dict[str, object], expected: str) -> None:
    assert url(path, values) == expected


def test_front_matter_that_cannot_be_read_leaves_the_name_and_the_time_of_the_build() -> None:
    assert url("_posts/2024-01-02-a.md", {}, problem="line 1") == "/2024/06/01/2024-01-02-a.html"
    assert url("x/_posts/2024-01-02-a.md", {"categories": 7}) == "/x/2024/06/01/2024-01-02-a.html"


@pytest.mark.parametrize("values", [{"date": "soon"}, {"date": None}])
def test_a_date_that_is_none_is_an_error(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="is not a date"):
        url("_posts/2024-01-02-a.md", values)


def test_categories_by_default_that_are_neither_text_nor_a_list_leave_those_of_the_page_out() -> None:
    sets = read_default_sets([{"values": {"categories": {"a": 1}}}])
    file = SourceFile("a", Item("a", "a"), True, JekyllFrontMatter({"categories": "x"}))
    document = read_document("x/_posts/2024-01-02-a.md", file, POSTS, CONFIG, FrontMatterDefaults(sets, (), ""))
    assert document.values["categories"] == ["x"]
    assert document.slug == "2024-01-02-a"


def test_names_are_read_by_their_last_part_alone() -> None:
    folders = "a/" * 2_000
    name = dated_name(folders + "2024-01-02-b.c.md")
    assert name is not None
    assert name.groups() == ("2024-01-02", "b.c")
    assert dated_name(folders + "b.md") is None
    assert dated_name("2024-01-02-a.b/c") is not None
    assert dated_name("2024-01-02-a") is None
    assert is_dateless_name(folders + "b.md")
    assert not is_dateless_name(folders + "b")


def test_very_many_categories_are_each_taken_once() -> None:
    many = [n % 10_000 for n in range(20_000)]
    values: dict[str, object] = {"categories": [*many, {"x": 1}, {"x": 1}], "permalink": "/:title/"}
    assert url("_posts/2024-01-02-a.md", values) == "/a/"


@pytest.mark.parametrize(
    ("permalink", "key", "url_path"),
    [
        ("/about/", "about/index.html", "about/"),
        ("/", "index.html", ""),
        ("/x/index.html", "x/index.html", ""),
        ("/a%20ü/", "a ü/index.html", "a ü/"),
        ("404", "404.html", "404"),
        ("false", "page.html", "page.html"),
    ],
)
def test_the_permalink_of_a_page_names_its_file_and_its_url(
    make_source: MakeSource, permalink: str, key: str, url_path: str
) -> None:
    source = make_source({"page.md": f"---\npermalink: {permalink}\n---\n"})
    assert list(source.items(lambda _: None)) == [Item(key, "page.md", url_path=url_path)]
