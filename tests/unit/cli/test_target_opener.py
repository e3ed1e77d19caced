"""What `validate` and `diff` open: each file once, and of an index only the sitemaps that it may list."""

from __future__ import annotations

from pathlib import Path

import pytest
from unit.cli.invoke import BASE, index, urlset

from waypost.cli.target_opener import TargetOpener, _relative_paths, read_listed_urls
from waypost.core.errors import SourceError
from waypost.core.private_hosts import NO_PRIVATE_HOST
from waypost.validate import SitemapFile


@pytest.fixture(autouse=True)
def _folder_of_sitemaps() -> None:
    """The folder `maps` with an index and two sitemaps, one of them in a folder of its own."""
    Path("maps/sub").mkdir(parents=True)
    Path("maps/sitemap.xml").write_text(index(f"{BASE}a.xml"))
    Path("maps/a.xml").write_text(urlset("a"))
    Path("maps/sub/b.xml").write_text(urlset("b"))
    Path("maps/page.html").write_text("<title>A page</title>")


def opened(opener: TargetOpener, target: str) -> list[tuple[str, str]]:
    """The names and URLs of the files of a target."""
    return [(file.name, file.loc) for file in opener.open_target(target)]


def child_of(opener: TargetOpener, loc: str) -> SitemapFile | None:
    """What the index `maps/sitemap.xml` has at a URL."""
    (parent,) = opener.open_target("maps/sitemap.xml")
    return opener.child(parent, loc)


def test_a_folder_is_its_sitemaps_each_with_its_url_below_that_of_the_folder() -> None:
    assert sorted(opened(TargetOpener(f"{BASE}x"), "maps")) == [
        ("maps/a.xml", f"{BASE}x/a.xml"),
        ("maps/sitemap.xml", f"{BASE}x/sitemap.xml"),
    ]


def test_a_file_that_was_opened_before_is_not_opened_again() -> None:
    opener = TargetOpener()
    assert len(opened(opener, "maps")) == 2
    assert opened(opener, "maps/a.xml") == []


def test_two_files_cannot_be_at_one_url() -> None:
    opener = TargetOpener(f"{BASE}sitemap.xml")
    assert opened(opener, "maps/sitemap.xml") == [("maps/sitemap.xml", f"{BASE}sitemap.xml")]
    with pytest.raises(SourceError, match=f"cannot both be at {BASE}sitemap.xml; check them in two runs"):
        opened(opener, "maps/sub/b.xml")


@pytest.mark.parametrize(
    ("target", "message"), [("absent", "absent does not exist"), ("maps/sub/empty", "has no sitemap in it")]
)
def test_a_target_without_a_sitemap_is_an_error_that_says_what_to_name(target: str, message: str) -> None:
    Path("maps/sub/empty").mkdir()
    with pytest.raises(SourceError, match=message):
        opened(TargetOpener(), target)


def test_a_bucket_of_an_unknown_scheme_is_an_issue() -> None:
    with pytest.raises(SourceError, match=r"gopher://site/ does not exist; name a file, a folder, s3://bucket/key"):
        opened(TargetOpener(), "gopher://site/")


@pytest.mark.parametrize(
    ("url", "loc", "name"),
    [
        (f"{BASE}sitemap.xml", f"{BASE}sub/b.xml", "maps/sub/b.xml"),
        (f"{BASE}en/sitemap.xml", f"{BASE}en/a.xml", "maps/a.xml"),
        ("", f"{BASE}somewhere/sub/b.xml", "maps/sub/b.xml"),
    ],
    ids=["below the index", "in the folder of the index", "where only the end of the path is known"],
)
def test_a_sitemap_that_an_index_lists_is_found_beside_the_index(url: str, loc: str, name: str) -> None:
    found = child_of(TargetOpener(url), loc)
    assert found
    assert (found.name, found.loc) == (name, loc)


@pytest.mark.parametrize(
    ("url", "loc"),
    [
        (f"{BASE}sitemap.xml", "https://example.com/a.xml"),
        (f"{BASE}en/sitemap.xml", f"{BASE}a.xml"),
        (f"{BASE}sitemap.xml", f"{BASE}sub/../../secret.xml"),
        (f"{BASE}sitemap.xml", f"{BASE}%2e%2e/secret.xml"),
    ],
    ids=["another host", "above the index", "dots", "escaped dots"],
)
def test_a_sitemap_outside_the_folder_of_the_index_is_counted_and_not_opened(url: str, loc: str) -> None:
    opener = TargetOpener(url)
    assert (child_of(opener, loc), opener.unfollowed) == (None, 1)


