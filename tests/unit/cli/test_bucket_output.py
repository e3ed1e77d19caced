"""`waypost update`: how a run over a bucket ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from unit.cli.invoke import SITE, STATE

if TYPE_CHECKING:
    from fake_cloud import Cloud
    from unit.cli.invoke import Invoke

pytestmark = pytest.mark.usefixtures("built_bucket")


def test_an_update_after_which_no_page_is_listed_is_an_error(cloud: Cloud, invoke: Invoke) -> None:
    cloud.site.delete("index.html")
    result = invoke("update", SITE, "index.html", *STATE)
    assert (result.exit_code, "there is no page to list" in result.stderr) == (3, True)
    assert "sitemap.xml" in cloud.published(SITE)
