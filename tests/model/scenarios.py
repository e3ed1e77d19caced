"""The scenarios: which site, what happens, and which faults."""

from model.documents import DELETED, FOREIGN, ROBOTS, Robots, Site, written
from model.state import Action, Message, Scenario, Shared


def change(message: int, **pages: int) -> Action:
    """Upload or delete objects: `p2=0` deletes page 2."""
    versions = {int(name[1:]): version for name, version in pages.items()}

    def apply(shared: Shared) -> Shared:
        return shared._replace(site=tuple(versions.get(n, old) for n, old in enumerate(shared.site)))

    return Action(f"objects change: {pages}", apply, message)


def tamper(message: int, name: str, content: str = FOREIGN) -> Action:
    """Somebody overwrites or deletes an output."""
    return Action(
        f"somebody {'overwrites' if content == FOREIGN else 'deletes'} {name}",
        lambda shared: shared._replace(files=written(shared.files, name, content)),
        message,
        is_tampering=True,
    )


def upload_rules(message: int, rules: int) -> Action:
    """The owner uploads a robots.txt without the sitemaps' names."""
    return Action(
        f"the owner uploads rules {rules}",
        lambda shared: shared._replace(files=written(shared.files, ROBOTS, Robots(rules, ())), owner_rules=rules),
        message,
        is_tampering=True,
    )


def deploy(message: int, config: int) -> Action:
    """New settings are deployed."""
    return Action(f"settings {config} are deployed", lambda shared: shared._replace(config=config), message)


def day_passes(message: int) -> Action:
    """A day passes, and the daily pass begins."""
    return Action(
        "a day passes", lambda shared: shared._replace(day=shared.day + 1), message, is_day=True
    )


def pages(*numbers: int) -> Message:
    return Message("pages", numbers)


def single_to_index(**faults: int) -> Scenario:
    """One sitemap becomes an index over two, and back, with two writers."""
    return Scenario(
        "one sitemap becomes an index and back",
        Site((0, 1, 2), boundaries=frozenset({1})),
        (1, 0, 1),
        (pages(1), pages(1), pages(0)),
        ((change(0, p1=1), change(1, p1=0)), (change(2, p0=2),)),
        always=frozenset({0, 2}),
        **faults,
    )


def overlapping(**faults: int) -> Scenario:
    """A commit that is half published, then one with other boundaries in the same range."""
    return Scenario(
        "boundaries move while a commit is half published",
        Site((0, 1, 2, 3, 4, 5), boundaries=frozenset({1, 3, 5})),
        (1, 1, 1, 0, 0, 0),
        (pages(3, 4), pages(3, 5)),
        ((change(0, p3=1, p4=1), change(1, p3=0, p5=1)),),
        always=frozenset({0, 1, 2, 4}),
        **faults,
    )


def renamed(**faults: int) -> Scenario:
    """A sitemap is named again while an older one of its name is still there."""
    return Scenario(
        "a file is named again that is still there",
        Site((0, 1, 2, 3, 4), boundaries=frozenset({1, 2, 4})),
        (1, 1, 1, 0, 0),
        (pages(2, 3), pages(2, 4)),
        ((change(0, p2=0, p3=1), change(1, p2=1, p4=1)),),
        always=frozenset({0, 1, 3}),
        **faults,
    )


def duplicates(**faults: int) -> Scenario:
    """Two URLs with two keys each move between two sitemaps, in opposite directions."""
    return Scenario(
        "URLs of duplicates change places between two sitemaps",
        Site((0, 1, 2, 3, 1, 2), boundaries=frozenset({3})),
        (1, 1, 0, 1, 1, 1),
        (pages(1, 2), pages(1)),
        ((change(0, p1=0, p2=1), change(1, p1=1)),),
        always=frozenset({0, 1, 2, 3}),
        **faults,
    )


def several_indexes(**faults: int) -> Scenario:
    """Sitemaps move between two indexes while these come and go."""
    return Scenario(
        "sitemaps move between indexes",
        Site((0, 1, 2, 3), boundaries=frozenset({1, 2, 3}), index_boundaries=frozenset({2})),
        (1, 1, 0, 1),
        (pages(2), pages(2, 3)),
        ((change(0, p2=1), change(1, p2=0, p3=1)),),
        always=frozenset({0, 1, 3}),
        has_robots=True,
        **faults,
    )


