"""Builds of real folders: what a run writes, leaves alone and removes."""

from __future__ import annotations

import gzip
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builds import BASE, Standing, T, locs, page, warnings
from servers import answer, serving

from waypost.core.errors import ConfigurationError, SourceError

if TYPE_CHECKING:
    from repositories import Repository
    from sites import Build, Entries, Write


# Runs


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"gzip": True},
        {"formats": ["xml", "text"], "gzip": True},
        {"groups": {"blog": ["/blog/"]}, "formats": ["xml", "text"]},
        {"robots_sitemaps": True},
        {"state": "state.jsonl", "lastmod": "content"},
    ],
)
def test_a_second_run_writes_nothing(build: Build, write: Write, info: Standing, settings: dict[str, Any]) -> None:
    site = write({"index.html": page(), "blog/a.html": page()})
    first = build(site, **settings)
    before = info(site.parent)
    second = build(site, **settings)
    assert (second.is_stale, list(second.unchanged)) == (False, [document.name for document in first.documents])
    assert info(site.parent) == before


def test_a_page_added_and_one_removed_are_the_changes(build: Build, write: Write) -> None:
    site = write({"a.html": page(), "b.html": page()})
    build(site)
    (site / "a.html").unlink()
    write({"c.html": page()})
    changes = build(site).changes
    assert (changes.added, changes.removed, changes.lastmod_changed) == ((f"{BASE}c.html",), (f"{BASE}a.html",), ())


def test_two_checkouts_give_the_same_bytes_whenever_and_however_they_were_made(
    build: Build, repository: Repository, tmp_path: Path
) -> None:
    for n in range(30):
        repository.commit({f"{'blog' if n % 3 else 'docs'}/page-{n}.html": page(str(n))}, when=T + n)
    outputs = []
    for name, order in (("one", 1), ("two", -1)):
        copy = tmp_path / name
        repository.git("clone", "--quiet", "--no-checkout", str(repository.folder), str(copy))
        files = repository.git("ls-files").split()[::order]
        for n, file in enumerate(files):
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(repository.folder / file, copy / file)
            os.utime(copy / file, (n * order + 5_000, n * order + 5_000))
        repository.git("-C", str(copy), "reset", "--quiet")
        plan = build(copy, lastmod="git", gzip=True, groups={"blog": ["/blog/"]}, formats=["xml", "text"])
        outputs.append({document.name: (copy / document.name).read_bytes() for document in plan.documents})
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) == 5
    assert b"2023-11-14T22:13:49Z" in gzip.decompress(outputs[0]["sitemap-blog.xml.gz"])


def test_a_gzip_file_carries_neither_time_nor_name(build: Build, write: Write) -> None:
    site = write({"index.html": page()})
    build(site, gzip=True)
    content = (site / "sitemap.xml.gz").read_bytes()
    assert content[3:8] == b"\0" * 5
    assert gzip.decompress(content).startswith(b"<?xml")


def test_a_gzip_file_whose_content_is_right_is_left_alone_however_it_was_packed(build: Build, write: Write) -> None:
    site = write({"index.html": page()})
    build(site, gzip=True)
    other = gzip.compress(gzip.decompress((site / "sitemap.xml.gz").read_bytes()), 9, mtime=5)
    write({"sitemap.xml.gz": other})
    assert not build(site, gzip=True).is_stale
    assert (site / "sitemap.xml.gz").read_bytes() == other


