from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.validate.given import cut

from waypost.validate.reading import ReadingStoppedError
from waypost.validate.xml_parser import XmlParser

BODY = '<a xmlns="urn:x" b="1">é<c/>\n</a>'.encode()


class Parsed:
    """What a parser reports and calls for a file in chunks."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.codes: list[str] = []
        self.starts: list[tuple[str, dict[str, str]]] = []
        self.ends: list[str] = []
        self.text = ""
        self.is_stopped = False
        parser = XmlParser(
            self._report, lambda name, attributes: self.starts.append((name, attributes)), self.ends.append, self._add
        )
        try:
            for chunk in chunks:
                parser.feed(chunk)
            parser.feed(b"", is_last=True)
        except ReadingStoppedError:
            self.is_stopped = True

    def _report(self, code: str, line: int = 0, loc: str = "", **details: object) -> None:
        del loc, details
        assert line > 0
        self.codes.append(code)

    def _add(self, text: str) -> None:
        self.text += text


@given(st.lists(st.integers(0, len(BODY)), max_size=6))
def test_elements_and_text_are_the_same_however_the_file_is_cut(places: list[int]) -> None:
    parsed = Parsed(cut(BODY, places))
    assert parsed.starts == [("urn:x a", {"b": "1"}), ("urn:x c", {})]
    assert (parsed.ends, parsed.text, parsed.codes) == (["urn:x c", "urn:x a"], "é\n", [])


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        (b"<a>", ["not-well-formed"]),
        (b"<a>\xff</a>", ["wrong-encoding"]),
        (b'<?xml version="1.0" encoding="UTF-16"?><a/>', ["wrong-encoding"]),
        (b"<!DOCTYPE html><html/>", ["not-a-sitemap"]),
        (b"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", ["doctype", "entity"]),
        (b"<!DOCTYPE a SYSTEM 'b'><a>&c;</a>", ["doctype", "entity"]),
        (b"<!DOCTYPE a [<!ATTLIST a b CDATA 'c'>]><a/>", ["doctype", "not-a-sitemap"]),
    ],
)
def test_what_must_not_be_read_is_reported(body: bytes, codes: list[str]) -> None:
    assert Parsed((body,)).codes == codes


def test_an_unknown_encoding_is_reported_and_read_as_utf_8() -> None:
    parsed = Parsed((b'<?xml version="1.0" encoding="ISO-8859-1"?><a>\xc3\xa9</a>',))
    assert (parsed.codes, parsed.text, parsed.is_stopped) == (["wrong-encoding"], "é", False)


def test_a_tag_without_end_is_not_read_without_end() -> None:
    parsed = Parsed([b"<a " + b"x" * 65_536] + [b"x" * 65_536] * 100)
    assert (parsed.codes, parsed.is_stopped) == (["not-a-sitemap"], True)


NAMES = b"".join(b"<%07d/>".replace(b"<", b"<a:b") % n for n in range(400_000))


@pytest.mark.parametrize(
    "body",
    [
        b'<a xmlns:a="' + b"x" * 200_000 + b'">' + b"<a:b/>" * 200_000 + b"</a>",
        b'<a xmlns:a="' + b"x" * 1_000 + b'">' + NAMES + b"</a>",
        b"<a>" + b"".join(b"<b%d/>" % n for n in range(400_000)) + b"</a>",
        b"<a>" + b"".join(b"<%s%d/>" % (b"b" * 1_000, n) for n in range(40_000)) + b"</a>",
    ],
    ids=["namespace", "names in a namespace", "names", "long names"],
)
def test_names_that_would_fill_the_memory_are_not_read(body: bytes) -> None:
    parsed = Parsed(body[n : n + 65_536] for n in range(0, len(body), 65_536))
    assert (parsed.codes, parsed.is_stopped) == (["not-a-sitemap"], True)
    assert len(parsed.starts) < 60_000


def test_a_namespace_of_usual_length_is_read() -> None:
    assert Parsed((b'<a xmlns="' + b"x" * 1_000 + b'"/>',)).starts == [("x" * 1_000 + " a", {})]
