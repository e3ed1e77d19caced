"""`waypost update` and `waypost status`: keys in every form, and exit codes for what is wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from unit.cli.invoke import BASE, LEDGER

if TYPE_CHECKING:
    from fake_cloud import Cloud
    from unit.cli.invoke import Invoke

SITE = "cloud://site/"


@pytest.fixture(autouse=True)
def _built(cloud: Cloud, invoke: Invoke) -> None:
    """A bucket with one page, a sitemap and a ledger."""
    cloud.site.put("index.html", "home")
    assert invoke("build", SITE, *LEDGER).exit_code == 0


def test_keys_are_arguments_and_lines_of_standard_input(cloud: Cloud, invoke: Invoke) -> None:
    for key in ("a.html", "b.html", "c.html", "d.html"):
        cloud.site.put(key, key)
    result = invoke("update", SITE, f"{SITE}a.html", "-", *LEDGER, "--json", stdin=f"b.html\n{BASE}c.html\n")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["url_count"], answer["objects_read"]) == (0, 4, 3)
    assert (answer["not_found"], answer["ignored"]) == ([], {})  # `-` itself is no key
    assert b"/d.html<" not in cloud.published(SITE)["sitemap.xml"]


def test_an_update_after_which_no_page_is_listed_is_an_error(cloud: Cloud, invoke: Invoke) -> None:
    cloud.site.delete("index.html")
    result = invoke("update", SITE, "index.html", *LEDGER)
    assert (result.exit_code, "there is no page to list" in result.stderr) == (3, True)
    assert "sitemap.xml" in cloud.published(SITE)


def test_the_status_is_that_of_the_ledger_and_reads_robots_txt_and_no_page(cloud: Cloud, invoke: Invoke) -> None:
    cloud.site.put("new.html", "new")
    cloud.site.gate.requests.clear()
    answer = json.loads(invoke("status", SITE, *LEDGER, "--json").stdout)
    assert (answer["base_url"], answer["url_count"]) == (BASE, 1)
    requests = [request for request in cloud.site.gate.requests if " site/" in request]
    assert requests == ["LIST site/ after ", "GET site/robots.txt"]


def test_a_check_exits_with_1_if_bucket_and_ledger_differ(cloud: Cloud, invoke: Invoke) -> None:
    assert invoke("status", SITE, "--check", *LEDGER).exit_code == 0
    cloud.site.put("new.html", "new")
    result = invoke("status", SITE, "--check", *LEDGER, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["in_sync"]) == (1, False)
    assert answer["drift"]["new"] == {"count": 1, "first": ["new.html"]}


@pytest.mark.parametrize("command", [("update", "site", "a.html"), ("status", "site")])
def test_a_folder_has_no_ledger(invoke: Invoke, command: tuple[str, ...]) -> None:
    result = invoke(*command, "--base-url", BASE)
    assert (result.exit_code, "this command needs a bucket" in result.stderr) == (2, True)
