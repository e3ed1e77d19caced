"""Lists of URLs that have no file, in settings and in files."""

import datetime
from typing import Any

import pytest

from waypost.core.model import UrlEntry
from waypost.settings import table_checks, url_lists
from waypost.settings.checks import InvalidValue


def entry(loc: str, line: int, **values: Any) -> UrlEntry:
    return UrlEntry(loc, **values, where="list", line=line)


WHOLE = entry(
    "/b",
    2,
    lastmod="2026-03-01T10:00:00Z",
    changefreq="daily",
    priority="0.5",
    group="shop",
    alternates=(("de", "/de/b"), ("en", "/b")),
    images=("/b.png", "/c.png"),
)


@pytest.mark.parametrize(
    ("data", "entries"),
    [
        ("https://example.org/a\n\n# a comment\n  /b \n", [entry("https://example.org/a", 1), entry("/b", 4)]),
        ("\ufeff/a\r\n/b\r\n", [entry("/a", 1), entry("/b", 2)]),
        ("loc\n/a\n/b", [entry("/a", 2), entry("/b", 3)]),
        ("lastmod, loc\n2026-03-01,/a\n,/b", [entry("/a", 2, lastmod="2026-03-01"), entry("/b", 3)]),
        (
            "loc,lastmod,changefreq,priority,group,alternates,images\n"
            "/b,2026-03-01T12:00:00+02:00,daily,.5,shop,de=/de/b en=/b,/b.png /c.png\n",
            [WHOLE],
        ),
        ('loc\n"/a,b"\n', [entry("/a,b", 2)]),
        ('"loc","lastmod"\n"/a","2026-03-01"\n', [entry("/a", 2, lastmod="2026-03-01")]),
        ('{"loc": "/a"}\n\n{"loc": "/b", "priority": 1}\n', [entry("/a", 1), entry("/b", 3, priority="1.0")]),
        (
            '{"loc": "/a"}\n{"loc": "/b", "lastmod": "2026-03-01T12:00:00+02:00", "changefreq": "daily", '
            '"priority": 0.5, "group": "shop", "alternates": {"de": "/de/b", "en": "/b"}, '
            '"images": ["/b.png", "/c.png"]}',
            [entry("/a", 1), WHOLE],
        ),
        ("", []),
    ],
)
def test_a_list_is_read_as_text_csv_or_json_lines(data: str, entries: list[UrlEntry]) -> None:
    assert url_lists.parse(data.encode(), "list") == (entries, [])


@pytest.mark.parametrize(
    ("data", "issues"),
    [
        (b"loc,priority\n/a,high\n/b,2\n/c", ["list:2: priority: 'high' is not a number", "list:3: priority: 2.0 is"]),
        (b"loc,lastmod\n/a,yesterday", ["list:2: lastmod: 'yesterday' is no date; write 2026-03-01 or 2026-03-01T"]),
        (b"loc\n/a,b", ["list:2: line: it has more cells than the first line has columns"]),
        (b"loc,when\n/a,b", ["list:2: when: unknown key; the keys are loc, lastmod, changefreq"]),
        (b"loc,priority\n,1", ["list:2: loc: it is missing"]),
        (b'{"loc": "/a"}\n{"loc": 3}\n[]\n{', ["list:2: loc: 3 is not a string", "list:3: line: [] is not a table"]),
        (b'{"loc": "/a"}\n{"priority"', ["list:2: line: it is no JSON: Input data was truncated"]),
        (b"URL,lastmod\n/a,2026-01-01", ["list:1: line: 'URL,lastmod' is no URL; CSV has a column `loc`"]),
        (b"loc;lastmod\n/a;2026-01-01", ["list:1: line: 'loc;lastmod' is no URL"]),
        (b'[{"loc": "/a"}]', ['list:1: line: \'[{"loc": "/a"}]\' is no URL']),
        (b"/a\rb\n/c", ["list:1: line: '/a\\rb' is no URL"]),
        (b"loc" * 60_000, ["list:1: line: 'loclocloc"]),
        (b"<!doctype html>\n<p>Not found", ["list:1: line: '<!doctype html>' is no URL"]),
        ('{"loc": "/a\u2028"}\n{"loc": 3}'.encode(), ["list:1: loc: ", "list:2: loc: 3 is not a string"]),
        (b"/a\n/\xff", ["list:2: line: it is not UTF-8"]),
        (b"/a\n/b\x07c", ["list:2: loc: '/b\\x07c' is empty or has unprintable characters"]),
        (b"loc\n" + b"a" * 200_000, ["list:2: line: it is no CSV: field larger than field limit (131072)"]),
        (b'{"loc": ' + b"[" * 100_000, ["list:1: line: it is no JSON: "]),
    ],
)
def test_each_mistake_is_named_with_its_line(data: bytes, issues: list[str]) -> None:
    found = [str(issue) for issue in url_lists.parse(data, "list")[1]]
    assert all(issue.startswith(start) for issue, start in zip(found, issues, strict=False))
    assert len(found) >= len(issues)


def test_a_hundred_mistakes_are_enough() -> None:
    entries, issues = url_lists.parse(b"loc,priority\n" + b"/a,x\n" * 1_000, "list")
    assert (entries, len(issues)) == ([], 100)


def test_settings_name_urls_in_strings_and_tables_with_their_places() -> None:
    date = datetime.date(2026, 3, 1)
    found = table_checks.urls(["/a", {"loc": "/b", "lastmod": date}])
    assert found == (UrlEntry("/a"), UrlEntry("/b", lastmod="2026-03-01", line=1))
    assert table_checks.urls("urls.csv") == "urls.csv"


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (3, ("", "3 is not a list")),
        ("", ("", "'' is empty or has unprintable characters")),
        ([{"loc": "/a", "alternates": []}], ("[0].alternates", "[] is not a table of language = URL")),
        (["/a", {}], ("[1].loc", "it is missing")),
    ],
)
def test_a_mistake_in_settings_is_named_with_its_place(value: object, problem: tuple[str, str]) -> None:
    with pytest.raises(InvalidValue) as caught:
        table_checks.urls(value)
    assert caught.value.problems == (problem,)
