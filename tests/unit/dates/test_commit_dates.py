import pytest

from waypost.core.model import History, Item, Page, Shard
from waypost.dates.commit_dates import CommitDates, NoDateReason
from waypost.dates.source_mapping import SourceMapper
from waypost.settings.values import SourceMapping

OLD, NEW, LATER = 1_700_000_000, 1_800_000_000, 1_900_000_000
OLD_DATE, NEW_DATE = "2023-11-14T22:13:20Z", "2027-01-15T08:00:00Z"
PROVENANCE = SourceMapper([SourceMapping("{**path}.html", ("{**path}.md", "data/*.yml"))])


def item(key: str, origin: str | None = None) -> Item:
    return Item(key, origin or key)


def commit_dates(history: History, provenance: SourceMapper | None = None, now: int = LATER) -> CommitDates:
    return CommitDates(history, provenance, now)


def page(key: str) -> Page:
    return Page(key, f"https://example.org/{key}")


def test_a_page_that_a_link_leads_to_has_the_newer_date_of_link_and_file() -> None:
    dates = commit_dates(History(commit_times={"real/a.html": OLD, "link.html": NEW}))
    assert dates.of(item("link.html", "real/a.html")) == NEW_DATE
    assert dates.of(item("linked/a.html", "real/a.html")) == OLD_DATE


def test_a_list_has_no_date_of_its_own_file_unless_the_settings_name_files_for_it() -> None:
    history, listing = History({"index.md": OLD, "data/a.yml": NEW}), Item("index.html", "index.md", entries=("a.md",))
    assert commit_dates(history).of(listing) is NoDateReason.LIST_PAGE
    assert commit_dates(history, PROVENANCE).of(listing) == NEW_DATE
    other = SourceMapper([SourceMapping("about.html", ("data/*.yml",))])
    assert commit_dates(history, other).of(listing) is NoDateReason.LIST_PAGE


@pytest.mark.parametrize(
    ("history", "undated"),
    [
        (History(), NoDateReason.UNTRACKED),
        (History(is_shallow=True), NoDateReason.UNTRACKED),
        (History(commit_times={"a.html": None}, is_shallow=True), NoDateReason.SHALLOW),
        (History(uncommitted=frozenset({"a.html"})), NoDateReason.UNCOMMITTED),
    ],
)
def test_a_page_that_git_cannot_date_says_why(history: History, undated: NoDateReason) -> None:
    assert commit_dates(history).of(item("a.html")) is undated


@pytest.mark.parametrize(
    ("history", "date"),
    [
        (History(commit_times={"a.md": OLD}), OLD_DATE),
        (History(commit_times={"a.md": OLD, "data/x.yml": NEW}), NEW_DATE),
        (History(commit_times={"a.md": NEW, "data/x.yml": OLD}), NEW_DATE),
        (History(commit_times={"a.html": NEW}), NoDateReason.SOURCELESS),
        (History(commit_times={"a.md": OLD}, uncommitted=frozenset({"data/x.yml"})), NoDateReason.UNCOMMITTED),
        (History(commit_times={"a.md": OLD}, uncommitted=frozenset({"b.md"})), OLD_DATE),
        (History(commit_times={"a.md": None, "data/x.yml": NEW}, is_shallow=True), NEW_DATE),
        (History(commit_times={"a.md": None}, is_shallow=True), NoDateReason.SHALLOW),
    ],
)
def test_a_built_page_has_the_newest_date_of_what_it_is_made_of(history: History, date: str | NoDateReason) -> None:
    assert commit_dates(history, PROVENANCE).of(item("a.html")) == date


def everything_is_a_page(_: str) -> str:
    return ""


def nothing_is_a_page(_: str) -> None:
    return None


def test_a_sitemap_changed_when_a_page_in_its_range_was_last_touched() -> None:
    history = History(commit_times={"a.html": OLD, "c.html": NEW, "e.html": OLD})
    touches = commit_dates(history).touches(everything_is_a_page, everything_is_a_page)
    assert touches(Shard("", [page("a.html")], "0" * 16, "", "c.html"), {}) == OLD_DATE
    assert touches(Shard("", [page("c.html")], "1" * 16, "c.html", "e.html"), {}) == NEW_DATE
    assert touches(Shard("", [page("e.html")], "2" * 16, "e.html", None), {}) == OLD_DATE
    assert touches(Shard("", [page("a.html")]), {}) == NEW_DATE


def test_a_removed_page_changed_the_sitemap_that_it_left() -> None:
    touches = commit_dates(History(commit_times={"a.html": OLD}, removal_times={"b.html": NEW})).touches(
        everything_is_a_page, everything_is_a_page
    )
    assert touches(Shard("", [page("a.html")]), {"a.html": OLD_DATE}) == NEW_DATE


