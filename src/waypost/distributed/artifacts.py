"""The files of a distributed build beside the ledger, through which its steps hand on what they found.

They are JSON, named `runs/<run>-<generation>-…`; what was gathered, joined and shaped is written once, so that a worker
that runs twice changes nothing.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TypeVar

import msgspec
from msgspec import Struct

from waypost.core import concurrency
from waypost.core.errors import ConflictError, LedgerError
from waypost.ledger.manifest import Run, ShardEntry
from waypost.stores.base import ConditionalStore
from waypost.sync.result import RunResult

T = TypeVar("T")
RESULT_NAMES = {"scan": "scanned", "build": "built", "publish": "published"}
"""The steps of many workers in their order, and what the files are called that each leaves of its part."""


class RunContext(Struct, frozen=True):
    """What all workers of a build go by: its settings, and what is remembered from before.

    `is_whole` says that the ledger is of these settings already; `is_known`, that there was one at all; `reading`
    names the facts in its records.
    """

    config_digest: str
    robots_rules: str = ""
    base_is_current: bool = False
    has_base: bool = False
    recorded_facts: str = ""


class ScanTask(Struct, frozen=True, omit_defaults=True):
    """The keys behind `after` up to and with `upto` (None: no end), and the entries that knew any of them.

    Behind so many objects as `reads`, which takes long,
    a worker leaves the rest to others; None where there is work for all anyway.
    """

    number: int
    start_after: str
    through: str | None
    base: tuple[ShardEntry, ...] = ()
    max_reads: int | None = None


class OpenKey(Struct, frozen=True, omit_defaults=True):
    """A key whose loc another, beyond the range, might give as well; `is_listed` where it is a page by itself."""

    key: str
    is_listed: bool = False


class ScanResult(Struct, frozen=True, omit_defaults=True):
    """What is in a range: fragments of segments in order, as entries whose files are not made yet.

    An entry that stands as it was before has its files. `upto` is where the worker came to, be it before the end;
    then `cuts` are where the keys of the rest branch, as far as nothing is remembered that tells.
    """

    start_after: str
    through: str | None
    fragments: tuple[ShardEntry, ...]
    open_keys: tuple[OpenKey, ...] = ()
    result: RunResult = RunResult()
    split_points: tuple[str, ...] = ()


class Segment(Struct, frozen=True, omit_defaults=True):
    """The fragments from one boundary of a group up to the next, or all of a group that may fit in one sitemap.

    `is_kept` where they are the very shards that there were; `duplicates` are keys whose loc a key of another range
    gives before them.
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
        return sum(part.objects for part in self.fragments)


class MergeResult(Struct, frozen=True):
    """All segments in the order of the manifest, and what gathering them told."""

    segments: tuple[Segment, ...]
    result: RunResult = RunResult()

    @property
    def duplicates(self) -> dict[str, str]:
        """All keys whose loc a key of another range gives before them."""
        return {key: first for segment in self.segments for key, first in segment.duplicates.items()}


class BuildResult(Struct, frozen=True):
    """The entries of some segments, one sequence each."""

    entries: tuple[tuple[ShardEntry, ...], ...]
    result: RunResult = RunResult()


class RunArtifacts:
    """The files of one build in a ledger's store."""

    def __init__(self, store: ConditionalStore, run: Run) -> None:
        self._store, self.run = store, run

    def put(self, name: str, value: object) -> str:
        """Write or replace a file; returns its whole name."""
        self._store.write(self.run.prefix + name, msgspec.json.encode(value))
        return self.run.prefix + name

    def put_once(self, name: str, value: object) -> None:
        """Write a file unless it is there: the first to tell is believed."""
        with suppress(ConflictError):
            self._store.put_if_match(self.run.prefix + name, msgspec.json.encode(value), None)

    def find(self, name: str, kind: type[T]) -> T | None:
        """What a file holds, or None where there is none; raises LedgerError where it is damaged."""
        data = self._store.read(self.run.prefix + name)
        try:
            return None if data is None else msgspec.json.decode(data, type=kind)
        except msgspec.MsgspecError as error:
            raise LedgerError(f"{self.run.prefix}{name} is damaged ({error}); start the rebuild again") from None

    def get(self, name: str, kind: type[T]) -> T:
        """What a file holds; raises LedgerError where it is missing or damaged."""
        found = self.find(name, kind)
        if found is None:
            raise LedgerError(f"{self.run.prefix}{name} is missing; start the rebuild again")
        return found

    def names(self, stem: str) -> list[str]:
        """The names of the files that begin with `stem`, in order."""
        whole = self.run.prefix + stem
        return sorted(each.name.removeprefix(self.run.prefix) for each in self._store.list_files(whole))

    def write_tasks(self, step: str, first: int, payloads: Sequence[object]) -> str:
        """Write the payloads of many workers, numbered on from `first`; returns the file's whole name."""
        return self.put(f"{step}-{first:07}-{len(payloads)}.json", payloads)

    def task_count(self, step: str) -> int:
        """How many payloads of a step were written, in all its rounds."""
        return sum(count for _, count in self._rounds(step))

    def is_done(self, step: str) -> bool:
        """Whether there is a result of every payload that a step's last round has handed out."""
        rounds = self._rounds(step)
        first, count = rounds[-1] if rounds else (0, 0)
        done = {int(name.rpartition("-")[2]) for name in self.names(f"{RESULT_NAMES[step]}-")}
        return done.issuperset(range(first, first + count))

    def read_all(self, stem: str, kind: type[T]) -> list[T]:
        """What all files hold whose names begin with `stem`, in the order of those."""
        return self.read_each(self.names(stem), kind)

    def read_each(self, names: Sequence[str], kind: type[T]) -> list[T]:
        """What these files hold, in their order."""
        return concurrency.map_concurrently(lambda name: self.get(name, kind), names, self._store.width)

    def _rounds(self, step: str) -> list[tuple[int, int]]:
        """The first number of each round of a step, in order, and how many payloads it had."""
        rounds = [name.removesuffix(".json").split("-") for name in self.names(f"{step}-")]
        return sorted((int(first), int(count)) for _, first, count in rounds)
