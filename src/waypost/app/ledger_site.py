"""A site in a bucket with a ledger: what every command and the function do with one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from waypost.app.formatting import count_noun, names, row, warning_text
from waypost.config.schema import Site
from waypost.rules import page_url
from waypost.sitemaps.render import Renderer
from waypost.stores.base import Store
from waypost.sync import inspect
from waypost.sync.result import RunResult
from waypost.sync.updater import Updater


@dataclass(frozen=True)
class LedgerSite:
    """A site with its ledger; `place` is the address of its root, `trial` makes an upkeep that writes nothing."""

    site: Site
    site_uri: str
    updater: Updater
    dry_run_updater: Callable[[], Updater]
    state: Store
    renderer: Renderer

    def key(self, path: str) -> str:
        """A key of the bucket with its address, a page's URL, or one below the prefix, as the site's key."""
        if not path.startswith(self.site.base_url):
            return path.removeprefix(self.site_uri)
        served = unquote(path.removeprefix(self.site.base_url))
        folder = served if not served or served.endswith("/") else f"{served}/"
        stem = served.removesuffix("/")
        keys = [*(folder + name for name in self.site.index_files), f"{stem}.html", f"{stem}.htm", served]
        return next((key for key in keys if page_url.page_url(key, self.site) == path), served)


_NOTHING = "there is no page to list; what was published before still stands"


def answer(updater: Updater, result: RunResult) -> dict[str, Any]:
    """What a run did, and what the ledger holds after it."""
    status = inspect.status(updater, result.manifest)
    return {
        "finished": result.resume_after is None,
        "written": list(result.written),
        "removed": list(result.removed),
        "pages_listed": status["urls"],
        "sitemaps": status["sitemaps"],
        "submit": status["submit"],
        "generation": status["generation"],
        "objects_listed": result.objects_listed,
        "objects_read": result.objects_read,
        "records_changed": result.records_changed,
        "changes": result.changes.counts,
        "conflicts": result.conflicts,
        "left_out": status["left_out"],
        "passed_over": dict(result.ignored),
        "failed": dict(result.failed),
        "unknown": list(result.not_found),
        "warnings": [*(warning_text(warned) for warned in result.warnings), *([] if status["urls"] else [_NOTHING])],
        **({"rest": result.resume_after} if result.resume_after is not None else {}),
    }


def summary_lines(answered: dict[str, Any], *, is_written: bool = True) -> Iterator[str]:
    """The closing lines of a run, from its answer."""
    urls, sitemaps = count_noun(answered["pages_listed"], "URL"), count_noun(answered["sitemaps"], "sitemap")
    submit = ", ".join(answered["submit"][:3])
    yield f"{urls} in {sitemaps}" + (f"; the one to submit is {submit}" if submit else "")
    yield row("written" if is_written else "to write", names(answered["written"]))
    if answered["removed"]:
        yield row("removed" if is_written else "to remove", names(answered["removed"]))
    read, changed = count_noun(answered["objects_read"], "object"), count_noun(answered["records_changed"], "record")
    of = f" of {answered['objects_listed']:,} listed" if answered["objects_listed"] else ""
    yield row("read", f"{read}{of}, {changed} changed")
    yield row(
        "left out", ", ".join(f"{count:,} {reason}" for reason, count in answered["left_out"].items()) or "nothing"
    )
    for key in answered["unknown"]:
        yield row("not found", f"{key}: the bucket has no such object, and the ledger knew none")
    for key, why in answered["failed"].items():
        yield row("failed", f"{key}: {why}")


def inspection_lines(found: dict[str, Any]) -> Iterator[str]:
    """What an inspection found, for a person."""
    for name, value in found.items():
        if isinstance(value, dict):
            yield row(name.replace("_", " "), "" if value else "nothing")
            yield from (f"    {each}: {_format_value(part)}" for each, part in value.items())
        else:
            yield row(name.replace("_", " "), _format_value(value))


def _format_value(value: Any) -> str:
    if isinstance(value, dict):
        first = f" ({names(value['first'])})" if value["first"] else ""
        return f"{value['count']:,}{first}"
    if value is None or isinstance(value, bool):
        return {None: "never", True: "yes", False: "no"}[value]
    if isinstance(value, list):
        return ", ".join(value) or "nothing"
    return f"{value:,}" if isinstance(value, int) else str(value)
