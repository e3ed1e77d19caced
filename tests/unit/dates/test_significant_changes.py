"""Which changes of pages count; the versions are texts in memory."""

from collections.abc import Iterator, Sequence, Set

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.page_changes import PageChange, Verdicts, Version
from waypost.dates.significant_changes import SignificantChanges

texts = st.lists(st.sampled_from(["a", "b", "c", "menu 1", "menu 2"]), min_size=1, max_size=4)
LARGE = "<!-- " + "x" * 70_000 + " -->"
pages = st.lists(st.tuples(texts, texts, st.sampled_from(["", LARGE]), st.booleans()), min_size=1, max_size=24)
titles = st.sampled_from(["A 1", "A 2", "B 1", "B 2"])


class Versions:
    """Blobs by their ids, and which of them were read."""

    def __init__(self) -> None:
        self.contents: dict[Version, bytes] = {}
        self.asked: list[Version] = []

    def read(self, versions: Sequence[Version]) -> Iterator[bytes | None]:
        self.asked += versions
        return map(self.contents.get, versions)

    def add(self, content: str) -> bytes:
        id = b"%d" % len(self.contents)
        self.contents[id] = content.encode()
        return id

    def change(self, path: str, before: str, after: str) -> PageChange:
        return PageChange(path, self.add(before), self.add(after))

    def check(self, *, has_boilerplate: bool = True, budget: int = 10_000) -> SignificantChanges:
        return SignificantChanges(self.read, has_boilerplate=has_boilerplate, budget=budget)


def lines(*texts: str) -> str:
    return "<title>T</title>" + "".join(f"<p>{text}</p>" for text in texts)


@pytest.fixture
def versions() -> Versions:
    return Versions()


def deployed(versions: Versions, pages: int, own: int) -> list[PageChange]:
    """All pages get a new line of the boilerplate, and `own` of them also a line that no other has."""
    return [
        versions.change(f"{n}.html", lines("old", f"{n}"), lines("new", f"{n}", *([f"own {n}"] if n < own else [])))
        for n in range(pages)
    ]


def paths(changes: Sequence[PageChange]) -> set[str]:
    return {change.path for change in changes}


@pytest.mark.parametrize("pages", [10, 101])
def test_lines_that_many_pages_share_are_frame(versions: Versions, pages: int) -> None:
    changes = deployed(versions, pages, own=2)
    found = versions.check().check(changes, paths(changes))
    assert found == Verdicts(paths(changes) - {"0.html", "1.html"}, set(), set())


@pytest.mark.parametrize(("sharing", "is_frame"), [(3, False), (4, True)])
def test_more_than_three_of_ten_pages_make_a_frame(versions: Versions, sharing: int, is_frame: bool) -> None:
    shared = [versions.change(f"{n}.html", lines("a"), lines("a", "shared")) for n in range(sharing)]
    others = [versions.change(f"{n}.html", lines("a"), lines("a", f"{n}")) for n in range(sharing, 10)]
    found = versions.check().check([*shared, *others], paths([*shared, *others]))
    assert found.unchanged == (paths(shared) if is_frame else set())


@pytest.mark.parametrize(
    ("pages", "modified", "is_frame"), [(3, 3, True), (5, 3, True), (6, 3, False), (19, 9, False), (19, 10, True)]
)
def test_on_a_small_site_most_pages_make_a_frame(versions: Versions, pages: int, modified: int, is_frame: bool) -> None:
    changes = [versions.change(f"{n}.html", lines("2023", f"{n}"), lines("2024", f"{n}")) for n in range(modified)]
    check = versions.check()
    check.begin(pages)
    assert check.check(changes, paths(changes)).unchanged == (paths(changes) if is_frame else set())


def test_two_pages_of_three_that_change_alike_have_changed(versions: Versions) -> None:
    shared = [versions.change(f"{n}.html", lines("a"), lines("a", "news")) for n in range(2)]
    other = versions.change("c.html", lines("a"), lines("b"))
    check = versions.check()
    check.begin(3)
    assert check.check([*shared, other], paths([*shared, other])).unchanged == set()


