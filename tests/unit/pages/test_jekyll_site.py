"""All files that Jekyll writes: what is left out and why, and laws that hold for every source."""

from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jekyll_builds import NOW, MakeSource, skipped

from waypost.core import reasons
from waypost.core.model import Item, Skipped
from waypost.files.folder_source import FolderSource
from waypost.pages.jekyll_config import read_config
from waypost.pages.jekyll_defaults import FrontMatterDefaults
from waypost.pages.jekyll_documents import SourceFile
from waypost.pages.jekyll_front_matter import JekyllFrontMatter
from waypost.pages.jekyll_site import JekyllSite
from waypost.pages.jekyll_source_tree import EntryFilter, SourceTree

CONFIG = """
collections: {docs: {output: true}, notes: {}}
plugins: [jekyll-redirect-from, jekyll-paginate]
paginate: 1
permalink: /:categories/:title
limit_posts: 2
"""
PATHS = st.sampled_from(
    [
        "index.html",
        "a.md",
        "a.html",
        "b/index.md",
        "_docs/a.md",
        "_docs/a.txt",
        "_notes/a.md",
        "b/_posts/2024-01-02-a.md",
    ]
    + [f"_posts/2024-01-0{n}-p.md" for n in range(1, 6)]
)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "permalink": st.sampled_from(["/same", "/same/", "/:title/", "/a.html"]),
        "published": st.booleans(),
        "redirect_from": st.sampled_from(["/old/", "/a.html"]),
        "redirect_to": st.just("/a.html"),
        "categories": st.lists(st.sampled_from("xy")),
    },
)
FILES = st.dictionaries(PATHS, st.none() | VALUES).map(
    lambda files: [
        SourceFile(path, Item(path, path), found is not None, JekyllFrontMatter(found or {}))
        for path, found in files.items()
    ]
)


def test_what_is_not_written_has_a_reason(make_source: MakeSource) -> None:
    files = {
        "_config.yml": CONFIG,
        "off.md": "---\npublished: false\n---\n",
        "_drafts/d.md": "",
        "_notes/n.md": "",
        "_notes/s.html": "<p>",
        "_docs/late.md": "---\ndate: 2099-01-01\n---\n",
        "_docs/bad.md": "---\ndate: soon\n---\n",
        "_includes/i.html": "<p>",
        "_posts/2024-01-01-a.md": "",
        "_posts/2024-01-02-b.md": "",
        "_posts/2024-01-03-c.md": "",
        "same.md": "---\npermalink: /same.html\n---\n",
        "same.html": "<p>",
    }
    assert skipped(make_source(files)) == [
        Skipped("_config.yml", reasons.UNPUBLISHED),
        Skipped("_docs/bad.md", reasons.UNREADABLE, "'soon' is not a date"),
        Skipped("_docs/late.md", reasons.FUTURE, "2099-01-01T00:00:00+00:00"),
        Skipped("_drafts/", reasons.UNPUBLISHED),
        Skipped("_includes/", reasons.UNPUBLISHED),
        Skipped("_notes/n.md", reasons.UNPUBLISHED, "the collection notes has no output: true"),
        Skipped("_notes/s.html", reasons.UNPUBLISHED, "the collection notes has no output: true"),
        Skipped("_posts/2024-01-01-a.md", reasons.UNPUBLISHED, "limit_posts: 2"),
        Skipped("off.md", reasons.UNPUBLISHED, "published: false"),
        Skipped("same.md", reasons.DUPLICATE, "same.html"),
    ]


def test_settings_publish_what_is_hidden(make_source: MakeSource) -> None:
    files = {
        "_config.yml": "future: true\nunpublished: true\nshow_drafts: true\npermalink: /:title\n",
        "off.md": "---\npublished: false\n---\n",
        "_drafts/d.md": "",
        "_posts/2099-01-01-late.md": "",
    }
    assert {file.key for file in make_source(files).written} == {"off.html", "d.html", "late.html"}


def built(files: list[SourceFile]) -> JekyllSite:
    with TemporaryDirectory() as folder:
        (Path(folder) / "_config.yml").write_text(CONFIG.replace("/:categories/:title", "pretty"))
        config = read_config(FolderSource(Path(folder)), "jekyll", NOW)
    entry_filter = EntryFilter(config.include, config.exclude, lambda _: False)
    tree = SourceTree(config, entry_filter)
    return JekyllSite(files, config, tree, entry_filter, FrontMatterDefaults((), (), ""))


@given(FILES.flatmap(lambda files: st.tuples(st.just(files), st.permutations(files))))
def test_the_order_of_the_files_decides_nothing(orders: tuple[list[SourceFile], list[SourceFile]]) -> None:
    first, second = map(built, orders)
    assert first.written == second.written
    assert first.skipped == second.skipped


