from pathlib import Path

import pytest
from preset_rows import project, sources

from waypost.rules.presets.hexo import hexo


@pytest.mark.parametrize(
    ("config", "page", "file"),
    [
        ("permalink: games/:title.html", "games/cards.html", "source/_posts/cards.md"),
        ("permalink: :year/:title/", "2024/old/cards/index.html", "source/_posts/old/cards.md"),
        ("permalink: :category/:name/", "a/b/cards/index.html", "source/_posts/old/cards.md"),
        ("source_dir: text", "about/index.html", "text/about.md"),
        ("new_post_name: ':year-:month-:day-:title.md'", "2024/01/31/a/index.html", "source/_posts/2024-01-31-a.md"),
    ],
)
def test_pages_are_traced_by_the_configured_permalinks(config: str, page: str, file: str, tmp_path: Path) -> None:
    folder = project(tmp_path, {"_config.yml": config})
    assert sources(hexo, folder, page, file, "source/_posts/other.md") == [file]


@pytest.mark.parametrize("config", ["permalink: :hash/", "new_post_name: ':lang-:title.md'"])
def test_posts_whose_files_are_not_certain_have_no_source(config: str, tmp_path: Path) -> None:
    folder = project(tmp_path, {"_config.yml": config})
    assert sources(hexo, folder, "2024/01/31/a/index.html", "source/_posts/a.md") == []


def test_an_archive_is_not_made_of_a_post_with_the_name_of_a_month(tmp_path: Path) -> None:
    folder = project(tmp_path, {"_config.yml": "permalink: :year/:month/:title/"})
    assert sources(hexo, folder, "archives/2024/01/index.html", "source/_posts/01.md") == []
