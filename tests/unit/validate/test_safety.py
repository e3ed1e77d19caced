"""Files that are made to do harm: nothing outside is read, nothing grows, everything ends."""

import gzip
import itertools
import tracemalloc
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from unit.validate.given import BASE, IMAGE_NAMESPACE, NOW, Given, examine, loc, shown, url, urlset

from waypost.validate import SITEMAP_NAMESPACE, FileResult, FindingReport, Validator

MEBIBYTE = 1_048_576
MOST = 4 * 52_428_800
CHUNK = 65_536
OPEN = urlset("").removesuffix(b"</urlset>\n")
LOC = b"<url><loc><![CDATA["


def peak(file: Given) -> tuple[FileResult, FindingReport, int]:
    """What an examination came to that keeps no entries, and the most memory that it took at once."""
    tracemalloc.start()
    try:
        with closing(Validator(NOW, report := FindingReport())) as validator:
            (result,) = validator.validate([file])
        return result, report, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def entity(declared: str, used: str = "&a;") -> bytes:
    return f'<!DOCTYPE urlset [{declared}]><urlset xmlns="{SITEMAP_NAMESPACE}">{url(path=used)}</urlset>'.encode()


SECRET = Path(__file__)
"""A file that exists."""
LAUGHS = '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "body",
    [
        entity(LAUGHS, "&a9;"),
        entity(f'<!ENTITY a "{"x" * 100_000}">', "&a;" * 10_000),
        entity('<!ENTITY a "&b;"><!ENTITY b "&a;">'),
        entity('<!ENTITY % a "b">'),
        entity('<!ENTITY a SYSTEM "http://127.0.0.1:9/a">'),
        entity(f'<!ENTITY a SYSTEM "{SECRET.as_uri()}">'),
        entity(f'<!ENTITY a PUBLIC "-//A//B" "{SECRET.as_uri()}">'),
        entity(f'<!ENTITY % a SYSTEM "{SECRET.as_uri()}"> %a;'),
        entity('<!ENTITY % a SYSTEM "http://127.0.0.1:9/a"> %a;'),
        entity('<!ENTITY a SYSTEM "a" NDATA b>'),
    ],
    ids=shown,
)
def test_no_entity_is_expanded_or_fetched(body: bytes) -> None:
    result = examine(body)
    assert set(result.codes) == {"doctype", "entity"}
    assert result.examined.is_broken
    assert result.entries == []


@pytest.mark.parametrize("place", ['SYSTEM "file:///etc/passwd"', 'PUBLIC "-//A" "http://127.0.0.1:9/a.dtd"'])
def test_no_document_type_is_fetched(place: str) -> None:
    result = examine(f'<!DOCTYPE urlset {place}><urlset xmlns="{SITEMAP_NAMESPACE}">{url()}</urlset>'.encode())
    assert (result.codes, [entry.loc for entry in result.entries]) == (["doctype"], [BASE])


def test_attributes_that_a_document_type_gives_to_all_elements_are_not_multiplied() -> None:
    declared = "".join(f'<!ATTLIST url a{n} CDATA "{"x" * 100}">' for n in range(1_000))
    body = f'<!DOCTYPE urlset [{declared}]><urlset xmlns="{SITEMAP_NAMESPACE}">{"<url/>" * 10_000}</urlset>'
    result = examine(body.encode())
    assert result.codes == ["doctype", "not-a-sitemap"]
    assert result.entries == []


def endless(*pieces: bytes) -> Iterator[bytes]:
    return itertools.chain(pieces[:-1], itertools.repeat(pieces[-1]))


@pytest.mark.parametrize(
    "pieces",
    [
        (b" " * MEBIBYTE,),
        (b"a" * MEBIBYTE,),
        (OPEN, b" " * MEBIBYTE),
        (OPEN, b"<!--" + b"x" * MEBIBYTE + b"-->"),
        (gzip.compress(OPEN + LOC, mtime=0), gzip.compress(b"x" * MEBIBYTE, mtime=0)),
    ],
    ids=["blanks", "text", "blanks in XML", "comments", "a compressed loc"],
)
def test_of_a_body_without_end_a_bounded_part_is_taken_and_a_small_one_kept(pieces: tuple[bytes, ...]) -> None:
    file = Given(endless(*pieces))
    result, report, memory = peak(file)
    assert file.taken <= MOST + 2 * MEBIBYTE
    assert result.size <= MOST + MEBIBYTE
    assert "too-large" in report.counts
    assert result.is_broken
    assert memory < 12 * MEBIBYTE


