"""How many pages a plan would remove, whether the settings allow it, and what the error says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from unit.sample_sites import pages, site

from waypost.build import removal_guard
from waypost.build.removal_guard import nothing_to_list
from waypost.core import reasons
from waypost.core.errors import RemovalError
from waypost.core.model import Changes, Page, Plan, Skipped
from waypost.core.reasons import REASONS, Reason

BASE = "https://example.org/"


def numbers(count: int, start: int = 0) -> list[str]:
    return [f"p{n:03}.html" for n in range(start, start + count)]


def plan(
    old: Iterable[str],
    new: Iterable[Page],
    skipped: Iterable[Skipped] = (),
    replaced: Iterable[str] = (),
) -> Plan:
    """A plan that lists `new` in the place of a sitemap with the URLs `old`."""
    listed, before = list(new), list(old)
    locs = {page.loc for page in listed}
    removed = tuple(sorted(loc for loc in before if loc not in locs))
    return Plan(
        listed, list(skipped), [], [], [], [], [], Changes((), removed), None, {}, list(replaced), len(before),
        "sitemap.xml",
    )  # fmt: skip


def urls(keys: Iterable[str], base: str = BASE) -> list[str]:
    return [base + key for key in keys]


def message(found: Plan, **settings: Any) -> str:
    with pytest.raises(RemovalError) as caught:
        removal_guard.check(found, site(**settings))
    assert caught.value.exit_code == 8
    return str(caught.value)


@pytest.mark.parametrize(
    ("kept", "max_removed", "is_refused"),
    [(20, 50, False), (19, 50, True), (0, 50, True), (0, 100, False), (39, 0, True), (40, 0, False), (29, 25, True)],
)
def test_a_plan_is_refused_if_it_removes_more_than_the_setting_allows(
    kept: int, max_removed: int, is_refused: bool
) -> None:
    found = plan(urls(numbers(40)), pages([*numbers(kept), "new.html"]))
    if is_refused:
        assert f"{40 - kept} of the 40 pages in sitemap.xml" in message(found, max_removed=max_removed)
    else:
        removal_guard.check(found, site(max_removed=max_removed))


def test_a_sitemap_of_fewer_than_twenty_urls_may_lose_all_of_them() -> None:
    removal_guard.check(plan(urls(numbers(19)), pages(["new.html"])), site())
    message(plan(urls(numbers(20)), pages(["new.html"])))


@pytest.mark.parametrize(
    "form",
    [
        "https://example.org/{}",
        "http://www.example.org/{}.html",
        "https://example.org/{}/",
        "https://EXAMPLE.org/{}/index.html",
    ],
)
def test_a_changed_form_removes_nothing(form: str) -> None:
    new = [Page(f"p{n}.html", f"{BASE}p{n}.html") for n in range(30)]
    found = plan([form.format(f"p{n}") for n in range(30)], new)
    removal_guard.check(found, site(max_removed=0))


@pytest.mark.parametrize(
    ("old_base", "new_base"),
    [
        ("https://user.github.io/project/", "https://example.org/"),
        ("https://example.com/", "https://example.org/docs/"),
        ("https://example.org/", "https://example.org/docs/"),
        ("https://example.org/docs/", "https://example.org/"),
    ],
)
def test_after_a_changed_base_url_paths_are_compared(old_base: str, new_base: str) -> None:
    keys = [f"guide/{key}" for key in numbers(30)]
    new = [Page(key, new_base + key) for key in keys]
    removal_guard.check(plan(urls(keys, old_base), new), site(new_base, max_removed=0))
    lost = plan(urls(keys, old_base), new[:10])
    assert "20 of the 30 pages" in message(lost, base_url=new_base)


def test_pages_that_are_not_translated_do_not_count_because_their_originals_stay_listed() -> None:
    skipped = [Skipped(key, reasons.UNTRANSLATED) for key in numbers(30, 10)]
    removal_guard.check(plan(urls(numbers(40)), pages(numbers(10)), skipped), site())


def test_pages_that_lead_to_one_that_stays_listed_do_not_count() -> None:
    moved = numbers(30, 10)
    skipped = [Skipped(key, reasons.REFRESH, f"{BASE}p{n % 10:03}.html") for n, key in enumerate(moved)]
    removal_guard.check(plan(urls(numbers(40)), pages(numbers(10)), skipped), site())
    for target, count in (("p099.html", 30), ("p000.html", 27)):  # of which one may be the new address of three
        skipped = [Skipped(key, reasons.REFRESH, BASE + target) for key in moved]
        assert f"{count} of the 40 pages" in message(plan(urls(numbers(40)), pages(numbers(10)), skipped))


def test_urls_of_several_hosts_are_no_error() -> None:
    old = [f"https://{name}.example/{n}.html" for n in range(15) for name in ("one", "two")]
    assert "30 of the 30 pages" in message(plan(old, pages(["a.html"])))


def test_the_message_has_ten_urls_each_with_its_reason_and_the_sum_of_the_reasons() -> None:
    skipped = [
        *(Skipped(key, reasons.CANONICAL, f"{BASE}other.html") for key in numbers(12)),
        Skipped("drafts/", reasons.EXCLUDED),
        Skipped("p012.md", reasons.NOT_A_PAGE),
    ]
    lines = message(plan(urls([*numbers(30), "drafts/a.html"]), pages(["new.html"]), skipped)).split("\n")
    assert lines[0] == (
        "31 of the 31 pages in sitemap.xml would no longer be listed (100%, and max_removed is 50), "
        "so nothing was written:"
    )
    assert lines[1] == f"  {BASE}drafts/a.html (excluded)"
    assert lines[2] == f"  {BASE}p000.html (canonical: {BASE}other.html)"
    assert len([line for line in lines if line.startswith(f"  {BASE}")]) == 10
    assert lines[11] == "  … and 21 more"
    assert lines[12] == "  why: 17 have no file, 12 left out: canonical, 1 left out: excluded, 1 left out: not-a-page"
    assert "base_url (https://example.org/)" in lines[13]
    assert "--set max_removed=100" in lines[14]


def test_reasons_are_found_after_a_changed_base_url() -> None:
    skipped = [Skipped(key, reasons.NOINDEX) for key in numbers(30)]
    found = plan(urls(numbers(30), "https://old.example/x/"), pages(["p099.html"]), skipped)
    assert "left out: noindex" in message(found)


def test_a_replaced_sitemap_of_another_tool_is_warned_of_with_what_it_listed() -> None:
    (warning,) = removal_guard.replaced_sitemaps(
        plan([f"{BASE}{n}" for n in "abcdef"], [Page("a.html", f"{BASE}a.html")], replaced=["sitemap.xml"]), site()
    )
    assert (warning.code, warning.count) == ("sitemap-replaced", 5)
    assert warning.message == (
        "sitemap.xml was made by another tool and is replaced: 5 of the 6 pages listed until now are not in the new "
        f"one: {BASE}b, {BASE}c, {BASE}d, …"
    )


def test_a_replaced_sitemap_is_not_warned_of_if_every_page_is_still_listed_or_it_was_waypost_s() -> None:
    kept = plan([f"{BASE}a"], [Page("a.html", f"{BASE}a.html")], replaced=["sitemap.xml"])
    assert removal_guard.replaced_sitemaps(kept, site()) == []
    assert removal_guard.replaced_sitemaps(plan([f"{BASE}a"], pages(["b.html"])), site()) == []


def left_out(count: int, reason: reasons.Reason, detail: str = "") -> list[Skipped]:
    return [Skipped(key, reason, detail) for key in numbers(count, 100)]


@pytest.mark.parametrize(
    ("skipped", "is_refused"),
    [
        (left_out(11, reasons.NOINDEX, "noindex"), True),
        (left_out(10, reasons.NOINDEX, "noindex"), False),
        (left_out(11, reasons.CANONICAL, f"{BASE}nowhere.html"), True),
        (left_out(11, reasons.CANONICAL, f"{BASE}p000"), False),
        (left_out(11, reasons.HOST_REDIRECT, "/p000.html"), False),
        (left_out(11, reasons.HOST_REDIRECT, "/nowhere.html"), True),
        (left_out(11, reasons.EXCLUDED), False),
        (left_out(11, reasons.NOT_A_PAGE), False),
    ],
    ids=[
        *("noindex", "half of them", "a canonical link to nothing", "one to a listed page"),
        *("a redirect to a listed page", "one to nothing", "the user's own pattern", "files that are no pages"),
    ],
)
def test_a_first_build_may_not_leave_out_most_pages_by_no_setting(skipped: list[Skipped], *, is_refused: bool) -> None:
    found = plan([], pages(numbers(10)), skipped)
    if is_refused:
        assert "11 of the 21 pages of the site would not be listed in its first sitemap" in message(found)
    else:
        removal_guard.check(found, site())
    removal_guard.check(found, site(max_removed=100))


def test_the_first_build_of_a_small_site_is_not_refused() -> None:
    removal_guard.check(plan([], pages(numbers(3)), left_out(16, reasons.NOINDEX)), site())


def test_the_message_of_a_first_build_has_examples_the_reasons_and_what_to_do() -> None:
    lines = message(plan([], pages(["a.html"]), left_out(19, reasons.NOINDEX, "none"))).splitlines()
    assert lines[1:2] == ["  p100.html (noindex: none)"]
    assert lines[11:14] == [
        "  … and 9 more",
        "  why: 19 noindex",
        "  the pages say noindex; was the site built as a preview or a draft?",
    ]
    assert "max_removed = 100" in lines[14]


def nothing_listed(skipped: Iterable[Skipped], **settings: Any) -> str:
    return nothing_to_list(list(skipped), site(**settings))


def files(reason: Reason, *keys: str) -> list[Skipped]:
    return [Skipped(key, reason) for key in keys]


def test_an_empty_folder_is_probably_the_wrong_one() -> None:
    assert nothing_listed([]) == (
        "there is no page to list (the folder is empty); the published files are left unchanged. Name the folder that "
        "is published, in which the site has been built. `waypost explain` says why a file is left out"
    )


def test_the_reasons_are_counted() -> None:
    skipped = [*files(reasons.NOT_A_PAGE, "a.css", "b.css"), *files(reasons.NOINDEX, "c.html")]
    assert "there is no page to list (1 noindex, 2 not-a-page); " in nothing_listed(skipped)


def test_markdown_suggests_a_build_or_the_type_markdown() -> None:
    found = nothing_listed(files(reasons.NOT_A_PAGE, "a.md", "b.markdown", "c.css"))
    assert "The folder has Markdown files (2): build the site first" in found
    assert 'pages = ["html", "markdown"]' in found


def test_other_types_are_named() -> None:
    found = nothing_listed(files(reasons.NOT_A_PAGE, "a.tsx", "b.tsx", "LICENSE"))
    assert "(there are 2 .tsx, 1 without an ending): build the site first, or add a type to `pages`" in found


def test_the_pattern_that_leaves_out_the_most_is_named() -> None:
    found = nothing_listed(files(reasons.EXCLUDED, "a.html", "b.html", "docs/"), exclude=["docs/", "/*.html"])
    assert "The pattern '/*.html' of `exclude` leaves out 2 of them" in found


def test_an_include_that_matches_nothing_has_an_example_of_what_it_might_match() -> None:
    found = nothing_listed(files(reasons.NOT_INCLUDED, "docs/a.html"), include=["/doc/"])
    assert "No pattern of `include` matches a page; docs/a.html is a file that might be one" in found


@pytest.mark.parametrize(
    ("reason", "advice"),
    [
        (reasons.NOINDEX, "preview"),
        (reasons.ROBOTS_TXT, "respect_robots = false"),
        (reasons.CANONICAL, "is base_url right?"),
        (reasons.UNREADABLE, "permissions"),
    ],
)
def test_the_most_frequent_reason_of_pages_decides_the_advice(reason: Reason, advice: str) -> None:
    skipped = [*files(reason, "a.html"), *files(reasons.NOT_A_PAGE, "a.css", "b.css")]
    assert advice in nothing_listed(skipped)


@pytest.mark.parametrize("reason", REASONS.values())
def test_every_reason_has_advice(reason: Reason) -> None:
    found = nothing_listed(files(reason, "a.html"), exclude=["/a.html"])
    assert found.count(". ") + found.count("? ") >= 2
