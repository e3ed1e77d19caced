"""`waypost status`: what a state holds, and whether its bucket agrees."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from unit.cli.invoke import BASE, SITE, STATE

if TYPE_CHECKING:
    from fake_cloud import Cloud
    from unit.cli.invoke import Invoke

pytestmark = pytest.mark.usefixtures("built_bucket")


def test_the_status_is_that_of_the_state_and_reads_robots_txt_and_no_page(cloud: Cloud, invoke: Invoke) -> None:
    cloud.site.put("new.html", "new")
    cloud.site.gate.requests.clear()
    answer = json.loads(invoke("status", SITE, *STATE, "--json").stdout)
    assert (answer["base_url"], answer["url_count"]) == (BASE, 1)
    requests = [request for request in cloud.site.gate.requests if " site/" in request]
    assert requests == ["LIST site/ after ", "GET site/robots.txt"]


def test_a_check_exits_with_1_if_bucket_and_state_differ(cloud: Cloud, invoke: Invoke) -> None:
    assert invoke("status", SITE, "--check", *STATE).exit_code == 0
    cloud.site.put("new.html", "new")
    result = invoke("status", SITE, "--check", *STATE, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["in_sync"]) == (1, False)
    assert answer["drift"]["new"] == {"count": 1, "first": ["new.html"]}


def test_a_folder_has_no_state_of_a_bucket(invoke: Invoke) -> None:
    result = invoke("status", "site", "--base-url", BASE)
    assert (result.exit_code, "this command needs a bucket" in result.stderr) == (2, True)
