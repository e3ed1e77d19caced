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

from waypost.core.errors import SourceError

if TYPE_CHECKING:
    from repositories import Repository
    from sites import Build, Entries, Write


# Runs


@pytest.mark.parametrize(
    "settings",
    [
        {"groups": {"blog": ["/blog/"]}, "formats": ["xml", "text"], "gzip": True, "robots_sitemaps": True},
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


def test_one_sitemap_becomes_an_index_with_groups_and_back(build: Build, write: Write, entries: Entries) -> None:
    site = write({"index.html": page(), "blog/a.html": page()})
    build(site)
    alone = (site / "sitemap.xml").read_bytes()
    build(site, groups={"blog": ["/blog/"], "empty": ["/nothing/"]})
    assert list(entries(site / "sitemap.xml")) == [f"{BASE}sitemap-pages.xml", f"{BASE}sitemap-blog.xml"]
    assert list(entries(site / "sitemap-blog.xml")) == [f"{BASE}blog/a.html"]
    build(site)
    assert (site / "sitemap.xml").read_bytes() == alone
    assert sorted(path.name for path in site.iterdir()) == ["blog", "index.html", "sitemap.xml"]


def test_a_site_without_pages_is_an_error_and_what_stood_still_stands(
    build: Build, write: Write, info: Standing
) -> None:
    site = write({"index.html": page()})
    build(site, groups={"g": ["/x/"]})
    (site / "index.html").unlink()
    before = info(write({"hidden.html": page(head="<meta name=robots content=none>")}))
    with pytest.raises(SourceError, match="no page to list") as raised:
        build(site, groups={"g": ["/x/"]})
    assert raised.value.exit_code == 3
    assert info(site) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"formats": ["text"]}, {}),
        ({"gzip": True}, {}),
        ({"formats": ["text"], "groups": {"a": ["/a.html"]}}, {"formats": ["text"]}),
        ({"formats": ["xml", "text"], "groups": {"a": ["/a.html"]}, "gzip": True}, {"formats": ["text"]}),
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


# robots.txt


def test_an_output_elsewhere_leaves_the_source_alone_and_follows_its_robots_txt(
    build: Build, write: Write, info: Standing, tmp_path: Path
) -> None:
    site = write({"a.html": page(), "robots.txt": "\ufeff# caf\xe9\r\nDisallow: /one/\r\n"})
    before, out = info(site), tmp_path / "out"
    build(site, output=out, robots_sitemaps=True)
    assert info(site) == before
    written = (out / "robots.txt").read_bytes().decode()
    assert written == f"\ufeff# caf\xe9\r\nDisallow: /one/\r\nSitemap: {BASE}sitemap.xml\r\n"
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
