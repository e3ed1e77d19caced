import pytest
from fake_stores import MemoryStore, RequestGate

from waypost.build.bucket_state import Head, Memory, dump_memory
from waypost.build.state_file import StateFile, StoredState
from waypost.core.errors import ConflictError

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
    first = file.replace(file.read(), Head(site_uri="s3://site/"), BODY)
    second = file.replace(first, first.head, BODY, least_number=9)
    assert [(each.head.id, each.head.number) for each in (first, second)] == [("a", 1), ("b", 9)]
    assert file.read().head == second.head == file.head()


def test_of_two_replacements_of_one_state_the_second_is_a_conflict() -> None:
    file, _ = state_file()
    before = file.read()
    file.replace(before, Head(), BODY)
    with pytest.raises(ConflictError):
        file.replace(before, Head(), BODY)


@pytest.mark.parametrize("damage", [b"", b"{}", None])
def test_a_damaged_state_is_replaced_by_its_last_copy_that_is_whole(damage: bytes | None) -> None:
    file, store = state_file()
    old = file.replace(file.read(), Head(), BODY)
    file.keep_copy(old, "2026-11-01")
    new = file.replace(old, Head(), BODY)
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
    assert file.read().head == Head()
    assert file.read().damage


def test_seven_copies_are_kept() -> None:
    file, store = state_file()
    stored = file.replace(file.read(), Head(), BODY)
    for day in range(1, 10):
        file.keep_copy(stored, f"2026-11-{day:02}")
    assert sorted(store.files) == ["state", *(f"state-2026-11-{day:02}" for day in range(3, 10))]


def test_the_head_of_many_files_is_read_with_more_bytes() -> None:
    file, _ = state_file()
    head = Head(pending=frozenset(f"sitemap-{n:016x}.xml" for n in range(5_000)))
    stored = file.replace(file.read(), head, BODY)
    assert file.head() == stored.head
