"""Scenarios in which settings, or the rules of robots.txt, change while pages do."""

from model.actions import begin, change, deploy, edit_rules, pages, tamper, upload_rules
from model.documents import Site
from model.state import Message, Scenario


def settings() -> Scenario:
    """Settings with another name are deployed and rolled back while pages change."""
    return Scenario(
        "settings are rolled out and back",
        Site((0, 1), boundaries=frozenset({1}), excluded=(frozenset(), frozenset()), prefix=("", "b-")),
        (1, 0),
        (pages(1), Message("rebuild"), Message("rebuild")),
        ((deploy(1, 1), deploy(2, 0)), (change(0, p1=1),)),
        has_robots=True,
    )


def other_pages() -> Scenario:
    """Settings that leave out a page are deployed and rolled back while pages change."""
    return Scenario(
        "settings with the same names are rolled out and back",
        Site((0, 1), boundaries=frozenset({1}), excluded=(frozenset(), frozenset({0}))),
        (1, 0),
        (pages(1), Message("rebuild"), Message("rebuild")),
        ((deploy(1, 1), deploy(2, 0)), (change(0, p1=1),)),
        chunks=1,
    )


def rolled_back_for_two_updates() -> Scenario:
    """Settings that leave out a page are deployed and rolled back while two updates work."""
    return Scenario(
        "settings are rolled out and back during two updates",
        Site((0, 1), boundaries=frozenset({1}), excluded=(frozenset(), frozenset({0}))),
        (1, 0),
        (pages(1), pages(1), Message("rebuild"), Message("rebuild")),
        ((deploy(2, 1), deploy(3, 0)), (change(0, p1=1), change(1, p1=0))),
        chunks=1,
    )


def rolled_back_for_two_indexes() -> Scenario:
    """Settings that leave out the only page of the second index are deployed and rolled back while pages change."""
    return Scenario(
        "settings of two indexes are rolled out and back",
        Site(
            (0, 1, 2),
            boundaries=frozenset({1, 2}),
            index_boundaries=frozenset({2}),
            excluded=(frozenset(), frozenset({2})),
        ),
        (1, 0, 1),
        (pages(1), Message("rebuild"), Message("rebuild")),
        ((deploy(1, 1), deploy(2, 0)), (change(0, p1=1),)),
        chunks=1,
    )


def one_roll_out() -> Scenario:
    """Settings that leave out a page are deployed while pages change."""
    return Scenario(
        "settings with the same names are rolled out",
        Site((0, 1, 2), boundaries=frozenset({1}), excluded=(frozenset(), frozenset({2}))),
        (1, 0, 1),
        (pages(1), pages(0), Message("rebuild")),
        ((deploy(2, 1),), (change(0, p1=1), change(1, p0=2))),
        chunks=1,
    )


def same_files() -> Scenario:
    """Other settings change no file; later, boundaries move."""
    return Scenario(
        "settings that change no file, and boundaries that move later",
        Site((0, 1, 2, 3, 4, 5), boundaries=frozenset({1, 3, 5}), excluded=(frozenset(), frozenset())),
        (1, 1, 1, 0, 1, 0),
        (Message("rebuild"), pages(3), pages(3, 5)),
        ((deploy(0, 1), change(1, p3=1)._replace(waits=True), change(2, p3=0, p5=1)),),
        always=frozenset({0, 1, 2, 4}),
    )


def tampering_in_build() -> Scenario:
    """Somebody overwrites an output while a build is in progress."""
    return Scenario(
        "somebody overwrites an output during a build",
        Site((0, 1), boundaries=frozenset({1}), excluded=(frozenset(), frozenset())),
        (1, 1),
        (pages(1), Message("output", name="sitemap.xml"), Message("rebuild")),
        ((deploy(2, 1),), (tamper(1, "sitemap.xml"),), (change(0, p1=2),)),
    )


def rules() -> Scenario:
    """The owner changes the rules of robots.txt, and changes them back."""
    return Scenario(
        "robots.txt changes and changes back",
        Site((0, 1, 2), boundaries=frozenset({1}), disallowed=(frozenset(), frozenset({2}), frozenset({1}))),
        (1, 0, 1),
        (pages(1), Message("robots"), Message("robots")),
        ((upload_rules(1, 1), upload_rules(2, 0)), (change(0, p1=1),)),
        has_robots=True,
    )


def rolled_back_twice() -> Scenario:
    """Three processes read three times of settings: A, B and A again."""
    return Scenario(
        "three processes with settings A, B and A",
        Site((0, 1), excluded=(frozenset(), frozenset({1}))),
        (1, 1),
        (Message("rebuild"), Message("rebuild"), Message("rebuild")),
        ((begin(0), deploy(1, 1), deploy(2, 0)),),
        writers=3,
        chunks=1,
    )


def edited_rules() -> Scenario:
    """The owner edits the rules of robots.txt, and edits them back."""
    return Scenario(
        "robots.txt is edited and edited back, with the sitemaps' names",
        Site((0, 1, 2), boundaries=frozenset({1}), disallowed=(frozenset(), frozenset({2}), frozenset())),
        (1, 0, 1),
        (pages(1), Message("robots"), Message("robots")),
        ((edit_rules(1, 1), edit_rules(2, 0)), (change(0, p1=1),)),
        has_robots=True,
    )
