from pathlib import Path

import pytest
from preset_rows import project, sources

from waypost.rules.presets.jekyll import jekyll


@pytest.mark.parametrize(
    ("config", "page", "file"),
    [
        ("permalink: pretty", "news/2024/01/31/hello/index.html", "_posts/2024-01-31-hello.md"),
        ("permalink: pretty", "news/2024/01/31/hello/index.html", "news/_posts/2024-01-31-hello.md"),
        ("permalink: /blog/:title/", "blog/hello/index.html", "_posts/2024-01-31-hello.md"),
        ("permalink: /:categories/:title", "care/hello.html", "_posts/2024-01-31-hello.md"),
        ("collections_dir: my", "2024/01/31/hello.html", "my/_posts/2024-01-31-hello.md"),
        ("source: src", "about.html", "src/about.md"),
        ("source: src", "2024/01/31/hello.html", "src/_posts/2024-01-31-hello.md"),
        ("collections: {songs: {permalink: '/repertoire/:name/'}}", "repertoire/a/index.html", "_songs/old/a.md"),
        ("collections: {songs: {permalink: '/:collection/:path/'}}", "songs/old/a/index.html", "_songs/old/a.md"),
        ("collections: [songs]", "songs/old/a.html", "_songs/old/a.md"),
    ],
)
def test_pages_are_traced_by_the_configured_folders_and_permalinks(
    config: str, page: str, file: str, tmp_path: Path
) -> None:
    others = ("_posts/2023-01-31-hello-2.md", "_posts/2024-01-30-other.md", "src/other.md")
    assert sources(jekyll, project(tmp_path, {"_config.yml": config}), page, file, *others) == [file]


def test_two_posts_with_one_name_date_no_page_whose_permalink_lacks_the_date(tmp_path: Path) -> None:
    posts = ("_posts/2023-01-31-hello.md", "_posts/2024-01-31-hello.md")
    folder = project(tmp_path, {"_config.yml": "permalink: /:title/"})
    assert sources(jekyll, folder, "hello/index.html", *posts) == []


def test_a_folder_s_index_comes_before_a_readme(tmp_path: Path) -> None:
    files = ("docs/README.md", "docs/index.md")
    assert sources(jekyll, project(tmp_path, {}), "docs/index.html", *files) == ["docs/index.md"]