def test_a_version_in_all_titles_is_frame_and_a_title_of_its_own_is_not(versions: Versions) -> None:
    titles = [(f"Page {n} - Project 1.0", f"Page {n} - Project 1.1") for n in range(12)]
    titles[3] = ("Page 3 - Project 1.0", "Third page - Project 1.1")
    changes = [
        versions.change(f"{n}.html", f"<title>{before}</title><p>a", f"<title>{after}</title><p>a")
        for n, (before, after) in enumerate(titles)
    ]
    assert versions.check().check(changes, paths(changes)).unchanged == paths(changes) - {"3.html"}


def test_an_added_line_is_no_frame_where_others_lose_it(versions: Versions) -> None:
    losing = [versions.change(f"{n}.html", lines("a", "line"), lines("a")) for n in range(10)]
    gaining = versions.change("gaining.html", lines("a"), lines("a", "line"))
    found = versions.check().check([*losing, gaining], paths([*losing, gaining]))
    assert found.unchanged == paths(losing)


def test_without_a_frame_every_line_counts_and_no_other_page_is_read(versions: Versions) -> None:
    changes = deployed(versions, 20, own=0)
    assert versions.check(has_boilerplate=False).check(changes, {"3.html"}).unchanged == set()
    assert len(versions.asked) == 2


def test_no_other_page_is_read_where_the_text_is_the_same(versions: Versions) -> None:
    changes = [*deployed(versions, 20, own=0), versions.change("same.html", lines("a"), f"<!-- 1 -->{lines('a')}")]
    assert versions.check().check(changes, {"same.html"}).unchanged == {"same.html"}
    assert len(versions.asked) == 2


def test_the_older_text_is_kept_for_the_commit_before(versions: Versions) -> None:
    newest, older, oldest = (f"<!-- {n} -->{lines('a')}" for n in range(3))
    change = versions.change("a.html", older, newest)
    check = versions.check()
    check.check([change], {"a.html"})
    before = PageChange("a.html", versions.add(oldest), change.before)
    assert check.check([before], {"a.html"}).unchanged == {"a.html"}
    assert versions.asked == [change.after, change.before, before.before]


def test_what_the_next_checks_need_is_read_ahead(versions: Versions) -> None:
    ahead: list[Version] = []
    check = SignificantChanges(versions.read, has_boilerplate=True, budget=3, read_ahead=ahead.extend)
    kept = versions.change("a.html", f"<!-- -->{lines('a')}", lines("a"))
    check.check([kept], {"a.html"})
    older = PageChange("a.html", versions.add(""), kept.before)
    other = versions.change("b.html", lines("a"), lines("b"))
    check.expect([older, other])
    assert ahead == [older.before, other.after, other.before]
    check.check([other], {"b.html"})
    ahead.clear()
    check.expect([older])
    assert ahead == []


def test_a_kept_text_is_not_used_for_another_version(versions: Versions) -> None:
    check = versions.check()
    check.check([versions.change("a.html", f"<!-- -->{lines('a')}", lines("a"))], {"a.html"})
    assert check.check([versions.change("a.html", lines("a"), lines("b"))], {"a.html"}).unchanged == set()


@pytest.mark.parametrize("without_text", ["<title>T</title>", "", "<!doctype html><div id=app></div>"])
def test_a_version_without_text_goes_by_its_bytes(versions: Versions, without_text: str) -> None:
    changes = [versions.change(f"{n}.html", without_text, f"{without_text}<i></i>") for n in range(20)]
    assert versions.check().check(changes, paths(changes)).unchanged == set()


def test_a_line_that_is_the_title_too_is_not_lost(versions: Versions) -> None:
    change = versions.change("a.html", "<p>x<p>y", "<title>x</title><p>y")
    assert versions.check().check([change], {"a.html"}).unchanged == set()


