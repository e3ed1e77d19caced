from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from page_content import file_bytes
from unit.sample_sites import site

from waypost.build.lister import DateSources, Lister, Listing
from waypost.build.state import ContentDate, State
from waypost.core import reasons
from waypost.core.model import Body, Example, History, Item, Page, PageDating, Skipped
from waypost.core.reasons import Reason
from waypost.dates.commit_dates import CommitDates
from waypost.settings.schema import Site

BASE = "https://example.org/"
NOW = "2026-03-01T12:00:00Z"
NO_DATES = DateSources(NOW)
T = 1_700_000_000
AT_T = "2023-11-14T22:13:20Z"


@dataclass
class MemorySource:
    """Files in memory, in the order in which they are given; an OSError in place of a content is raised."""

    files: Mapping[str, str | bytes | OSError]
    skipped: Sequence[Skipped] = ()
    width: int = 4
    has_etags: bool = False
    asked: list[str] = field(default_factory=list)

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        del prunes
        yield from self.skipped
        yield from (Item(key, key) for key in self.files)

    def read(self, item: Item, size: int | None = None) -> Body:
        data = self._content(item.key)
        self.asked.append(item.key)
        return Body(data[:size], size is None or len(data) <= size)

    def find(self, key: str) -> bytes | None:
        return self._content(key) if key in self.files else None

    def _content(self, key: str) -> bytes:
        content = self.files.get(key, FileNotFoundError(key))
        if isinstance(content, OSError):
            raise content
        return file_bytes(key, content)


def listing(
    source: MemorySource,
    the_site: Site | None = None,
    dates: DateSources = NO_DATES,
    ignored: frozenset[str] = frozenset(),
) -> Listing:
    return Lister(source, the_site or site(lastmod="none"), dates, lambda stage, done, total: None).listing(ignored)


def left_out(found: Listing) -> dict[str, Reason]:
    return {skipped.key: skipped.reason for skipped in found.skipped}


def warned(found: Listing) -> dict[str, int]:
    return {each.code: each.count for each in found.warnings}


def test_pages_and_what_is_left_out_come_in_the_order_of_their_keys() -> None:
    source = MemorySource({"b.html": "", "z.css": "", "a/x.html": "", "a.html": "", "404.html": ""})
    found = listing(source)
    assert [page.key for page in found.pages] == ["a.html", "a/x.html", "b.html"]
    assert [skipped.key for skipped in found.skipped] == ["404.html", "z.css"]


def test_each_stage_leaves_out_what_it_has_a_reason_for_and_reads_none_of_it() -> None:
    robots = "User-agent: *\nDisallow: /private/\n"
    files: dict[str, str | OSError] = {
        "index.html": "",
        "robots.txt": robots,
        "private/a.html": "",
        "ignored/a.html": "",
        "ignored.html": "",
        "a\x01.html": "",
        "drafts/a.html": "",
    }
    source = MemorySource(files, [Skipped("lost.html", reasons.DANGLING_LINK, "gone\n")])
    the_site = site(lastmod="none", exclude=["/drafts/"], drop_html=True, trailing_slash="auto")
    found = listing(source, the_site, ignored=frozenset(["ignored/", "ignored.html"]))
    assert left_out(found) == {
        "a\\x01.html": reasons.NAME_CONTROL,
        "drafts/a.html": reasons.EXCLUDED,
        "ignored.html": reasons.GIT_IGNORED,
        "ignored/a.html": reasons.GIT_IGNORED,
        "lost.html": reasons.DANGLING_LINK,
        "private/a.html": reasons.ROBOTS_TXT,
        "robots.txt": reasons.NOT_A_PAGE,
    }
    assert Skipped("lost.html", reasons.DANGLING_LINK, "gone\\n") in found.skipped
    assert source.asked == ["index.html"]


def test_a_page_that_cannot_be_read_is_left_out_with_the_cause_and_a_warning() -> None:
    found = listing(MemorySource({"a.html": OSError(13, "permission denied"), "b.html": ""}))
    assert [page.key for page in found.pages] == ["b.html"]
    assert found.skipped == [Skipped("a.html", reasons.UNREADABLE, "permission denied")]
    assert [each.examples for each in found.warnings] == [(Example("a.html", "permission denied"),)]


@pytest.mark.parametrize(
    ("base_url", "robots", "code"),
    [
        (BASE, OSError(13, "permission denied"), "robots-unreadable"),
        (BASE + "docs/", "User-agent: *\nDisallow: /\n", "robots-not-at-root"),
    ],
)
def test_rules_of_robots_txt_that_do_not_count_are_warned_of(base_url: str, robots: str | OSError, code: str) -> None:
    the_site = site(base_url, respect_robots=True, lastmod="none")
    found = listing(MemorySource({"a.html": "", "robots.txt": robots}), the_site)
    assert [page.key for page in found.pages] == ["a.html"]
    assert warned(found) == {code: 1}


def test_a_warning_counts_all_its_pages_and_shows_the_first() -> None:
    foreign = '<link rel="canonical" href="https://other.example/">'
    found = listing(MemorySource({f"p{n}.html": foreign for n in range(5)}))
    (warning,) = found.warnings
    assert (warning.code, warning.count) == ("foreign-canonical", 5)
    assert [example.key for example in warning.examples] == ["p0.html", "p1.html", "p2.html"]
    assert len(found.pages) == 5