def single_to_several(**faults: int) -> Scenario:
    """One sitemap becomes two indexes at once, and back."""
    return Scenario(
        "one sitemap becomes two indexes and back",
        Site((0, 1, 2, 3), boundaries=frozenset({1, 2}), index_boundaries=frozenset({2})),
        (1, 0, 0, 1),
        (pages(1, 2), pages(1), pages(2)),
        ((change(0, p1=1, p2=1), change(1, p1=0), change(2, p2=0)),),
        always=frozenset({0, 3}),
        has_robots=True,
        **faults,
    )


def settings(**faults: int) -> Scenario:
    """Settings with another name are deployed and rolled back while pages change."""
    return Scenario(
        "settings are rolled out and back",
        Site((0, 1), boundaries=frozenset({1}), excluded=(frozenset(), frozenset()), prefix=("", "b-")),
        (1, 0),
        (pages(1), Message("rebuild"), Message("rebuild")),
        ((deploy(1, 1), deploy(2, 0)), (change(0, p1=1),)),
        has_robots=True,
        **faults,
    )


def rules(**faults: int) -> Scenario:
    """The owner changes the rules of robots.txt, and changes them back."""
    return Scenario(
        "robots.txt changes and changes back",
        Site((0, 1, 2), boundaries=frozenset({1}), disallowed=(frozenset(), frozenset({2}), frozenset({1}))),
        (1, 0, 1),
        (pages(1), Message("robots"), Message("robots")),
        ((upload_rules(1, 1), upload_rules(2, 0)), (change(0, p1=1),)),
        has_robots=True,
        **faults,
    )


def daily(**faults: int) -> Scenario:
    """Sitemaps cease to be named and are named again while days pass."""
    return Scenario(
        "files are named, not named, and named again over days",
        Site((0, 1, 2, 3), boundaries=frozenset({1, 3})),
        (1, 1, 1, 1),
        (pages(1), pages(1), Message("rebuild"), Message("rebuild")),
        ((change(0, p1=0), change(1, p1=1)), (day_passes(2), day_passes(3))),
        always=frozenset({0, 2, 3}),
        **faults,
    )


def tampering(**faults: int) -> Scenario:
    """Somebody overwrites one output and deletes another while a page changes."""
    return Scenario(
        "somebody overwrites and deletes outputs",
        Site((0, 1, 2), boundaries=frozenset({1})),
        (1, 0, 1),
        (pages(1), Message("output", name="sitemap.xml"), Message("output", name="s1")),
        ((change(0, p1=1),), (tamper(1, "sitemap.xml"), tamper(2, "s1", DELETED))),
        **faults,
    )


def same_files(**faults: int) -> Scenario:
    """Other settings change no file; later, boundaries move."""
    return Scenario(
        "settings that change no file, and boundaries that move later",
        Site((0, 1, 2, 3, 4, 5), boundaries=frozenset({1, 3, 5}), excluded=(frozenset(), frozenset())),
        (1, 1, 1, 0, 1, 0),
        (Message("rebuild"), pages(3), pages(3, 5)),
        ((deploy(0, 1), change(1, p3=1)._replace(waits=True), change(2, p3=0, p5=1)),),
        always=frozenset({0, 1, 2, 4}),
        **faults,
    )


def changed_back(**faults: int) -> Scenario:
    """A page changes and changes back."""
    return Scenario(
        "a page changes and changes back",
        Site((0, 1), boundaries=frozenset({1}), dated=True),
        (1, 1),
        (pages(1), pages(1)),
        ((change(0, p1=2), change(1, p1=1)),),
        always=frozenset({0, 1}),
        **faults,
    )


def emptied(**faults: int) -> Scenario:
    """All pages are deleted, and other ones are uploaded."""
    return Scenario(
        "a site is emptied and filled again",
        Site((0, 1, 2), boundaries=frozenset({1, 2})),
        (1, 1, 0),
        (pages(0, 1), pages(1, 2), Message("rebuild")),
        ((change(0, p0=0, p1=0), change(1, p1=1, p2=1)), (day_passes(2),)),
        **faults,
    )


def html(**faults: int) -> Scenario:
    """Somebody puts HTML in the place of an output, and deletes it later."""
    return Scenario(
        "foreign HTML comes and goes",
        Site((0, 1), has_html=True),
        (1, 0),
        (pages(1), Message("output", name="map.html"), Message("output", name="map.html")),
        ((change(0, p1=1),), (tamper(1, "map.html"), tamper(2, "map.html", DELETED))),
        **faults,
    )


