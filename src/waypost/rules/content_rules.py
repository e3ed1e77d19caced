"""The rules that leave a page out by what its bytes and headers say.

Rules are asked in the order of their table, and the first reason counts. If you add or change a rule, raise
RULES_VERSION.
"""

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from waypost.config.schema import Site
from waypost.core import reasons
from waypost.core.model import printable
from waypost.core.reasons import Reason
from waypost.rules import html_head
from waypost.rules.canonical_link import canonical_link
from waypost.rules.facts import PageFacts
from waypost.rules.url_shapes import served_paths


class Candidate(Struct, frozen=True, gc=False):
    """A page that may be listed: its key, the loc that it would have, and what was read of it."""

    key: str
    loc: str
    facts: PageFacts
    site: Site


class RuleAnswer(NamedTuple):
    """What a rule says about a page that it concerns.

    A `reason` leaves the page out, and `detail` is what decided. `warnings` are codes with details.
    """

    reason: Reason | None
    detail: str = ""
    warnings: tuple[tuple[str, str], ...] = ()


ContentRule = Callable[[Candidate], RuleAnswer | None]


def redirect(page: Candidate) -> RuleAnswer | None:
    """Objects that S3 redirects."""
    target = page.facts.redirect
    return RuleAnswer(reasons.REDIRECT, printable(target)) if target else None


def robots_header(page: Candidate) -> RuleAnswer | None:
    """An X-Robots-Tag that forbids indexing."""
    header = page.facts.robots_header
    word = html_head.excluding_header_word(header) if header else ""
    return RuleAnswer(reasons.NOINDEX, f"{word}, in a header") if word else None


def robots_meta(page: Candidate) -> RuleAnswer | None:
    """A robots meta tag that forbids indexing."""
    word = page.facts.head.noindex
    return RuleAnswer(reasons.NOINDEX, word) if word else None


def non_page(page: Candidate) -> RuleAnswer | None:
    """A file that is no page by its content, unless a `!` pattern of `exclude` matches it."""
    if not page.facts.non_page or page.site.exclude.decision(page.key) is False:
        return None
    return RuleAnswer(reasons.REASONS[page.facts.non_page], page.facts.non_page_detail)


def refresh(page: Candidate) -> RuleAnswer | None:
    """A meta refresh to another page."""
    target = html_head.refresh_target(page.facts.head, page.loc)
    return RuleAnswer(reasons.REFRESH, target) if target else None


def front_matter(page: Candidate) -> RuleAnswer | None:
    """A line of front matter that keeps the page out."""
    line = page.facts.hidden_by
    return RuleAnswer(reasons.UNPUBLISHED, line) if line else None


def canonical(page: Candidate) -> RuleAnswer | None:
    """A canonical link that names another page; of another site only if the settings say so."""
    canonicals = page.facts.head.canonicals
    if not canonicals or canonicals == (page.loc,):
        return None
    link = canonical_link(served_paths(page.key, page.site), page.facts.head, page.site)
    if link is None:
        return None
    if link.relation == "this-page":
        warnings = tuple((code, link.target) for code in link.differences)
        return RuleAnswer(None, warnings=warnings) if warnings else None
    if link.relation == "other-page":
        return RuleAnswer(reasons.CANONICAL, link.target)
    if page.site.foreign_canonical == "skip":
        return RuleAnswer(reasons.FOREIGN_CANONICAL, link.target)
    return RuleAnswer(None, warnings=(("foreign-canonical", link.target),))


CONTENT_RULES: list[ContentRule] = [
    redirect,
    robots_header,
    robots_meta,
    non_page,
    refresh,
    front_matter,
    canonical,
]
