from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sites import Write
from unit.sample_sites import RecordingStore, site

from waypost.build import state
from waypost.build.lister import DateSources, Lister
from waypost.build.pipeline import plan_publication
from waypost.build.state import ContentDate, State
from waypost.core.errors import SourceError
from waypost.core.model import Example, History, Plan
from waypost.dates.commit_dates import CommitDates
from waypost.dates.source_mapping import SourceMapper
from waypost.files.folder_source import FolderSource
from waypost.settings.output_names import MARK
from waypost.sitemaps.render import Renderer

BASE = "https://example.org/"
NOW = "2026-03-01T12:00:00Z"
NO_DATES = DateSources(NOW)
T = 1_700_000_000
DAY = 86_400
RENDERER = Renderer()
BY_CONTENT: dict[str, Any] = {"lastmod": "content", "state": "state.jsonl"}


class CountingSource(FolderSource):
    """A folder that notes which files were looked for by name."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.found: list[str] = []

    def find(self, key: str) -> bytes | None:
        self.found.append(key)
        return super().find(key)


def planned(
    root: Path,
    store: RecordingStore | None = None,
    dates: DateSources = NO_DATES,
    source: FolderSource | None = None,
    **values: Any,
) -> Plan:
    the_site, source, stages = site(**values), source or FolderSource(root), list[str]()
    listing = Lister(source, the_site, dates, lambda stage, done, total: None).listing()
    found = plan_publication(
        listing,
        source,
        the_site,
        store or RecordingStore(),
        dates,
        RENDERER,
        lambda stage, done, total: stages.append(stage),
    )
    assert stages == ["rendering", "comparing"]
    return found


def by_commits(commits: dict[str, int | None], removals: dict[str, int] | None = None) -> DateSources:
    found = CommitDates(History(commits, removals or {}), None, T + 9 * DAY)
    return DateSources(NOW, lambda: found)


def file_dates(plan: Plan) -> dict[str, str | None]:
    return {document.name: document.lastmod for document in plan.documents if document.kind == "sitemap"}


def test_a_site_without_a_page_is_refused_with_the_reasons_counted(write: Write) -> None:
    root = write({"a.css": "", "b.css": "", "404.html": ""})
    with pytest.raises(SourceError, match=r"no page to list \(1 error-page, 2 not-a-page\)"):
        planned(root, lastmod="none")


@pytest.mark.parametrize("updates_robots", [True, False])
def test_robots_txt_is_looked_for_once(write: Write, *, updates_robots: bool) -> None:
    source = CountingSource(write({"a.html": "", "robots.txt": "Sitemap: https://example.org/sitemap-old.xml\n"}))
    store = RecordingStore({"sitemap-old.xml": MARK.encode()})
    found = planned(source.root, store, source=source, lastmod="none", robots_sitemaps=updates_robots)
    assert source.found.count("robots.txt") == 1
    assert found.removed == ["sitemap-old.xml"]
    assert ("robots-stale" in {warning.code for warning in found.warnings}) is not updates_robots


def test_planning_writes_nothing(write: Write) -> None:
    store = RecordingStore({"sitemap-old.xml": MARK.encode()})
    found = planned(write({"a.html": ""}), store, lastmod="none", robots_sitemaps=True)
    assert (found.written, found.removed) == (["sitemap.xml", "robots.txt"], ["sitemap-old.xml"])
    assert found.state is None
    assert store.done == []


@pytest.mark.parametrize(
    ("removed", "expected"),
    [("blog/gone.html", "2023-11-17"), ("blog/gone.css", "2023-11-14"), ("blog/.gone.html", "2023-11-14")],
)
def test_a_removed_page_dates_its_sitemap_and_other_removed_files_do_not(
    write: Write, removed: str, expected: str
) -> None:
    root = write({"a.html": "", "blog/b.html": ""})
    dates = by_commits({"a.html": T + DAY, "blog/b.html": T}, {removed: T + 3 * DAY})
    found = planned(root, dates=dates, groups={"blog": ["/blog/"]}, precision="date")
    assert file_dates(found) == {"sitemap-pages.xml": "2023-11-15", "sitemap-blog.xml": expected}


def test_a_page_that_is_left_out_dates_the_sitemap_that_it_left(write: Write) -> None:
    root = write({"a.html": "", "b.html": '<meta name="robots" content="noindex">', "c.css": ""})
    dates = by_commits({"a.html": T, "b.html": T + DAY, "c.css": T + 2 * DAY})
    assert file_dates(planned(root, dates=dates, precision="date")) == {"sitemap.xml": "2023-11-15"}


@pytest.mark.parametrize(
    ("removed", "expected"),
    [
        ("gone.md", "2023-11-16"),
        ("README.md", "2023-11-14"),
        ("layouts/a.md", "2023-11-14"),
        ("_drafts/a.md", "2023-11-14"),
        ("a.md", "2023-11-14"),
        ("gone.css", "2023-11-14"),
    ],
)
def test_a_removed_source_dates_the_sitemap_only_if_it_made_a_page_that_is_gone(
    write: Write, removed: str, expected: str
) -> None:
    root = write({"a.html": ""})
    rows = [{"page": "{**path}.html", "files": ["{**path}.md", "{**path}.markdown"]}]
    the_site = site(sources=rows)
    history = History({"a.markdown": T}, {removed: T + 2 * DAY})
    found = CommitDates(history, SourceMapper(the_site.sources), T + 9 * DAY)
    dates = DateSources(NOW, lambda: found)
    assert file_dates(planned(root, dates=dates, sources=rows, precision="date")) == {"sitemap.xml": expected}


def test_a_sitemap_has_no_date_where_there_are_no_commits(write: Write) -> None:
    assert file_dates(planned(write({"a.html": ""}), lastmod="git")) == {"sitemap.xml": None}


def test_the_state_remembers_the_pages_and_the_sitemaps(write: Write) -> None:
    root = write({"a.html": "<p>a"})
    first = planned(root, **BY_CONTENT)
    remembered = state.load(first.state, "state.jsonl")
    assert (list(remembered.pages), list(remembered.sitemaps)) == (["a.html"], ["sitemap.xml"])
    again = planned(root, dates=DateSources("2026-04-01T00:00:00Z", state=remembered), **BY_CONTENT)
    assert again.state == first.state
    write({"b.html": ""})
    later = planned(root, dates=DateSources("2026-04-01T00:00:00Z", state=remembered), **BY_CONTENT)
    assert file_dates(later) == {"sitemap.xml": "2026-04-01T00:00:00Z"}


def test_a_lost_state_is_warned_of_where_published_dates_are_lost_with_it(write: Write) -> None:
    root = write({"a.html": "<p>a"})
    digests = state.load(planned(root, **BY_CONTENT).state, "state.jsonl")
    before = State({"a.html": ContentDate(digests.pages["a.html"].digest, "2025-01-01")})
    dated = planned(root, dates=DateSources(NOW, state=before), **BY_CONTENT)
    store = RecordingStore({document.name: document.body for document in dated.documents})
    assert [each.code for each in planned(root, store, **BY_CONTENT).warnings] == ["state-lost"]
    assert planned(root, store, dates=DateSources(NOW, state=before), **BY_CONTENT).warnings == []
    write({"a.html": "<p>changed"})
    changed = planned(root, store, dates=DateSources(NOW, state=before), **BY_CONTENT)
    assert (changed.changes.lastmod_changed, changed.warnings) == ((f"{BASE}a.html",), [])


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("Sitemap: https://example.org/sitemap-old.xml\n", ["robots-stale"]),
        ("Sitemap: https://example.org/blog/x.xml\n", []),
    ],
)
def test_a_robots_txt_that_names_a_removed_sitemap_is_warned_of(write: Write, line: str, codes: list[str]) -> None:
    root = write({"a.html": "", "robots.txt": line})
    store = RecordingStore({"sitemap-old.xml": MARK.encode()})
    found = planned(root, store, lastmod="none")
    assert [each.code for each in found.warnings] == codes
    examples = [example for each in found.warnings for example in each.examples]
    assert examples == [Example("robots.txt", f"{BASE}sitemap-old.xml")][: len(codes)]
    updated = planned(root, store, lastmod="none", robots_sitemaps=True)
    assert updated.warnings == []


def test_a_robots_txt_that_cannot_be_read_stops_its_update(write: Write) -> None:
    root = write({"a.html": ""})
    (root / "robots.txt").symlink_to("/dev/null")
    with pytest.raises(SourceError, match=r"robots\.txt cannot be read"):
        planned(root, lastmod="none", robots_sitemaps=True)
    with pytest.raises(SourceError, match=r"robots\.txt cannot be read"):  # it may name the sitemap that is removed
        planned(root, RecordingStore({"sitemap-old.xml": MARK.encode()}), lastmod="none")
    assert planned(root, lastmod="none").written == ["sitemap.xml"]
