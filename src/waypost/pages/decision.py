"""The decision whether a page is listed, from what was read of it; pure, so that it can be made again."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from waypost.core import reasons, urls
from waypost.core.model import Example, Skipped, printable
from waypost.core.reasons import Reason
from waypost.core.urls import page_identity
from waypost.pages import html_head, indexing
from waypost.pages.facts import PageFacts
from waypost.pages.own_dates import NO_DATES, OwnDates
from waypost.pages.page_url import NamedUrl, canonical_link, is_unserved
from waypost.pages.url_shapes import ServedPaths, answered_shapes, served_paths, shape_of
from waypost.settings.schema import Site

_Warnings = tuple[tuple[str, Example], ...]


class Candidate(Struct, frozen=True, gc=False):
    """A page that may be listed: its key, the loc that it would have, what was read of it, and the time (W3C)."""

    key: str
    loc: str
    facts: PageFacts
    site: Site
    now: str


class RuleAnswer(NamedTuple):
    """What a rule says about a page that it concerns.

    A `reason` leaves the page out, and `detail` is what decided. `warnings` are codes with details.
    """

    reason: Reason | None
    detail: str = ""
    warnings: tuple[tuple[str, str], ...] = ()


ContentRule = Callable[[Candidate], RuleAnswer | None]


def host_hides(page: Candidate) -> RuleAnswer | None:
    """Names that begin with `_`, which the host does not publish.

    GitHub Pages builds a branch without .nojekyll by Jekyll, which leaves out such names.
    """
    if not page.site.host_rules.hides_underscores or not any(name.startswith("_") for name in page.key.split("/")):
        return None
    return RuleAnswer(reasons.HOST_HIDES, "", (("not-published", ""),))


def redirect(page: Candidate) -> RuleAnswer | None:
    """Objects that S3 redirects, and URLs that a rule of the host redirects elsewhere.

    Sources: S3, `x-amz-website-redirect-location`; Google, "Redirects and Google Search".
    """
    if target := page.facts.redirect:
        return RuleAnswer(reasons.REDIRECT, printable(target))
    rules = page.site.host_rules
    target = rules.redirect(urls.decoded_path(page.loc) or "") if rules.of_hosts else ""
    named = urls.normalize(target, page.loc) if target else None
    # A redirect to another form of the page's URL, such as one without `.html`, leaves the page where it is.
    is_itself = named is not None and page_identity(named) == page_identity(page.loc)
    return RuleAnswer(reasons.HOST_REDIRECT, printable(target)) if target and not is_itself else None


def robots_header(page: Candidate) -> RuleAnswer | None:
    """An X-Robots-Tag that forbids indexing (see `indexing`), of an object or by a rule of the host."""
    header = page.facts.robots_header or _host_header(page, "x-robots-tag")
    said = indexing.of_headers([header]) if header else indexing.NOTHING_SAID
    if said.noindex:
        return RuleAnswer(reasons.NOINDEX, f"{said.noindex}, in a header")
    return _if_over(said.unavailable_after, page, ", in a header")


def _if_over(after: str, page: Candidate, place: str = "") -> RuleAnswer | None:
    is_over = indexing.is_over(after, page.now)
    return RuleAnswer(reasons.NOINDEX, f"unavailable_after {after}{place}") if is_over else None


def _host_header(page: Candidate, name: str) -> str:
    rules = page.site.host_rules
    return rules.header(urls.decoded_path(page.loc) or "", name) if rules.of_hosts else ""


def robots_meta(page: Candidate) -> RuleAnswer | None:
    """A robots meta tag that forbids indexing (Google, "Robots meta tag and X-Robots-Tag")."""
    head = page.facts.head
    return RuleAnswer(reasons.NOINDEX, head.noindex) if head.noindex else _if_over(head.unavailable_after, page)


def non_page(page: Candidate) -> RuleAnswer | None:
    """A file that is no page by its content (see `non_pages`), unless a `!` pattern of `exclude` matches it."""
    if not page.facts.non_page or page.site.exclude.decision(page.key) is False:
        return None
    return RuleAnswer(reasons.REASONS[page.facts.non_page], page.facts.non_page_detail)


def refresh(page: Candidate) -> RuleAnswer | None:
    """A meta refresh to another page (HTML, "Refresh state"; Google, "Redirects and Google Search")."""
    target = html_head.refresh_target(page.facts.head, page.loc)
    return RuleAnswer(reasons.REFRESH, target) if target else None


def front_matter(page: Candidate) -> RuleAnswer | None:
    """A line of front matter that keeps the page out (see `frontmatter`)."""
    line = page.facts.hidden_by
    return RuleAnswer(reasons.UNPUBLISHED, line) if line else None


def canonical(page: Candidate) -> RuleAnswer | None:
    """A canonical link that names another page; of another site only if the settings say so.

    Sources: Google, "How to specify a canonical URL", and for the links of headers RFC 8288.
    """
    head = page.facts.head
    if not head.canonicals and (named := indexing.canonical_of_headers([_host_header(page, "link")])):
        head = replace(head, canonicals=(named,))
    if not head.canonicals:
        return None
    paths = served_paths(page.key, page.site)
    link = canonical_link(paths, head, page.site)
    if link is None:
        return None
    if link.relation == "this-page":
        codes = [*link.differences, *_unanswered(link, paths, page.site)]
        return RuleAnswer(None, warnings=tuple((code, link.target) for code in codes)) if codes else None
    if link.relation == "other-page":
        return RuleAnswer(reasons.CANONICAL, link.target)
    if page.site.foreign_canonical == "skip":
        return RuleAnswer(reasons.FOREIGN_CANONICAL, link.target)
    return RuleAnswer(None, warnings=(("foreign-canonical", link.target),))


def _unanswered(link: NamedUrl, paths: ServedPaths, site: Site) -> Iterator[str]:
    """The warning that the host redirects the URL that a page gives itself, or has nothing there."""
    shape = shape_of(link.path, paths) if link.path is not None and paths.kind else None
    if link.path is not None and is_unserved(link.path, paths, site):
        yield "canonical-unserved"
    elif shape is not None and shape not in answered_shapes(paths.kind or "page", site):
        yield "canonical-redirected"


CONTENT_RULES: list[ContentRule] = [
    host_hides,
    redirect,
    robots_header,
    refresh,  # before noindex: the page that a generator leaves at an old URL has both, and its target is known
    robots_meta,
    non_page,
    front_matter,
    canonical,
]


class Decision(Struct, frozen=True):
    """Why a page is left out, or None if it is listed.

    `own_dates` are the dates that the page gives itself, if the settings and the current time let them be believed.
    `warnings` are codes of warnings, each with what it is about.
    """

    skipped: Skipped | None = None
    own_dates: OwnDates = NO_DATES
    warnings: _Warnings = ()


_LISTED = Decision()


def decide(key: str, loc: str, facts: PageFacts, site: Site, now: str) -> Decision:
    """Ask the content rules in their order; the first that gives a reason leaves the page out.

    The warnings of rules before it are then dropped: they are about pages that are listed.
    """
    page = Candidate(key, loc, facts, site, now)
    warnings: _Warnings = ()
    for rule in CONTENT_RULES:
        answer = rule(page)
        if answer is None:
            continue
        shown = printable(key)
        found = tuple((code, Example(shown, detail)) for code, detail in answer.warnings)
        if answer.reason is not None:
            return Decision(Skipped(shown, answer.reason, answer.detail), warnings=found)
        warnings += found
    if facts.download_type:
        warnings += (("served-as-download", Example(printable(key), facts.download_type)),)
    if facts.unknown_coding:
        warnings += (("unknown-coding", Example(printable(key), facts.unknown_coding)),)
    elif facts.is_cut:
        warnings += (("beyond-bounds", Example(printable(key))),)
    own_dates = facts.own_dates if site.page_dates else NO_DATES
    if not warnings and own_dates == NO_DATES:
        return _LISTED
    wrong = tuple(wrong_date(key, each.date) for each in own_dates.impossible(now))
    return Decision(own_dates=own_dates.possible(now), warnings=(*warnings, *wrong))


def wrong_date(key: str, date: str) -> tuple[str, Example]:
    """The warning that a page, or its source, gives itself a date at which it cannot have changed."""
    return "wrong-page-date", Example(printable(key), date)
