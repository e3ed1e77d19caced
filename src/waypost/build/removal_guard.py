"""Refuses a build that has no page to list, or would remove too many of those that the current sitemaps list."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import PurePosixPath
from typing import NamedTuple

from waypost.core import reasons, urls
from waypost.core.finding_types import stated_warning
from waypost.core.model import Plan, SiteWarning, Skipped, printable
from waypost.core.reasons import ADVICE, NAMES_ANOTHER_PAGE, NOT_OF_SETTINGS, UNTRANSLATED
from waypost.core.removals import check_first_build, is_too_much, removal_error
from waypost.core.urls import page_identity, path_identity
from waypost.settings.hosts import HOSTS
from waypost.settings.schema import Site
from waypost.settings.values import PAGE_TYPES

_MAX_REPLACED, _MAX_HINTS = 3, 2
_MOST_FOR_ONE = 3
"""So many URLs may lead to one page that is listed: older forms of its own."""
_ACCEPT_FIRST = (
    "if this is right, set max_removed = 100 (`--set max_removed=100`; in a workflow `settings: max_removed = 100`); "
    "`waypost explain` says why a file is left out"
)
_MARKDOWN = (".md", ".markdown")
_MAX_TYPES = 3


class RemovedPages(NamedTuple):
    """The URLs, in order, whose pages would be listed under no form, and the identity of the folder of the old site."""

    urls: Sequence[str]
    base: str


def check(plan: Plan, site: Site, advice: Sequence[str] = ()) -> None:
    """Raise RemovalError if a plan would remove more pages than the setting `max_removed` allows.

    The plan of a first build has none to remove, and may not leave out most pages of the site by no setting. `advice`
    is what to do, by default about a folder.
    """
    if not plan.listed_before:
        _check_first(plan, site)
    if is_too_much(len(plan.changes.removed), plan.listed_before, site.max_removed):
        removed = _without_replaced(removed_pages(plan, site), plan, site)
        if is_too_much(len(removed.urls), plan.listed_before, site.max_removed):
            found = _left_out(removed, plan.skipped)
            texts = (_text(each) if each else "no file" for each in found)
            raise removal_error(
                f"pages in {plan.compared_with}",
                len(removed.urls),
                plan.listed_before,
                site.max_removed,
                [f"{url} ({text})" for url, text in zip(removed.urls, texts, strict=True)],
                [f"left out: {each.reason}" if each else "have no file" for each in found],
                advice or _advice(site),
            )


def _without_replaced(removed: RemovedPages, plan: Plan, site: Site) -> RemovedPages:
    """The removed pages without those in whose place another page is listed."""
    found = _left_out(removed, plan.skipped)
    replaced = {each.key for each in _replaced([each for each in found if each], plan, site)}
    kept = (url for url, each in zip(removed.urls, found, strict=True) if each is None or each.key not in replaced)
    return removed._replace(urls=list(kept))


def _replaced(left_out: Iterable[Skipped], plan: Plan, site: Site) -> Iterator[Skipped]:
    """The pages of these in whose place another one is listed: each that is not translated, and a few for one target.

    Many that name one page are those of a broken template, such as one whose canonical link is the home page.
    """
    listed, counts = {page_identity(page.loc) for page in plan.pages}, Counter[str]()
    for each in left_out:
        target = _target(each, site) if each.reason in NAMES_ANOTHER_PAGE else ""
        counts[target] += 1
        if each.reason == UNTRANSLATED or (target in listed and counts[target] <= _MOST_FOR_ONE):
            yield each


def _check_first(plan: Plan, site: Site) -> None:
    by_no_setting = [each for each in plan.skipped if each.reason in NOT_OF_SETTINGS]
    replaced = {each.key for each in _replaced(by_no_setting, plan, site)}
    left_out = [each for each in by_no_setting if each.key not in replaced]
    if not left_out:
        return
    counts = Counter(each.reason for each in left_out)
    examples = [f"{each.key} ({_text(each)})" for each in left_out]
    hints = [ADVICE[reason] for reason, _ in counts.most_common(_MAX_HINTS) if reason in ADVICE]
    check_first_build(len(plan.pages), counts, site.max_removed, examples, [*hints, _ACCEPT_FIRST])


def _target(skipped: Skipped, site: Site) -> str:
    """The identity of the page that is listed in the place of one that is left out."""
    return page_identity(urls.normalize(skipped.detail, site.base_url + urls.encode_path(skipped.key)) or "")


def _text(skipped: Skipped) -> str:
    return f"{skipped.reason}: {skipped.detail}" if skipped.detail else str(skipped.reason)


def replaced_sitemaps(plan: Plan, site: Site) -> list[SiteWarning]:
    """The warning about another tool's sitemap that is replaced, if it lists pages that the new ones do not."""
    removed = removed_pages(plan, site).urls if plan.replaced and plan.changes.removed else ()
    if not removed:
        return []
    more = ", …" if len(removed) > _MAX_REPLACED else ""
    found = stated_warning(
        "sitemap-replaced",
        len(removed),
        names=" and ".join(plan.replaced),
        removed=f"{len(removed):,}",
        before=f"{plan.listed_before:,}",
        first=f"{', '.join(map(printable, removed[:_MAX_REPLACED]))}{more}",
    )
    return [found]


