"""Why a file of a folder is listed or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec import UNSET
from unit.sample_sites import job_of, site

from waypost.build.explanation import Explanation, KeyFinder, excluded, explain, explanation_lines
from waypost.build.lister import Listing
from waypost.core import reasons
from waypost.core.model import Page, Skipped

if TYPE_CHECKING:
    from pathlib import Path

    from repositories import Repository
    from sites import Write

PAGE = "<title>A</title>"
NOINDEX = "<meta name=robots content=noindex>"
BASE = "https://example.org/docs/"
LISTED = {
    "index.html": "",
    "about.html": "about",
    "guide/index.html": "guide/",
    "ü x.html": "%C3%BC%20x.html",
    "100%25.html": "100%2525.html",
}
LISTING = Listing(
    [Page(key, BASE + path) for key, path in LISTED.items()],
    [
        Skipped("hidden.html", reasons.NOINDEX),
        Skipped("drafts/", reasons.EXCLUDED),
        Skipped("a.css", reasons.NOT_A_PAGE),
    ],
    [],
    {},
    {},
    {},
)
FINDER = KeyFinder(LISTING, site(BASE))


def explained(source: Path, key: str, **values: Any) -> Explanation:
    job = job_of(source, **values)
    listing, dates = job.list_pages(lambda stage, done, total: None)
    documents = job.plan_publication(listing, dates, lambda stage, done, total: None).documents
    return explain(listing, documents, key)


def test_a_listed_page_has_the_sitemap_that_holds_it(write: Write) -> None:
    source = write({"a.html": PAGE, "blog/b.html": PAGE})
    found = explained(source, "blog/b.html", groups={"blog": ["/blog/"]})
    assert (found.listed, found.loc, found.sitemap) == (True, "https://example.org/blog/b.html", "sitemap-blog.xml")
    assert (found.lastmod, found.reason) == (None, UNSET)


def test_a_page_without_a_date_has_the_reason_if_it_is_known(write: Write, repository: Repository) -> None:
    source = write({"a.html": PAGE})
    assert explained(source, "a.html").no_date_reason == ""
    unsearched = explained(source, "a.html", lastmod="git", evidence=False)
    assert str(unsearched.no_date_reason).startswith("pages have no date from Git")
    repository.commit({"a.html": PAGE}, when=1_000_000_000)
    repository.write({"b.html": PAGE})
    dated, new = (explained(repository.folder, key, lastmod="git") for key in ("a.html", "b.html"))
    assert (dated.lastmod, dated.no_date_reason) == ("2001-09-09T01:46:40Z", "")
    assert (new.lastmod, bool(new.no_date_reason)) == (None, True)


@pytest.mark.parametrize(
    ("key", "reason", "decided_by"),
    [
        ("b.html", "noindex", "b.html"),
        ("node_modules/x/y.html", "dependency", "node_modules/"),
        ("docs", "folder", "docs"),
        ("absent.html", "not-found", "absent.html"),
        ("a", "not-found", "a"),
    ],
)
def test_what_is_not_listed_has_a_reason_and_what_it_applies_to(
    write: Write, key: str, reason: str, decided_by: str
) -> None:
    files = {
        "a.html": PAGE,
        "b.html": NOINDEX,
        "node_modules/x/y.html": PAGE,
        "docs/1.html": PAGE,
        "docs/2.html": NOINDEX,
    }
    found = explained(write(files), key)
    assert (found.listed, found.reason, found.decided_by) == (False, reason, decided_by)
    assert reason != "folder" or found.detail == "1 page in it listed, 1 left out"


@pytest.mark.parametrize(("decided_by", "shown"), [("", "docs/a.html"), ("docs/", "docs/")])
def test_a_reason_is_the_file_s_own_unless_another_path_decided(decided_by: str, shown: str) -> None:
    found = excluded("docs/a.html", "noindex", "none", decided_by)
    assert msgspec.json.decode(msgspec.json.encode(found)) == {
        "path": "docs/a.html",
        "listed": False,
        "reason": "noindex",
        "detail": "none",
        "decided_by": shown,
    }


def test_a_field_that_does_not_apply_is_absent() -> None:
    found = msgspec.json.decode(msgspec.json.encode(Explanation("a.html", True, "https://example.org/a.html", None)))
    assert found == {"path": "a.html", "listed": True, "loc": "https://example.org/a.html", "lastmod": None}


@pytest.mark.parametrize(
    ("url", "key"),
    [
        (BASE, "index.html"),
        ("https://example.org/docs", "index.html"),
        (f"{BASE}index.html", "index.html"),
        (f"{BASE}about", "about.html"),
        (f"{BASE}about.html", "about.html"),
        (f"{BASE}about/", "about.html"),
        ("http://www.example.org/docs/about?x=1#part", "about.html"),
        (f"{BASE}guide/index.html", "guide/index.html"),
        (f"{BASE}guide", "guide/index.html"),
        (f"{BASE}%C3%BC%20x.html", "ü x.html"),
        (f"{BASE}ü x", "ü x.html"),
        (f"{BASE}100%2525.html", "100%25.html"),
        (f"{BASE}hidden", "hidden.html"),
        (f"{BASE}a.css", "a.css"),
        (f"{BASE}drafts/x/y.html", "drafts/x/y.html"),
        (f"{BASE}absent.html", None),
        ("https://example.com/docs/about.html", None),
        ("https://example.org/about.html", None),
    ],
)
def test_a_url_in_any_form_names_its_file(url: str, key: str | None) -> None:
    assert FINDER.by_url(url) == key


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("about.html", "about.html"),
        ("/about.html", "about.html"),
        ("about", "about.html"),
        ("/", "index.html"),
        ("guide", "guide"),
        ("/guide/", "guide"),
        ("guide/index.htm", "guide/index.html"),
        ("%C3%BC%20x.html", "ü x.html"),
        ("100%25.html", "100%25.html"),
        ("hidden.html", "hidden.html"),
        ("/drafts/x/y.html", "drafts/x/y.html"),
        ("absent.html", None),
    ],
)
def test_a_path_with_or_without_a_slash_names_its_file_or_folder(path: str, key: str | None) -> None:
    found = FINDER.by_path(path)
    assert (found.strip("/") if found else found) == key


def test_an_explanation_names_the_folder_that_decided_it() -> None:
    own = excluded("a.html", "noindex", "it says so")
    folder = excluded("lib/a.html", "dependency", "it is in node_modules", "lib/")
    assert list(explanation_lines(own)) == ["a.html", "  left out  noindex: it says so"]
    assert list(explanation_lines(folder))[-1] == "  decided   for the folder lib/"


def test_an_explanation_of_a_page_in_a_bucket_has_what_the_state_knows() -> None:
    page = Explanation(
        "a.html", listed=True, loc="https://example.org/a", lastmod=None, no_date_reason="", sitemap=None, state="new"
    )
    assert list(explanation_lines(page)) == [
        "a.html",
        "  listed    https://example.org/a",
        "  lastmod   none",
        "  sitemap   none",
        "  state     new",
    ]