def test_what_is_no_page_changes_no_sitemap() -> None:
    history = History(commit_times={"a.html": OLD, "style.css": NEW})
    touches = commit_dates(history).touches(lambda key: "" if key.endswith(".html") else None, nothing_is_a_page)
    assert touches(Shard("", [page("a.html")]), {}) == OLD_DATE


def test_a_page_changes_its_own_group_s_sitemap_alone() -> None:
    history = History(commit_times={"blog/a.html": NEW, "a.html": OLD})
    touches = commit_dates(history).touches(lambda key: "blog" if key.startswith("blog/") else "", nothing_is_a_page)
    assert touches(Shard("", [page("a.html")]), {}) == OLD_DATE
    assert touches(Shard("blog", [page("blog/a.html")]), {}) == NEW_DATE
    assert touches(Shard("news", []), {}) is None


def test_the_date_of_a_present_page_counts_where_its_source_cannot_be_read_backwards() -> None:
    touches = commit_dates(History(commit_times={"a.md": OLD, "data/x.yml": NEW}), PROVENANCE).touches(
        everything_is_a_page, everything_is_a_page
    )
    shard = Shard("", [page("a.html")])
    assert touches(shard, {}) == OLD_DATE
    assert touches(shard, {"a.html": NEW_DATE, "other.html": "2030-01-01T00:00:00Z"}) == NEW_DATE


def test_a_source_touches_the_page_that_it_makes_and_the_latest_of_several_counts() -> None:
    provenance = SourceMapper([SourceMapping("{**path}.html", ("{**path}.md", "{**path}.rst"))])
    touches = commit_dates(
        History(commit_times={"a.md": NEW, "a.rst": OLD}, removal_times={"b.md": OLD}), provenance
    ).touches(everything_is_a_page, everything_is_a_page)
    assert touches(Shard("", [page("a.html")], "0" * 16, "", "b.html"), {}) == NEW_DATE
    assert touches(Shard("", [page("b.html")], "1" * 16, "b.html", None), {}) == OLD_DATE


def test_a_commit_of_the_future_dates_nothing() -> None:
    dates = commit_dates(History(commit_times={"a.html": NEW, "b.html": OLD}), now=NEW - 1)
    assert dates.of(item("a.html")) is NoDateReason.WRONG_TIME
    assert dates.of(item("b.html")) == OLD_DATE
    assert dates.touches(everything_is_a_page, everything_is_a_page)(Shard("", [page("a.html")]), {}) == OLD_DATE


@pytest.mark.parametrize("time", [-1, 0, 315_532_800, 1 << 62])
def test_a_commit_before_the_web_began_or_whose_time_cannot_be_read_dates_nothing(time: int) -> None:
    dates = commit_dates(History(commit_times={"a.html": time}))
    assert dates.of(item("a.html")) is NoDateReason.WRONG_TIME
    assert dates.touches(everything_is_a_page, everything_is_a_page)(Shard("", [page("a.html")]), {}) is None


def test_a_page_has_the_time_of_its_last_significant_change_and_so_has_its_sitemap() -> None:
    dates = commit_dates(History(commit_times={"a.html": NEW, "b.css": NEW}, page_times={"a.html": OLD}))
    assert dates.of(item("a.html")) == OLD_DATE
    touches = dates.touches(lambda key: "" if key.endswith(".html") else None, nothing_is_a_page)
    assert touches(Shard("", [page("a.html")]), {}) == OLD_DATE


def test_an_uncommitted_change_that_is_not_significant_keeps_the_date() -> None:
    uncommitted = frozenset({"a.html", "b.html"})
    history = History({"a.html": NEW, "b.html": NEW}, uncommitted=uncommitted, page_times={"a.html": OLD})
    assert commit_dates(history).of(item("a.html")) == OLD_DATE
    assert commit_dates(history).of(item("b.html")) is NoDateReason.UNCOMMITTED


def test_pages_whose_versions_were_not_read_have_no_date_and_no_touch() -> None:
    history = History({"a.html": NEW, "b.html": NEW}, beyond_budget=frozenset({"a.html"}), unread=frozenset({"b.html"}))
    dates = commit_dates(history)
    assert dates.of(item("a.html")) is NoDateReason.BEYOND_BUDGET
    assert dates.of(item("b.html")) is NoDateReason.UNREAD
    touches = dates.touches(everything_is_a_page, everything_is_a_page)
    assert touches(Shard("", [page("a.html"), page("b.html")]), {}) is None


def test_a_source_has_the_time_of_its_last_significant_change_or_else_of_its_bytes() -> None:
    mapper = SourceMapper([SourceMapping("{**path}/index.html", ("{**path}.html",))])
    history = History({"a.html": NEW}, page_times={"a.html": OLD})
    assert commit_dates(history, mapper).of(item("a/index.html")) == OLD_DATE
    unread = History({"a.html": NEW}, beyond_budget=frozenset({"a.html"}))
    assert commit_dates(unread, mapper).of(item("a/index.html")) == NEW_DATE
