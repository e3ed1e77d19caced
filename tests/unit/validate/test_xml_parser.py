from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.validate.given import cut

from waypost.validate import ReadingStoppedError, XmlParser

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


def names(count: int, start: bytes) -> bytes:
    return b"".join(b"<%s%d/>" % (start, n) for n in range(count))


@pytest.mark.parametrize(
    ("body", "is_stopped"),
    [
        (b'<a xmlns="' + b"x" * 1_001 + b'"></a>', True),
        (b'<a xmlns="' + b"x" * 1_000 + b'"></a>', False),
        (b'<a xmlns:a="' + b"x" * 1_000 + b'">' + names(20_000, b"a:b") + b"</a>", True),
        (b"<a>" + names(51_000, b"b") + b"</a>", True),
        (b"<a>" + names(49_000, b"b") + b"</a>", False),
        (b"<a>" + names(9_000, b"b" * 1_000) + b"</a>", True),
    ],
    ids=["namespace", "short namespace", "names in a namespace", "names", "fewer names", "long names"],
)
def test_names_that_would_fill_the_memory_are_not_read(body: bytes, *, is_stopped: bool) -> None:
    parsed = Parsed(body[n : n + 65_536] for n in range(0, len(body), 65_536))
    assert (parsed.codes, parsed.is_stopped) == (["not-a-sitemap"] if is_stopped else [], is_stopped)
