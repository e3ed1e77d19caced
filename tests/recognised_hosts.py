"""Hosts that are recognised by files, and what these say."""

from __future__ import annotations

from waypost.project.host_files import HostFiles
from waypost.project.host_recognition import FoundHost, Hosting

BASE = "https://www.a.dev/"


def host(
    site: dict[str, str] | None = None,
    project: dict[str, str] | None = None,
    *,
    base: str = BASE,
    setting: str = "auto",
) -> FoundHost:
    """What is recognised by files of the published folder and of the project."""
    return Hosting(HostFiles(site or {}, project or {})).host(setting, base)


def redirect(found: FoundHost, path: str) -> str:
    """Where the host redirects a path."""
    return found.rules.redirect(path)


def shapes(found: FoundHost) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The shapes of pages and of folders that the host answers."""
    return found.rules.shapes.page, found.rules.shapes.folder
