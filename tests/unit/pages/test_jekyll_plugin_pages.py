"""The pages of plugins: what the recorded builds do not show."""

import pytest
from jekyll_builds import MakeSource, skipped

from waypost.core import reasons
from waypost.core.model import Skipped


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
    files = {f"d{n}/README.md": "# x" for n in range(300)} | {"d7/INDEX.html": "<p>", "d8/Index.md": "---\n---\n"}
    written = {file.key for file in make_source(files, "github-pages").written}
    assert written >= {f"d{n}/index.html" for n in range(300) if n not in (7, 8)}
    assert not written & {"d7/index.html", "d8/index.html"}
