"""Files of the site that contradict what is published: other sitemaps, robots.txt and CNAME."""

from __future__ import annotations

import dataclasses
import gzip
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from sites import Build
from unit.cli.invoke import BASE, index, urlset
from unit.sample_sites import RecordingStore, numbered, pages, site

from waypost.build.lister import Listing
from waypost.build.site_checks import (
    capital_letters,
    content_signal_problems,
    other_sitemaps,
    same_dates,
    single_page_app,
    stale_copies,
    unmatched_patterns,
    unmatched_sources,
    wrong_cname,
)
from waypost.core import reasons
from waypost.core.model import Changes, DatedBy, Document, Example, History, PageDating, Plan, SiteWarning, Skipped
from waypost.dates.commit_dates import CommitDates
from waypost.dates.source_mapping import SourceMapper
from waypost.files.folder_source import FolderSource
from waypost.pages.selection import Selection
from waypost.project.host_recognition import bucket_rules
from waypost.settings.output_names import MARK

if TYPE_CHECKING:
    from sites import Files, Write

OWN = Document("sitemap.xml", "sitemap", b"", f"{BASE}sitemap.xml")
DATE, OTHER = "2020-02-03T04:05:06Z", "2021-02-03T04:05:06Z"
APP = "<!doctype html><title>App</title><script type=module src=/assets/i.js></script><div id=root></div>"
BLOCKS = "User-agent: *\nDisallow: /*.xml$\n"
SIGNALS = "Content-Signal: search=maybe\nUser-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n"
JOINS = "User-agent: *\nCrawl-delay: 1\nUser-agent: bad\nDisallow: /x\n"
PAGE = "<!doctype html><title>a</title>"
KEYS = ["a.html", "blog/b.html", "docs/c.html"]
SKIPPED = [Skipped("drafts/", reasons.EXCLUDED), Skipped("style.css", reasons.NOT_A_PAGE)]
T = 1_700_000_000


def plan(files: Files) -> Plan:
    skipped = [Skipped(key, reasons.NOT_A_PAGE) for key in files]
    return Plan(pages(["index.html", "de/a.html"]), skipped, [], [OWN], [], [], [], Changes())


def others(write: Write, files: Files, robots: str = "", base_url: str = BASE) -> list[Example]:
    root = write(files)
    found = other_sitemaps(plan(files), FolderSource(root), site(base_url), robots.encode())
    assert {warning.code for warning in found} <= {"other-sitemap"}
    return [example for warning in found for example in warning.examples]


@pytest.mark.parametrize("name", ["sitemap-index.xml", "de/sitemap.xml", "Sitemap_posts.XML"])
@pytest.mark.parametrize("text", [urlset("a"), index(f"{BASE}b.xml")])
def test_a_sitemap_of_another_tool_in_any_folder_is_named(write: Write, name: str, text: str) -> None:
    assert others(write, {name: text}) == [Example(name)]


def test_a_compressed_sitemap_is_named_too(write: Write) -> None:
    assert others(write, {"sitemap.xml.gz": gzip.compress(urlset("a").encode())}) == [Example("sitemap.xml.gz")]


def test_what_waypost_writes_and_what_is_no_sitemap_is_not_named(write: Write) -> None:
    long = urlset(*(f"page-{n:05}" for n in range(3_000)))
    files = {
        "sitemap.xml": urlset("a"),
        "blog/sitemap.xml": urlset("a") + MARK,
        "blog/sitemap-long.xml": long + MARK,
        "sitemap-notes.xml": "<notes/>",
        "feed.xml": urlset("a"),
    }
    assert others(write, files) == []


def test_a_sitemap_that_robots_txt_names_comes_first(write: Write) -> None:
    files = {"a-sitemap.xml": urlset("a"), "de/sitemap.xml": urlset("a")}
    found = others(write, files, f"Sitemap: http://www.example.org/de/sitemap.xml\nSITEMAP:{BASE}sitemap.xml\n")
    assert found == [Example("de/sitemap.xml", "robots.txt names it"), Example("a-sitemap.xml")]


@pytest.mark.parametrize(
    ("url", "is_named"),
    [
        (f"{BASE}sitemap-index.xml", True),
        (f"{BASE}de/old.xml", True),
        ("http://www.example.org/sitemap.xml", False),
        (f"{BASE}shop/sitemap.xml", False),
        ("https://other.example/sitemap.xml", False),
    ],
)
def test_a_sitemap_that_only_robots_txt_names_is_named_if_this_site_has_pages_beside_it(
    write: Write, url: str, is_named: bool
) -> None:
    assert others(write, {"a.css": ""}, f"Sitemap: {url}\n") == ([Example("robots.txt", url)] if is_named else [])


