"""The dates of the entries of lists: when they appeared, or changed their title or summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from repositories import in_repository

from waypost.core.dates import format_unix_time
from waypost.core.model import History
from waypost.dates.entry_dates import EntryDates, is_later_page, shown_in_lists
from waypost.dates.page_history import entry_history

if TYPE_CHECKING:
    from repositories import Repository
    from sites import MakeSite

T = 1_700_000_000
NOW = T + 1_000


def post(text: str = "Text", **fields: str) -> str:
    return "---\n" + "".join(f"{name}: {value}\n" for name, value in fields.items()) + f"---\n\n{text}\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("---\ntitle: A\ndate: 2024-01-02\nsummary: >\n  B\n  C\ntags: [x]\n---\nText", "summary: B C\ntitle: A"),
        ("+++\ntitle = 'A'\ndraft = true\n+++\n# Other", "draft: true\ntitle: A"),
        ("---\nlayout: x\n---\n\n# A title\n\nText", "title: A title"),
        ("= A title\n\nText", "title: A title"),
        ("A title\n=======\n\nText", "title: A title"),
        (":title: A\n:date: 2024-01-02\n\nText", "title: A"),
        ("<title>A</title><h1>B</h1>", "title: A"),
        ("Text", ""),
    ],
)
def test_a_list_shows_the_title_and_the_summary_of_an_entry(text: str, shown: str) -> None:
    assert shown_in_lists(text.encode()).decode() == shown


def newest(repository: Repository, make_site: MakeSite, *files: str) -> tuple[str, str] | None:
    site = make_site(significance="bytes")
    return EntryDates(entry_history(in_repository(repository.folder), site), NOW).newest(files)


def at(seconds: int) -> str:
    return format_unix_time(T + seconds)


def test_an_entry_counts_from_its_first_commit_or_the_last_change_of_its_title_or_summary(
    repository: Repository, make_site: MakeSite
) -> None:
    repository.commit({"a.md": post(title="A"), "b.md": post(title="B", description="Old"), "c.md": "# C\n"}, T)
    repository.commit({"b.md": post(title="B", description="New")}, T + 10)
    repository.commit({"a.md": post("Other text", title="A", date="2024-01-02"), "c.md": "# C\n\nMore\n"}, T + 20)
    assert newest(repository, make_site, "a.md") == ("a.md", at(0))
    assert newest(repository, make_site, "c.md") == ("c.md", at(0))
    assert newest(repository, make_site, "a.md", "b.md", "c.md") == ("b.md", at(10))
    repository.commit({"c.md": "# Another C\n\nMore\n"}, T + 30)
    repository.commit({"d.md": post(title="D")}, T + 40)
    assert newest(repository, make_site, "a.md", "c.md") == ("c.md", at(30))
    assert newest(repository, make_site, "a.md", "c.md", "d.md") == ("d.md", at(40))


def test_how_a_title_is_written_changes_no_list(repository: Repository, make_site: MakeSite) -> None:
    repository.commit({"a.md": post(title="A title")}, T)
    repository.commit({"a.md": '+++\ntitle = "A title"\n+++\nText\n'}, T + 10)
    assert newest(repository, make_site, "a.md") == ("a.md", at(0))


def test_a_moved_entry_keeps_its_date_and_a_published_draft_appears(
    repository: Repository, make_site: MakeSite
) -> None:
    text = post("A text of several words", title="A")
    repository.commit({"a.md": text, "_drafts/b.md": text.replace("A", "B"), "c.md": post(title="C", draft="true")}, T)
    repository.commit({"a.md": None, "blog/a.md": text}, T + 10)
    assert newest(repository, make_site, "blog/a.md") == ("blog/a.md", at(0))
    repository.commit({"_drafts/b.md": None, "_posts/2024-01-02-b.md": text.replace("A", "B")}, T + 20)
    assert newest(repository, make_site, "_posts/2024-01-02-b.md") == ("_posts/2024-01-02-b.md", at(20))
    repository.commit({"c.md": post(title="C")}, T + 30)
    assert newest(repository, make_site, "c.md") == ("c.md", at(30))


def test_a_list_has_no_date_while_one_entry_has_none(repository: Repository, make_site: MakeSite) -> None:
    repository.commit({"a.md": post(title="A"), "b.md": post(title="B")}, T)
    assert newest(repository, make_site) is None
    assert newest(repository, make_site, "a.md", "none.md") is None
    repository.write({"b.md": post("Not committed", title="B")})
    assert newest(repository, make_site, "a.md", "b.md") is not None
    repository.write({"b.md": post(title="Not committed")})
    assert newest(repository, make_site, "a.md", "b.md") is None
    assert EntryDates(History({"a.md": NOW + 9_000}), NOW).newest(["a.md"]) is None
    assert EntryDates(History({"a.md": T}, beyond_budget=frozenset({"a.md"})), NOW).newest(["a.md"]) is None


@pytest.mark.parametrize(
    ("key", "is_later"),
    [
        ("page/2/index.html", True),
        ("blog/page2/index.html", True),
        ("blog-3.html", True),
        ("posts/p/12.html", True),
        ("page/1/index.html", False),
        ("blog/index.html", False),
        ("page/index.html", False),
    ],
)
def test_a_later_page_of_a_pagination_is_told_by_its_path(key: str, *, is_later: bool) -> None:
    assert is_later_page(key) == is_later
