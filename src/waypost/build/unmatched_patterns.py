"""Finds the patterns of the settings that match no file, which usually are mistakes."""

from collections.abc import Iterator, Sequence

from waypost.config.schema import Site
from waypost.config.values import Patterns
from waypost.core.model import Plan, SiteWarning
from waypost.rules.commit_dates import CommitDates
from waypost.rules.source_mapping import SourceMapper

_EXAMPLES = 3


def unmatched_patterns(plan: Plan, site: Site) -> list[SiteWarning]:
    """The warning about patterns that match no file; empty if all match.

    The files in a folder that is left out are not known, so a pattern below such a folder counts as matched.
    """
    settings = [(name, patterns) for name, patterns in _settings(plan, site) if patterns]
    if not settings:
        return []
    keys = [*(page.key for page in plan.pages), *(skipped.key for skipped in plan.skipped)]
    folders = tuple(each.key for each in plan.skipped if each.key.endswith("/"))
    found = [
        f"{name}: {line}"
        for name, patterns in settings
        for line in patterns.unmatched(keys)
        if not line.lstrip("!/").startswith(folders)
    ]
    return [_warning(found)] if found else []


def _settings(plan: Plan, site: Site) -> Iterator[tuple[str, Patterns]]:
    """The settings that have patterns, without the groups of one pattern that have pages."""
    groups = {page.group for page in plan.pages}
    yield "include", site.include
    yield "exclude", site.exclude
    for name, patterns in site.groups:
        if len(patterns.lines) > 1 or name not in groups:
            yield f"groups.{name}", patterns
    for override in site.overrides:
        yield "overrides", override.match
    if site.news:
        yield "news", site.news.pages


def _warning(found: Sequence[str]) -> SiteWarning:
    more = f" and {len(found) - _EXAMPLES:,} more" if len(found) > _EXAMPLES else ""
    subject = "a pattern matches" if len(found) == 1 else f"{len(found):,} patterns match"
    verb = "has" if len(found) == 1 else "have"
    message = f"{subject} no file and {verb} no effect: {', '.join(found[:_EXAMPLES])}{more}; correct or remove"
    return SiteWarning("unmatched-pattern", f"{message} {'it' if len(found) == 1 else 'them'}", len(found))


def unmatched_sources(plan: Plan, site: Site, commits: CommitDates | None) -> list[SiteWarning]:
    """The warning about mappings that match no page, or name no tracked file; empty if all date a page.

    The files in a folder that is left out are not known, so a mapping of pages in such a folder counts as matched.
    """
    if commits is None or not site.sources:
        return []
    keys = [*(page.key for page in plan.pages), *(skipped.key for skipped in plan.skipped)]
    folders = tuple(each.key for each in plan.skipped if each.key.endswith("/"))
    found = list(_found(keys, folders, site, commits))
    if not found:
        return []
    more = f" and {len(found) - _EXAMPLES:,} more" if len(found) > _EXAMPLES else ""
    return [SiteWarning("unmatched-sources", f"{'; '.join(found[:_EXAMPLES])}{more}", len(found))]


def _found(keys: Sequence[str], folders: tuple[str, ...], site: Site, commits: CommitDates) -> Iterator[str]:
    """What is wrong with each mapping that dates no page."""
    for row in site.sources:
        mapper = SourceMapper([row])
        if any(mapper.unmatched(keys)):
            if not row.page.startswith(folders):
                yield f"`sources` has a row for {row.page}, and there is no such page: correct or remove it"
        elif not any(_has_file(mapper, key, commits.tracked) for key in keys):
            yield f"`sources` names {', '.join(row.files)} for {row.page}, and Git tracks no such file: correct it"


def _has_file(mapper: SourceMapper, key: str, tracked: Sequence[str]) -> bool:
    return any(True for _ in mapper.files(key, tracked))