def test_a_robots_txt_below_the_host_s_root_does_not_count(write: Write) -> None:
    url = "https://example.org/x/sitemap-index.xml"
    assert others(write, {"a.css": ""}, f"Sitemap: {url}\n", "https://example.org/x/") == []


def cname(write: Write, text: str) -> list[SiteWarning]:
    files = {"CNAME": text}
    return wrong_cname(plan(files), FolderSource(write(files)), site())


@pytest.mark.parametrize("text", ["example.org\n", "EXAMPLE.org", "example.org.\r\n", "", "\n"])
def test_a_cname_of_the_same_host_is_right(write: Write, text: str) -> None:
    assert cname(write, text) == []


@pytest.mark.parametrize("text", ["www.example.org\n", "\n docs.example.com "])
def test_a_cname_of_another_host_is_warned_of(write: Write, text: str) -> None:
    (warning,) = cname(write, text)
    detail = f"it names {text.strip()}, and base_url is {BASE}"
    assert (warning.code, warning.examples) == ("wrong-cname", (Example("CNAME", detail),))


def test_a_site_without_a_cname_has_nothing_to_compare(write: Write) -> None:
    assert wrong_cname(plan({"a.css": ""}), FolderSource(write({"CNAME": "x.example"})), site()) == []


def listing(same: int, others: int = 0, undated: int = 0, by: DatedBy = "text") -> Listing:
    """A listing of so many pages with one date, with dates of their own, and without a date."""
    keys = list(numbered(same + others + undated))
    found = [
        *pages(keys[:same], lastmod=DATE),
        *(
            page
            for n, key in enumerate(keys[same : same + others])
            for page in pages([key], lastmod=f"{OTHER[:-3]}{n:02}Z")
        ),
        *pages(keys[same + others :]),
    ]
    return Listing(found, [], [], {}, {}, {}, datings={key: PageDating(by) for key in keys})


def test_a_warning_says_that_nearly_all_dates_are_one() -> None:
    [warning] = same_dates(listing(39, others=1, undated=3))
    assert (warning.code, warning.count) == ("same-dates", 39)
    assert warning.message.startswith(f"39 of 40 dates are {DATE}: ")


@pytest.mark.parametrize(
    ("by", "why"),
    [
        ("commit", "run Waypost where the site is built"),
        ("content", "nearly all pages changed at once"),
        ("text", "one commit changed nearly all source files"),
        ("mapping", "one commit changed nearly all source files"),
    ],
)
def test_the_warning_says_why(by: DatedBy, why: str) -> None:
    assert why in same_dates(listing(30, by=by))[0].message


@pytest.mark.parametrize(
    "found",
    [listing(40, others=10), listing(0, others=40), listing(19), listing(0, undated=40), listing(5, undated=40)],
)
def test_dates_that_differ_or_are_few_are_no_warning(found: Listing) -> None:
    assert same_dates(found) == []


@pytest.mark.parametrize(
    ("text", "is_warned"),
    [
        (APP, True),
        (f"{APP}<noscript>You need to enable JavaScript to run this app.</noscript>", True),
        (f"{APP}<h1>Hello</h1>", False),
        ("<!doctype html><title>Empty</title>", False),
    ],
)
def test_a_single_page_without_text_but_with_scripts_is_warned_of(write: Write, text: str, is_warned: bool) -> None:
    source = FolderSource(write({"index.html": text}))
    found = single_page_app(listing_of("index.html"), source)
    assert [warning.code for warning in found] == (["single-page-app"] if is_warned else [])


def test_an_application_with_several_pages_is_not_warned_of(write: Write) -> None:
    source = FolderSource(write({"index.html": APP, "a.html": APP}))
    assert single_page_app(listing_of("index.html", "a.html"), source) == []


def listing_of(*keys: str) -> Listing:
    """A listing of these pages."""
    return Listing(pages(keys), [], [], {}, {}, {})


def test_a_copy_that_only_others_can_make_again_is_warned_of_if_its_file_changes() -> None:
    files = dict.fromkeys(("sitemap.xml.br", "sitemap.xml.zst", "robots.txt.br", "sitemap-b.xml.br"), b"")
    written = replace(plan({}), written=["sitemap.xml", "robots.txt"])
    (warning,) = stale_copies(written, RecordingStore(files))
    assert {each.key for each in warning.examples} == {"sitemap.xml.br", "sitemap.xml.zst", "robots.txt.br"}
    assert stale_copies(plan({}), RecordingStore(files)) == []


