"""Why a file of a folder is listed or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec import UNSET

from waypost.build.explanation import Explanation, excluded, explain
from waypost.build.folder import prepare
from waypost.build.job import Job
from waypost.settings.load import ConfigSource

if TYPE_CHECKING:
    from pathlib import Path

    from repositories import Repository
    from sites import Write

PAGE = "<title>A</title>"
NOINDEX = "<meta name=robots content=noindex>"


def job_of(source: Path, **values: Any) -> Job:
    return prepare(source, ConfigSource("test", {"base_url": "https://example.org/", "lastmod": "none", **values}))


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
