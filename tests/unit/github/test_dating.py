"""The step that gives other tools' sitemaps true dates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from unit.cli.invoke import BASE, urlset
from unit.github.test_main import Run, outputs, run

if TYPE_CHECKING:
    from pathlib import Path

    from repositories import Repository

__all__ = ["run"]
AT, DATE = 1_767_312_000, "2026-01-02T00:00:00Z"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    from repositories import Repository

    made = Repository(tmp_path)
    made.commit({"site/a.html": "<title>a</title><p>Text", "site/b.html": "<title>b</title><p>More"}, AT)
    (tmp_path / "site/sitemap.xml").write_text(urlset("a", "c", lastmod="2026-02-20"))
    return made


def test_the_sitemaps_are_dated_in_their_places(
    repository: Repository, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del repository
    assert run(date="site/sitemap.xml", settings="", source="") == 0
    text = (tmp_path / "site/sitemap.xml").read_text()
    assert f"<loc>{BASE}a</loc><lastmod>{DATE}</lastmod>" in text
    assert f"<loc>{BASE}c</loc><lastmod>2026-02-20</lastmod>" in text
    assert outputs(tmp_path) == {"url-count": "2", "changed": "true", "files": "site/sitemap.xml"}
    shown = f"{BASE}a: 2026-02-20 -> {DATE} (the page changed then)"
    assert shown in capsys.readouterr().out
    summary = (tmp_path / "summary").read_text()
    assert "2 URLs, 1 of them found on the site: 1 wrong date, 0 missing" in summary
    assert shown in summary
    assert not (tmp_path / "site/sitemap-pages.xml").exists()


def test_a_second_run_changes_nothing(repository: Repository, run: Run, tmp_path: Path) -> None:
    del repository
    assert run(date="site/sitemap.xml", settings="") == 0
    (tmp_path / "output").unlink()
    assert run(date="site/sitemap.xml", settings="") == 0
    assert outputs(tmp_path) == {"url-count": "2", "changed": "false", "files": ""}


@pytest.mark.parametrize(
    ("given", "code", "problem"),
    [
        (
            {"date": "site/sitemap.xml", "commit": "true"},
            2,
            "it dates the sitemaps of a built site, and commits nothing",
        ),
        ({"date": "site/none.xml"}, 3, "none.xml does not exist"),
        ({"date": "site/a.html"}, 3, "a.html is a title, and only sitemaps"),
        ({"date": "site/link.xml"}, 2, "is a link that leads out of the workspace"),
    ],
)
def test_what_cannot_be_dated_is_an_annotation(
    repository: Repository,
    run: Run,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    given: dict[str, str],
    code: int,
    problem: str,
) -> None:
    del repository
    (tmp_path / "site/link.xml").symlink_to("/etc/hostname")
    assert run(settings="", **given) == code
    printed = capsys.readouterr().out
    assert "::error" in printed
    assert problem in printed
