"""Warnings about objects that were read, as values that a run's result carries."""

from collections.abc import Iterable, Mapping, Sequence

from waypost.config.schema import Site
from waypost.core.model import Example, SiteWarning, UrlForm, printable
from waypost.core.warnings import site_warning
from waypost.ledger.manifest import ShardEntry
from waypost.ledger.manifest_update import ManifestUpdate
from waypost.rules import page_facts, page_url
from waypost.rules.decision import decide
from waypost.rules.hreflang import HreflangIssue
from waypost.rules.page_facts import ObjectSnapshot
from waypost.rules.url_shapes import form_changes
from waypost.rules.version import RULES_VERSION

_MAX_EXAMPLES = 3


def page_warnings(seen: Mapping[str, ObjectSnapshot | None], site: Site, now: str) -> tuple[SiteWarning, ...]:
    """What the owner should know of these objects; None means an object that is gone."""
    found: dict[str, list[Example]] = {}
    for key, snapshot in seen.items():
        loc = page_url.recorded_url(key, site, snapshot.facts) if snapshot else None
        if snapshot is not None and isinstance(loc, str):
            for code, example in decide(key, loc, snapshot.facts, site, now).warnings:
                found.setdefault(code, []).append(example)
    return warnings_of(found)


def hreflang_warnings(issues: Iterable[HreflangIssue]) -> tuple[SiteWarning, ...]:
    """The warnings for hreflang links that were not accepted."""
    found: dict[str, list[Example]] = {}
    for issue in issues:
        found.setdefault(issue.code, []).append(Example(printable(issue.loc), printable(issue.detail)))
    return warnings_of(found)


def unreadable_warning(failed: Mapping[str, str]) -> tuple[SiteWarning, ...]:
    """The warning for objects that could not be read; `failed` has the error of each key."""
    examples = [Example(printable(key), error) for key, error in failed.items()]
    return warnings_of({"unreadable": examples} if examples else {})


def lost_warnings(update: ManifestUpdate) -> tuple[SiteWarning, ...]:
    """The warnings of records that an update has made again, and of objects that it could not read for that."""
    return (*lost_records_warning(update.lost_entries), *unreadable_warning(update.unreadable))


def lost_records_warning(entries: Sequence[ShardEntry]) -> tuple[SiteWarning, ...]:
    """The warning that records of these entries are lost."""
    examples = [Example(printable(entry.first_key), entry.records_file) for entry in entries]
    return warnings_of({"records-lost": examples} if examples else {})


def form_warnings(before: UrlForm, after: UrlForm) -> tuple[SiteWarning, ...]:
    """The warning that pages are listed in another form than before, because the site's links changed."""
    changes = form_changes(before, after)
    return warnings_of({"url-form-changed": [Example("links", each) for each in changes]} if changes else {})


def newer_release_warning(recorded_facts: str) -> tuple[SiteWarning, ...]:
    """The warning that a ledger whose records have these facts was built by a newer release."""
    found = page_facts.rules_version(recorded_facts)
    if found <= RULES_VERSION:
        return ()
    return warnings_of({"newer-release": [Example("ledger", f"it has rules {found}, this release {RULES_VERSION}")]})


def warnings_of(found: Mapping[str, list[Example]]) -> tuple[SiteWarning, ...]:
    """A warning for each code, with the first of its examples."""
    return tuple(site_warning(code, examples) for code, examples in found.items())
