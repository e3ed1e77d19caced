from pathlib import Path

import pytest
from preset_rows import project, sources

from waypost.rules.presets.mdbook import mdbook

FILES = ("text/README.md", "text/first.md", "text/part/README.md", "text/part/second.md")


@pytest.mark.parametrize(
    ("summary", "home"),
    [
        ("- [A](README.md)\n- [B](first.md)", "text/README.md"),
        ("[Preface](first.md)\n\n- [B](part/second.md)", "text/first.md"),
        ("# Summary\n\n* [B](./part/second.md)\n* [C](first.md)", "text/part/second.md"),
    ],
)
def test_the_home_page_is_an_index_or_else_the_first_chapter(summary: str, home: str, tmp_path: Path) -> None:
    folder = project(tmp_path, {"book.toml": '[book]\nsrc = "text"', "text/SUMMARY.md": summary})
    assert sources(mdbook, folder, "index.html", *FILES) == [home]


def test_chapters_have_the_paths_of_their_files(tmp_path: Path) -> None:
    folder = project(tmp_path, {"book.toml": '[book]\nsrc = "text"'})
    assert sources(mdbook, folder, "part/second.html", *FILES) == ["text/part/second.md"]
    assert sources(mdbook, folder, "part/index.html", *FILES) == ["text/part/README.md"]
    assert sources(mdbook, folder, "print.html", *FILES) == []
