"""`waypost update`: keys in every form, and an exit code for what is wrong."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from unit.cli.invoke import BASE, SITE, STATE

if TYPE_CHECKING:
    from fake_cloud import Cloud
    from unit.cli.invoke import Invoke

pytestmark = pytest.mark.usefixtures("built_bucket")


def test_keys_are_arguments_and_lines_of_standard_input(cloud: Cloud, invoke: Invoke) -> None:
    for key in ("a.html", "b.html", "c.html", "d.html"):
        cloud.site.put(key, key)
    result = invoke("update", SITE, f"{SITE}a.html", "-", *STATE, "--json", stdin=f"b.html\n{BASE}c.html\n")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["url_count"], answer["objects_read"]) == (0, 4, 3)
    assert (answer["not_found"], answer["ignored"]) == ([], {})  # `-` itself is no key
    assert b"/d.html<" not in cloud.published(SITE)["sitemap.xml"]


def test_a_folder_has_no_state_of_a_bucket(invoke: Invoke) -> None:
    result = invoke("update", "site", "a.html", "--base-url", BASE)
    assert (result.exit_code, "this command needs a bucket" in result.stderr) == (2, True)
