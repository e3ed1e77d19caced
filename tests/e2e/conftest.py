"""All tests of this folder are slow: each needs a browser, an emulator or another program. Some share a browser."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from browsers import FLAGS, executable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser, for the tests of one module."""
    from playwright.sync_api import sync_playwright

    path = executable()
    if path is None and "CI" not in os.environ:
        pytest.skip("there is no Chromium here; `make browser` installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS, timeout=900_000)
        yield browser
        browser.close()