@given(FILES)
def test_every_file_is_written_or_left_out_and_no_two_have_one_path(files: list[SourceFile]) -> None:
    result = built(files)
    keys = [file.key for file in result.written]
    assert len(keys) == len(set(keys))
    written = (file.source.path for file in result.written if file.source)
    assert {file.path for file in files} == set(chain(written, (each.key for each in result.skipped)))


def test_redirects_are_left_out_with_their_targets(make_source: MakeSource) -> None:
    files = {
        "_config.yml": "plugins: [jekyll-redirect-from]\n",
        "a.md": "---\nredirect_to: [https://example.com/, x]\n---\n",
        "b.md": "---\nredirect_from: [/old, /older/, '']\n---\n",
    }
    source = make_source(files)
    assert [each for each in skipped(source) if each.reason == reasons.REFRESH] == [
        Skipped("a.md", reasons.REFRESH, "https://example.com/"),
        Skipped("index.html", reasons.REFRESH, "/b.html"),
        Skipped("old.html", reasons.REFRESH, "/b.html"),
        Skipped("older/index.html", reasons.REFRESH, "/b.html"),
    ]


def test_without_the_plugin_nothing_redirects(make_source: MakeSource) -> None:
    source = make_source({"a.md": "---\nredirect_to: /b/\nredirect_from: /c/\n---\n"})
    assert [file.key for file in source.written] == ["a.html"]
    assert skipped(source) == []


def test_a_redirect_replaces_a_page_at_its_place(make_source: MakeSource) -> None:
    files = {
        "_config.yml": "plugins: [jekyll-redirect-from]\n",
        "a.md": "",
        "b.md": "---\nredirect_from: /a.html\n---\n",
    }
    source = make_source(files)
    assert Skipped("a.md", reasons.DUPLICATE, "/a.html") in skipped(source)


@pytest.mark.parametrize(
    ("path", "index", "pages"),
    [
        ("/page:num", "index.html", ["page2/index.html", "page3/index.html"]),
        ("/blog/p/:num/", "blog/index.html", ["blog/p/2/index.html", "blog/p/3/index.html"]),
        ("/blog/:num", "index.html", ["blog/2/index.html", "blog/3/index.html"]),
        ("/page:num", "blog/index.html", []),
    ],
)
def test_an_index_has_a_page_for_every_few_posts(
    make_source: MakeSource, path: str, index: str, pages: list[str]
) -> None:
    config = f"plugins: [jekyll-paginate]\npaginate: 2\npaginate_path: {path}\n"
    posts = {f"_posts/2024-01-0{n}-p.md": "" for n in range(1, 6)}
    source = make_source({"_config.yml": config, index: "", **posts})
    made = [file.key for file in source.written if file.source and file.source.path == index]
    assert sorted(made)[: len(pages)] == pages or sorted(made)[1:] == pages
    assert len(made) == len(pages) + 1


def test_a_readme_is_the_index_of_a_folder_without_another(make_source: MakeSource) -> None:
    files = {"README.md": "x", "a/readme.md": "x", "a/index.htm": "<p>", "b/README.md": "x", "b/INDEX.XML": "x"}
    source = make_source(files, "github-pages")
    assert [file.key for file in source.written if file.url.endswith("/")] == ["index.html"]


def test_markdown_without_front_matter_is_a_page_on_github_pages_only(make_source: MakeSource) -> None:
    files = {"a.md": "x", "LICENSE.md": "x", "docs/CONTRIBUTING.md": "x", "b.txt": "x"}
    keys = {file.key for file in make_source(files, "github-pages").written}
    assert keys == {"a.html", "a.md", "LICENSE.md", "docs/CONTRIBUTING.md", "b.txt"}
    assert {file.key for file in make_source({}).written} == keys - {"a.html"}


@pytest.mark.parametrize("config", ["require_front_matter: true", "optional_front_matter: {enabled: false}"])
def test_settings_switch_the_plugins_off(make_source: MakeSource, config: str) -> None:
    files = {"_config.yml": f"{config}\nreadme_index: {{enabled: false}}\n", "a.md": "x", "README.md": "x"}
    assert {file.key for file in make_source(files, "github-pages").written} == {"a.md", "README.md"}


def test_each_of_many_folders_gets_its_readme_as_index_but_where_it_has_one(make_source: MakeSource) -> None:
    files = {f"d{n}/README.md": "# x" for n in range(30)} | {"d7/INDEX.html": "<p>", "d8/Index.md": "---\n---\n"}
    written = {file.key for file in make_source(files, "github-pages").written}
    assert written >= {f"d{n}/index.html" for n in range(30) if n not in (7, 8)}
    assert not written & {"d7/index.html", "d8/index.html"}
