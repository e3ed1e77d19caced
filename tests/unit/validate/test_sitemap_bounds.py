"""Every reader of a sitemap stops at the same bounds, however small the file is that expands to so many entries."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from unit.validate.given import examine, index, loc

from waypost.cli.main import main
from waypost.core.errors import SourceError
from waypost.validate import SITEMAP_NAMESPACE, sitemap_content

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://example.org/"
LOCS = [b"https://example.org/%d" % n for n in range(206_000)]
HEAD = f'<urlset xmlns="{SITEMAP_NAMESPACE}">'.encode()
BOMB = HEAD + b"".join(b"<url><loc>%b</loc></url>" % each for each in LOCS) + b"</urlset>"
INDEX_BOMB = BOMB.replace(b"urlset", b"sitemapindex").replace(b"url>", b"sitemap>")
TEXT_BOMB = b"\n".join(LOCS)
TOO_MANY = "has more than 200,000 entries, and a sitemap may have 50,000"


@pytest.mark.parametrize(("name", "body"), [("a.xml", BOMB), ("a.txt", TEXT_BOMB)], ids=["urlset", "text"])
def test_a_file_with_far_too_many_entries_is_refused(name: str, body: bytes) -> None:
    with pytest.raises(SourceError, match=TOO_MANY):
        sitemap_content.read_entries(name, body)


def test_a_file_with_far_too_many_entries_is_checked_no_further() -> None:
    pieces = [TEXT_BOMB[start : start + 65_536] for start in range(0, len(TEXT_BOMB), 65_536)]
    result = examine([*pieces, b"\nno URL"], "a.txt", f"{BASE}a.txt")
    assert (result.codes, result.examined.is_broken) == (["too-many-urls"], True)
    assert 200_000 < result.examined.entries < len(LOCS)


def test_an_index_of_too_many_sitemaps_is_followed_as_far_as_it_may_list() -> None:
    body = INDEX_BOMB[: INDEX_BOMB.index(b"<sitemap><loc>https://example.org/50001<")] + b"</sitemapindex>"
    result = examine(body, loc=f"{BASE}sitemap.xml")
    assert (result.codes, result.examined.entries) == (["too-many-sitemaps"], 50_001)
    assert len(result.examined.children) == 50_000


def test_only_an_index_is_read_for_the_sitemaps_that_it_lists() -> None:
    assert sitemap_content.listed_sitemaps("a.xml", BOMB) == ()
    assert sitemap_content.listed_sitemaps("a.txt", TEXT_BOMB) == ()
    with pytest.raises(SourceError, match=TOO_MANY):
        sitemap_content.listed_sitemaps("a.xml", INDEX_BOMB)
    small = index(loc("a.xml"), f"{loc('b.xml')}<lastmod>2026-03-01</lastmod>")
    assert sitemap_content.listed_sitemaps("a.xml", small) == [
        "https://www.example.org/a.xml",
        "https://www.example.org/b.xml",
    ]


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
    (tmp_path / "bomb.xml.gz").write_bytes(gzip.compress(BOMB, 1))
    (tmp_path / "small.xml").write_bytes(HEAD + b"<url><loc>https://example.org/</loc></url></urlset>")
    if arguments[0] == "build" and len(arguments) == 4:
        (tmp_path / "bomb.xml.gz").rename(tmp_path / "site" / "sitemap.xml.gz")
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == code, done.output
    assert any(each in done.output for each in ("200,000 entries", "but the limit is 50,000"))
