"""The comment on a pull request: the most important changes first, and never more than GitHub accepts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.build.diff_answer import diff_answer
from waypost.build.diff_markdown import LIMIT, diff_markdown
from waypost.validate import SITEMAP_NAMESPACE, ListedUrls
from waypost.validate.sitemap_entry import Content

BASE = "https://e.org/"


def priority(text: str) -> tuple[Content, ...]:
    return ((SITEMAP_NAMESPACE, "priority", (), text, ()),)


def listed(*locs: str) -> ListedUrls:
    return dict.fromkeys(locs, ("", ()))


OLD: ListedUrls = {
    f"{BASE}gone": ("", ()),
    f"{BASE}moved.html": ("", ()),
    f"{BASE}dated": ("2026-01-01", ()),
    f"{BASE}described": ("", priority("0.1")),
    **{f"http://www.e.org/{n}": ("", ()) for n in range(3)},
}
NEW: ListedUrls = {
    f"{BASE}new": ("", ()),
    f"{BASE}moved/": ("", ()),
    f"{BASE}dated": ("2026-01-02", ()),
    f"{BASE}described": ("", priority("0.9")),
    **{f"{BASE}{n}": ("", ()) for n in range(3)},
}
EXPECTED = f"""\
**7 URLs before, 7 now: 1 added, 1 removed, 4 moved, 1 with another date, 1 with other metadata**

#### Removed: 1 (14.29% of the URLs)

- `{BASE}gone`

#### Moved: 4

- `http://www.e.org/*` → `{BASE}*` (3 URLs, scheme, host)
- `{BASE}moved.html` → `{BASE}moved/` (form)

<details><summary>Added: 1</summary>

- `{BASE}new`

</details>

<details><summary>Other metadata: 1</summary>

- `{BASE}described`: `priority` `0.1` → `0.9`

</details>

<details><summary>Another date: 1</summary>

- `{BASE}dated`: `2026-01-01` → `2026-01-02`

</details>
"""


def test_removed_and_moved_pages_are_shown_and_the_rest_is_folded() -> None:
    assert diff_markdown(diff_answer(OLD, NEW), 50) == EXPECTED


def test_nothing_changed_is_one_line() -> None:
    assert diff_markdown(diff_answer(OLD, OLD), 50) == "The sitemap has not changed: 7 URLs.\n"


def test_at_most_so_many_urls_of_a_kind_are_shown() -> None:
    text = diff_markdown(diff_answer(listed(), listed(*(f"{BASE}{n}" for n in range(9)))), 4)
    assert text.count(f"- `{BASE}") == 4
    assert "- … and 5 more\n" in text


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a`b", f"`` {BASE}a`b ``"),
        ("a``b", f"``` {BASE}a``b ```"),
        ("<b>@all", f"`{BASE}<b>@all`"),
        ("a\n\n# b", f"`{BASE}a\\n\\n# b`"),
        ("x" * 400, f"`{BASE}{'x' * (150 - len(BASE))}…{'x' * 150}`"),
    ],
)
def test_a_url_is_code_that_ends_where_the_url_ends(name: str, shown: str) -> None:
    assert f"\n- {shown}\n" in diff_markdown(diff_answer({}, listed(BASE + name)), 50)


def test_a_large_comparison_is_cut_and_every_kind_of_change_is_counted() -> None:
    long = "x" * 200
    both = {f"{BASE}{long}both-{n}": n for n in range(500)}
    old = {**listed(*(f"{BASE}{long}old-{n}" for n in range(500))), **{loc: ("1", priority("1")) for loc in both}}
    new = {**listed(*(f"{BASE}{long}new-{n}" for n in range(500))), **{loc: ("2", priority("2")) for loc in both}}
    text = diff_markdown(diff_answer(old, new), 0)
    assert len(text) <= LIMIT
    for title in ("Removed: 500", "Added: 500", "Other metadata: 500", "Another date: 500"):
        assert title in text
    assert text.count("<details>") == text.count("</details>") == 3


@pytest.mark.slow
@given(st.integers(2_000, 9_000), st.sets(st.text(max_size=400), max_size=40), st.integers(0, 50))
def test_the_text_is_never_longer_than_its_limit(limit: int, names: set[str], most: int) -> None:
    old = {f"{BASE}{name}": ("1", priority("1")) for name in names}
    new = {f"{BASE}{name}{'x' * (n % 2)}": ("2", ()) for n, name in enumerate(sorted(names))}
    assert len(diff_markdown(diff_answer(old, new), most, limit)) <= limit
