"""Pages in a real browser: looks, what a page says and asks for, axe-core, screenshots."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, ConsoleMessage, Page, Request

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--disable-domain-reliability",
    "--no-pings",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # whatever is asked for, nothing leaves
)  # Playwright itself adds --headless --no-sandbox --no-first-run --disable-sync --disable-background-networking ...

LOCAL = ("file:", "data:", "blob:", "about:")


def executable() -> str | None:
    """Where the system's browser is; Debian's headless shell first: twice as fast, and never calls home."""
    names = ("chromium-headless-shell", "chromium", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


@dataclass(frozen=True)
class Look:
    """How a page is looked at."""

    width: int
    height: int
    scheme: Literal["light", "dark"]

    def __str__(self) -> str:
        return f"{self.width}-{self.scheme}"


SIZES = ((360, 740), (768, 1024), (1440, 900))
LOOKS = [Look(width, height, scheme) for width, height in SIZES for scheme in ("light", "dark")]


@dataclass
class Sight:
    """An open page, and what went wrong on it."""

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def listen(self) -> None:
        self.page.on("console", self._facts)
        self.page.on("pageerror", lambda error: self.errors.append(f"uncaught: {error}"))
        self.page.on("requestfailed", lambda request: self.errors.append(f"failed: {request.url}"))
        self.page.on("crash", lambda _: self.errors.append("crashed"))
        self.page.on("request", self._asked)

    def _facts(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.errors.append(f"{message.type}: {message.text}")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith(LOCAL):
            self.requests.append(request.url)

    def violations(self) -> list[str]:
        """What axe-core finds wrong: a rule, and where."""
        self.page.evaluate(axe())
        found = self.page.evaluate("axe.run(document, {preload: false})")  # preload fetches style sheets again
        assert found["passes"], "axe-core looked at nothing (it does so, silently, at XML)"
        return [
            f"{rule['id']}: {node['target']} {node['failureSummary']}"
            for rule in found["violations"]
            for node in rule["nodes"]
        ]

    def overflow(self) -> int:
        """How many pixels wider than the window the page is."""
        width = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert isinstance(width, int)
        return width

    def shot(self, path: Path) -> None:
        """All of the page; `full_page` would wait for ever for an XML document's body."""
        if self.page.evaluate("document.body === null"):
            self.page.locator(":root").screenshot(path=path)
        else:
            self.page.screenshot(path=path, full_page=True)


@cache
def axe() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


@contextmanager
def seen(browser: Browser, look: Look) -> Iterator[Sight]:
    """A page of its own, with nothing kept from another."""
    context = browser.new_context(
        viewport={"width": look.width, "height": look.height},
        color_scheme=look.scheme,
        is_mobile=look.width < 500,  # as a phone does it: 980 pixels wide unless the page names a viewport
        has_touch=look.width < 500,
        reduced_motion="reduce",
        service_workers="block",
        locale="en-GB",
        timezone_id="UTC",
    )
    try:
        context.set_default_timeout(900_000)  # no verdict depends on speed
        sight = Sight(context.new_page())
        sight.listen()
        yield sight
    finally:
        context.close()
