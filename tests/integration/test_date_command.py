"""`waypost date`: the sitemaps of any tool with true dates, and otherwise as they were."""

from __future__ import annotations

import gzip
import json
import subprocess
from typing import TYPE_CHECKING

import pytest
from unit.cli.invoke import BASE, index, urlset

if TYPE_CHECKING:
    from pathlib import Path

    from buckets import MadeBucket
    from repositories import Repository
    from sites import Command

AT, DATE = 1_767_312_000, "2026-01-02T00:00:00Z"
FLAGS = ("--base-url", BASE)
PAGES: dict[str, str | bytes | None] = {f"{name}.html": f"<title>{name}</title><p>Text of {name}" for name in "abc"}


@pytest.fixture
def site(repository: Repository) -> Path:
    """A site whose pages one commit changed, and another tool's sitemap with the time of its build."""
    repository.commit(PAGES, AT)
    built = "2026-02-20T10:00:00Z"
    (repository.folder / "sitemap.xml").write_text(dated(("a", built), ("b", built), ("shop/1", "2026-02-21")))
    return repository.folder


def dated(*dates: tuple[str, str]) -> str:
    urls = "".join(f"<url><loc>{BASE}{path}</loc><lastmod>{date}</lastmod></url>" for path, date in dates)
    return urlset().replace("></urlset>", f">{urls}</urlset>")


RIGHT = dated(("a", DATE), ("b", DATE), ("shop/1", "2026-02-21"))


def test_the_result_goes_to_standard_output_to_a_file_or_to_its_place(site: Path, waypost: Command) -> None:
    written = (site / "sitemap.xml").read_text()
    done = waypost("date", str(site / "sitemap.xml"), *FLAGS)
    assert (done.returncode, done.stdout) == (0, RIGHT)
    assert f"{BASE}a: 2026-02-20T10:00:00Z -> {DATE} (the page changed then)" in done.stderr
    assert "3 URLs, 2 of them found on the site: 2 wrong dates, 0 missing" in done.stderr
    assert waypost("date", str(site / "sitemap.xml"), *FLAGS, "--output", str(site / "x.xml.gz")).returncode == 0
    assert gzip.decompress((site / "x.xml.gz").read_bytes()).decode() == RIGHT
    assert (site / "sitemap.xml").read_text() == written
    assert waypost("date", str(site / "sitemap.xml"), *FLAGS, "--in-place").returncode == 0
    assert (site / "sitemap.xml").read_text() == RIGHT


def test_a_second_run_changes_nothing_and_writes_no_file(site: Path, waypost: Command) -> None:
    waypost("date", str(site / "sitemap.xml"), *FLAGS, "--in-place")
    before = (site / "sitemap.xml").stat()
    done = waypost("date", str(site / "sitemap.xml"), *FLAGS, "--in-place", "--json")
    assert json.loads(done.stdout) == {
        "changed_files": [],
        "changes": [],
        "found_count": 2,
        "known_count": 2,
        "unread_count": 0,
        "url_count": 3,
        "wrong_count": 0,
    }
    after = (site / "sitemap.xml").stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def test_check_says_which_dates_are_wrong_and_fails_for_these_alone(site: Path, waypost: Command) -> None:
    done = waypost("date", str(site / "sitemap.xml"), *FLAGS, "--check")
    assert done.returncode == 1
    assert done.stdout.count("(the page changed then)") == 2
    (site / "sitemap.xml").write_text(urlset("a", "b"))
    done = waypost("date", str(site / "sitemap.xml"), *FLAGS, "--check")
    assert (done.returncode, "0 wrong dates, 2 missing" in done.stderr) == (0, True)
    assert (site / "sitemap.xml").read_text() == urlset("a", "b")


def test_an_index_is_dated_with_what_it_lists_also_compressed(site: Path, waypost: Command) -> None:
    (site / "sitemap.xml").write_text(index(f"{BASE}one.xml.gz"))
    (site / "one.xml.gz").write_bytes(gzip.compress(urlset("a").encode()))
    done = waypost("date", str(site / "sitemap.xml"), *FLAGS)
    assert (done.returncode, "--in-place: it is missing, and there are 2 files" in done.stderr) == (2, True)
    assert waypost("date", str(site / "sitemap.xml"), *FLAGS, "--in-place").returncode == 0
    assert gzip.decompress((site / "one.xml.gz").read_bytes()).decode() == dated(("a", DATE))
    assert f"<loc>{BASE}one.xml.gz</loc><lastmod>{DATE}</lastmod>" in (site / "sitemap.xml").read_text()


