"""What tests of whole builds share: pages, times, and questions to a plan."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from waypost.core.model import Plan
from waypost.core.reasons import Reason

Standing = Callable[[Path], dict[str, tuple[bytes, int]]]

T = 1_700_000_000
BASE = "https://example.org/"


def when(seconds: int) -> str:
    """T and some seconds as a sitemap writes it: T is 2023-11-14T22:13:20Z."""
    minutes, second = divmod(13 * 60 + 20 + seconds, 60)
    return f"2023-11-14T22:{minutes:02}:{second:02}Z"


def page(title: str = "A page", head: str = "", body: str = "Some text.") -> str:
    return f"<!doctype html><html><head><title>{title}</title>{head}</head><body>{body}</body></html>"


def locs(plan: Plan) -> list[str]:
    return [page.loc for page in plan.pages]


def reason_by_key(plan: Plan) -> dict[str, Reason]:
    return {skipped.key: skipped.reason for skipped in plan.skipped}


def warnings(plan: Plan) -> dict[str, int]:
    return {warned.code: warned.count for warned in plan.warnings}
