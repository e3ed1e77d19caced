"""Pages and static files: what the recorded builds do not show."""

import pytest
from jekyll_builds import MakeSource

from waypost.core.model import Item
from waypost.pages.jekyll_pages import SourceFile


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


def test_an_empty_permalink_takes_back_that_of_the_defaults(make_source: MakeSource) -> None:
    defaults = "defaults: [{scope: {path: ''}, values: {permalink: '/all/:basename/', published: false}}]\n"
    files = {"_config.yml": defaults, "a.md": "", "b.md": "---\npermalink:\n---\n"}
    assert [file.key for file in make_source(files).written] == ["all/a/index.html", "b.html"]


def test_a_static_file_is_read_by_its_own_name(make_source: MakeSource) -> None:
    source = make_source({"a%20b.html": "<title>x</title>", "c.html": "<title>y</title>"})
    assert list(source.items(lambda _: None)) == [Item("a b.html", "a%20b.html"), Item("c.html", "c.html")]


def test_a_static_file_of_a_collection_has_the_collections_permalink(make_source: MakeSource) -> None:
    config = "collections:\n  docs: {output: true, permalink: '/d/:path/'}\n"
    source = make_source({"_config.yml": config, "_docs/sub/x.html": "<p>", "_docs/y.md": "no front matter"})
    assert [file.key for file in source.written] == ["d/sub/x.html", "d/y.md"]


def test_a_file_has_a_folder_and_a_name() -> None:
    deep, top = SourceFile("a/b/c.md", Item("a/b/c.md", "")), SourceFile("c.md", Item("c.md", ""))
    assert (deep.folder, deep.name) == ("a/b", "c.md")
    assert (top.folder, top.name) == ("", "c.md")