def test_a_commit_dates_a_page_unless_the_page_dates_itself() -> None:
    own = '<meta property="article:modified_time" content="2026-02-03">'
    source = MemorySource({"a.html": "a", "b.html": own, "new.html": "n", "own.html": f"{own}o"})
    commits = CommitDates(History({"a.html": T, "b.html": T}), None, T)
    found = listing(source, site(page_dates=True), DateSources(NOW, lambda: commits))
    dates = {page.key: page.lastmod for page in found.pages}
    assert dates == {"a.html": AT_T, "b.html": "2026-02-03", "new.html": None, "own.html": "2026-02-03"}
    assert found.commit_dates == {"a.html": AT_T, "b.html": AT_T}
    assert found.no_date_reason == {"new.html": "untracked"}
    assert warned(found) == {"untracked": 1}


def test_a_date_of_publication_counts_only_where_git_has_none() -> None:
    own = '<meta property="article:published_time" content="2026-02-03">'
    source = MemorySource({"a.html": own, "new.html": f"{own}n"})
    commits = CommitDates(History({"a.html": T}), None, T)
    found = listing(source, site(page_dates=True), DateSources(NOW, lambda: commits))
    assert {page.key: page.lastmod for page in found.pages} == {"a.html": AT_T, "new.html": "2026-02-03"}
    assert found.datings == {
        "a.html": PageDating("commit"),
        "new.html": PageDating("own-date", key="article:published_time"),
    }
    assert found.warnings == []


@pytest.mark.parametrize(
    ("name", "first", "changed"),
    [("modified", "2026-02-03", NOW), ("published", "2026-02-03", NOW), ("other", None, NOW)],
)
def test_with_a_state_a_page_s_own_date_counts_once(name: str, first: str | None, changed: str) -> None:
    the_site = site(lastmod="content", state="state.jsonl", page_dates=True)
    page = f'<meta property="article:{name}_time" content="2026-02-03"><p>'
    new = listing(MemorySource({"a.html": f"{page}a"}), the_site)
    assert [page.lastmod for page in new.pages] == [first]
    assert new.datings == ({"a.html": PageDating("own-date", key=f"article:{name}_time")} if first else {})
    later = listing(MemorySource({"a.html": f"{page}b"}), the_site, DateSources(NOW, state=State(new.contents)))
    assert [page.lastmod for page in later.pages] == [changed]
    assert later.datings == {"a.html": PageDating("content")}


def test_a_page_whose_content_changed_is_dated_now_and_the_others_keep_their_dates() -> None:
    the_site = site(lastmod="content", state="state.jsonl")
    first = listing(MemorySource({"a.html": "<p>a", "b.html": "<p>b"}), the_site)
    assert [page.lastmod for page in first.pages] == [None, None]
    before = State({key: ContentDate(each.digest, "2025-01-01") for key, each in first.contents.items()})
    found = listing(MemorySource({"a.html": "<p>a", "b.html": "<p>x"}), the_site, DateSources(NOW, state=before))
    assert [page.lastmod for page in found.pages] == ["2025-01-01", NOW]
    assert found.contents["a.html"] == before.pages["a.html"]
    assert found.contents["b.html"].digest != before.pages["b.html"].digest


def test_pages_that_name_no_versions_have_those_of_the_folders_of_languages_if_the_settings_say_so() -> None:
    english = '<html lang="en"><title>a</title>'
    own = '<link rel="alternate" hreflang="fr" href="https://example.fr/"><title>c</title>'
    files = {"a.html": english, "de/a.html": "<title>A</title>", "c.html": english, "de/c.html": own}
    found = listing(MemorySource(files), site(lastmod="none", alternates="folders"))
    both = (("de", f"{BASE}de/a.html"), ("en", f"{BASE}a.html"))
    assert {page.key: page.alternates for page in found.pages} == {
        "a.html": both,
        "de/a.html": both,
        "c.html": (),
        "de/c.html": (("fr", "https://example.fr/"),),
    }
    declared = listing(MemorySource(files), site(lastmod="none", alternates=True))
    assert [page.key for page in declared.pages if page.alternates] == ["de/c.html"]


def test_a_listed_page_has_its_group_hints_and_alternates() -> None:
    def links(*languages: str) -> str:
        return "".join(f'<link rel="alternate" hreflang="{each}" href="/{each}/">' for each in languages)

    source = MemorySource({"de/index.html": links("de", "en"), "en/index.html": links("de", "en", "fr")})
    overrides = [{"match": ["/de/"], "changefreq": "daily"}]
    the_site = site(lastmod="none", alternates=True, groups={"german": ["/de/"]}, overrides=overrides)
    german, english = listing(source, the_site).pages
    both = (("de", f"{BASE}de/"), ("en", f"{BASE}en/"))
    assert german == Page("de/index.html", f"{BASE}de/", "german", changefreq="daily", alternates=both)
    assert english == Page("en/index.html", f"{BASE}en/", alternates=both)
