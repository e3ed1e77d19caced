"""Scenarios in which pages change under one configuration: sitemaps and indexes split, merge and move."""

from model.actions import change, day_passes, pages, tamper
from model.documents import DELETED, Site
from model.state import Message, Scenario


def single_to_index() -> Scenario:
    """One sitemap becomes an index over two, and back, with two writers."""
    return Scenario(
        "one sitemap becomes an index and back",
        Site((0, 1, 2), boundaries=frozenset({1})),
        (1, 0, 1),
        (pages(1), pages(1), pages(0)),
        ((change(0, p1=1), change(1, p1=0)), (change(2, p0=2),)),
        always=frozenset({0, 2}),
    )


def overlapping() -> Scenario:
    """A commit that is half published, then one with other boundaries in the same range."""
    return Scenario(
        "boundaries move while a commit is half published",
        Site((0, 1, 2, 3, 4, 5, 6), boundaries=frozenset({1, 3, 5})),
        (1, 1, 1, 0, 1, 0, 1),
        (pages(3), pages(3, 5)),
        ((change(0, p3=1), change(1, p3=0, p5=1)),),
        always=frozenset({0, 1, 2, 4, 6}),
    )


def renamed() -> Scenario:
    """A sitemap is named again while an older one of its name is still there."""
    return Scenario(
        "a file is named again that is still there",
        Site((0, 1, 2, 3, 4), boundaries=frozenset({1, 2, 4})),
        (1, 1, 1, 0, 0),
        (pages(2, 3), pages(2, 4)),
        ((change(0, p2=0, p3=1), change(1, p2=1, p4=1)),),
        always=frozenset({0, 1, 3}),
    )


def duplicates() -> Scenario:
    """Two URLs with two keys each move between two sitemaps, in opposite directions."""
    return Scenario(
        "URLs of duplicates change places between two sitemaps",
        Site((0, 1, 2, 3, 1, 2), boundaries=frozenset({3})),
        (1, 1, 0, 1, 1, 1),
        (pages(1, 2), pages(1)),
        ((change(0, p1=0, p2=1), change(1, p1=1)),),
        always=frozenset({0, 1, 2, 3}),
    )


def several_indexes() -> Scenario:
    """Sitemaps move between two indexes while these come and go."""
    return Scenario(
        "sitemaps move between indexes",
        Site((0, 1, 2, 3), boundaries=frozenset({1, 2, 3}), index_boundaries=frozenset({2})),
        (1, 1, 0, 1),
        (pages(2), pages(2, 3)),
        ((change(0, p2=1), change(1, p2=0, p3=1)),),
        always=frozenset({0, 1, 3}),
        has_robots=True,
    )


def single_to_several() -> Scenario:
    """One sitemap becomes two indexes at once, and back."""
    return Scenario(
        "one sitemap becomes two indexes and back",
        Site((0, 1, 2, 3), boundaries=frozenset({1, 2}), index_boundaries=frozenset({2})),
        (1, 0, 0, 1),
        (pages(1, 2), pages(1), pages(2)),
        ((change(0, p1=1, p2=1), change(1, p1=0), change(2, p2=0)),),
        always=frozenset({0, 3}),
        has_robots=True,
    )


def changed_back() -> Scenario:
    """A page changes and changes back."""
    return Scenario(
        "a page changes and changes back",
        Site((0, 1), boundaries=frozenset({1}), dated=True),
        (1, 1),
        (pages(1), pages(1)),
        ((change(0, p1=2), change(1, p1=1)),),
        always=frozenset({0, 1}),
    )


def with_records() -> Scenario:
    """A page changes twice, and updates write its records."""
    return Scenario(
        "a page changes twice, with records",
        Site((0,)),
        (1,),
        (pages(0), pages(0)),
        ((change(0, p0=2), change(1, p0=3)),),
        has_records=True,
    )


def emptied() -> Scenario:
    """All pages are deleted, and other ones are uploaded."""
    return Scenario(
        "a site is emptied and filled again",
        Site((0, 1, 2), boundaries=frozenset({1, 2})),
        (1, 1, 0),
        (pages(0, 1), pages(1, 2), Message("rebuild")),
        ((change(0, p0=0, p1=0), change(1, p1=1, p2=1)), (day_passes(2),)),
    )


def html() -> Scenario:
    """Somebody puts HTML in the place of an output, and deletes it later."""
    return Scenario(
        "foreign HTML comes and goes",
        Site((0, 1), has_html=True),
        (1, 0),
        (pages(1), Message("output", name="map.html"), Message("output", name="map.html")),
        ((change(0, p1=1),), (tamper(1, "map.html"), tamper(2, "map.html", DELETED))),
    )


def unseen_tampering() -> Scenario:
    """Somebody overwrites an output, and no event says so: a rebuild finds it."""
    return Scenario(
        "somebody overwrites an output without an event",
        Site((0, 1), boundaries=frozenset({1})),
        (1, 1),
        (Message("rebuild"), pages(1)),
        ((tamper(0, "sitemap.xml"),), (change(1, p1=0),)),
    )


def tampering() -> Scenario:
    """Somebody overwrites one output and deletes another while a page changes."""
    return Scenario(
        "somebody overwrites and deletes outputs",
        Site((0, 1, 2), boundaries=frozenset({1})),
        (1, 0, 1),
        (pages(1), Message("output", name="sitemap.xml"), Message("output", name="s1")),
        ((change(0, p1=1),), (tamper(1, "sitemap.xml"), tamper(2, "s1", DELETED))),
    )
