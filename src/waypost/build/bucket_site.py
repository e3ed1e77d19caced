"""One site in a bucket, as the runs over it know it, and what such a run answers."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from msgspec import Struct

from waypost.build.bucket_state import ROBOTS, StateFile, StateHead
from waypost.build.partitions import WHOLE, Part
from waypost.core.clock import Clock
from waypost.core.errors import BusyError, SourceError, TooLargeError
from waypost.core.hashing import content_digest
from waypost.core.model import Item, NamedSource, Plan, SiteWarning
from waypost.core.reasons import Reason
from waypost.core.urls import is_host_root
from waypost.files import ConditionalStore, DryRunStore
from waypost.files.source import ObjectSource
from waypost.notify import Subscriber
from waypost.pages import page_facts, page_url, robots
from waypost.pages.selection import Selection
from waypost.settings.schema import Site
from waypost.sitemaps.render import Renderer


@dataclass(frozen=True)
class BucketSite:
    """A site's objects, its state, and where its sitemaps are published.

    If the sitemaps are published elsewhere, robots.txt there follows the site's own. `named_sources` reads what the
    settings name besides the objects. `subscribers` are told what is published. The settings were read at the time
    `settings_since` (Unix seconds).

    One `part` of a bucket that is divided is a site of its own; `other_roots` reads the URLs of the other parts'
    sitemaps that robots.txt names. More than `most_objects` are too many for one state.
    """

    site: Site
    site_uri: str
    objects: ObjectSource
    outputs: ConditionalStore
    state: StateFile
    renderer: Renderer
    clock: Clock
    is_elsewhere: bool = False
    named_sources: Callable[[], Iterable[NamedSource]] = tuple
    subscribers: tuple[Subscriber, ...] = ()
    settings_since: float = 0.0
    part: Part = WHOLE
    other_roots: Callable[[], Sequence[str]] = tuple
    most_objects: int | None = None

    @cached_property
    def made_with(self) -> str:
        """A digest of all but the objects that decides what is published."""
        part = () if self.part == WHOLE else (repr(self.part),)
        return content_digest("-".join((self.site.digest, self.renderer.digest, self.read_as, *part)).encode())

    @cached_property
    def read_as(self) -> str:
        """The facts that are read of an object."""
        return page_facts.recorded_facts(self.site)

    def dry_run(self) -> "BucketSite":
        """The same site for runs that write nothing, and tell nobody."""
        state = replace(self.state, store=DryRunStore(self.state.store))
        return replace(self, outputs=DryRunStore(self.outputs), state=state, subscribers=())

    def exclusion_reason(self, key: str) -> Reason | None:
        """Why a key alone makes its object no page, or None if it may be one."""
        return self._selection.exclusion_reason(key) or page_url.url_problem(key, self.site)

    def listed(self) -> tuple[list[Item], Mapping[str, int]]:
        """The objects that may be pages, in the order of their keys, and how many others there are, by reason.

        Raises SourceError, and TooLargeError if one state cannot have them all.
        """
        items, others = list[Item](), Counter[str]()
        for some in self.objects.list_items("", ()):
            for each in some:
                reason = self.exclusion_reason(each.key) if isinstance(each, Item) else each.reason
                if isinstance(each, Item) and reason is None:
                    items.append(each)
                else:
                    others[str(reason)] += 1
            if self.most_objects is not None and len(items) > self.most_objects:
                raise TooLargeError(f"{self.site_uri}{self.part.prefix} has more than {self.most_objects:,} pages")
        return items, dict(sorted(others.items()))

    def robots_rules(self) -> str:
        """The rules of robots.txt that apply: crawlers read only the one at the host's root (RFC 9309, 2.3).

        Raises SourceError.
        """
        is_read = self.site.respect_robots and is_host_root(self.site.base_url)
        return robots.rules_for_all(self.robots_txt() or b"") if is_read else ""

    def robots_txt(self) -> bytes | None:
        """The site's own robots.txt; raises SourceError."""
        try:
            return self.objects.find(ROBOTS)
        except OSError as error:
            kind = BusyError if isinstance(error, TimeoutError) else SourceError
            raise kind(f"{self.site_uri}{ROBOTS} cannot be read: {error.strerror}") from error

    @cached_property
    def _selection(self) -> Selection:
        return Selection(self.site)


class BucketResult(Struct, frozen=True):
    """What a run over a bucket did: the plan of what is published, and the names of the files that it wrote or removed.

    `head` is that of the state after the run, None if the run needed no state. `failed` has the errors of objects that
    could not be read, and `not_found` keys of which there is neither an object nor a record. `ignored` counts listed
    objects that cannot be pages, by reason, and `drift` objects whose events were lost. If `is_unfinished`, a build
    goes on with the next run. In `notify_after` seconds subscribers may be told that could not be.
    """

    plan: Plan | None = None
    head: StateHead | None = None
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    failed: Mapping[str, str] = {}
    not_found: tuple[str, ...] = ()
    warnings: tuple[SiteWarning, ...] = ()
    objects_listed: int = 0
    objects_read: int = 0
    ignored: Mapping[str, int] = {}
    drift: int = 0
    is_unfinished: bool = False
    notify_after: float | None = None