@pytest.mark.parametrize(("host", "expected"), [("netlify", ["Docs/A.html"]), ("github-pages", [])])
def test_capital_letters_are_warned_of_where_the_host_redirects_them(host: str, expected: list[str]) -> None:
    listed = pages(["Docs/A.html", "docs/b.html", "caf\u00e9.html"])
    the_site = site(host=host)
    the_site = dataclasses.replace(the_site, host_rules=bucket_rules(host))
    found = capital_letters(replace(plan({}), pages=listed), the_site)
    assert [each.key for warning in found for each in warning.examples] == expected


@pytest.mark.parametrize(
    ("text", "base_url", "codes"),
    [
        (BLOCKS, "https://example.org/", {"sitemap-disallowed"}),
        (BLOCKS, "https://example.org/docs/", set()),
        (JOINS, "https://example.org/", {"robots-groups"}),
        (SIGNALS, "https://example.org/", {"content-signal"}),
        (SIGNALS, "https://example.org/docs/", set()),
        ("User-agent: *\nDisallow: /x\n", "https://example.org/", set()),
        ("User-agent: *\nContent-Signal: search=yes\nDisallow: /x\n", "https://example.org/", set()),
    ],
)
def test_a_robots_txt_that_hides_the_sitemap_or_is_read_in_two_ways_is_warned_of(
    write: Write, text: str, base_url: str, codes: set[str]
) -> None:
    found = Build().plan(write({"index.html": PAGE, "robots.txt": text}), base_url)
    of_robots = {"sitemap-disallowed", "robots-groups", "content-signal"}
    assert {each.code for each in found.warnings} & of_robots == codes


def test_llms_txt_is_no_sitemap_that_crawlers_must_read(write: Write) -> None:
    site = write({"index.html": PAGE, "robots.txt": "User-agent: *\nDisallow: /*.txt$\n"})
    found = Build().plan(site, "https://www.waypost.dev/", formats=["xml", "llms"])
    assert [each.code for each in found.warnings] == []


def messages(**settings: Any) -> list[str]:
    the_site = site(**settings)
    group = Selection(the_site).group
    listed = [page for key in KEYS for page in pages([key], group=group(key))]
    found = unmatched_patterns(Plan(listed, SKIPPED, [], [], [], [], [], Changes()), the_site)
    return [warning.message for warning in found]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"include": ["docs/", "/blog/*.html", "a.html"]},
        {"exclude": ["drafts/", "*.css", "# a comment", ""]},
        {"exclude": ["/drafts/old/*.html"]},
        {"groups": {"blog": ["/blog/"], "rest": ["*.html", "docs/"]}},
        {"overrides": [{"match": ["blog"], "priority": 0.5}]},
        {"news": {"name": "N", "language": "en", "pages": ["/blog/"]}},
    ],
)
def test_patterns_that_match_a_file_or_a_folder_are_not_warned_of(settings: dict[str, Any]) -> None:
    assert messages(**settings) == []


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"include": ["doc/", "*.html"]}, "include: doc/"),
        ({"exclude": ["drfts/"]}, "exclude: drfts/"),
        ({"exclude": ["!.well-known/"]}, "exclude: !.well-known/"),
        ({"groups": {"blog": ["/blgo/"]}}, "groups.blog: /blgo/"),
        ({"groups": {"blog": ["/blog/", "/news/"]}}, "groups.blog: /news/"),
        ({"overrides": [{"match": ["/x/"], "priority": 0.5}]}, "overrides: /x/"),
        ({"news": {"name": "N", "language": "en", "pages": ["/x/"]}}, "news: /x/"),
    ],
)
def test_a_pattern_that_matches_nothing_is_named_with_its_setting(settings: dict[str, Any], named: str) -> None:
    assert messages(**settings) == [f"a pattern matches no file and has no effect: {named}; correct or remove it"]


def test_of_many_patterns_three_are_named() -> None:
    (message,) = messages(exclude=["1/", "2/", "3/", "4/"])
    assert message == (
        "4 patterns match no file and have no effect: exclude: 1/, exclude: 2/, exclude: 3/ and 1 more; "
        "correct or remove them"
    )


