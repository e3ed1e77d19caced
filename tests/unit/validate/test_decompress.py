import gzip
import zlib
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.validate.given import Given, cut

from waypost.validate import ReadingStoppedError
from waypost.validate.decompress import DecompressedChunks

LIMIT = 1_000_000
BODY = b"<urlset>" + b"0123456789" * 100 + b"</urlset>"


class Heard:
    """What was said while a file was unpacked."""

    def __init__(self, chunks: Iterable[bytes], name: str = "sitemap.xml", limit: int = LIMIT) -> None:
        self.said: list[tuple[str, dict[str, object]]] = []
        self.pieces: list[bytes] = []
        self.is_stopped = False
        unpacked = DecompressedChunks(chunks, name, limit, self._say)
        try:
            self.pieces.extend(unpacked)
        except ReadingStoppedError:
            self.is_stopped = True
        self.size = unpacked.size

    def _say(self, code: str, line: int = 0, loc: str = "", **seen: object) -> None:
        assert (line, loc) in ((0, ""), (1, ""))
        self.said.append((code, seen))

    @property
    def body(self) -> bytes:
        return b"".join(self.pieces)

    @property
    def codes(self) -> list[str]:
        return [code for code, _ in self.said]


CUTS = st.lists(st.integers(0, 200), max_size=8)


@given(st.binary(max_size=200).map(lambda data: b"<" + data), CUTS)
def test_bytes_that_are_not_compressed_come_as_they_are_however_they_are_cut(body: bytes, places: list[int]) -> None:
    heard = Heard(cut(body, places))
    assert (heard.body, heard.size, heard.said) == (body, len(body), [])


@given(st.lists(st.binary(max_size=100), min_size=1, max_size=4), CUTS)
def test_gzip_is_undone_however_it_is_cut_and_in_however_many_members(bodies: list[bytes], places: list[int]) -> None:
    packed = b"".join(gzip.compress(body) for body in (b"<xml", *bodies))
    heard = Heard(cut(packed, places), "sitemap.xml.gz")
    body = b"<xml" + b"".join(bodies)
    assert (heard.body, heard.size, heard.said, heard.is_stopped) == (body, len(body), [], False)


@given(st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\n \n"]), CUTS, st.booleans())
def test_what_a_file_begins_with_is_told_from_one_piece(mark: bytes, places: list[int], is_packed: bool) -> None:
    body = mark + BODY
    whole = gzip.compress(body) if is_packed else body
    once, cut_up = Heard((whole,)), Heard(cut(whole, places))
    assert (once.said, once.body) == (cut_up.said, cut_up.body)
    if cut_up.pieces:
        assert len(cut_up.pieces[0].strip()) >= 1


def test_a_name_that_ends_with_gz_needs_gzip_and_gzip_needs_no_such_name() -> None:
    assert Heard((BODY,), "sitemap.xml.gz").codes == ["not-compressed"]
    assert Heard((gzip.compress(BODY),), "sitemap.xml").codes == []
    assert Heard((), "sitemap.xml.gz").codes == ["not-compressed"]


@pytest.mark.parametrize("length", [11, 15, 20])
def test_gzip_that_is_cut_short_gives_what_there_is_and_tells(length: int) -> None:
    heard = Heard((gzip.compress(BODY)[:length],))
    assert (heard.codes, heard.is_stopped) == (["gzip-damaged"], True)
    assert heard.said[0][1] == {"why": "its end is missing"}
    assert BODY.startswith(heard.body)


@pytest.mark.parametrize("lost", [1, 4, 7, 8])
def test_gzip_without_its_sums_is_damaged(lost: int) -> None:
    heard = Heard((gzip.compress(BODY)[:-lost],))
    assert (heard.body, heard.codes, heard.is_stopped) == (BODY, ["gzip-damaged"], True)


@pytest.mark.parametrize("at", [2, 3, -8, -4])
def test_gzip_with_a_byte_that_is_wrong_is_damaged(at: int) -> None:
    packed = bytearray(gzip.compress(BODY))
    packed[at] ^= 0xFF
    heard = Heard((bytes(packed),))
    assert (heard.codes, heard.is_stopped) == (["gzip-damaged"], True)


def test_what_stands_behind_gzip_and_is_none_is_damage() -> None:
    heard = Heard((gzip.compress(BODY) + b"more",))
    assert (heard.body, heard.codes) == (BODY, ["gzip-damaged"])


@given(st.binary(max_size=300), CUTS)
def test_whatever_stands_behind_the_mark_of_gzip_is_judged(data: bytes, places: list[int]) -> None:
    assert set(Heard(cut(b"\x1f\x8b" + data, places)).codes) <= {"gzip-damaged", "byte-order-mark", "wrong-encoding"}


@pytest.mark.parametrize(
    ("mark", "codes", "is_stopped"),
    [
        (b"\xef\xbb\xbf", ["byte-order-mark"], False),
        (b"\xff\xfe", ["wrong-encoding"], True),
        (b"\xfe\xff", ["wrong-encoding"], True),
        (b"", [], False),
    ],
)
def test_a_mark_tells_the_encoding(mark: bytes, codes: list[str], is_stopped: bool) -> None:
    heard = Heard((mark + BODY,))
    assert (heard.codes, heard.is_stopped, heard.body) == (codes, is_stopped, b"" if is_stopped else BODY)


def test_nothing_is_asked_for_behind_the_limit() -> None:
    file = Given(b"<" * 1_000 for _ in range(1_000_000))
    heard = Heard(file.chunks(), limit=10_000)
    assert heard.is_stopped
    assert heard.body == b"<" * 10_000
    assert file.taken == 11_000


def test_a_file_of_the_limit_is_read_to_its_end() -> None:
    heard = Heard((BODY,), limit=len(BODY))
    assert (heard.body, heard.is_stopped) == (BODY, False)


def test_gzip_expands_no_further_than_is_asked() -> None:
    zeros = zlib.compressobj(9, wbits=31)
    bomb = b"".join([*(zeros.compress(bytes(1_000_000)) for _ in range(100)), zeros.flush()])
    assert len(bomb) < 100_000
    heard = Heard((bomb,), limit=1_000_000)
    assert heard.is_stopped
    assert max(map(len, heard.pieces)) <= 262_144
    assert len(heard.body) <= 1_000_000


def test_gzip_that_holds_nothing_has_an_end_too() -> None:
    file = Given(gzip.compress(b"") * 50 for _ in range(10_000_000))
    heard = Heard(file.chunks(), limit=10_000)
    assert (heard.codes, heard.is_stopped) == (["gzip-damaged"], True)
    assert file.taken <= 12_000


def test_gzip_data_of_very_many_parts_is_damaged() -> None:
    heard = Heard((gzip.compress(b"") * 200 for _ in range(100_000)), limit=200_000_000)
    assert (heard.codes, heard.is_stopped) == (["gzip-damaged"], True)
