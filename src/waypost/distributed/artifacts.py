"""The files through which the steps of a distributed rebuild pass on their results.

They are JSON in the ledger's store, named `runs/<owner>-<generation>-…`. Results of scanning, merging and building are
written only once, so a worker that runs twice changes nothing.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

import msgspec
from msgspec import Struct

from waypost.core import concurrency
from waypost.core.errors import ConflictError, LedgerError
from waypost.core.model import OPEN_URL_FORM, UrlForm
from waypost.ledger.ledger_state import Run
from waypost.ledger.manifest import Manifest, OutboxFile, ShardEntry
from waypost.stores import ConditionalStore
from waypost.sync.result import RunResult

T = TypeVar("T")
RESULT_NAMES = {"scan": "scanned", "build": "built", "publish": "published"}
"""The steps that many workers take, in order, and what the names of their result files begin with."""


class RunContext(Struct, frozen=True):
    """What all workers of a run need to know: its settings, and the ledger that it starts from.

    `base_is_current` means that this ledger was built with the same settings, `has_base` that there was one at all;
    `recorded_facts` names the facts in its records, `url_form` is the form of the URLs that the run lists,
    and `base_url_form` the form in the ledger it starts from, whose `listed_since` is `Manifest`'s. What was uploaded
    before the W3C time `reported_before` should have been reported by events; `""` if that is not asked for. `url_list`
    is `Manifest`'s.
    """

    config_digest: str
    robots_rules: str = ""
    base_is_current: bool = False
    has_base: bool = False
    recorded_facts: str = ""
    url_form: UrlForm = OPEN_URL_FORM
    base_url_form: UrlForm = OPEN_URL_FORM
    listed_since: float = 0.0
    reported_before: str = ""
    url_list: str = ""

    @property
    def manifest(self) -> Manifest:
        """A manifest without entries of the same robots.txt and URLs."""
        return Manifest(robots_rules=self.robots_rules, url_form=self.url_form, url_list=self.url_list)


class ScanTask(Struct, frozen=True, omit_defaults=True):
    """The keys after `start_after`, through `through` (None: to the end), and the entries that hold any of them.

    After reading `max_reads` objects a worker leaves the rest of the range to others; None means no limit, where there
    is enough work for all workers anyway.
    """

    number: int
    start_after: str
    through: str | None
    base: tuple[ShardEntry, ...] = ()
    max_reads: int | None = None


class OpenKey(Struct, frozen=True, omit_defaults=True):
    """A key, and its loc, that a key outside its range may share; `is_listed` if its page is listed otherwise.

    `is_entry` if it is that of a URL without an object.
    """

    key: str
    is_listed: bool = False
    loc: str = ""
    is_entry: bool = False


class ScanResult(Struct, frozen=True, omit_defaults=True):
    """The records of a range: fragments of segments in order, as entries whose files are not built yet.

    An entry that did not change has its files. `through` is the last key that was scanned. If that is before the end
    of the range and no ledger knows the rest, `split_points` are keys at which the rest can be split.
    """

    start_after: str
    through: str | None
    fragments: tuple[ShardEntry, ...]
    open_keys: tuple[OpenKey, ...] = ()
    result: RunResult = RunResult()
    split_points: tuple[str, ...] = ()


class Segment(Struct, frozen=True, omit_defaults=True):
    """The fragments between two boundaries of a group, or all of a group that may fit in one sitemap.

    `is_unchanged` if they are the shards that the ledger has already. `duplicates` maps keys to the key of another
    range that has the same URL and is listed in their place.
    """

    group: str
    fragments: tuple[ShardEntry, ...]
    first_key: str = ""
    end_key: str | None = None
    is_whole_group: bool = False
    is_unchanged: bool = False
    duplicates: Mapping[str, str] = {}

    @property
    def object_count(self) -> int:
        """How many objects its records remember."""
        return sum(part.object_count for part in self.fragments)


class MergeResult(Struct, frozen=True):
    """All segments in the order of the manifest, and the sum of what all scans did."""

    segments: tuple[Segment, ...]
    result: RunResult = RunResult()

    @property
    def duplicates(self) -> dict[str, str]:
        """All keys in whose place a key of another range is listed."""
        return {key: first for segment in self.segments for key, first in segment.duplicates.items()}


class BuildResult(Struct, frozen=True):
    """The entries of some segments, one sequence for each, and what subscribers must be notified of."""

    entries: tuple[tuple[ShardEntry, ...], ...]
    result: RunResult = RunResult()
    outbox: tuple[OutboxFile, ...] = ()


class RunArtifacts:
    """The files of one run in the ledger's store."""

    def __init__(self, store: ConditionalStore, run: Run) -> None:
        self._store, self.run = store, run

    def put(self, name: str, value: object) -> str:
        """Write or replace a file; returns its full name."""
        self._store.write(self.run.prefix + name, msgspec.json.encode(value))
        return self.run.prefix + name

    def put_once(self, name: str, value: object) -> None:
        """Write a file unless it exists: the first result of a task counts."""
        with suppress(ConflictError):
            self._store.put_if_match(self.run.prefix + name, msgspec.json.encode(value), None)

    def find(self, name: str, kind: type[T]) -> T | None:
        """The value in a file, or None if there is no such file; raises LedgerError if it is damaged."""
        data = self._store.read(self.run.prefix + name)
        try:
            return None if data is None else msgspec.json.decode(data, type=kind)
        except msgspec.MsgspecError as error:
            raise LedgerError(f"{self.run.prefix}{name} is damaged ({error}); start the rebuild again") from None

    def get(self, name: str, kind: type[T]) -> T:
        """The value in a file; raises LedgerError if it is missing or damaged."""
        found = self.find(name, kind)
        if found is None:
            raise LedgerError(f"{self.run.prefix}{name} is missing; start the rebuild again")
        return found

    def names(self, stem: str) -> list[str]:
        """The names of the files that begin with `stem`, in order."""
        whole = self.run.prefix + stem
        return sorted(name.removeprefix(self.run.prefix) for name in self._store.list_files(whole))

    def write_tasks(self, step: str, first: int, payloads: Sequence[object]) -> str:
        """Write the payloads of many workers, numbered from `first` on; returns the file's full name."""
        return self.put(f"{step}-{first:07}-{len(payloads)}.json", payloads)

    def task_count(self, step: str) -> int:
        """How many tasks of a step were written, in all its rounds."""
        return sum(count for _, count in self._rounds(step))

    def is_done(self, step: str) -> bool:
        """Whether every task of a step's last round has a result."""
        rounds = self._rounds(step)
        first, count = rounds[-1] if rounds else (0, 0)
        done = {int(name.rpartition("-")[2]) for name in self.names(f"{RESULT_NAMES[step]}-")}
        return done.issuperset(range(first, first + count))

    def read_all(self, stem: str, kind: type[T]) -> list[T]:
        """The values in all files whose names begin with `stem`, in the order of the names."""
        return self.read_each(self.names(stem), kind)

    def read_each(self, names: Sequence[str], kind: type[T]) -> list[T]:
        """The values in these files, in their order."""
        return concurrency.map_concurrently(lambda name: self.get(name, kind), names, self._store.width)

    def _rounds(self, step: str) -> list[tuple[int, int]]:
        """The first number of each round of a step, in order, and how many tasks it had."""
        rounds = [name.removesuffix(".json").split("-") for name in self.names(f"{step}-")]
        return sorted((int(first), int(count)) for _, first, count in rounds)
