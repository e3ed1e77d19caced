"""Finds the rows of `sources`, and the preset, that date no page, which usually are mistakes."""

from collections.abc import Iterator, Sequence

from waypost.config.schema import Site
from waypost.core.model import Plan, SiteWarning
from waypost.rules.commit_dates import CommitDates
from waypost.rules.source_mapping import SourceMapper

_EXAMPLES = 3


def unmatched_sources(plan: Plan, site: Site, commits: CommitDates | None) -> list[SiteWarning]:
    """The warning about mappings that match no page, or name no tracked file; empty if all date a page.

    The files in a folder that is left out are not known, so a mapping of pages in such a folder counts as matched.
    """
    if commits is None or not site.has_source_mappings:
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
    own = SourceMapper(site.sources)
    if site.preset and not any(set(commits.files(key)).difference(own.files(key, commits.tracked)) for key in keys):
        yield f"`preset` {site.preset} names no file that Git tracks for any page: remove it, or correct the folder"


def _has_file(mapper: SourceMapper, key: str, tracked: Sequence[str]) -> bool:
    return any(True for _ in mapper.files(key, tracked))
