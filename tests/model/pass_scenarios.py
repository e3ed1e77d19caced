"""Scenarios with the daily pass, over days, and with distributed runs."""

from model.actions import begin, change, day_passes, deploy, pages
from model.documents import Site
from model.state import Message, Scenario


def daily() -> Scenario:
    """Sitemaps cease to be named and are named again while days pass."""
    return Scenario(
        "files are named, not named, and named again over days",
        Site((0, 1, 2, 3), boundaries=frozenset({1, 3})),
        (1, 1, 1, 1),
        (pages(1), pages(1), Message("rebuild"), Message("rebuild")),
        ((change(0, p1=0), change(1, p1=1)), (day_passes(2), day_passes(3))),
        always=frozenset({0, 2, 3}),
    )


def renamed_over_days() -> Scenario:
    """Sitemaps of two indexes cease to be named and are named again while days pass."""
    return Scenario(
        "two writers, a rebuild and a collection pass over two indexes",
        Site((0, 1, 2, 3), boundaries=frozenset({1, 2, 3}), index_boundaries=frozenset({2})),
        (1, 1, 1, 1),
        (pages(2), pages(2, 0), Message("rebuild"), Message("rebuild")),
        ((change(0, p2=0), change(1, p2=1, p0=2)), (day_passes(2), day_passes(3))),
        always=frozenset({0, 1, 3}),
        has_robots=True,
    )


def renamed_site() -> Scenario:
    """The names of all files change, and the old files are collected."""
    return Scenario(
        "the name of the site's files changes, and the old files are collected",
        Site((0, 1), boundaries=frozenset({1}), excluded=(frozenset(), frozenset()), prefix=("", "b-")),
        (1, 1),
        (Message("rebuild"), Message("rebuild"), Message("rebuild")),
        ((deploy(0, 1), day_passes(1), day_passes(2)),),
        has_robots=True,
        chunks=1,
    )


def three_at_once() -> Scenario:
    """Two updates and a pass at once: two indexes become one sitemap, and one index."""
    return Scenario(
        "two updates and a pass at once, and the number of indexes changes",
        Site((0, 1, 2, 3), boundaries=frozenset({1, 2}), index_boundaries=frozenset({2})),
        (1, 1, 1, 1),
        (pages(1, 2), pages(2), Message("rebuild"), Message("rebuild")),
        ((change(0, p1=0, p2=0), change(1, p2=1)), (day_passes(2), day_passes(3))),
        always=frozenset({0, 3}),
        has_robots=True,
        writers=3,
    )


def three_of_one_index() -> Scenario:
    """Two updates and a pass at once: an index becomes one sitemap, and an index again."""
    return Scenario(
        "two updates and a pass at once, and an index goes and comes",
        Site((0, 1, 2), boundaries=frozenset({1})),
        (1, 1, 1),
        (pages(1), pages(1), Message("rebuild"), Message("rebuild")),
        ((change(0, p1=0), change(1, p1=1)), (day_passes(2), day_passes(3))),
        always=frozenset({0, 2}),
        writers=3,
    )


def records() -> Scenario:
    """Records are written and collected over two days."""
    return Scenario(
        "records are written and collected",
        Site((0,)),
        (1,),
        (pages(0), Message("rebuild"), Message("rebuild")),
        ((change(0, p0=2),), (day_passes(1), day_passes(2))),
        has_records=True,
    )


def records_of_two() -> Scenario:
    """Two updates write records, which are collected over two days."""
    return Scenario(
        "two updates write records, which are collected",
        Site((0,)),
        (1,),
        (pages(0), pages(0), Message("rebuild"), Message("rebuild")),
        ((change(0, p0=2), change(1, p0=1)), (day_passes(2), day_passes(3))),
        has_records=True,
    )


def run() -> Scenario:
    """A distributed run publishes while pages change."""
    return Scenario(
        "a distributed run publishes by workers while pages change",
        Site((0, 1, 2), boundaries=frozenset({1, 2})),
        (1, 1, 0),
        (pages(1), pages(1, 2), Message("run", publish=3), Message("publish")),
        ((change(0, p1=0), change(1, p1=1, p2=1)), (begin(2),)),
        always=frozenset({0}),
    )


def run_alone() -> Scenario:
    """A distributed run finds what no event has reported, and another page changes and changes back."""
    return Scenario(
        "a distributed run publishes what no event has reported",
        Site((0, 1, 2, 3, 4, 5), boundaries=frozenset({1, 3, 5})),
        (1, 1, 1, 0, 1, 0),
        (pages(0), pages(0), Message("run", publish=3), Message("publish")),
        ((change(-1, p3=1), begin(2)), (change(0, p0=2), change(1, p0=1))),
        always=frozenset({0, 1, 2, 4}),
    )


def run_of_one_page() -> Scenario:
    """An event arrives during a distributed run, and its page changes and changes back after that."""
    return Scenario(
        "a page of which a distributed run knows changes and changes back",
        Site((0,)),
        (1,),
        (pages(0), pages(0), Message("run", publish=3), Message("publish")),
        ((begin(0), change(-1, p0=2), change(1, p0=1)), (begin(2),)),
    )