@pytest.mark.parametrize(
    ("before", "after", "removed"),
    [
        ({"groups": {"blog": ["/blog/"]}}, {}, ["sitemap-blog.xml", "sitemap-pages.xml"]),
        ({"groups": {"blog": ["/blog/"]}}, {"groups": {"news": ["/blog/"]}}, ["sitemap-blog.xml"]),
        ({"gzip": True}, {}, ["sitemap.xml.gz"]),
        ({}, {"gzip": True}, ["sitemap.xml"]),
        ({"formats": ["xml", "text"]}, {}, ["sitemap.txt"]),
        ({"formats": ["xml", "text"], "gzip": True}, {"gzip": True}, ["sitemap.txt.gz"]),
    ],
)
def test_outputs_that_the_settings_name_no_more_are_removed(
    build: Build, write: Write, before: dict[str, Any], after: dict[str, Any], removed: list[str]
) -> None:
    site = write({"index.html": page(), "blog/a.html": page()})
    build(site, **before)
    assert list(build(site, **after).removed) == removed
    assert not [name for name in removed if (site / name).exists()]
    assert not build(site, **after).is_stale


def test_sitemaps_made_by_hand_or_by_others_are_kept(build: Build, write: Write) -> None:
    made: dict[str, str | bytes] = {
        "sitemap-news.xml": "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>",
        "sitemap-old.xml.gz": gzip.compress(b"<urlset/>"),
        "sitemap-notes.txt": "notes",
        "sitemap.txt": "https://example.org/by-hand\n",
        "sitemap-damaged.xml.gz": b"\x1f\x8b not gzip",
        "sitemapper.xml": "<!-- Rendered by Waypost; changes made by hand are lost. -->",
    }
    site = write({"index.html": page(), **made})
    assert list(build(site).removed) == []
    assert {name: (site / name).read_bytes() for name in made} == {
        name: content.encode() if isinstance(content, str) else content for name, content in made.items()
    }


def test_one_sitemap_becomes_an_index_with_groups_and_back(build: Build, write: Write, entries: Entries) -> None:
    site = write({"index.html": page(), "blog/a.html": page()})
    build(site)
    alone = (site / "sitemap.xml").read_bytes()
    build(site, groups={"blog": ["/blog/"], "empty": ["/nothing/"]})
    assert list(entries(site / "sitemap.xml")) == [f"{BASE}sitemap-pages.xml", f"{BASE}sitemap-blog.xml"]
    assert list(entries(site / "sitemap-blog.xml")) == [f"{BASE}blog/a.html"]
    build(site)
    assert (site / "sitemap.xml").read_bytes() == alone
    assert sorted(path.name for path in site.glob("*.xml")) == ["sitemap.xml"]


def test_a_page_in_two_groups_is_in_the_first(build: Build, write: Write) -> None:
    plan = build.plan(write({"a/b.html": page()}), groups={"one": ["/a/"], "two": ["/a/"]})
    assert [page.group for page in plan.pages] == ["one"]


@pytest.mark.slow
def test_over_50_000_pages_become_an_index_and_one_more_changes_one_file(
    build: Build, write: Write, entries: Entries, tmp_path: Path
) -> None:
    site = write({})
    for n in range(50_001):
        (site / f"{n:05}.pdf").write_bytes(b"%PDF")
    plan = build(site, output=tmp_path / "out")
    children = list(entries(tmp_path / "out" / "sitemap.xml"))
    found = [loc for child in children for loc in entries(tmp_path / "out" / child.removeprefix(BASE))]
    assert len(children) > 1
    assert sorted(found) == sorted(locs(plan))
    (site / "30000a.pdf").write_bytes(b"%PDF")
    assert len(build.plan(site, output=tmp_path / "out").written) == 1


def test_an_output_folder_of_its_own_leaves_the_source_alone(
    build: Build, write: Write, info: Standing, tmp_path: Path
) -> None:
    site = write({"index.html": page(), "robots.txt": "User-agent: *\n"})
    before = info(site)
    build(site, output=tmp_path / "out", robots_sitemaps=True)
    assert info(site) == before
    assert (tmp_path / "out" / "robots.txt").read_text() == f"User-agent: *\nSitemap: {BASE}sitemap.xml\n"


@pytest.mark.parametrize("below", ["maps", "deep/er"])
def test_an_output_folder_inside_the_source_is_refused(build: Build, write: Write, below: str) -> None:
    site = write({"index.html": page()})
    with pytest.raises(ConfigurationError, match="output: "):
        build(site, output=site / below)
    assert not (site / below).exists()


