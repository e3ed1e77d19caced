import pytest
from fake_buckets import StatefulBucket

from waypost.build import bucket_state
from waypost.build.bucket_state import (
    NOT_DECIDED,
    Memory,
    ObjectRecord,
    PublishedFile,
    StateHead,
    removed_percent,
    with_counts,
)
from waypost.core.errors import StateError

HEAD = StateHead(
    id="a", number=3, files=(PublishedFile("sitemap.xml", "sitemap", "d", 2),), pending=frozenset({"sitemap.xml"})
)
MEMORY = Memory((ObjectRecord("a.html", '"e"', "2026-01-01T00:00:00Z", NOT_DECIDED, lastmod=None),), "settings", 7)
DATA = bucket_state.dump(HEAD, bucket_state.dump_memory(MEMORY))
HOUR = 3_600


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


@pytest.mark.parametrize(("hours", "percent"), [(0, 40.0), (1, 40.0), (23, 40.0), (24, 0.0)])
def test_a_mass_removal_is_seen_for_a_day(hours: int, percent: float) -> None:
    counts = with_counts((), (100, 60), 0.0)
    assert removed_percent(counts, 60, hours * HOUR) == percent


def test_later_changes_do_not_hide_it_and_pages_that_come_back_end_it() -> None:
    counts = with_counts((), (100, 20), 0.0)
    counts = with_counts(counts, (20, 21), HOUR * 1.5)
    assert removed_percent(counts, 21, HOUR * 2) == 79.0
    assert removed_percent(with_counts(counts, (21, 100), HOUR * 2), 100, HOUR * 2) == 0.0


def test_a_site_that_shrinks_by_a_page_a_day_removes_one_page() -> None:
    counts, pages = with_counts((), (100, 100), 0.0), 100
    for day in range(40):
        counts = with_counts(counts, (pages, pages - 1), day * 24.0 * HOUR)
        pages -= 1
    assert removed_percent(counts, pages, 40 * 24.0 * HOUR - HOUR) < 2
    assert len(counts) == 1


def test_a_small_site_may_lose_all_its_pages() -> None:
    assert removed_percent(with_counts((), (19, 0), 0.0), 0, 0.0) == 0.0


def test_the_state_of_a_bucket_counts_its_pages() -> None:
    bucket = StatefulBucket(urls=50)
    for n in range(40):
        bucket.put(f"p{n}.html", "<p>x")
    bucket.rebuild()
    for n in range(30):
        bucket.delete(f"p{n}.html")
    bucket.update(*(f"p{n}.html" for n in range(30)))
    bucket.clock.sleep(HOUR * 3)
    bucket.change("new.html", "<p>new")
    head = bucket.remembered().head
    assert removed_percent(head.counts, head.page_count, bucket.clock.time()) == 72.5