def test_versions_beyond_the_budget_and_missing_ones_are_told_apart(versions: Versions) -> None:
    changes = [versions.change("a.html", lines("a"), lines("a", "b"))]
    assert versions.check(budget=1).check(changes, {"a.html"}).beyond_budget == {"a.html"}
    assert versions.check(budget=0).check(changes, {"a.html"}).beyond_budget == {"a.html"}
    del versions.contents[changes[0].before]
    assert versions.check().check(changes, {"a.html"}).unread == {"a.html"}


def test_without_the_whole_sample_there_is_no_frame_and_no_verdict(versions: Versions) -> None:
    changes = deployed(versions, 20, own=20)
    del versions.contents[changes[7].before]
    assert versions.check().check(changes, {"3.html"}) == Verdicts(set(), set(), {"3.html"})


def test_the_sample_is_a_hundred_pages_at_most_and_ten_at_least(versions: Versions) -> None:
    changes = deployed(versions, 120, own=0)
    assert [len(versions.check().sample(changes[:n])) for n in (9, 10, 100, 120)] == [0, 10, 100, 100]


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=24), st.randoms(use_true_random=False))
def test_verdicts_do_not_depend_on_the_order_of_the_changes(
    pairs: list[tuple[list[str], list[str]]], random: "object"
) -> None:
    versions = Versions()
    changes = [versions.change(f"{n}.html", lines(*before), lines(*after)) for n, (before, after) in enumerate(pairs)]
    found = versions.check(budget=30).check(changes, paths(changes))
    shuffled = sorted(changes, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert versions.check(budget=30).check(shuffled, paths(changes)) == found


@given(pages)
def test_verdicts_are_those_of_a_plain_count(pairs: list[tuple[list[str], list[str], str, bool]]) -> None:
    versions = Versions()
    changes = [
        versions.change(f"{n}.html", size + lines(*before), size + lines(*after))
        for n, (before, after, size, _) in enumerate(pairs)
    ]
    undecided = {f"{n}.html" for n, pair in enumerate(pairs) if pair[3]}
    counted = [plain_difference(before, after) for before, after, *_ in pairs]
    boilerplate = {
        line
        for difference in counted
        for line in difference
        if len(pairs) >= 10 and sum(line in each for each in counted) > 0.3 * len(pairs)
    }
    expected = {change.path for change, difference in zip(changes, counted, strict=True) if difference <= boilerplate}
    assert versions.check().check(changes, undecided).unchanged == expected & undecided


@pytest.mark.parametrize(("small", "reads"), [(8, 1), (2, 2)])
def test_large_pages_are_compared_only_where_small_ones_leave_a_line_open(
    versions: Versions, small: int, reads: int
) -> None:
    sizes = [""] * small + [LARGE] * (11 - small)
    changes = [versions.change(f"{n}.html", size + lines("old"), size + lines("new")) for n, size in enumerate(sizes)]
    assert versions.check().check(changes, {"0.html"}).unchanged == {"0.html"}
    assert versions.asked.count(changes[-1].after) == reads


@given(st.lists(st.tuples(titles, titles, texts, texts), min_size=10, max_size=24))
def test_titles_that_need_no_parser_change_no_verdict(pairs: list[tuple[str, str, list[str], list[str]]]) -> None:
    def unchanged(word: str) -> Set[str]:
        versions = Versions()
        changes = [
            versions.change(f"{n}.html", titled(f"{word} {old}", before), titled(f"{word} {new}", after))
            for n, (old, new, before, after) in enumerate(pairs)
        ]
        return versions.check().check(changes, paths(changes)).unchanged

    assert unchanged("plain") == unchanged("é")


def titled(title: str, body: list[str]) -> str:
    return lines(*body).replace("<title>T", f"<title>{title}")


def plain_difference(before: list[str], after: list[str]) -> set[object]:
    """Each line, as often as one text has it more than the other; or the part of both that is in another order."""
    found: set[object] = set()
    for line in {*before, *after}:
        more = after.count(line) - before.count(line)
        found |= {(line, more > 0, n) for n in range(abs(more))}
    if found or before == after:
        return found
    while before[0] == after[0]:
        before, after = before[1:], after[1:]
    while before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    return {(*before, "->", *after)}
