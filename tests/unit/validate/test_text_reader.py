import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.validate.given import BASE, cut, examine, seen

LINE = st.sampled_from(
    [BASE, f"{BASE}ü", f" {BASE}a ", "# pages", "", "\r", "\x00", "/a", "a" * 70, f"{BASE}\U0001f600"]
)


@pytest.mark.parametrize(
    ("text", "locs"),
    [
        (f"{BASE}\n{BASE}a\n", [BASE, f"{BASE}a"]),
        (f"{BASE}\r\n{BASE}a\r\n", [BASE, f"{BASE}a"]),
        (f"{BASE}\n{BASE}a", [BASE, f"{BASE}a"]),
        (f"\n\n {BASE}\t\n\n", [BASE]),
        ("/a\n", ["/a"]),
        ("", []),
        ("\n", []),
    ],
)
def test_each_line_is_a_url(text: str, locs: list[str]) -> None:
    result = examine(text.encode(), "sitemap.txt")
    assert [entry.loc for entry in result.entries] == locs
    assert result.examined.entries == len(locs)
    assert result.codes == ([] if BASE in locs else ["empty"] if not locs else ["loc-relative"])


def test_an_entry_and_a_finding_know_their_line() -> None:
    result = examine(f"# pages\n\n{BASE}\n{BASE}a b\n".encode(), "sitemap.txt")
    assert [entry.line for entry in result.entries] == [3, 4]
    assert [(finding.code, finding.line) for finding in result.findings] == [("text-line", 1), ("loc-space", 4)]


@given(st.lists(LINE, max_size=8).map("\n".join).map(str.encode), st.lists(st.integers(0, 300), max_size=8))
def test_it_does_not_matter_where_a_text_is_cut(body: bytes, places: list[int]) -> None:
    whole, pieces = examine(body, "sitemap.txt"), examine(cut(body, places), "sitemap.txt")
    assert whole.entries == pieces.entries
    assert seen(whole.findings) == seen(pieces.findings)


@pytest.mark.parametrize(
    "body", [b"\xff", b"https://www.example.org/\xe9\n", b"https://www.example.org/\xc3\n", b"\xed\xa0\x80"]
)
def test_a_text_that_is_not_utf8_is_read_no_further(body: bytes) -> None:
    result = examine(BASE.encode() + b"\n" + body + b"\n" + BASE.encode(), "sitemap.txt")
    assert [(finding.code, finding.line) for finding in result.findings] == [("wrong-encoding", 2)]
    assert (result.examined.is_broken, len(result.entries)) == (True, 1)


def test_of_a_line_without_end_no_more_is_kept_than_a_field_may_hold() -> None:
    for character in ("a", "ü", "\u20ac", "\U0001f600"):
        piece = (character * 40_000).encode()
        result = examine([BASE.encode(), *[piece] * 20, b"\n", BASE.encode()], "sitemap.txt")
        assert [len((entry.loc or "").encode(errors="replace")) <= 65_540 for entry in result.entries] == [True, True]
        assert "loc-too-long" in result.codes
        assert "wrong-encoding" not in result.codes


def test_text_between_urls_is_shown_in_part() -> None:
    (finding,) = examine(f"{'x' * 1_000}\n{BASE}".encode(), "sitemap.txt").findings
    assert finding.message == f"'{'x' * 60}' is not a URL"


def test_a_file_of_very_many_lines_that_are_no_urls_is_read_no_further() -> None:
    result = examine(b"x\n" * 10_001 + BASE.encode(), "sitemap.txt")
    assert result.report.counts == {"not-a-sitemap": 1, "text-line": 10_001}
    assert (result.examined.is_broken, result.entries) == (True, [])
    assert examine(b"x\n" * 10_000 + BASE.encode(), "sitemap.txt").report.counts == {"text-line": 10_000}
