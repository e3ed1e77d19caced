from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from unit.sample_sites import site

from waypost.core.model import Body, Item, Skipped
from waypost.core.reasons import Reason
from waypost.pages.facts import PageFacts
from waypost.pages.html_head import HEAD_SIZES, HtmlHead
from waypost.pages.own_dates import OwnDate, OwnDates
from waypost.pages.page_facts import ObjectSnapshot, read_item, recorded_facts

NOINDEX = b'<meta name="robots" content="noindex"></head><body>'


class OneFile:
    """A source of one file; `sizes` lists how many bytes were asked for, None for all."""

    width = 1

    def __init__(self, data: bytes, *, has_etags: bool = True, **headers: str) -> None:
        self._data, self._headers, self.has_etags = data, headers, has_etags
        self.sizes: list[int | None] = []

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        del prunes
        yield from ()

    def find(self, key: str) -> bytes | None:
        return self._data if key == "a.html" else None

    def read(self, item: Item, size: int | None = None) -> Body:
        del item
        self.sizes.append(size)
        body = Body(self._data[:size], size is None or len(self._data) <= size)
        return replace(body, **self._headers)


def snapshot(source: OneFile, key: str = "a.html", **values: Any) -> ObjectSnapshot:
    return read_item(source, site(**values), Item(key, key, etag="listed", modified="2026-01-01T00:00:00Z"))


def digest(data: str, key: str = "a.html", *, etag: str = "listed") -> str | None:
    source = OneFile(data.encode(), has_etags=bool(etag))
    return read_item(source, site(lastmod="content", state="state.jsonl"), Item(key, key, etag=etag)).facts.text_digest


@pytest.mark.parametrize(
    ("before", "sizes"),
    [(0, [HEAD_SIZES[0]]), (HEAD_SIZES[0], list(HEAD_SIZES[:2])), (HEAD_SIZES[1], list(HEAD_SIZES))],
)
def test_no_more_of_a_page_is_read_than_its_head_needs(before: int, sizes: list[int]) -> None:
    source = OneFile(b"<html><style>" + b" " * before + b"</style>" + NOINDEX + b"text " * HEAD_SIZES[1])
    assert snapshot(source, lastmod="none").facts.head == HtmlHead(noindex="noindex")
    assert source.sizes == sizes


@pytest.mark.parametrize("key", ["a.pdf", "a.html", "a.md"])
def test_an_empty_file_of_any_type_is_no_page(key: str) -> None:
    found = snapshot(OneFile(b""), key, lastmod="none")
    assert found.facts.non_page == "empty"


def test_of_a_file_that_is_not_text_only_the_headers_are_read() -> None:
    source = OneFile(b"%PDF", redirect="/b.pdf", robots_header="noindex")
    found = snapshot(source, "a.pdf", lastmod="none")
    assert found.facts == PageFacts(redirect="/b.pdf", robots_header="noindex")
    assert source.sizes == [1023]


@pytest.mark.parametrize("key", ["a.pdf", "a.html"])
def test_a_pointer_of_git_lfs_is_no_page(key: str) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
    assert snapshot(OneFile(pointer), key, lastmod="none").facts.non_page == "lfs-pointer"


def test_the_front_matter_of_a_markdown_file_is_read_and_html_in_it_is_not() -> None:
    data = b"---\ndraft: true\n---\n" + NOINDEX
    found = snapshot(OneFile(data), "a.md", pages=["markdown"], lastmod="none").facts
    assert found == PageFacts(hidden_by="draft: true")


def test_what_was_read_goes_before_what_was_listed() -> None:
    found = snapshot(OneFile(b"", etag="read", modified="2026-02-02T00:00:00Z"))
    assert (found.etag, found.uploaded_at) == ("read", "2026-02-02T00:00:00Z")
    found = snapshot(OneFile(b""))
    assert (found.etag, found.uploaded_at) == ("listed", "2026-01-01T00:00:00Z")


def test_the_digest_of_a_page_is_that_of_the_text_that_visitors_see() -> None:
    text = digest("<title>A</title><p>Hello")
    assert digest("<title>A</title><script>1</script><p class=x>Hello<!-- b -->") == text
    assert digest("<title>A</title><p>Bye") != text
    assert digest("<title>B</title><p>Hello") != text


def test_a_digest_is_read_only_where_content_dates_pages() -> None:
    assert snapshot(OneFile(b"<p>Hello"), lastmod="none").facts.text_digest is None


def test_a_file_that_is_not_text_is_compared_by_its_etag_or_else_by_its_bytes() -> None:
    assert digest("%PDF", "a.pdf") == "listed"
    without_etag = digest("<p>a</p>", "a.pdf", etag="")
    assert without_etag == digest("<p>a</p>", "a.pdf", etag="")
    assert without_etag not in (None, digest("<p >a</p>", "a.pdf", etag=""))


def test_a_page_s_date_is_looked_for_in_its_body_only_if_its_head_has_none() -> None:
    filler = b"<p>" + b"text " * HEAD_SIZES[0]
    dated = b'<script type="application/ld+json">{"@type": "Article", "dateModified": "2026-02-03"}</script>'
    in_body = OneFile(b"<title>A</title><body>" + filler + dated)
    assert snapshot(in_body, page_dates=True, lastmod="none").facts.own_dates == OwnDates(
        OwnDate("2026-02-03", "dateModified")
    )
    assert in_body.sizes == [HEAD_SIZES[0], HEAD_SIZES[-1]]
    in_head = OneFile(dated + b"<body>" + filler)
    assert snapshot(in_head, page_dates=True, lastmod="none").facts.own_dates == OwnDates(
        OwnDate("2026-02-03", "dateModified")
    )
    assert in_head.sizes == [HEAD_SIZES[0]]


@pytest.mark.parametrize("values", [{"images": True}, {"formats": ["xml", "html"]}, {"alternates": True}])
def test_facts_that_were_recorded_under_other_settings_do_not_compare(values: dict[str, Any]) -> None:
    assert recorded_facts(site(**values)) != recorded_facts(site())
    assert recorded_facts(site(gzip=True)) == recorded_facts(site())


@pytest.mark.parametrize(
    ("key", "headers", "expected"),
    [
        ("a.html", {"link_header": '<https://example.org/b>; rel="canonical"'}, (("https://example.org/b",), None)),
        ("a.pdf", {"link_header": "</b.html>; rel=canonical, </x>; rel=next"}, (("/b.html",), None)),
        ("a.html", {"refresh_header": "0; url=/b.html"}, ((), "/b.html")),
        ("a.html", {"link_header": "</x>; rel=next", "refresh_header": "5"}, ((), None)),
    ],
)
def test_headers_say_what_the_head_does_not(
    key: str, headers: dict[str, str], expected: tuple[tuple[str, ...], str | None]
) -> None:
    head = snapshot(OneFile(b"<!doctype html><title>A</title>", has_etags=True, **headers), key).facts.head
    assert (head.canonicals, head.refresh) == expected


def test_the_head_decides_before_headers() -> None:
    text = b"<!doctype html><link rel=canonical href=/own><meta http-equiv=refresh content='1; url=/there'>"
    headers = {"link_header": "</b>; rel=canonical", "refresh_header": "0; url=/b"}
    head = snapshot(OneFile(text, has_etags=True, **headers)).facts.head
    assert (head.canonicals, head.refresh) == (("/own",), "/there")
