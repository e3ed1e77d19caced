"""What a run costs: its requests to S3, for a site of several sitemaps that an index names."""

from __future__ import annotations

import pytest
from fake_buckets import StatefulBucket
from fake_stores import etag_of

PAGES, URLS = 120, 50
ONE_CHANGE = [
    "GET state/state",
    "GET site/docs/007.html",
    "PUT state/state",
    "HEAD outputs/sitemap-0000000000000000.xml",
    "HEAD outputs/sitemap.xml",
    "PUT outputs/sitemap-0000000000000000.xml",
    "PUT outputs/sitemap.xml",
    "PUT state/state",
]


@pytest.fixture
def site() -> StatefulBucket:
    made = StatefulBucket(urls=URLS, robots_sitemaps=True)
    made.source.page_size = 1_000
    for n in range(PAGES):
        made.put(key(n), f"<title>{n}</title>")
    made.rebuild()
    assert len(made.remembered().head.files) > 4
    return made


def key(n: int, more: str = "") -> str:
    return f"docs/{n:03}{more}.html"


def of_kind(requests: list[str], *beginnings: str) -> list[str]:
    return [each for each in requests if each.startswith(beginnings)]


def test_one_changed_page_takes_these_eight_requests(site: StatefulBucket) -> None:
    assert site.counted(lambda: site.change(key(7), "<title>Other</title>")) == ONE_CHANGE


@pytest.mark.parametrize("content", ["<title>New</title>", None], ids=["new", "deleted"])
def test_a_new_or_deleted_page_takes_as_many_requests_as_a_changed_one(
    site: StatefulBucket, content: str | None
) -> None:
    changed = key(7, "b") if content else key(7)
    assert len(site.counted(lambda: site.change(changed, content))) == len(ONE_CHANGE)


def test_a_page_by_which_a_sitemap_is_divided_takes_one_look_and_one_write_more_for_each_file(
    site: StatefulBucket,
) -> None:
    before, costs = set(site.outputs.files), list[int]()
    while set(site.outputs.files) == before:
        requests = site.counted(lambda: site.change(key(7, f"-{len(costs):02}"), "<title>New</title>"))
        costs.append(len(requests))
    assert set(costs[:-1]) == {len(ONE_CHANGE)}
    assert costs[-1] <= 2 * len(ONE_CHANGE)


def test_many_changed_pages_take_a_read_each_and_two_requests_for_each_file(site: StatefulBucket) -> None:
    keys = [key(n) for n in range(PAGES)]
    for each in keys:
        site.put(each, "<title>Again</title>")
    requests = site.counted(lambda: site.update(*keys))
    files = len(of_kind(requests, "PUT outputs/"))
    assert len(of_kind(requests, "GET site/")) == PAGES
    assert len(requests) == PAGES + 2 * files + 3


def test_an_upload_that_changes_no_text_writes_only_the_state(site: StatefulBucket) -> None:
    requests = site.counted(lambda: site.change(key(7), "<title>7</title><!-- built again -->"))
    assert requests == ["GET state/state", f"GET site/{key(7)}", "PUT state/state"]


def test_an_event_of_an_object_that_cannot_be_a_page_takes_no_request(site: StatefulBucket) -> None:
    assert site.counted(lambda: site.update("logo.png", "style.css", ".git/config", "robots.txt.bak")) == []


def test_the_event_of_a_published_file_takes_one_request_if_it_names_the_write_and_two_otherwise(
    site: StatefulBucket,
) -> None:
    etags = {name: etag_of(body) for name, body in site.outputs.bodies().items()}
    assert site.counted(lambda: site.update("sitemap.xml", etags=etags)) == ["GET state/state start"]
    assert site.counted(lambda: site.update("sitemap.xml")) == ["GET state/state start", "HEAD outputs/sitemap.xml"]


def test_a_rebuild_that_changes_nothing_reads_no_page_and_writes_no_published_file(site: StatefulBucket) -> None:
    requests = site.counted(site.rebuild)
    files = len(site.remembered().head.files)
    assert of_kind(requests, "GET site/") == ["GET site/robots.txt"]
    assert len(of_kind(requests, "HEAD outputs/", "GET outputs/robots.txt")) == files
    assert of_kind(requests, "PUT", "DELETE") == ["PUT state/state", "PUT state/state-2026-11-21"]
    assert len(of_kind(requests, "LIST site/")) <= 2
    assert len(requests) <= 10 + files