def test_a_file_replaced_keeps_its_permissions(build: Build, write: Write) -> None:
    site = write({"index.html": page(), "sitemap.xml": "old"})
    (site / "sitemap.xml").chmod(0o640)
    build(site)
    assert (site / "sitemap.xml").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "files", [{}, {"style.css": "a{}"}, {"hidden.html": page(head="<meta name=robots content=none>")}]
)
def test_a_site_without_pages_is_an_error_and_what_stood_still_stands(
    build: Build, write: Write, info: Standing, files: dict[str, str]
) -> None:
    site = write({"index.html": page()})
    build(site, groups={"g": ["/x/"]})
    (site / "index.html").unlink()
    before = info(write(files))
    with pytest.raises(SourceError, match="no page to list") as raised:
        build(site, groups={"g": ["/x/"]})
    assert raised.value.exit_code == 3
    assert info(site) == before


def test_a_source_that_is_no_folder_is_an_error(build: Build, write: Write) -> None:
    with pytest.raises(SourceError, match=r"index\.html is not a folder"):
        build(write({"index.html": page()}) / "index.html")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"formats": ["text"]}, {}),
        ({"formats": ["xml", "text"]}, {}),
        ({"formats": ["text"], "groups": {"a": ["/a.html"]}}, {"formats": ["text"]}),
        ({"formats": ["text"], "groups": {"a": ["/a.html"]}}, {}),
        ({"formats": ["xml", "text"], "groups": {"a": ["/a.html"]}}, {"formats": ["xml", "text"]}),
        ({"formats": ["xml", "text"], "groups": {"a": ["/a.html"]}, "gzip": True}, {"formats": ["text"]}),
        ({"formats": ["text"], "gzip": True}, {"formats": ["text"]}),
        ({"groups": {"a": ["/a.html"]}, "gzip": True}, {"groups": {"b": ["/b.html"]}}),
    ],
)
def test_one_run_removes_all_that_other_settings_no_longer_ask_for(
    build: Build, write: Write, before: dict[str, Any], after: dict[str, Any]
) -> None:
    site = write({"a.html": page(), "b.html": page(), "sitemap-mine.txt": f"{BASE}mine\n"})
    build(site, **before)
    plan = build(site, **after)
    kept = {document.name for document in plan.documents} | {"sitemap-mine.txt"}
    assert {path.name for path in site.glob("sitemap*")} == kept
    assert not build.plan(site, **after).is_stale


def test_what_git_made_crlf_at_checkout_is_unchanged(build: Build, write: Write) -> None:
    site = write({"a.html": page(), "blog/b.html": page()})
    settings: dict[str, Any] = {"formats": ["xml", "text"], "groups": {"blog": ["/blog/"]}, "robots_sitemaps": True}
    build(site, **settings)
    for file in [*site.glob("sitemap*"), site / "robots.txt"]:
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert not build.plan(site, **settings).is_stale


@pytest.mark.parametrize("formats", [["text"], ["xml"], ["xml", "text"]])
def test_the_changes_are_of_pages_whatever_the_format(build: Build, write: Write, formats: list[str]) -> None:
    settings: dict[str, Any] = {"formats": formats, "groups": {"blog": ["/blog/"]}}
    site = write({"index.html": page(), "blog/a.html": page()})
    build(site, **settings)
    changes = build(write({"blog/b.html": page()}), **settings).changes
    assert (changes.added, changes.removed) == ((f"{BASE}blog/b.html",), ())
    (site / "blog" / "b.html").unlink()
    changes = build(site, **settings).changes
    assert (changes.added, changes.removed) == ((), (f"{BASE}blog/b.html",))


# robots.txt


