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


@pytest.mark.parametrize(("most", "shown"), [("1", 1), ("0", 2), ("2", 2)])
def test_most_limits_the_urls_of_each_kind(waypost: Command, sides: tuple[str, str], most: str, shown: int) -> None:
    lines = waypost("diff", *sides, "--most", most).stdout.splitlines()
    assert sum(line.startswith(f"+ {BASE}") for line in lines) == shown
    assert ("+ … and 1 more (added)" in lines) == (shown == 1)


@pytest.mark.parametrize(("sides", "code"), [(("old.xml", "old.xml"), 0), (("old.xml", "new.xml"), 1)])
def test_the_exit_code_shows_changes_if_it_is_asked_for(
    waypost: Command, tmp_path: Path, sides: tuple[str, str], code: int
) -> None:
    (tmp_path / "old.xml").write_text(OLD)
    (tmp_path / "new.xml").write_text(NEW)
    assert waypost("diff", *sides).returncode == 0
    assert waypost("diff", *sides, "--exit-code").returncode == code


def test_nothing_changed_is_one_line(waypost: Command, sides: tuple[str, str]) -> None:
    done = waypost("diff", sides[0], sides[0])
    assert done.stdout == "5 URLs before, 5 now: 0 added, 0 removed, 0 with another date\n"


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


def test_an_empty_sitemap_lists_nothing(waypost: Command, tmp_path: Path, sides: tuple[str, str]) -> None:
    (tmp_path / "empty.xml").write_text(f"<urlset {NAMESPACE}/>")
    done = waypost("diff", sides[0], "empty.xml")
    assert done.returncode == 0
    assert "0 added, 5 removed" in done.stdout


@pytest.mark.parametrize("is_new", [False, True], ids=["old", "new"])
@pytest.mark.parametrize(
    ("body", "facts"),
    [
        (None, "other.xml does not exist"),
        (OLD[:-20], "the file is not well-formed XML"),
        (gzip.compress(OLD.encode(), mtime=0)[:-20], "the gzip data is damaged"),
        (OLD.encode("utf-16"), "the encoding of the file is UTF-16"),
        ("<!DOCTYPE html><html></html>", "it is an HTML page"),
        ("<html></html>", "it is an HTML page"),
        ("", "other.xml is not a sitemap"),
        ("Not found\n", "other.xml is not a sitemap"),
        ('{"error": "not found"}', "other.xml is not a sitemap"),
        (index("absent.xml"), "absent.xml: the file cannot be read"),
        (index("inner.xml"), "the index lists another index"),
        (index("../old.xml"), "other.xml lists 1 sitemap that cannot be opened"),
        (f"<urlset {NAMESPACE}>" + "<!-- -->" * 7_000_000 + "</urlset>", "more bytes|it has .* bytes uncompressed"),
    ],
    ids=[
        "absent",
        "cut short",
        "damaged",
        "other encoding",
        "page",
        "other root",
        "nothing",
        "text",
        "json",
        "missing child",
        "nested index",
        "child elsewhere",
        "too large",
    ],
)
def test_what_cannot_be_read_is_an_error_and_never_looks_removed(
    waypost: Command, tmp_path: Path, sides: tuple[str, str], body: str | bytes | None, facts: str, is_new: bool
) -> None:
    if body is not None:
        (tmp_path / "other.xml").write_bytes(body.encode() if isinstance(body, str) else body)
    (tmp_path / "inner.xml").write_text(index("old.xml"))
    pair = (sides[0], "other.xml") if is_new else ("other.xml", sides[0])
    done = waypost("diff", *pair, "--exit-code")
    assert (done.returncode, done.stdout) == (3, "")
    assert facts.partition("|")[0] in done.stderr or "bytes uncompressed" in done.stderr


def test_an_index_on_standard_input_is_an_error(waypost: Command, sides: tuple[str, str]) -> None:
    done = waypost("diff", sides[0], "-", stdin=index("old.xml"))
    assert (done.returncode, done.stdout) == (3, "")


def test_a_sitemap_cannot_send_commands_to_the_terminal_or_a_workflow_runner(
    waypost: Command, sides: tuple[str, str]
) -> None:
    evil = OLD.replace("gone", "\n::add-mask::x\u009b2J")
    done = waypost("diff", sides[0], "-", stdin=evil)
    assert done.returncode == 0
    assert not any(line.startswith("::") for line in done.stdout.splitlines())
    assert "\u009b" not in done.stdout


def test_the_sections_with_the_most_changes_come_first_and_the_others_are_summed(
    waypost: Command, tmp_path: Path
) -> None:
    (tmp_path / "old.xml").write_text(urlset(a=""))
    pages = {f"s{n:02}__{m}": "" for n in range(30) for m in range(30 - n)}
    (tmp_path / "new.xml").write_text(urlset(a="", **pages))
    done = waypost("diff", "old.xml", "new.xml", "--json")
    sections = json.loads(done.stdout)["sections"]
    assert [each["name"] for each in sections] == [*(f"/s{n:02}/" for n in range(19)), "…"]
    assert sum(each["added"] for each in sections) == len(pages)


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