def test_an_opener_that_follows_nothing_counts_what_it_leaves() -> None:
    opener = TargetOpener(BASE, is_followed=False)
    assert (child_of(opener, f"{BASE}a.xml"), opener.unfollowed) == (None, 1)


def test_after_the_time_limit_no_sitemap_that_an_index_lists_is_opened() -> None:
    times = iter([0.0, 599.0, 601.0])
    opener = TargetOpener(BASE, max_minutes=10, clock=lambda: next(times))
    (parent,) = opener.open_target("maps/sitemap.xml")
    assert opener.child(parent, f"{BASE}a.xml") is not None
    assert (opener.child(parent, f"{BASE}sub/b.xml"), opener.unfollowed) == (None, 1)


@pytest.mark.parametrize(
    "loc",
    [f"{BASE}{'a' * 300}.xml", f"{BASE}{'a/' * 1_000}b.xml", f"{BASE}{'a/' * 800}{'b' * 300}.xml"],
)
def test_a_name_that_no_file_can_have_is_not_there(loc: str) -> None:
    found = child_of(TargetOpener(), loc)
    assert found
    with pytest.raises(OSError, match=r"No such file|too long"):
        list(found.chunks())


@pytest.mark.parametrize("loc", [f"{BASE}{'a/' * 1_000_000}b.xml", f"{BASE}a%00.xml", "https://[/a.xml"])
def test_a_url_that_is_too_long_or_invalid_is_not_opened(loc: str) -> None:
    assert child_of(TargetOpener(), loc) is None


def test_few_ends_of_a_long_path_are_looked_for() -> None:
    ends = list(_relative_paths(f"{BASE}{'a/' * 900}b.xml", ""))
    assert (len(ends), ends[-1]) == (32, "b.xml")


def test_a_link_out_of_the_folder_of_the_index_is_not_followed() -> None:
    Path("secret.xml").write_text(urlset("secret"))
    Path("maps/c.xml").symlink_to(Path("secret.xml").resolve())
    Path("maps/d.xml").symlink_to("a.xml")
    outside, inside = (child_of(TargetOpener(f"{BASE}sitemap.xml"), f"{BASE}{name}.xml") for name in "cd")
    assert outside
    assert inside
    with pytest.raises(PermissionError, match="leads out"):
        list(outside.chunks())
    assert b"".join(inside.chunks()).decode() == urlset("a")


def test_a_robots_txt_of_a_folder_names_sitemaps_in_the_folder_and_others_at_their_urls() -> None:
    lines = (f"Sitemap: {BASE}sitemap.xml", f"sitemap: {BASE}sub/b.xml", f"Sitemap: {BASE}gone.xml", "User-agent: *")
    Path("maps/robots.txt").write_text("\n".join([*lines, *lines]))
    assert opened(TargetOpener(), "maps/robots.txt") == [
        ("maps/sitemap.xml", f"{BASE}sitemap.xml"),
        ("maps/sub/b.xml", f"{BASE}sub/b.xml"),
        (f"{BASE}gone.xml", f"{BASE}gone.xml"),
    ]


@pytest.mark.parametrize("text", ["", "User-agent: *\nDisallow:\n"])
def test_a_robots_txt_of_a_folder_that_names_no_sitemap_is_an_error(text: str) -> None:
    Path("maps/robots.txt").write_text(text)
    with pytest.raises(SourceError, match=r"maps/robots\.txt names no sitemap"):
        opened(TargetOpener(), "maps/robots.txt")


def test_a_robots_txt_names_no_file_outside_of_its_folder() -> None:
    Path("secret.xml").write_text(urlset("a"))
    Path("maps/robots.txt").write_text(f"Sitemap: {BASE}../secret.xml\nSitemap: {BASE}%2e%2e/secret.xml")
    assert {name for name, _ in opened(TargetOpener(), "maps/robots.txt")} == {
        f"{BASE}../secret.xml",
        f"{BASE}%2e%2e/secret.xml",
    }


def test_the_urls_have_their_dates(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(urlset("a").replace("</url>", "<lastmod>2026-01-02</lastmod></url>"))
    assert read_listed_urls(str(tmp_path / "sitemap.xml"), NO_PRIVATE_HOST) == {f"{BASE}a": ("2026-01-02", ())}


def test_what_is_no_sitemap_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>no sitemap</p>")
    with pytest.raises(SourceError, match=r"page\.html"):
        read_listed_urls(str(tmp_path / "page.html"), NO_PRIVATE_HOST)


def test_a_host_alone_is_its_home_page(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(urlset("").replace(BASE, BASE.rstrip("/")))
    assert list(read_listed_urls(str(tmp_path / "sitemap.xml"), NO_PRIVATE_HOST)) == [BASE]
