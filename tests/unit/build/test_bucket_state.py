import pytest

from waypost.build import bucket_state
from waypost.build.bucket_state import NOT_DECIDED, Memory, ObjectRecord, PublishedFile, StateHead
from waypost.core.errors import StateError

HEAD = StateHead(
    id="a", number=3, files=(PublishedFile("sitemap.xml", "sitemap", "d", 2),), pending=frozenset({"sitemap.xml"})
)
MEMORY = Memory((ObjectRecord("a.html", '"e"', "2026-01-01T00:00:00Z", NOT_DECIDED, lastmod=None),), "settings", 7)
DATA = bucket_state.dump(HEAD, bucket_state.dump_memory(MEMORY))


def test_a_state_is_read_as_it_was_written() -> None:
    state, body = bucket_state.load(DATA, "state")
    assert (state.head, state.memory) == (HEAD, MEMORY)
    assert bucket_state.dump(state.head, body) == DATA


def test_the_head_is_read_from_the_first_bytes_once_they_are_enough() -> None:
    start = DATA.index(b"\n") + 1
    assert bucket_state.load_head(DATA[: start + 10], "state") is None
    assert bucket_state.load_head(DATA[: start + 200], "state") == HEAD


@pytest.mark.parametrize("at", [0, 30, len(DATA) // 2, len(DATA) - 1])
def test_a_state_with_a_changed_byte_is_damaged(at: int) -> None:
    damaged = DATA[:at] + bytes([DATA[at] ^ 1]) + DATA[at + 1 :]
    with pytest.raises(StateError, match=r"^state (is damaged|is not the state of a bucket)"):
        bucket_state.load(damaged, "state")


@pytest.mark.parametrize(
    "data", [b"", DATA[:200], DATA[:-1], b"{}\n", b"[1]\n", b"[" * 2_000, b'{"version":"x"}\n', b"\xff"]
)
def test_what_is_cut_or_is_no_state_says_so_and_what_to_do(data: bytes) -> None:
    with pytest.raises(StateError, match="a rebuild writes it again"):
        bucket_state.load(data, "state")


def test_a_state_of_a_newer_version_asks_for_an_update() -> None:
    with pytest.raises(StateError, match="state has version 9 and this program knows version 1; update Waypost"):
        bucket_state.load(DATA.replace(b'"version":1', b'"version":9', 1), "state")