def source_messages(tracked: str, **settings: Any) -> list[str]:
    """The warnings about a site with three pages and a folder that is left out."""
    the_site = site(**settings)
    skipped = [Skipped("drafts/", reasons.EXCLUDED), Skipped("old.html", reasons.NOINDEX)]
    plan = Plan(pages(["a.html", "blog/b.html"]), skipped, [], [], [], [], [], Changes())
    commits = CommitDates(History(dict.fromkeys(tracked.split(), T)), SourceMapper(the_site.sources), T + 1)
    return [warning.message for warning in unmatched_sources(plan, the_site, commits)]


def rows(page: str, *files: str) -> list[dict[str, Any]]:
    return [{"page": page, "files": list(files)}]


@pytest.mark.parametrize(
    ("tracked", "settings"),
    [
        ("content/a.md", {}),
        ("posts/b.md", {"sources": rows("blog/{name}.html", "posts/{name}.md")}),
        ("posts/b.md", {"sources": rows("blog/b.html", "posts/*.md", "data/*.yml")}),
        ("posts/b.md", {"sources": rows("drafts/{name}.html", "posts/{name}.md")}),
    ],
)
def test_mappings_that_date_a_page_are_not_warned_of(tracked: str, settings: dict[str, Any]) -> None:
    assert source_messages(tracked, **settings) == []


def test_a_row_that_matches_no_page_is_named() -> None:
    assert source_messages("posts/b.md", sources=rows("news/{name}.html", "posts/{name}.md")) == [
        "`sources` has a row for news/{name}.html, and there is no such page: correct or remove it"
    ]


def test_a_row_whose_files_are_not_tracked_is_named() -> None:
    assert source_messages("posts/c.md", sources=rows("blog/{name}.html", "posts/{name}.md", "data/x.yml")) == [
        "`sources` names posts/{name}.md, data/x.yml for blog/{name}.html, and Git tracks no such file: correct it"
    ]


def test_several_mappings_are_one_warning() -> None:
    sources = [row for name in "vwxyz" for row in rows(f"{name}.html", f"{name}.md")]
    (message,) = source_messages("a.md", sources=sources)
    assert message.endswith("remove it and 2 more")


def test_a_site_without_history_is_not_warned_of() -> None:
    plan = Plan(pages(["a.html"]), [], [], [], [], [], [], Changes())
    assert unmatched_sources(plan, site(sources=rows("a.html", "a.md")), None) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "User-agent: *\nContent-Signal: search=yes, ai-input=no, ai-train=no\nAllow: /\n",
        "User-agent: *\nAllow: /\ncontent-signal : SEARCH=Yes,ai-train = no # a comment\n",
        "User-agent: *\nContent-Signal: search=yes,ai-train=no,use=reference\n",
        "User-agent: *\nContent-Signal: /blog/ ai-train=no\n",
    ],
)
def test_signals_that_crawlers_understand_are_no_problem(text: str) -> None:
    assert content_signal_problems(text.encode()) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Content-Signal: search=maybe", ["search is yes or no"]),
        ("Content-Signal: use=yes", ["use is immediate or reference or full"]),
        ("Content-Signal:", ["nothing is no signal; there are search, ai-input, ai-train, use"]),
        ("Content-Signal: ai_train=no", ["ai_train is no signal; there are search, ai-input, ai-train, use"]),
        ("Content-Signals: search=yes", ["the name of the line is Content-Signal"]),
        ("Content-Signal: search=1, ai-input=0", ["search is yes or no", "ai-input is yes or no"]),
    ],
)
def test_what_crawlers_do_not_understand_is_named_with_its_line(line: str, expected: list[str]) -> None:
    assert content_signal_problems(f"User-agent: *\n{line}\n".encode()) == [
        f"`{line}`: {problem}" for problem in expected
    ]


def test_a_signal_before_any_crawler_has_no_effect() -> None:
    line = "Content-Signal: search=yes"
    found = content_signal_problems(f"{line}\nUser-agent: *\n{line}\n".encode())
    assert found == [f"`{line}`: it belongs below a User-agent line"]


def test_a_long_line_is_shown_in_part() -> None:
    (found,) = content_signal_problems(b"User-agent: *\nContent-Signal: " + b"x" * 100_000)
    assert len(found) < 400


@given(
    st.lists(st.sampled_from(["Content-Signal:", "user-agent:", " ", "/a", "search", "=", "yes", ",", "\n", "\x00"]))
)
def test_no_robots_txt_raises(parts: list[str]) -> None:
    content_signal_problems("".join(parts).encode())
