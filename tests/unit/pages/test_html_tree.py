import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.pages import html_tree
from waypost.pages.html_tree import as_utf8

DEEP = b"<div>" * 5_000


def test_a_page_is_parsed_in_its_own_encoding() -> None:
    for page in ("<title>ü</title>".encode(), "<title>ü</title>".encode("utf-16")):
        title = html_tree.parse(page).css_first("title")
        assert title is not None
        assert title.text() == "ü"


def test_of_a_page_that_exceeds_a_bound_the_beginning_is_parsed_or_nothing() -> None:
    tree = html_tree.parse(b"<title>a</title>" + DEEP + b"<h1>b</h1>")
    assert tree.css_first("title") is not None
    assert tree.css_first("h1") is None
    assert html_tree.parse_whole(DEEP) is None
    assert html_tree.parse_whole(b"<p>") is not None


def declared(charset: str, text: bytes) -> bytes:
    return b'<meta charset="' + charset.encode() + b'">' + text


@pytest.mark.parametrize(
    ("mark", "codec"), [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")]
)
def test_a_byte_order_mark_decides_before_a_declaration_and_is_dropped(mark: bytes, codec: str) -> None:
    text = '<meta charset="koi8-r">caf\u00e9 \u20ac'
    assert as_utf8(mark + text.encode(codec)).decode() == text


@pytest.mark.parametrize(
    "declaration",
    [
        b'<meta charset="iso-8859-2">',
        b"<meta name=x charset = ' iso-8859-2'>",
        b'<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">',
        b'<?xml version="1.0" encoding="iso-8859-2"?>',
        b"<!-- <meta charset=koi8-r> --><meta charset=iso-8859-2>",
    ],
)
def test_a_declared_encoding_is_found(declaration: bytes) -> None:
    assert as_utf8(declaration + b"\xb1") == declaration + "\u0105".encode()


@pytest.mark.parametrize(
    ("label", "data", "text"),
    [
        ("iso-8859-1", b"\x80\xe9", "\u20ac\u00e9"),
        ("iso-8859-9", b"\x80\xfe", "\u20ac\u015f"),
        ("gb2312", b"\x81\x40", "\u4e02"),
        ("shift_jis", b"\x87\x40", "\u2460"),
    ],
)
def test_an_encoding_is_read_as_browsers_read_it(label: str, data: bytes, text: str) -> None:
    assert as_utf8(declared(label, data)).decode() == declared(label, b"").decode() + text


@pytest.mark.parametrize("label", ["utf-16", "utf-7", "base64", "nonsense"])
def test_a_label_that_browsers_do_not_accept_means_utf_8(label: str) -> None:
    text = declared(label, "caf\u00e9".encode())
    assert as_utf8(text) == text


def test_a_declaration_counts_only_near_the_beginning_and_outside_comments() -> None:
    late = b" " * 4096 + b'<meta charset="iso-8859-2">' + "\u00e9".encode()
    commented = b"<!-- <meta charset=iso-8859-2> -->" + "\u00e9".encode()
    assert as_utf8(late) == late
    assert as_utf8(commented) == commented


def test_bytes_that_cannot_be_decoded_become_replacement_characters() -> None:
    assert as_utf8(b"a\xff<b>\xe9") == "a\ufffd<b>\ufffd".encode()
    assert as_utf8(b"\xff\xfe\x00\xd8") == "\ufffd".encode()


@given(st.binary(), st.sampled_from(["", "iso-8859-1", "shift_jis", "iso-2022-jp", "gb18030", "utf-16", "\u00e9"]))
def test_any_bytes_give_utf_8_that_is_then_kept(data: bytes, label: str) -> None:
    text = as_utf8(b"<meta charset=" + label.encode() + b">" + data if label else data)
    assert text.decode().encode() == text
