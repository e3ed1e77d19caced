"""`waypost diff` as people run it: what changed, in text and JSON, and that nothing unread looks removed."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest
from servers import answer, serving

if TYPE_CHECKING:
    from pathlib import Path

    from buckets import MadeBucket
    from repositories import Repository
    from sites import Command

BASE = "https://www.example.org/"
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(**pages: str) -> str:
    """A sitemap of pages, `a="2026-03-01"`: `__` is a slash, and a further element may follow the date."""
    entries = []
    for name, facts in pages.items():
        date, _, more = facts.partition("|")
        lastmod = f"<lastmod>{date}</lastmod>" if date else ""
        entries.append(f"<url><loc>{BASE}{name.replace('__', '/')}</loc>{lastmod}{more}</url>\n")
    return f"<urlset {NAMESPACE}>\n{''.join(entries)}</urlset>\n"


def index(*names: str) -> str:
    entries = "".join(f"<sitemap><loc>{BASE}{name}</loc></sitemap>" for name in names)
    return f"<sitemapindex {NAMESPACE}>{entries}</sitemapindex>"


OLD = urlset(
    same="2026-03-01", gone="", dated="2026-03-01", blog__a="2026-03-01", described="|<priority>0.5</priority>"
)
NEW = urlset(
    same="2026-03-01", new="", dated="2026-03-02", blog__a="", described="|<priority>0.9</priority>", blog__b=""
)


@pytest.fixture
def sides(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "old.xml").write_text(OLD)
    (tmp_path / "new.xml").write_text(NEW)
    return "old.xml", "new.xml"


def test_urls_that_were_added_removed_or_changed_are_printed(waypost: Command, sides: tuple[str, str]) -> None:
    done = waypost("diff", *sides)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "5 URLs before, 6 now: 2 added, 1 removed, 2 with another date, 1 with other metadata\n"
        "  section     added   removed   lastmod  metadata\n"
        "  /               1         1         1         1\n"
        "  /blog/          1         0         1         0\n"
        f"+ {BASE}blog/b\n"
        f"+ {BASE}new\n"
        f"- {BASE}gone\n"
        f"~ {BASE}blog/a  2026-03-01 → none\n"
        f"~ {BASE}dated  2026-03-01 → 2026-03-02\n"
        f"* {BASE}described  priority 0.5 → 0.9\n"
    )


def test_json_has_every_change(waypost: Command, sides: tuple[str, str]) -> None:
    answered: dict[str, Any] = json.loads(waypost("diff", *sides, "--json", "--most", "1").stdout)
    assert answered == {
        "schema_version": 1,
        "url_count": {"old": 5, "new": 6},
        "unchanged_count": 1,
        "removed_percent": 20.0,
        "added": [f"{BASE}blog/b", f"{BASE}new"],
        "removed": [f"{BASE}gone"],
        "moved": [],
        "move_groups": [],
        "lastmod_changed": [
            {"loc": f"{BASE}blog/a", "old": "2026-03-01", "new": None},
            {"loc": f"{BASE}dated", "old": "2026-03-01", "new": "2026-03-02"},
        ],
        "metadata_changed": [f"{BASE}described"],
        "metadata_changes": [{"loc": f"{BASE}described", "fields": [{"name": "priority", "old": "0.5", "new": "0.9"}]}],
        "sections": [
            {"name": "/", "added": 1, "removed": 1, "lastmod_changed": 1, "metadata_changed": 1},
            {"name": "/blog/", "added": 1, "removed": 0, "lastmod_changed": 1, "metadata_changed": 0},
        ],
    }


def test_order_spacing_splitting_and_compression_are_not_changes(waypost: Command, tmp_path: Path) -> None:
    (tmp_path / "one.xml").write_text(urlset(a="2026-03-01", b="2026-03-01", c=""))
    (tmp_path / "split").mkdir()
    (tmp_path / "split" / "sitemap.xml").write_text(index("x.xml.gz", "y.xml"))
    (tmp_path / "split" / "x.xml.gz").write_bytes(gzip.compress(urlset(c="", b="2026-03-01").encode()))
    (tmp_path / "split" / "y.xml").write_text(urlset(a="2026-03-01").replace("<", "\n  <"))
    done = waypost("diff", "one.xml", "split", "--exit-code")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_a_bucket_a_url_and_standard_input_are_compared(
    waypost: Command, tmp_path: Path, bucket: MadeBucket, sides: tuple[str, str]
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "sitemap.xml").write_text(OLD)
    bucket.put({"www/sitemap.xml": OLD})
    with serving({"/sitemap.xml": answer(OLD)}) as server:
        url = f"{server.url}/sitemap.xml"
        for target in ("folder", f"s3://{bucket.name}/www/", f"s3://{bucket.name}/www/sitemap.xml", url, "-"):
            done = waypost("diff", target, sides[0], "--allow-private", "--exit-code", stdin=OLD)
            assert (done.returncode, done.stderr) == (0, ""), target
        refused = waypost("diff", url, sides[0])
    assert refused.returncode == 3
    assert "--allow-private" in refused.stderr


@pytest.mark.parametrize(
    ("body", "facts"),
    [
        (None, "other.xml does not exist"),
        (gzip.compress(OLD.encode(), mtime=0)[:-20], "the gzip data is damaged"),
        (OLD.encode("utf-16"), "the encoding of the file is UTF-16"),
        (b"<!DOCTYPE html><html></html>", "it is an HTML page"),
        (b"", "other.xml is not a sitemap"),
        (b"Not found\n", "other.xml is not a sitemap"),
        (index("inner.xml").encode(), "the index lists another index"),
    ],
    ids=["absent", "damaged", "other encoding", "page", "nothing", "text", "nested index"],
)
def test_what_cannot_be_read_is_an_error_and_never_looks_added(
    waypost: Command, tmp_path: Path, sides: tuple[str, str], body: bytes | None, facts: str
) -> None:
    if body is not None:
        (tmp_path / "other.xml").write_bytes(body)
    (tmp_path / "inner.xml").write_text(index("old.xml"))
    done = waypost("diff", "other.xml", sides[0], "--exit-code")
    assert (done.returncode, done.stdout) == (3, "")
    assert facts in done.stderr


def test_a_sitemap_cannot_send_commands_to_the_terminal_or_a_workflow_runner(
    waypost: Command, sides: tuple[str, str]
) -> None:
    evil = OLD.replace("gone", "\n::add-mask::x\u009b2J")
    done = waypost("diff", sides[0], "-", stdin=evil)
    assert done.returncode == 0
    assert not any(line.startswith("::") for line in done.stdout.splitlines())
    assert "\u009b" not in done.stdout


def test_a_sitemap_is_compared_with_that_of_a_commit_and_what_its_index_lists(
    repository: Repository, waypost: Command
) -> None:
    listed = index("a.xml")
    repository.commit({"site/sitemap.xml": listed, "site/a.xml": urlset(a="", b="")}, 1_700_000_000)
    repository.commit({"site/a.xml": urlset(b="", c="")}, 1_700_000_001)
    for new in ("HEAD:site/sitemap.xml", "site/sitemap.xml"):
        done = waypost("diff", "HEAD~1:site/sitemap.xml", new, "--json", cwd=repository.folder)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert (found["added"], found["removed"]) == ([f"{BASE}c"], [f"{BASE}a"])
