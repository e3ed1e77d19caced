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
from waypost.rules.facts import PageFacts


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
    word = html_head.excluding_word(header) if header else ""
    return RuleAnswer(reasons.NOINDEX, f"{word}, in a header") if word else None


def robots_meta(page: Candidate) -> RuleAnswer | None:
    """A robots meta tag that forbids indexing."""
    word = page.facts.head.noindex
    return RuleAnswer(reasons.NOINDEX, word) if word else None


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
    if not page.facts.head.canonicals:
        return None
    target = html_head.canonical(page.facts.head, page.loc)
    if target is None or target == page.loc:
        return None
    if target.startswith(page.site.base_url):
        warnings = (("canonical-variant", target),) if _is_variant(target, page.loc) else ()
        return RuleAnswer(reasons.CANONICAL, target, warnings)
    if page.site.foreign_canonical == "skip":
        return RuleAnswer(reasons.FOREIGN_CANONICAL, target)
    return RuleAnswer(None, warnings=(("foreign-canonical", target),))


CONTENT_RULES: list[ContentRule] = [redirect, robots_header, robots_meta, refresh, front_matter, canonical]


def _is_variant(target: str, own: str) -> bool:
    """Whether two URLs differ only in how they write an index file, `.html` or the last slash."""

    def plain(loc: str) -> str:
        return loc.removesuffix("/").removesuffix(".html").removesuffix(".htm").removesuffix("/index")

    return plain(target) == plain(own)
