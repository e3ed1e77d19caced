"""Which versions a partial clone is to fetch."""

from collections.abc import Sequence, Set

from waypost.core.page_changes import PageChange, Verdicts
from waypost.dates.page_history import WantedVersions


class LocalCheck:
    """A check that has read the pages of some names only; those count as unchanged."""

    endings: tuple[str, ...] = (".html",)

    def __init__(self, *readable: str) -> None:
        self.readable = frozenset(readable)
        self.expected: list[Sequence[PageChange]] = []

    def begin(self, page_count: int) -> None:
        pass

    def expect(self, changes: Sequence[PageChange]) -> None:
        self.expected.append(changes)

    def sample(self, changes: Sequence[PageChange]) -> Sequence[PageChange]:
        return changes[:100] if len(changes) >= 10 else ()

    def check(self, changes: Sequence[PageChange], undecided: Set[str]) -> Verdicts:
        del changes
        return Verdicts(undecided & self.readable, frozenset(), undecided - self.readable)


def change(path: str, n: int) -> PageChange:
    return PageChange(path, f"{path} {n}".encode(), f"{path} {n + 1}".encode())


def wanted(*readable: str, reach: int = 2, limit: int = 100, local: Set[bytes] = frozenset()) -> WantedVersions:
    return WantedVersions(LocalCheck(*readable), lambda version: version in local, reach, limit)


def test_the_other_check_expects_the_same_changes() -> None:
    check = LocalCheck()
    WantedVersions(check, lambda version: True, 1, 100).expect([change("a.html", 1)])
    assert check.expected == [[change("a.html", 1)]]


def test_the_next_versions_of_a_page_are_wanted_as_far_as_the_reach() -> None:
    check = wanted(reach=2)
    found = [check.check([change("a.html", n)], {"a.html"}) for n in (9, 8, 7)]
    assert check.blobs == {b"a.html 10", b"a.html 9", b"a.html 8"}
    assert found == [
        Verdicts({"a.html"}, frozenset(), set()),
        Verdicts({"a.html"}, frozenset(), set()),
        Verdicts(set(), frozenset(), {"a.html"}),
    ]


def test_nothing_is_wanted_of_pages_that_can_be_read() -> None:
    check = wanted("a.html")
    assert check.check([change("a.html", 1)], {"a.html"}).unchanged == {"a.html"}
    assert check.blobs == set()


def test_nothing_is_wanted_that_is_there_or_is_a_file() -> None:
    check = wanted(local={b"a.html 1"})
    check.check([change("a.html", 1)._replace(after="a.html")], {"a.html"})
    assert check.blobs == set()


def test_the_pages_that_give_the_frame_are_wanted_too() -> None:
    check = wanted()
    check.check([change(f"{n}.html", 1) for n in range(10)], {"3.html"})
    assert len(check.blobs) == 20


def test_no_more_blobs_are_wanted_than_the_limit() -> None:
    check = wanted(limit=3)
    found = check.check([change(f"{n}.html", 1) for n in range(9)], {f"{n}.html" for n in range(9)})
    assert len(check.blobs) == 3
    assert check.check([change("9.html", 1)], {"9.html"}).unread == {"9.html"}
    assert found.unread == set()
