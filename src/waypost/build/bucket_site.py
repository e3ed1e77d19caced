"""One site in a bucket, as the runs over it know it, and what such a run answers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct

from waypost.announce import Subscriber
from waypost.build.publication import ROBOTS
from waypost.build.state_file import StateFile
from waypost.config.schema import Site
from waypost.core.clock import Clock
from waypost.core.errors import BusyError, SourceError
from waypost.core.hashing import content_digest
from waypost.core.model import Item, NamedSource, Plan
from waypost.core.reasons import Reason
from waypost.core.urls import is_host_root
from waypost.rules import page_facts, page_url, robots
from waypost.rules.selection import Selection
from waypost.sitemaps.render import Renderer
from waypost.sources.base import ObjectSource, Source
from waypost.stores import ConditionalStore


@dataclass(frozen=True)
class BucketSite:
    """A site's objects, its state, and where its sitemaps are published.

    If the sitemaps are published elsewhere, robots.txt there follows the site's own. `new_id` makes random ids, and
    `named_sources` reads what the settings name besides the objects. `subscribers` are told what is published.
    """

    site: Site
    site_uri: str
    objects: ObjectSource
    outputs: ConditionalStore
    state: StateFile
    renderer: Renderer
    clock: Clock
    new_id: Callable[[], str]
    is_elsewhere: bool = False
    named_sources: Callable[[], Iterable[NamedSource]] = tuple
    subscribers: tuple[Subscriber, ...] = ()

    @cached_property
    def made_with(self) -> str:
        """A digest of all but the objects that decides what is published."""
        return content_digest("-".join((self.site.digest, self.renderer.digest, self.read_as)).encode())

    @cached_property
    def read_as(self) -> str:
        """The facts that are read of an object."""
        return page_facts.recorded_facts(self.site)

    def exclusion_reason(self, key: str) -> Reason | None:
        """Why a key alone makes its object no page, or None if it may be one."""
        return self._selection.exclusion_reason(key) or page_url.url_problem(key, self.site)

    def listed(self) -> Iterable[Item]:
        """The objects that may be pages, in the order of their keys; raises SourceError."""
        for some in self.objects.list_items("", ()):
            yield from (each for each in some if isinstance(each, Item) and self.exclusion_reason(each.key) is None)

    def robots_rules(self) -> str:
        """The rules of robots.txt that apply; raises SourceError."""
        return robots_rules(self.site, self.robots_txt)

    def robots_txt(self) -> bytes | None:
        """The site's own robots.txt; raises SourceError."""
        return read_robots_txt(self.objects, self.site_uri)

    @cached_property
    def _selection(self) -> Selection:
        return Selection(self.site)


def robots_rules(site: Site, read: Callable[[], bytes | None]) -> str:
    """The rules of robots.txt that apply: crawlers read only the one at the host's root (RFC 9309, 2.3)."""
    if not site.respect_robots or not is_host_root(site.base_url):
        return ""
    return robots.rules_for_all(read() or b"")


def read_robots_txt(objects: Source, site_uri: str) -> bytes | None:
    """A site's own robots.txt; raises SourceError."""
    try:
        return objects.find(ROBOTS)
    except OSError as error:
        kind = BusyError if isinstance(error, TimeoutError) else SourceError
        raise kind(f"{site_uri}{ROBOTS} cannot be read: {error.strerror}") from error


class BucketResult(Struct, frozen=True):
    """What a run over a bucket did: the plan of what is published, and the names of the files that it wrote or removed.

    `failed` has the errors of objects that could not be read. If `is_unfinished`, a build goes on with the next run.
    `damage` is why the state had to be made again, `""` if it was as it had been written. In `notify_after` seconds
    subscribers may be told that could not be.
    """

    plan: Plan | None = None
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    failed: Mapping[str, str] = {}
    objects_listed: int = 0
    objects_read: int = 0
    is_unfinished: bool = False
    damage: str = ""
    notify_after: float | None = None