def other_pages(**faults: int) -> Scenario:
    """Settings that leave out a page are deployed and rolled back while pages change."""
    return Scenario(
        "settings with the same names are rolled out and back",
        Site((0, 1), boundaries=frozenset({1}), excluded=(frozenset(), frozenset({0}))),
        (1, 0),
        (pages(1), Message("rebuild"), Message("rebuild")),
        ((deploy(1, 1), deploy(2, 0)), (change(0, p1=1),)),
        chunks=1,
        **faults,
    )


def one_roll_out(**faults: int) -> Scenario:
    """Settings that leave out a page are deployed while pages change."""
    return Scenario(
        "settings with the same names are rolled out",
        Site((0, 1, 2), boundaries=frozenset({1}), excluded=(frozenset(), frozenset({2}))),
        (1, 0, 1),
        (pages(1), pages(0), Message("rebuild")),
        ((deploy(2, 1),), (change(0, p1=1), change(1, p0=2))),
        chunks=1,
        **faults,
    )


def tampering_in_build(**faults: int) -> Scenario:
    """Somebody overwrites an output while a build is in progress."""
    return Scenario(
        "somebody overwrites an output during a build",
        Site((0, 1), boundaries=frozenset({1}), excluded=(frozenset(), frozenset())),
        (1, 1),
        (pages(1), Message("output", name="sitemap.xml"), Message("rebuild")),
        ((deploy(2, 1),), (tamper(1, "sitemap.xml"),), (change(0, p1=2),)),
        **faults,
    )


def run(**faults: int) -> Scenario:
    """A distributed run publishes while pages change."""
    return Scenario(
        "a distributed run publishes by workers while pages change",
        Site((0, 1, 2), boundaries=frozenset({1, 2})),
        (1, 1, 0),
        (pages(1), pages(1, 2), Message("run", publish=3), Message("publish")),
        ((change(0, p1=0), change(1, p1=1, p2=1)), (begin(2),)),
        always=frozenset({0}),
        **faults,
    )


def run_alone(**faults: int) -> Scenario:
    """A distributed run finds what no event has reported, and another page changes and changes back."""
    return Scenario(
        "a distributed run publishes what no event has reported",
        Site((0, 1, 2, 3, 4, 5), boundaries=frozenset({1, 3, 5})),
        (1, 1, 1, 0, 1, 0),
        (pages(0), pages(0), Message("run", publish=3), Message("publish")),
        ((change(-1, p3=1), begin(2)), (change(0, p0=2), change(1, p0=1))),
        always=frozenset({0, 1, 2, 4}),
        **faults,
    )


def records(**faults: int) -> Scenario:
    """Records are written, replaced and collected over three days."""
    return Scenario(
        "records are written, replaced and collected",
        Site((0, 1)),
        (1, 0),
        (pages(1), pages(1), Message("rebuild"), Message("rebuild"), Message("rebuild")),
        ((change(0, p1=1), change(1, p1=2)), (day_passes(2), day_passes(3), day_passes(4))),
        always=frozenset({0}),
        has_records=True,
        **faults,
    )


def renamed_over_days(**faults: int) -> Scenario:
    """Sitemaps of two indexes cease to be named and are named again while days pass."""
    return Scenario(
        "two writers, a rebuild and a collection pass over two indexes",
        Site((0, 1, 2, 3), boundaries=frozenset({1, 2, 3}), index_boundaries=frozenset({2})),
        (1, 1, 1, 1),
        (pages(2), pages(2, 0), Message("rebuild"), Message("rebuild")),
        ((change(0, p2=0), change(1, p2=1, p0=2)), (day_passes(2), day_passes(3))),
        always=frozenset({0, 1, 3}),
        has_robots=True,
        **faults,
    )


def rolled_back_twice(**faults: int) -> Scenario:
    """Three processes read three times of settings: A, B and A again."""
    return Scenario(
        "three processes with settings A, B and A",
        Site((0, 1), excluded=(frozenset(), frozenset({1}))),
        (1, 1),
        (Message("rebuild"), Message("rebuild"), Message("rebuild")),
        ((begin(0), deploy(1, 1), deploy(2, 0)),),
        writers=3,
        chunks=1,
        **faults,
    )


def begin(message: int) -> Action:
    """A message is sent and nothing else happens."""
    return Action(f"message {message} is sent", lambda shared: shared, message)
