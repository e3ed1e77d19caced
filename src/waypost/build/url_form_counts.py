"""Counts the forms in which pages are listed, and what decided them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from waypost.build.page_reader import ReadPage
from waypost.config.schema import Site
from waypost.core.model import UrlDecision, UrlFormCount
from waypost.rules.link_votes import LinkVote
from waypost.rules.url_shapes import PageKind, decided_shape, example

_OF_SITE = ("host", "sitemap", "links", "default")
"""What decides for all pages of a kind."""


def url_decisions(pages: Iterable[ReadPage]) -> Mapping[str, UrlDecision]:
    """What decided the form of each page's URL, by key; for files of which the URL has only one form, nothing did."""
    return {page.item.key: page.path.decided_by for page in pages if page.path.kind}


def url_form_counts(pages: Iterable[ReadPage], site: Site, votes: Iterable[LinkVote]) -> Sequence[UrlFormCount]:
    """How many pages of each kind have the form that a setting, the links or nothing decided, or one of their own."""
    by_kind = {vote.kind: vote for vote in votes}
    counts = Counter((page.path.kind, page.path.decided_by) for page in pages)
    found: list[UrlFormCount] = []
    for (kind, decision), count in sorted(counts.items(), key=lambda each: (str(each[0][0]), -each[1], each[0][1])):
        if kind is None:
            continue
        vote = by_kind.get(kind) if decision == "links" else None
        agreeing, links = (vote.agreeing, vote.links) if vote else (0, 0)
        found.append(UrlFormCount(kind, decision, count, _example(kind, decision, site), agreeing, links))
    return found


def _example(kind: PageKind, decision: UrlDecision, site: Site) -> str:
    """An example of the form, or nothing where each page has a form of its own."""
    return example(kind, decided_shape(kind, "", site)[0]) if decision in _OF_SITE else ""