def test_the_time_of_a_build_goes_from_all_pages_and_from_the_compressed_twin(site: Path, waypost: Command) -> None:
    (site / "made.html").write_text("<title>made</title><p>By a database")
    sitemap, twin = site / "sitemap.xml", site / "sitemap.xml.gz"
    sitemap.write_text(urlset("a", "b", "made", "gone", lastmod="2026-02-20T10:00:00Z"))
    twin.write_bytes(gzip.compress(sitemap.read_bytes()))
    done = waypost("date", str(sitemap), *FLAGS, "--check")
    assert (done.returncode, done.stdout.count("(nearly all URLs have it, and")) == (1, 2)
    assert "4 wrong dates (2 of these are a time that nearly all URLs have), 0 missing" in done.stderr
    assert waypost("date", str(sitemap), *FLAGS, "--in-place").returncode == 0
    assert sitemap.read_text().count("<lastmod>") == 2
    assert gzip.decompress(twin.read_bytes()) == sitemap.read_bytes()
    assert waypost("date", str(sitemap), *FLAGS, "--check").returncode == 0
    assert waypost("date", str(sitemap), *FLAGS).returncode == 0


def test_a_shallow_clone_keeps_the_dates_that_it_cannot_know(site: Path, waypost: Command, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    (site / "d.html").write_text("<title>d</title>")
    for arguments in (("add", "."), ("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "more")):
        subprocess.run(["git", *arguments], cwd=site, check=True)
    subprocess.run(["git", "clone", "-q", "--depth=1", site.as_uri(), str(clone)], check=True)
    done = waypost("date", str(clone / "sitemap.xml"), *FLAGS, "--check")
    assert (
        done.returncode,
        "3 URLs, 2 of them found on the site, 2 of these without a known date: 0 wrong" in done.stderr,
    ) == (0, True)


def test_standard_input_is_dated_by_the_pages_of_a_folder(site: Path, waypost: Command) -> None:
    done = waypost("date", "-", "--source", str(site), *FLAGS, stdin=urlset("a"))
    assert (done.returncode, done.stdout) == (0, dated(("a", DATE)))


def test_a_sitemap_in_a_bucket_is_dated_in_its_place(bucket: MadeBucket, waypost: Command) -> None:
    own = '<title>a</title><meta property="article:modified_time" content="2026-01-02"><p>Text'
    bucket.put({"www/a.html": own, "www/sitemap.xml": urlset("a", lastmod="2026-02-01")})
    flags = (*FLAGS, "--set", "page_dates=true", "--in-place")
    done = waypost("date", f"s3://{bucket.name}/www/sitemap.xml", *flags)
    assert done.returncode == 0, done.stderr
    assert bucket.get("www/sitemap.xml").decode() == dated(("a", "2026-01-02"))


@pytest.mark.parametrize(
    ("content", "code", "problem"),
    [
        (f"{BASE}a\n", 3, "is no XML: a text sitemap has no dates"),
        ("<urlset", 3, "is no XML sitemap that can be read"),
        (urlset(*(f"x{n}" for n in range(30)), lastmod="2031-01-01"), 8, "30 of 30 dates would go"),
    ],
)
def test_what_cannot_be_dated_stays_as_it_was(
    site: Path, waypost: Command, content: str, code: int, problem: str
) -> None:
    (site / "sitemap.xml").write_text(content)
    done = waypost("date", str(site / "sitemap.xml"), *FLAGS, "--in-place")
    assert (done.returncode, problem in done.stderr) == (code, True), done.stderr
    assert (site / "sitemap.xml").read_text() == content


def test_a_page_that_waypost_leaves_out_has_the_date_of_its_commit_too(
    repository: Repository, waypost: Command
) -> None:
    old = '<title>a</title><link rel="canonical" href="/b"><p>Text'
    repository.commit({"a.html": old, "b.html": "<title>b</title><p>Text"}, AT)
    (repository.folder / "sitemap.xml").write_text(urlset("a", lastmod="2026-02-20"))
    done = waypost("date", str(repository.folder / "sitemap.xml"), *FLAGS)
    assert (done.returncode, done.stdout) == (0, dated(("a", DATE)))