def removed_pages(plan: Plan, site: Site) -> RemovedPages:
    """The pages that the current sitemaps list, and that the new ones would list under no form of their URL.

    If a present URL is not below `base_url`, or none is listed any more, that setting may have changed. Then only paths
    are compared, below the folder of the old site by which most of the pages, or else most of the files, are found.
    """
    own_base = page_identity(site.base_url)
    new = {_path_below(page_identity(page.loc), own_base) for page in plan.pages}
    old = {url: page_identity(url) for url in plan.changes.removed}

    def removed_below(base: str) -> RemovedPages:
        return RemovedPages([url for url in old if _path_below(old[url], base) not in new], base)

    found = removed_below(own_base)
    is_outside = any(_path_below(identity, own_base) is None for identity in old.values())
    if not (found.urls and (is_outside or len(found.urls) == plan.listed_before)):
        return found
    others = [found, *map(removed_below, _common_folders(list(old.values())))]
    return min(others, key=lambda removed: (len(removed.urls), _left_out(removed, plan.skipped).count(None)))


def _path_below(identity: str, base: str) -> str | None:
    """The part of an identity below a folder, or None if it is not below it."""
    if identity == base:
        return ""
    return identity.removeprefix(f"{base}/") if identity.startswith(f"{base}/") else None


def _common_folders(identities: Sequence[str]) -> Iterator[str]:
    """The folders that contain all these pages, the host first; none if the hosts differ."""
    first, last = min(identities).split("/"), max(identities).split("/")
    common = [name for name, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))]
    return ("/".join(common[: n + 1]) for n in range(len(common)))


def _advice(site: Site) -> Sequence[str]:
    return (
        f"check that the folder holds the whole site and that base_url ({site.base_url}) is right; `waypost explain` "
        "says why a file is left out",
        "if the pages are to be removed, run once with max_removed = 100 (`--set max_removed=100`; in a workflow "
        "`settings: max_removed = 100`)",
    )


def _left_out(removed: RemovedPages, skipped: Sequence[Skipped]) -> list[Skipped | None]:
    """What is left out in the place of each of the pages, in their order; None where there is no file."""
    files: dict[str, Skipped] = {}
    folders = {each.key: each for each in skipped if each.key.endswith("/")}
    for each in sorted(skipped, key=lambda each: each.key.endswith(_MARKDOWN)):
        stem = each.key.rpartition(".")[0] if each.key.endswith(_MARKDOWN) else each.key
        files.setdefault(path_identity(stem), each)

    def of(path: str | None) -> Skipped | None:
        if path is None:
            return None
        if path in files:
            return files[path]
        ends = (n + 1 for n, character in enumerate(path) if character == "/")
        return next((folders[path[:end]] for end in ends if path[:end] in folders), None)

    return [of(_path_below(page_identity(url), removed.base)) for url in removed.urls]


def nothing_to_list(left_out: Sequence[Skipped], site: Site) -> str:
    """The message of the error, with advice for the most frequent reason."""
    counts = Counter(skipped.reason for skipped in left_out)
    shown = ", ".join(f"{count:,} {reason}" for reason, count in sorted(counts.items()))
    advice = _why_nothing(left_out, site)
    return (
        f"there is no page to list ({shown or 'the folder is empty'}); the published files are left unchanged. "
        f"{advice}{'' if advice.endswith('?') else '.'} `waypost explain` says why a file is left out"
    )


def _why_nothing(skipped: Sequence[Skipped], site: Site) -> str:
    counts = Counter(each.reason for each in skipped)
    of_pages = Counter({reason: count for reason, count in counts.items() if reason.is_about_page})
    own = HOSTS.get(site.host_rules.host)
    if own and own.servers and set(counts) <= {reasons.NOT_A_PAGE}:
        return f"The build of {own.title} has rendered none: let a script print the URLs, and add `--set urls=-`"
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
