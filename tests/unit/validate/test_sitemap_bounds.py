"""Every reader of a sitemap stops at the same bounds, however small the file is that expands to so many entries."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from waypost.cli.main import main
from waypost.core.errors import SourceError
from waypost.validate import MOST_ENTRIES
from waypost.validate.reading import MOST_BYTES
from waypost.validate.sitemap_content import listed_sitemaps, read_entries

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://example.org/"
HEAD = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
INDEX = HEAD.replace(b"urlset", b"sitemapindex")
BOMB = HEAD + b"<url><loc>a</loc></url>" * 300_000 + b"</urlset>"
INDEX_BOMB = INDEX + b"<sitemap><loc>a</loc></sitemap>" * 300_000 + b"</sitemapindex>"
TEXT_BOMB = b"https://example.org/a\n" * 300_000
TOO_MANY = "has more than 200,000 entries, and a sitemap may have 50,000"


def test_the_bounds_are_four_times_those_of_the_protocol() -> None:
    assert (MOST_BYTES, MOST_ENTRIES) == (4 * 52_428_800, 4 * 50_000)


@pytest.mark.parametrize(("name", "body"), [("a.xml", BOMB), ("a.xml", INDEX_BOMB), ("a.txt", TEXT_BOMB)])
def test_a_file_with_far_too_many_entries_is_refused(name: str, body: bytes) -> None:
    with pytest.raises(SourceError, match=TOO_MANY):
        read_entries(name, body)


def test_only_an_index_is_read_for_the_sitemaps_that_it_lists() -> None:
    assert listed_sitemaps("a.xml", BOMB) == ()
    assert listed_sitemaps("a.txt", TEXT_BOMB) == ()
    with pytest.raises(SourceError, match=TOO_MANY):
        listed_sitemaps("a.xml", INDEX_BOMB)
    small = INDEX + b"<sitemap><loc>a</loc></sitemap><sitemap><loc>b</loc></sitemap></sitemapindex>"
    assert listed_sitemaps("a.xml", small) == ["a", "b"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("build", "site", "--base-url", BASE), 3),
        (("build", "site", "--base-url", BASE, "--set", "compare=bomb.xml.gz"), 3),
        (("build", "site", "--base-url", BASE, "--set", 'sitemaps=["bomb.xml.gz"]'), 3),
        (("merge", "bomb.xml.gz", "--base-url", BASE, "--output", "out"), 3),
        (("date", "bomb.xml.gz", "--source", "site", "--base-url", BASE), 3),
        (("diff", "bomb.xml.gz", "small.xml"), 3),
        (("validate", "bomb.xml.gz"), 1),
        (("notify", "--from", "bomb.xml.gz", "--to", "small.xml", "--set", "indexnow=a1b2c3d4e5f6", "--dry-run"), 3),
    ],
)
def test_each_command_refuses_such_a_file_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<title>Home</title><p>Text")
    (tmp_path / "bomb.xml.gz").write_bytes(gzip.compress(BOMB))
    (tmp_path / "small.xml").write_bytes(HEAD + b"<url><loc>https://example.org/</loc></url></urlset>")
    if arguments[0] == "build" and len(arguments) == 4:
        (tmp_path / "bomb.xml.gz").rename(tmp_path / "site" / "sitemap.xml.gz")
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == code, done.output
    assert any(each in done.output for each in ("200,000 entries", "but the limit is 50,000"))
