"""The message for a site without a page to list: how many files are left out for each reason, and what to try."""

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from waypost.build.lister import Listing
from waypost.core import reasons
from waypost.core.model import Skipped
from waypost.core.reasons import ADVICE
from waypost.settings.schema import Site
from waypost.settings.values import PAGE_TYPES

_MAX_TYPES = 3


def nothing_to_list(listing: Listing, site: Site) -> str:
    """The message of the error, with advice for the most frequent reason."""
    counts = Counter(skipped.reason for skipped in listing.skipped)
    shown = ", ".join(f"{count:,} {reason}" for reason, count in sorted(counts.items()))
    advice = _advice(listing.skipped, site)
    return (
        f"there is no page to list ({shown or 'the folder is empty'}); the published files are left unchanged. "
        f"{advice}{'' if advice.endswith('?') else '.'} `waypost explain` says why a file is left out"
    )


def _advice(skipped: Sequence[Skipped], site: Site) -> str:
    counts = Counter(each.reason for each in skipped)
    of_pages = Counter({reason: count for reason, count in counts.items() if reason.is_about_page})
    if not counts:
        return "Name the folder that is published, in which the site has been built"
    reason = (of_pages or counts).most_common(1)[0][0]
    files = [each for each in skipped if each.reason == reason]
    if reason == reasons.NOT_A_PAGE:
        return _advice_on_types(files)
    if reason == reasons.EXCLUDED:
        lines = Counter(site.exclude.deciding_line(each.key) for each in files)
        pattern, count = lines.most_common(1)[0]
        return f"The pattern {pattern!r} of `exclude` leaves out {count:,} of them; correct it"
    if reason == reasons.NOT_INCLUDED:
        return f"No pattern of `include` matches a page; {files[0].key} is a file that might be one"
    advice = ADVICE.get(reason, "")
    return advice[:1].upper() + advice[1:] if advice else f"The most frequent reason, {reason}: {reason.meaning}"


def _advice_on_types(files: Sequence[Skipped]) -> str:
    types = Counter(PurePosixPath(each.key).suffix.lower() for each in files)
    markdown = sum(types[ending] for ending in PAGE_TYPES["markdown"])
    if markdown:
        return (
            f"The folder has Markdown files ({markdown:,}): build the site first and name the folder with its HTML, or "
            'set pages = ["html", "markdown"] if the server makes pages of these files'
        )
    names = ", ".join(f"{count:,} {name or 'without an ending'}" for name, count in types.most_common(_MAX_TYPES))
    return f"No file has a type that `pages` names (there are {names}): build the site first, or add a type to `pages`"
