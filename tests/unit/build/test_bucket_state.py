import pytest
from fake_buckets import StatefulBucket
from fake_stores import MemoryStore, RequestGate

from waypost.build import bucket_state
from waypost.build.bucket_state import (
    NOT_DECIDED,
    BucketState,
    Memory,
    ObjectRecord,
    PublishedFile,
    StateFile,
    StateHead,
    removed_percent,
    with_counts,
)
from waypost.core.errors import ConflictError, NewerVersionError, StateError, StoreError, WrongSiteError

HEAD = StateHead(
    id="a", number=3, files=(PublishedFile("sitemap.xml", "sitemap", "d", 2),), pending=frozenset({"sitemap.xml"})
)
MEMORY = Memory((ObjectRecord("a.html", '"e"', "2026-01-01T00:00:00Z", NOT_DECIDED, lastmod=None),), "settings", 7)
DATA = bucket_state.dump(HEAD, bucket_state.dump_memory(MEMORY))
HOUR = 3_600
BODY = bucket_state.dump_memory(Memory(decided_as="x"))


def test_a_state_is_read_as_it_was_written() -> None:
    state = bucket_state.load(DATA, "state")
    assert (state.head, state.memory) == (HEAD, MEMORY)
    assert bucket_state.dump(state.head, state.body) == DATA


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


def state_file() -> tuple[StateFile, MemoryStore]:
    store = MemoryStore(RequestGate(), "state")
    ids = iter("abcdefgh")
    return StateFile(store, "s3://state/", lambda: next(ids)), store


def test_without_a_file_nothing_is_known() -> None:
    file, _ = state_file()
    assert file.read() == BucketState()
    assert file.head() is None


def test_each_replacement_has_an_id_and_the_next_number_or_a_higher_one() -> None:
    file, _ = state_file()
    first = file.replace(file.read(), StateHead(site_uri="s3://site/"), BODY)
    second = file.replace(first, first.head, BODY, least_number=9)
    assert [(each.head.id, each.head.number) for each in (first, second)] == [("a", 1), ("b", 9)]
    assert file.read().head == second.head == file.head()


def test_of_two_replacements_of_one_state_the_second_is_a_conflict() -> None:
    file, _ = state_file()
    before = file.read()
    file.replace(before, StateHead(), BODY)
    with pytest.raises(ConflictError):
        file.replace(before, StateHead(), BODY)


@pytest.mark.parametrize("damage", [b"", b"{}", None])
def test_a_damaged_state_is_replaced_by_its_last_copy_that_is_whole(damage: bytes | None) -> None:
    file, store = state_file()
    old = file.replace(file.read(), StateHead(), BODY)
    file.keep_copy(old, "2026-11-01")
    new = file.replace(old, StateHead(), BODY)
    file.keep_copy(new, "2026-11-02")
    store.write("state-2026-11-02", b"cut")
    store.write("state", store.files["state"][0][:-1] if damage is None else damage)
    found = file.read()
    assert found.head == old.head
    assert "a rebuild writes it again" in found.damage
    assert file.replace(found, found.head, BODY).head.number == 2


def test_a_damaged_state_without_a_copy_is_empty() -> None:
    file, store = state_file()
    store.write("state", b"cut")
    assert file.read().head == StateHead()
    assert file.read().damage


def test_seven_copies_are_kept() -> None:
    file, store = state_file()
    stored = file.replace(file.read(), StateHead(), BODY)
    for day in range(1, 10):
        file.keep_copy(stored, f"2026-11-{day:02}")
    assert sorted(store.files) == ["state", *(f"state-2026-11-{day:02}" for day in range(3, 10))]


def test_the_head_of_many_files_is_read_with_more_bytes() -> None:
    file, _ = state_file()
    head = StateHead(pending=frozenset(f"sitemap-{n:016x}.xml" for n in range(5_000)))
    stored = file.replace(file.read(), head, BODY)
    assert file.head() == stored.head


@pytest.mark.parametrize(
    ("ignored", "named"),
    [((None,), "If-None-Match"), (('"0"',), "If-Match"), ((None, '"0"'), "If-None-Match and If-Match")],
)
def test_a_store_that_ignores_conditions_is_refused_at_the_first_write(
    ignored: tuple[str | None, ...], named: str
) -> None:
    class Careless(MemoryStore):
        def _expect(self, name: str, etag: str | None) -> None:
            if etag not in ignored:
                super()._expect(name, etag)

    file = StateFile(Careless(RequestGate(), "state"), "s3://state/", lambda: "a")
    with pytest.raises(StoreError, match=rf"ignores conditional writes \({named}\)"):
        file.replace(file.read(), StateHead(), BODY)


def test_a_damaged_head_is_unusable_and_one_of_a_newer_release_or_another_site_is_an_error() -> None:
    file, store = state_file()
    file.replace(file.read(), StateHead(site_uri="s3://site/"), BODY)
    assert file.usable_head() == file.head()
    with pytest.raises(WrongSiteError):
        StateFile(store, "s3://state/", lambda: "a", "s3://other/").usable_head()
    store.write("state", b"cut")
    assert file.usable_head() is None
    store.write("state", b'{"format":"waypost-bucket","version":9}\n')
    with pytest.raises(NewerVersionError):
        file.usable_head()


@pytest.mark.parametrize("length", [0, 10, 100])
def test_a_state_that_is_cut_short_is_damaged(length: int) -> None:
    file, store = state_file()
    data = bucket_state.dump(StateHead(site_uri="s3://site/", damage="x" * 100), b"")
    store.write("state", data[: data.index(b"\n") + 1 + length] if length else b"")
    with pytest.raises(StateError, match=r"damaged|cut short"):
        file.head()
    assert file.usable_head() is None
