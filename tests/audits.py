"""Audits of small sites, for tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from sites import BASE, Files

from waypost.audit import AuditResult
from waypost.audit.result import AskExternal
from waypost.audit.site_audit import audit_job
from waypost.build.folder import prepare
from waypost.settings.load import ConfigSource

Audit = Callable[..., AuditResult]
"""Audits a site of these files; settings are keywords."""
Cases = Mapping[str, list[tuple[str, tuple[str, ...]]]]
IMAGE = b"\x89PNG"


def audit_folder(folder: Path, base_url: str = BASE, ask: AskExternal | None = None, **settings: Any) -> AuditResult:
    """Audit the site of a folder; `ask` answers for the URLs of other sites."""
    values = {"base_url": base_url, "lastmod": "none", **settings}
    job = prepare(folder, ConfigSource("test", values), working_folder=folder.parent)
    return audit_job(job, lambda stage, done, total: None, ask)


def page(body: str = "", title: str = "", head: str = "") -> str:
    """A page; without a title it has one that no page with another content has."""
    title = title or sha256((body + head).encode()).hexdigest()
    return f"<!doctype html><html><head><title>{title}</title>{head}</head>{body}</html>"


def links(*hrefs: str) -> str:
    """A page with links."""
    return page("".join(f'<a href="{href}">x</a>' for href in hrefs))


def linked(**files: str) -> Files:
    """Pages by their names without `.html`, and a home page that links to all of them."""
    pages = {f"{name}.html": content for name, content in files.items()}
    return {"index.html": links(*pages), **pages}


def cases(result: AuditResult, *codes: str) -> Cases:
    """The targets and pages by code, of all codes or of some; targets on the site as paths."""
    return {
        finding.code: [(case.target.removeprefix(BASE), case.pages) for case in finding.cases]
        for finding in result.findings
        if not codes or finding.code in codes
    }