@pytest.mark.parametrize(
    "pieces",
    [
        (OPEN, b"<!--", b"x" * CHUNK),
        (OPEN, b"<?x ", b"y" * CHUNK),
        (OPEN, b"<url a='", b"x" * CHUNK),
        (OPEN, b"<", b"x" * CHUNK),
        (OPEN, b"<url ", b"".join(f"a{n}=''".encode() for n in range(10_000))),
        (b"<!DOCTYPE ", b"x" * CHUNK),
        (b"<?xml ", b" " * CHUNK),
    ],
    ids=shown,
)
def test_a_tag_without_end_is_not_waited_for(pieces: tuple[bytes, ...]) -> None:
    file = Given(endless(*pieces))
    result = examine(file)
    assert result.codes in (["not-a-sitemap"], ["not-well-formed"])
    assert file.taken <= 2 * MEBIBYTE
    assert result.examined.is_broken


def deep(tag: bytes) -> Iterable[bytes]:
    return [tag * 1_000] * 1_000


@pytest.mark.parametrize(
    "pieces",
    [
        deep(b"<a>"),
        [OPEN, *deep(b"<a>")],
        [OPEN, *deep(b"<url>")],
        [OPEN, b"<url><loc>", *deep(b"<b>")],
        [OPEN, b"<url>", *deep(b"<image:image>")],
        [OPEN, b"<url>", *deep(b'<x:a xmlns:x="urn:x">')],
        [b'<rss version="2.0">', *deep(b"<channel>")],
        [b'<feed xmlns="http://www.w3.org/2005/Atom"><entry>', *deep(b"<link>")],
    ],
    ids=shown,
)
def test_elements_a_million_deep_are_not_followed_down(pieces: Iterable[bytes]) -> None:
    file = Given(pieces)
    _, report, memory = peak(file)
    assert "not-a-sitemap" in report.counts
    assert file.taken < 100_000
    assert memory < MEBIBYTE


def test_an_entry_keeps_so_many_extensions() -> None:
    image = f"<i:image xmlns:i='{IMAGE_NAMESPACE}'/>".encode()
    result = examine([OPEN, f"<url>{loc()}".encode(), *[image * 1_000] * 60, b"</url></urlset>"])
    (entry,) = result.entries
    assert len(entry.extensions or ()) == 20_000
    assert "image-count" in result.codes


def test_entries_that_hold_much_are_checked_before_they_are_many() -> None:
    fat = url(f"<changefreq>{'x' * 60_000}</changefreq>").encode()
    file = Given([OPEN, *[fat] * 1_000, b"</urlset>"])
    result, _, memory = peak(file)
    assert result.entries == 1_000
    assert memory < 16 * MEBIBYTE


def test_a_tag_of_many_attributes_is_read() -> None:
    attributes = "".join(f" a{n}='{n}'" for n in range(20_000))
    result = examine(urlset(f"<url{attributes}>{loc()}</url>"))
    assert result.codes == ["unknown-attribute"] * 100
    assert result.report.counts == {"unknown-attribute": 20_000}


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        (b"\x00", ["text-line", "empty"]),
        (b"\x00" * 1_000, ["text-line", "empty"]),
        (urlset(url(path="\x00")), ["not-well-formed"]),
        (urlset(url()).decode().encode("utf-16"), ["wrong-encoding"]),
        (urlset(url()).decode().encode("utf-16-le"), ["wrong-encoding"]),
        (urlset(url()).decode().encode("utf-16-be"), ["wrong-encoding"]),
        (urlset(url()).decode().encode("utf-32"), ["wrong-encoding"]),
        (urlset(url(path="é")).decode().encode("latin-1"), ["wrong-encoding"]),
        (urlset(url(path="é")).decode().encode("cp500"), ["wrong-encoding"]),
        (urlset(url(path="é"))[:-20].rsplit(b"\xa9")[0], ["not-well-formed"]),
        (f"{BASE}é".encode()[:-1], ["wrong-encoding"]),
        (b"\x1f\x8b", ["gzip-damaged"]),
        (b"PK\x03\x04" + bytes(range(128, 256)), ["wrong-encoding"]),
        (b"%PDF-1.7\n\xe2\xe3\xcf\xd3", ["text-line", "wrong-encoding"]),
    ],
    ids=shown,
)
def test_bytes_of_any_other_kind_are_told(body: bytes, codes: list[str]) -> None:
    assert sorted(examine(body).codes) == sorted(codes)
