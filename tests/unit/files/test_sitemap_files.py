from __future__ import annotations

import gzip
import io
import os
from pathlib import Path

import pytest

from waypost.files.sitemap_files import LocalFile, PipedFile, root_of, sitemaps

URLSET = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
INDEX = URLSET.replace("urlset", "sitemapindex")


@pytest.mark.parametrize(
    ("beginning", "root"),
    [
        (b"<urlset>", b"urlset"),
        (b'<?xml version="1.0"?><!-- made by hand --><urlset xmlns="x">', b"urlset"),
        (b'<s:urlset xmlns:s="x">', b"urlset"),
        (b"<sitemapindex\n xmlns='x'>", b"sitemapindex"),
        (b'<rss version="2.0">', b"rss"),
        (b'<feed xmlns="http://www.w3.org/2005/Atom">', b"feed"),
        (b"<urlsets>", b""),
        (b"<html>", b""),
        (b"https://www.example.org/", b""),
        (b"", b""),
    ],
)
def test_a_sitemap_or_feed_is_known_by_its_root(beginning: bytes, root: bytes) -> None:
    assert root_of(beginning) == root


def test_the_sitemaps_of_a_folder_are_those_that_are_so_by_their_beginning_or_name(tmp_path: Path) -> None:
    (tmp_path / "maps.xml").write_text(URLSET)
    (tmp_path / "packed.xml.gz").write_bytes(gzip.compress(URLSET.encode()))
    (tmp_path / "sitemap.txt").write_text("https://www.example.org/")
    (tmp_path / "sitemap-broken.xml.gz").write_bytes(b"\x1f\x8bnothing")
    (tmp_path / "sitemap-empty.xml").touch()
    for name in ("robots.txt", "config.xml", "sitemap.html", "sitemap.xsl", "urlset.json", "damaged.xml.gz"):
        (tmp_path / name).write_bytes(b"\x1f\x8b<x>")
    (tmp_path / "sitemap-folder.xml").mkdir()
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "sitemap.xml").write_text(URLSET)
    (tmp_path / "below" / "maps.xml").write_text(URLSET)
    (tmp_path / "below" / "sitemap.txt").write_text("https://www.example.org/")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "sitemap.xml").write_text(URLSET)
    assert [path.relative_to(tmp_path).as_posix() for path in sitemaps(tmp_path)] == [
        "maps.xml",
        "packed.xml.gz",
        "sitemap-broken.xml.gz",
        "sitemap-empty.xml",
        "sitemap.txt",
        "below/sitemap.xml",
    ]


def test_indexes_come_first(tmp_path: Path) -> None:
    for name, body in (("a.xml", URLSET), ("y.xml", INDEX), ("b.xml", URLSET), ("z.xml.gz", INDEX)):
        content = body.encode()
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert [path.name for path in sitemaps(tmp_path)] == ["y.xml", "z.xml.gz", "a.xml", "b.xml"]


def test_a_feed_counts_only_where_there_is_no_sitemap(tmp_path: Path) -> None:
    (tmp_path / "blog.rss").write_text('<rss version="2.0">')
    (tmp_path / "news.atom").write_text('<feed xmlns="http://www.w3.org/2005/Atom">')
    assert [path.name for path in sitemaps(tmp_path)] == ["blog.rss", "news.atom"]
    (tmp_path / "sitemap.xml").write_text(URLSET)
    assert [path.name for path in sitemaps(tmp_path)] == ["sitemap.xml"]


def test_a_folder_without_sitemaps_has_none(tmp_path: Path) -> None:
    assert sitemaps(tmp_path) == []


def test_a_file_is_read_in_pieces_with_the_time_that_it_has(tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_bytes(b"x" * 200_000)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    file = LocalFile(path, "https://www.example.org/sitemap.xml")
    assert (file.name, file.loc, file.modified, file.redirected_to) == (
        str(path),
        "https://www.example.org/sitemap.xml",
        None,
        "",
    )
    pieces = list(file.chunks())
    assert b"".join(pieces) == b"x" * 200_000
    assert len(pieces) > 2
    assert file.modified == 1_700_000_000


@pytest.mark.parametrize("make", ["absent", "folder"])
def test_a_file_that_cannot_be_read_is_an_error_when_it_is_read(tmp_path: Path, make: str) -> None:
    (tmp_path / "folder").mkdir()
    file = LocalFile(tmp_path / make)
    with pytest.raises(OSError, match=r"No such file|Is a directory"):
        list(file.chunks())


def test_a_name_that_is_no_utf_8_is_shown_by_its_bytes(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/site\xff\xc3\xbc.xml"))
    path.write_bytes(b"x")
    file = LocalFile(path)
    assert file.name == f"{tmp_path}/site\\xffü.xml"
    assert list(file.chunks()) == [b"x"]


def test_a_pipe_is_read_to_its_end_and_has_no_time() -> None:
    file = PipedFile(io.BytesIO(b"x" * 100_000), "https://www.example.org/sitemap.xml")
    assert b"".join(file.chunks()) == b"x" * 100_000
    assert (file.name, file.modified, file.redirected_to) == ("standard input", None, "")
