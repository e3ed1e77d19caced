"""What people and programs are told of a plan: counts, text and JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec import to_builtins

from waypost.build.lister import Listing
from waypost.config.load import Site
from waypost.core import diff, reasons
from waypost.core.model import Document, Page, Plan, SiteWarning, Skipped, printable
from waypost.core.reasons import Reason
from waypost.core.warnings import MESSAGES
from waypost.sitemaps.documents import root_sitemaps
from waypost.sitemaps.formats.registry import crawled_kinds, format_of
from waypost.sitemaps.render import Renderer

NOT_FOUND = "not-found"
FOLDER = "folder"


def excluded_by_reason(plan: Plan) -> list[tuple[Reason, int]]:
    """How many were left out for each reason: pages first, the commonest first."""
    counts = Counter(skipped.reason for skipped in plan.skipped)
    return sorted(counts.items(), key=lambda pair: (not pair[0].is_about_page, -pair[1], pair[0]))


def sitemap_count(plan: Plan) -> int:
    """How many sitemaps the plan holds, each counted once whatever its formats."""
    return max(sum(document.kind == kind for document in plan.documents) for kind in crawled_kinds())


def root_sitemap(plan: Plan) -> str:
    """The name of the file to give to search engines."""
    loc = root_sitemaps(plan.documents)[0]
    return next(document.name for document in plan.documents if document.loc == loc)


def warning_text(warned: SiteWarning) -> str:
    """A warning in one line: what, how many files, which for example."""
    if not warned.examples:
        return warned.message
    shown = [f"{e.key} ({e.detail})" if e.detail else e.key for e in warned.examples]
    more = ["…"] if warned.count > len(shown) else []
    return f"{warned.message} [{count_noun(warned.count, 'file')}: {', '.join(shown + more)}]"


def as_json(plan: Plan, site: Site) -> dict[str, Any]:
    """The whole plan as one JSON document; the same site gives the same bytes."""
    return {
        "version": 1,
        "base_url": site.base_url,
        "sitemap": root_sitemap(plan),
        "url_count": len(plan.pages),
        "sitemap_count": sitemap_count(plan),
        "skipped_count": len(plan.skipped),
        "skipped_by_reason": {str(reason): count for reason, count in excluded_by_reason(plan)},
        "stale": plan.is_stale,
        "written": list(plan.written),
        "unchanged": list(plan.unchanged),
        "removed": list(plan.removed),
        "changes": to_builtins(plan.changes),
        "files": [
            {
                "name": d.name,
                "kind": d.kind,
                "loc": d.loc,
                "urls": d.url_count,
                "bytes": len(d.body),
                "lastmod": d.lastmod,
            }
            for d in plan.documents
        ],
        "pages": [to_builtins(page) for page in plan.pages],
        "skipped": [{"key": each.key, "reason": str(each.reason), "detail": each.detail} for each in plan.skipped],
        "warnings": [{**to_builtins(warned), "text": warning_text(warned)} for warned in plan.warnings],
    }


def summary_lines(plan: Plan, *, is_written: bool = True) -> Iterator[str]:
    """The closing lines of a run, which has written or would write."""
    urls, sitemaps = count_noun(len(plan.pages), "URL"), count_noun(sitemap_count(plan), "sitemap")
    yield f"{urls} in {sitemaps}; the one to submit is {root_sitemap(plan)}"
    yield row("written" if is_written else "to write", names(plan.written))
    yield row("unchanged", names(plan.unchanged))
    if plan.removed:
        yield row("removed" if is_written else "to remove", names(plan.removed))
    if plan.is_stale:
        yield row("changes", diff.summary(plan.changes))
    yield row("left out", ", ".join(f"{count:,} {reason}" for reason, count in excluded_by_reason(plan)) or "nothing")


def markdown(plan: Plan, site: Site, renderer: Renderer) -> str:
    """The job summary; raises RenderError."""
    values = {
        "site": site,
        "plan": plan,
        "url_count": len(plan.pages),
        "sitemap_count": sitemap_count(plan),
        "sitemap": root_sitemap(plan),
        "sitemap_url": site.base_url + root_sitemap(plan),
        "changed": plan.is_stale,
        "sections": diff.sections(plan.changes),
        "reasons": excluded_by_reason(plan),
    }
    return renderer.text("summary.md.j2", **values).decode()


def skipped_lines(plan: Plan) -> Iterator[str]:
    """All that is left out, by reason; files that are no pages are only counted by their type."""
    for reason, count in excluded_by_reason(plan):
        yield f"left out, {reason} ({count:,}): {reason.meaning}"
        matching = [skipped for skipped in plan.skipped if skipped.reason == reason]
        yield from _file_types(matching) if reason == reasons.NOT_A_PAGE else map(_skipped_line, matching)


def explanation(listing: Listing, documents: Sequence[Document], key: str) -> dict[str, Any]:
    """What became of a key: where and how it is listed, or which rule left it out."""
    page = next((page for page in listing.pages if page.key == key), None)
    if page is not None:
        return _listed_page(listing, documents, page)
    shown = printable(key)
    for skipped in listing.skipped:
        if skipped.key == shown or (skipped.key.endswith("/") and f"{shown}/".startswith(skipped.key)):
            detail = skipped.reason.meaning + (f" ({skipped.detail})" if skipped.detail else "")
            return _exclusion(shown, skipped.reason, detail, skipped.key)
    below = "" if key == "." else f"{key}/"
    pages = sum(page.key.startswith(below) for page in listing.pages)
    others = sum(skipped.key.startswith(printable(below)) for skipped in listing.skipped)
    if pages or others:
        return _exclusion(shown, FOLDER, f"{count_noun(pages, 'page')} below it listed, {others:,} left out", shown)
    return _exclusion(shown, NOT_FOUND, "the site's folder holds no such file", shown)


def _listed_page(listing: Listing, documents: Sequence[Document], page: Page) -> dict[str, Any]:
    sitemaps = [document for document in documents if document.kind in crawled_kinds()]
    return {
        "path": printable(page.key),
        "listed": True,
        "loc": page.loc,
        "lastmod": page.lastmod,
        "undated": "" if page.lastmod else _no_date_reason(listing, page),
        "sitemap": next((each.name for each in sitemaps if _lists(each, page.loc)), None),
    }


def _lists(document: Document, loc: str) -> bool:
    file_format = format_of(document.name)
    entries = file_format.entries(document.name, document.body) if file_format else None
    return any(entry.loc == loc for entry in entries or ())


def _no_date_reason(listing: Listing, page: Page) -> str:
    """Why a page has no date, where that is known."""
    everywhere = next((warned.message for warned in listing.warnings if warned.code == "no-repository"), "")
    return MESSAGES.get(listing.no_date_reason.get(page.key, ""), everywhere)


def _exclusion(shown: str, reason: str, detail: str, rule_at: str) -> dict[str, Any]:
    return {"path": shown, "listed": False, "reason": str(reason), "detail": detail, "rule_at": rule_at}


def _skipped_line(skipped: Skipped) -> str:
    return f"  {skipped.key}" + (f" ({skipped.detail})" if skipped.detail else "")


def _file_types(skipped: Sequence[Skipped]) -> Iterator[str]:
    types = Counter(PurePosixPath(each.key).suffix.lower() or "no ending" for each in skipped)
    yield "  " + ", ".join(f"{count:,} {name}" for name, count in types.most_common())


def count_noun(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def row(label: str, text: str) -> str:
    """A line of a summary."""
    return f"  {label:<10} {text}"


def names(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    if not names:
        return "nothing"
    shown = ", ".join(names[:4])
    return shown if len(names) <= 4 else f"{shown} and {len(names) - 4:,} more"