def test_an_output_elsewhere_follows_the_site_s_robots_txt(build: Build, write: Write, tmp_path: Path) -> None:
    site = write({"a.html": page(), "robots.txt": "User-agent: *\nDisallow: /one/\n"})
    out = tmp_path / "out"
    build(site, output=out, robots_sitemaps=True)
    write({"robots.txt": "User-agent: *\nDisallow: /two/\n"})
    build(site, output=out, robots_sitemaps=True)
    line = f"Sitemap: {BASE}sitemap.xml\n"
    assert (out / "robots.txt").read_text() == f"User-agent: *\nDisallow: /two/\n{line}"


@pytest.mark.parametrize("target", ["../outside.txt", "robots.txt"])
def test_a_robots_txt_that_cannot_be_read_is_warned_of_and_never_overwritten(
    build: Build, write: Write, target: str
) -> None:
    site = write({"index.html": page(), "../outside.txt": "User-agent: *\nDisallow: /\n"})
    (site / "robots.txt").symlink_to(target)
    plan = build.plan(site)
    assert (locs(plan), warnings(plan)["robots-unreadable"]) == ([BASE], 1)
    with pytest.raises(SourceError, match=r"robots\.txt cannot be read"):
        build.plan(site, robots_sitemaps=True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, b"Sitemap: https://example.org/sitemap.xml\n"),
        (b"", b"Sitemap: https://example.org/sitemap.xml\n"),
        (b"User-agent: *\nDisallow: /x", b"User-agent: *\nDisallow: /x\nSitemap: https://example.org/sitemap.xml\n"),
        (
            b"\xef\xbb\xbf# caf\xe9\r\nSitemap: https://other.example/s.xml\r\n",
            b"\xef\xbb\xbf# caf\xe9\r\nSitemap: https://other.example/s.xml\r\n"
            b"Sitemap: https://example.org/sitemap.xml\r\n",
        ),
        (
            b"sitemap:https://example.org/sitemap.xml # ours\nUser-agent: *\n",
            b"sitemap:https://example.org/sitemap.xml # ours\nUser-agent: *\n",
        ),
        (
            b"Sitemap: https://example.org/sitemap.xml.gz\nUser-agent: *\nSitemap: https://example.org/sitemap-mine.xml\n",
            b"User-agent: *\nSitemap: https://example.org/sitemap-mine.xml\nSitemap: https://example.org/sitemap.xml\n",
        ),
    ],
)
def test_robots_txt_gains_its_line_and_no_other_byte_changes(
    build: Build, write: Write, before: bytes | None, after: bytes
) -> None:
    site = write({"index.html": page()})
    if before is not None:
        write({"robots.txt": before})
    build(site, robots_sitemaps=True)
    assert (site / "robots.txt").read_bytes() == after


def test_robots_txt_is_left_alone_unless_asked(build: Build, write: Write) -> None:
    site = write({"index.html": page()})
    build(site)
    assert not (site / "robots.txt").exists()


def test_a_robots_txt_that_names_what_is_removed_is_warned_of(build: Build, write: Write) -> None:
    site = write({"index.html": page(), "robots.txt": "User-agent: *\n"})
    build(site, robots_sitemaps=True, gzip=True)
    plan = build(site)
    assert warnings(plan) == {"robots-stale": 1}
    assert f"Sitemap: {BASE}sitemap.xml.gz" in (site / "robots.txt").read_text()
    assert warnings(build(site)) == {"other-sitemap": 1}


@pytest.mark.parametrize(("status", "reason"), [(404, "there is no sitemap at "), (503, "cannot be read: ")])
def test_a_sitemap_to_compare_with_that_cannot_be_fetched_is_a_warning(
    build: Build, tmp_path: Path, status: int, reason: str
) -> None:
    (tmp_path / "index.html").write_text(page())
    with serving({"/sitemap.xml": answer(status=status)}) as server:
        plan = build.plan(tmp_path, compare=f"{server.url}/sitemap.xml")
    (warning,) = [each for each in plan.warnings if each.code == "not-compared"]
    assert reason in warning.message
    assert warning.message.endswith("so nothing was compared with it")
