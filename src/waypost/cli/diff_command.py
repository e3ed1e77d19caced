"""What `waypost diff` does: two lists read, compared, and told of."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import click

from waypost.app.formatting import count_noun
from waypost.app.job import now
from waypost.cli.exits import print_json
from waypost.cli.targets import Targets
from waypost.cli.terminal import echo
from waypost.cli.validate_command import with_progress
from waypost.core import diff as differences
from waypost.core.errors import SourceError
from waypost.core.model import Changes, printable
from waypost.validate.findings import FindingReport
from waypost.validate.rules import Severity
from waypost.validate.sitemap_entry import SitemapEntry
from waypost.validate.validator import Validator

_CURTAILED = ("too-large", "nested-index")
"""Findings that say that a part of what is listed was perhaps not read."""


def diff(old: str, new: str, most: int, *, as_json: bool, may_be_private: bool) -> bool:
    """Compare what two targets list and tell; whether anything changed."""
    before, after = (_listed(target, may_be_private=may_be_private) for target in (old, new))
    found = differences.compare(before, after)
    if as_json:
        print_json(_as_json(found, before, after))
    else:
        echo("\n".join(_described(found, before, after, most)))
    return any(getattr(found, kind) for kind in differences.KINDS)


def _listed(target: str, *, may_be_private: bool) -> dict[str, tuple[str, object]]:
    """What a target lists; raises SourceError where any of it cannot be read: else that would look removed."""
    listed: dict[str, tuple[str, object]] = {}

    def take(entries: Sequence[SitemapEntry]) -> None:
        listed.update({entry.loc: (entry.lastmod or "", entry.metadata) for entry in entries if entry.loc})

    opener, report = Targets(may_be_private=may_be_private), FindingReport(1)
    survey = Validator(now(), report, opener.child, take)
    with closing(survey.url_index):
        examined = list(with_progress(survey.validate(opener.open_target(target))))
    broken = {each.file for each in examined if each.is_broken}
    for each in report:
        if each.code in _CURTAILED or (each.file in broken and each.severity == Severity.ERROR):
            raise SourceError(f"{each.file}: {each.message}; {each.advice}")
    empty = next((each.file for each in examined if each.kind in ("", "text") and not each.entries), None)
    if empty:
        raise SourceError(f"{empty} is no sitemap; name a sitemap, an index, a text file, or an RSS or Atom feed")
    if opener.unfollowed:
        count = count_noun(opener.unfollowed, "sitemap")
        raise SourceError(f"{target} lists {count} that cannot be opened beside it; name what is to be compared by URL")
    return listed


def _as_json(found: Changes, old: differences.ListedPages, new: differences.ListedPages) -> dict[str, Any]:
    redated = [{"loc": loc, "old": old[loc][0] or None, "new": new[loc][0] or None} for loc in found.lastmod_changed]
    return {
        "version": 1,
        "urls": {"old": len(old), "new": len(new)},
        "added": found.added,
        "removed": found.removed,
        "redated": redated,
        "changed": found.metadata_changed,
        "sections": differences.sections(found),
    }


def _described(found: Changes, old: differences.ListedPages, new: differences.ListedPages, most: int) -> Iterator[str]:
    yield f"{count_noun(len(old), 'URL')} before, {len(new):,} now: {differences.summary(found)}"
    sections = differences.sections(found)
    if sections:
        width = max(len("section"), *(len(section.name) for section in sections))
        yield f"  {'section':<{width}}" + "".join(f"{kind:>10}" for kind in differences.KINDS)
        for section in sections:
            yield f"  {section.name:<{width}}" + "".join(f"{getattr(section, k):>10,}" for k in differences.KINDS)
    for kind, mark, colour in (
        ("added", "+", "green"),
        ("removed", "-", "red"),
        ("redated", "~", ""),
        ("changed", "*", ""),
    ):
        locs = getattr(found, kind)
        for loc in locs[: most or None]:
            dates = f"  {old[loc][0] or 'none'} → {new[loc][0] or 'none'}" if kind == "redated" else ""
            yield click.style(f"{mark} {printable(loc)}", fg=colour or None) + printable(dates)
        if most and len(locs) > most:
            yield f"{mark} … and {len(locs) - most:,} more {kind}"
