"""Sites with URLs that have no file: lists, other tools' sitemaps, and sitemaps that the index lists."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from unit.cli.invoke import urlset

if TYPE_CHECKING:
    from pathlib import Path

    from buckets import MadeBucket
    from repositories import Repository
    from sites import Command, Write

BASE = "https://example.org/"
FLAGS = ("--base-url", BASE)
LIST = "loc,lastmod\n" + "".join(f"/products/{n:03},2026-02-{n % 28 + 1:02}\n" for n in range(60))
SETTINGS = """
base_url = "https://example.org/"
lastmod = "none"
host = "cloudfront"
urls = "lists/urls.csv"
sitemaps = ["lists/shop.xml", { from = "blog/sitemap.xml", as = "child" }]
"""


def locs(body: bytes) -> list[str]:
    return re.findall(r"<loc>(.*?)</loc>", body.decode())


def without_times(index: bytes) -> bytes:
    """An index without the times at which a bucket's state has written its sitemaps; the dates of lists are days."""
    return re.sub(rb"<lastmod>[^<]*T[^<]*</lastmod>", b"", index)


def test_bad_input_leaves_the_published_files_as_they_were(write: Write, waypost: Command, tmp_path: Path) -> None:
    folder = write({"index.html": "<title>Home</title>"})
    (tmp_path / "urls.txt").write_text("/a\n")
    assert waypost("build", "site", *FLAGS, "--set", "urls=urls.txt").returncode == 0
    published = (folder / "sitemap.xml").read_bytes()
    assert locs(published) == [f"{BASE}a", BASE]
    for content, setting, code, message in (
        (
            "/a\nhttps://example.com/\n",
            "urls=urls.txt",
            2,
            "urls.txt:2: loc: https://example.com/ is not below base_url",
        ),
        ("", "urls=urls.txt", 2, "urls.txt lists no URL"),
        ("<urlset", 'sitemaps=["urls.txt"]', 3, "urls.txt, which `sitemaps` names, is no sitemap"),
    ):
        (tmp_path / "urls.txt").write_text(content)
        done = waypost("build", "site", *FLAGS, "--set", setting)
        assert (done.returncode, (folder / "sitemap.xml").read_bytes()) == (code, published), done.stderr
        assert message in done.stderr


def test_a_list_can_be_piped_in(write: Write, waypost: Command) -> None:
    folder = write({"index.html": "<title>Home</title>"})
    done = waypost("build", "site", *FLAGS, "--set", "urls=-", stdin='{"loc": "/a", "lastmod": "2026-02-01"}\n')
    assert done.returncode == 0, done.stderr
    entry = "<url><loc>https://example.org/a</loc><lastmod>2026-02-01</lastmod></url>"
    assert entry in (folder / "sitemap.xml").read_text()


def test_explain_names_the_list_of_a_url_and_the_file_that_decides_about_another(
    write: Write, waypost: Command, tmp_path: Path
) -> None:
    write({"index.html": "<title>Home</title>"})
    (tmp_path / "urls.txt").write_text("/\n/shop/\n")
    done = waypost("explain", "site", *FLAGS, "--set", "urls=urls.txt", "/shop/", f"{BASE}shop/")
    assert done.returncode == 0
    assert done.stdout.count("named in  line 2 of urls.txt; it has no file") == 2
    left_out = json.loads(waypost("build", "site", *FLAGS, "--set", "urls=urls.txt", "--json").stdout)["excluded"]
    assert {"key": BASE, "reason": "own-file", "detail": "index.html"} in left_out


def test_an_index_has_no_date_for_a_sitemap_with_urls_that_no_commit_dates(
    repository: Repository, waypost: Command
) -> None:
    repository.commit({"docs/a.html": "<title>A</title>", "shop/index.html": "<title>Shop</title>"}, 1_767_312_000)
    groups = ("--set", 'groups={ docs = ["/docs/"] }')
    done = waypost("build", str(repository.folder), *FLAGS, *groups, "--set", 'urls=["/shop/b"]')
    assert done.returncode == 0, done.stderr
    index = (repository.folder / "sitemap.xml").read_text()
    assert "<loc>https://example.org/sitemap-docs.xml</loc><lastmod>2026-01-02T00:00:00Z</lastmod>" in index
    assert "<loc>https://example.org/sitemap-pages.xml</loc></sitemap>" in index


def test_a_bucket_lists_what_a_folder_lists_and_takes_changed_lists_in_a_build(
    bucket: MadeBucket, write: Write, waypost: Command, tmp_path: Path
) -> None:
    files = {
        **{f"docs/{n:02}.html": f"<title>Page {n}</title>" for n in range(5)},
        "blog/sitemap.xml": urlset("blog/a"),
    }
    folder = write(files)
    bucket.put({f"www/{key}": content for key, content in files.items()})
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists/shop.xml").write_text(urlset("shop/a", "docs/01", "docs/02.html", "elsewhere/"))
    (tmp_path / "waypost.toml").write_text(SETTINGS)
    site, state = f"s3://{bucket.name}/www", ("--state", "kept")

    def require_same_bytes() -> None:
        for source, more in (("site", ()), (site, state)):
            done = waypost("build", source, *more)
            assert done.returncode == 0, done.stderr
        names = {path.name for path in folder.glob("sitemap*")}
        published = {name: without_times(bucket.get(f"www/{name}") or b"") for name in names}
        assert published == {name: (folder / name).read_bytes() for name in names}

    (tmp_path / "lists/urls.csv").write_text(LIST)
    require_same_bytes()
    (tmp_path / "lists/urls.csv").write_text("loc,lastmod,priority\n/products/3,2026-02-02,0.5\n/docs/new.html,,\n")
    (tmp_path / "lists/shop.xml").write_text(urlset("shop/b", lastmod="2026-01-02"))
    (folder / "blog/sitemap.xml").write_text(urlset("blog/a", lastmod="2026-01-03"))
    bucket.put({"www/blog/sitemap.xml": urlset("blog/a", lastmod="2026-01-03")})
    refused = waypost("build", site, *state)
    assert refused.returncode == 8
    assert "--set max_removed=100" in refused.stderr
    (tmp_path / "waypost.toml").write_text(f"{SETTINGS}max_removed = 100\n")
    require_same_bytes()
    assert "0 errors, 0 warnings" in waypost("validate", "site", "--url", BASE).stderr
    explained = waypost("explain", site, *state, "products/3", f"{BASE}docs/new.html", "shop/a").stdout
    assert re.findall(r"  (listed .*|lastmod .*|left out .*)\n", explained) == [
        f"listed    {BASE}products/3",
        "lastmod   2026-02-02",
        f"listed    {BASE}docs/new.html",
        "lastmod   none: the list that names it gives no date",
        "left out  not-a-page: its file type is not among `pages`",
    ]
    assert waypost("status", site, *state, "--check").returncode == 0


def test_an_audit_knows_the_urls_of_a_list(write: Write, waypost: Command) -> None:
    write({"index.html": "<title>Home</title><a href=/shop/b?c=1>B</a><a href=/shop/>Shop</a><a href=/gone>Gone</a>"})
    done = waypost("audit", "site", *FLAGS, "--set", 'urls=["/shop/", "/shop/b?c=1"]', "--json")
    broken = [each for each in json.loads(done.stdout)["findings"] if each["code"] == "broken-link"]
    assert len(broken) == 1
    assert "https://example.org/gone" in str(broken)
