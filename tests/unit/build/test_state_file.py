import pytest
from fake_stores import MemoryStore, RequestGate

from waypost.build import bucket_state
from waypost.build.bucket_state import Memory, StateHead, dump_memory
from waypost.build.state_file import StateFile, StoredState
from waypost.core.errors import ConflictError, NewerVersionError, StateError, StoreError, WrongSiteError

BODY = dump_memory(Memory(decided_as="x"))


def state_file() -> tuple[StateFile, MemoryStore]:
    store = MemoryStore(RequestGate(), "state")
    ids = iter("abcdefgh")
    return StateFile(store, "s3://state/", lambda: next(ids)), store


def test_without_a_file_nothing_is_known() -> None:
    file, _ = state_file()
    assert file.read() == StoredState()
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
