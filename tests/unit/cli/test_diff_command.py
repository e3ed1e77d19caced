"""`waypost diff`: the changes that it prints, and the lists that it refuses to compare."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click import unstyle
from unit.cli.invoke import BASE, index, urlset

from waypost.build.diff_answer import diff_answer
from waypost.cli.diff_command import diff_lines
from waypost.validate.metadata_changes import ListedUrls
from waypost.validate.sitemap_entry import IMAGE_NAMESPACE, SITEMAP_NAMESPACE, Content

if TYPE_CHECKING:
    from unit.cli.invoke import Invoke


def put(name: str, content: str) -> None:
    Path(name).write_text(content)


def test_each_kind_of_change_has_its_mark(invoke: Invoke) -> None:
    put("old.xml", urlset("a", "b", lastmod="2026-01-01"))
    put("new.xml", urlset("b", "c", lastmod="2026-01-02"))
    result = invoke("diff", "old.xml", "new.xml")
    assert result.exit_code == 0
    first, *rest = result.stdout.splitlines()
    assert first.startswith("2 URLs before, 2 now: ")
    assert rest[-3:] == [f"+ {BASE}c", f"- {BASE}a", f"~ {BASE}b  2026-01-01 → 2026-01-02"]


@pytest.mark.parametrize(("most", "shown"), [("2", 2), ("0", 5)])
def test_at_most_so_many_urls_of_a_kind_are_printed_and_the_rest_is_counted(
    invoke: Invoke, most: str, shown: int
) -> None:
    put("old.xml", urlset("a"))
    put("new.xml", urlset("a", *"bcdef"))
    lines = invoke("diff", "old.xml", "new.xml", "--most", most).stdout.splitlines()
    assert sum(line.startswith(f"+ {BASE}") for line in lines) == shown
    assert ("+ … and 3 more (added)" in lines) == (shown == 2)


def test_the_exit_code_says_whether_anything_changed_only_if_that_is_asked_for(invoke: Invoke) -> None:
    put("old.xml", urlset("a"))
    put("new.xml", urlset("b"))
    assert invoke("diff", "old.xml", "new.xml").exit_code == 0
    assert invoke("diff", "old.xml", "new.xml", "--exit-code").exit_code == 1
    assert invoke("diff", "old.xml", "old.xml", "--exit-code").exit_code == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (urlset("b")[:-9], "new.xml: "),
        ("<p>no sitemap</p>", "new.xml"),
        (index(f"{BASE}absent.xml"), "absent.xml: the file cannot be read"),
        (index(f"{BASE}index.xml"), "new.xml: the index lists another index"),
        (index(f"{BASE}../old.xml"), "new.xml lists 1 sitemap that cannot be opened beside it"),
        (index(f"{BASE}old.xml?page=1"), "new.xml lists 1 sitemap that cannot be opened beside it"),
    ],
    ids=[
        "cut off",
        "no sitemap",
        "a listed sitemap is missing",
        "an index in an index",
        "a listed sitemap is elsewhere",
        "it has a query",
    ],
)
def test_a_list_that_cannot_be_read_to_its_end_is_not_compared(invoke: Invoke, content: str, message: str) -> None:
    put("old.xml", urlset("a"))
    put("index.xml", index(f"{BASE}old.xml"))
    put("new.xml", content)
    result = invoke("diff", "old.xml", "new.xml")
    assert (result.exit_code, result.stdout) == (3, "")
    assert message in result.stderr


@pytest.mark.parametrize(("allowed", "code"), [("20", 9), ("24.9%", 9), ("25", 0), ("25%", 0), ("100%", 0)])
def test_more_removed_urls_than_allowed_are_an_error_after_the_changes_are_printed(
    invoke: Invoke, allowed: str, code: int
) -> None:
    put("old.xml", urlset("a", "b", "c.html", "gone"))
    put("new.xml", urlset("a", "b", "c/", "new"))
    result = invoke("diff", "old.xml", "new.xml", "--fail-if-removed", allowed)
    assert result.exit_code == code
    assert f"- {BASE}gone" in result.stdout
    assert result.stderr.startswith("error: 1 of 4 URLs were removed (25%)") == (code == 9)


def test_a_list_that_was_empty_has_lost_nothing(invoke: Invoke) -> None:
    put("old.xml", urlset())
    put("new.xml", urlset("a"))
    assert invoke("diff", "old.xml", "new.xml", "--fail-if-removed", "0").exit_code == 0


def test_the_changes_are_printed_in_the_format_that_is_asked_for(invoke: Invoke) -> None:
    put("old.xml", urlset("a"))
    put("new.xml", urlset("a", "b"))
    text, markdown, as_json = (
        invoke("diff", "old.xml", "new.xml", "--format", each).stdout for each in ("text", "markdown", "json")
    )
    assert text == invoke("diff", "old.xml", "new.xml").stdout
    assert f"\n- `{BASE}b`\n" in markdown
    assert as_json == invoke("diff", "old.xml", "new.xml", "--json").stdout
    assert json.loads(as_json)["added"] == [f"{BASE}b"]


def fields(**values: str) -> tuple[Content, ...]:
    return tuple((SITEMAP_NAMESPACE, name, (), text, ()) for name, text in values.items())


def lines(old: ListedUrls, new: ListedUrls, most: int = 50) -> list[str]:
    return [unstyle(line) for line in diff_lines(diff_answer(old, new), most)][1:]


def test_a_move_of_many_pages_is_one_line_with_its_count() -> None:
    old = {f"http://www.example.org/{n}.html": ("", ()) for n in range(1_234)}
    new = {f"{BASE}{n}/": ("", ()) for n in range(1_234)}
    assert lines(old, new) == [f"> http://www.example.org/*.html → {BASE}*/  (1,234 URLs, scheme, host, form)"]


def test_moves_follow_removals_and_at_most_so_many_are_printed() -> None:
    names = {f"{BASE}{name}": ("", ()) for name in ("a", "b.html", "c/", "gone")}
    moved = {f"{BASE}{name}": ("", ()) for name in ("a/", "b", "c/index.html")}
    assert lines(names, moved, 1)[2:] == [f"- {BASE}gone", f"> {BASE}a → {BASE}a/  (form)", "> … and 2 more (moved)"]


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        (fields(priority="0.1"), fields(priority="0.9"), "priority 0.1 → 0.9"),
        ((), fields(changefreq="daily", priority="1"), "changefreq none → daily, priority none → 1"),
        ((), fields(a="1", b="2", c="3", d="4", e="5"), "a none → 1, b none → 2, c none → 3, and 2 more"),
        ((), fields(a="x" * 200), f"a none → {'x' * 99}…"),
        ((), ((IMAGE_NAMESPACE, "loc", (), "\x1b[2J", ()),), "image:loc none → \\x1b[2J"),
    ],
)
def test_old_and_new_metadata_are_printed(old: tuple[Content, ...], new: tuple[Content, ...], shown: str) -> None:
    assert lines({BASE: ("", old)}, {BASE: ("", new)})[2:] == [f"* {BASE}  {shown}"]


def test_old_and_new_dates_are_printed() -> None:
    assert lines({BASE: ("2026-01-01", ())}, {BASE: ("", ())})[2:] == [f"~ {BASE}  2026-01-01 → none"]


def test_two_saved_indexes_are_compared_with_what_was_saved_beside_them(invoke: Invoke) -> None:
    for folder, page in (("old", "a"), ("new", "b")):
        Path(folder).mkdir()
        put(f"{folder}/index.xml", index(f"{BASE}maps/one.xml", f"{BASE}two.xml.gz", f"{BASE}three.php?n=3"))
        put(f"{folder}/one.xml", urlset(page))
        put(f"{folder}/two.xml", urlset("c"))
        put(f"{folder}/three.php?n=3", urlset("d"))
    result = invoke("diff", "old/index.xml", "new/index.xml")
    assert result.stdout.splitlines()[0].startswith("3 URLs before, 3 now: 1 added, 1 removed")


def test_the_letter_case_of_a_host_is_no_change(invoke: Invoke) -> None:
    put("old.xml", urlset("a"))
    put("new.xml", urlset("a").replace(BASE, BASE.replace("https://www", "HTTPS://WWW")))
    assert invoke("diff", "old.xml", "new.xml", "--exit-code").exit_code == 0
