"""The state of the model: what the buckets, the queue and each writer hold; all of it hashable."""

from collections.abc import Callable
from typing import NamedTuple

from model.documents import Content, Files, Pages, Site
from model.rules import RULES

NOBODY = 0
FIRST_RUN = 100
"""Owner ids of distributed runs begin here."""
NOT_BUILDING = -1
NO_DAYS = -1
"""The day, where no days pass."""
VALID, MARGIN, EXPIRED = 0, 1, 2
"""What is left of a lease: writes may begin; they may only take effect; others may take the lease."""
UNSENT, VISIBLE, ACKNOWLEDGED = 0, 1, 2
"""The state of a message; one that a writer has taken is its owner id plus `TAKEN`."""
TAKEN = 4
CRASH, UNANSWERED, LATE, PAUSE, SLEEP = 0, 1, 2, 3, 4
"""The positions in `Shared.faults`: how many of each may still happen."""
NO_NAMES: frozenset[str] = frozenset()


class Manifest(NamedTuple):
    """The ledger. Its generation is left out: `fresh` and `countable` of a writer say what generations would.

    `pending` pairs each name with whether a build added it, after which it has not left `pending`. `previous` has the
    names of the files of the manifest that a build replaces. `last` is the owner of a replacement that had no answer.
    `builder` is a distributed run if `is_run`; `deferred` are the pages that updates have left to that run. `record`
    is the number of the file of records.
    """

    pages: Pages
    config: int = 0
    rules: int = 0
    pending: tuple[tuple[str, bool], ...] = ()
    publisher: int = NOBODY
    builder: int = NOBODY
    position: int = NOT_BUILDING
    previous: tuple[str, ...] = ()
    unreferenced: tuple[tuple[str, int], ...] = ()
    last: int = NOBODY
    is_run: bool = False
    deferred: tuple[int, ...] = ()
    record: int = 0

    @property
    def is_building(self) -> bool:
        """Whether a build has begun and not ended; a distributed run leaves the ledger complete."""
        return self.position != NOT_BUILDING

    @property
    def pending_names(self) -> frozenset[str]:
        """The names that are pending."""
        return frozenset(name for name, _ in self.pending)


class Replacement(NamedTuple):
    """What a replacement of the manifest does: the names that it adds, and whether it takes the publisher's lease.

    `confirms` means that it sets `config_since` to when its process read its settings.
    """

    after: Manifest
    added: frozenset[str] = NO_NAMES
    takes: bool = False
    confirms: bool = False


class Late(NamedTuple):
    """A request without an answer that may still take effect: of a file (None deletes it), or of the manifest."""

    owner: int
    message: int
    name: str
    expected: object
    content: object


class Records(NamedTuple):
    """The files of records that somebody may still refer to, with the pages that they hold.

    `noted` has those that the pass of a day found unnamed.
    """

    present: tuple[tuple[int, Pages], ...] = ()
    noted: frozenset[int] = frozenset()
    day: int = -1


class Shared(NamedTuple):
    """All that more than one writer can see.

    `scripts` counts what has happened of each script of the environment. `stamps` has the settings that the metadata of
    published files name, where they are not the first ones. `order` has the owners in the order in which they read
    their settings; 0 in it is `config_since`. `former` has the files that crawlers find no more, and since when.
    """

    site: Pages
    files: Files
    manifest: Manifest
    messages: tuple[int, ...]
    scripts: tuple[int, ...]
    faults: tuple[int, int, int, int, int]
    lease: int = EXPIRED
    builder_lease: int = EXPIRED
    config: int = 0
    owner_rules: int = 0
    day: int = NO_DAYS
    late: tuple[Late, ...] = ()
    stamps: tuple[tuple[str, int], ...] = ()
    order: tuple[int, ...] = (0,)
    records: Records = Records()
    former: tuple[tuple[str, int], ...] = ()


class Write(NamedTuple):
    """A file to write, in which phase, and what was seen of it."""

    phase: int
    name: str
    content: Content
    expected: Content | None


class Known(NamedTuple):
    """What the manifest before a commit says of a file: what is published, and where its range ends.

    `is_unreferenced` if no published index names it, so that its content is of no importance.
    """

    content: Content | None
    end: int
    is_unreferenced: bool = False


class Writer(NamedTuple):
    """A process: where it is in its program, and what it remembers.

    `fresh` means that the manifest is still `view`; a replacement by another process clears it, and takes the names
    that it adds to `pending` from `countable`, as their generations do. `known` has files as the manifest before the
    process's commit has them. `wrong` has files that it found wrong, `awaited` names for which it waits, `unverified` a
    file that it wrote without an answer (several, of the workers of a run). `unsure` is set after a replacement without
    an answer. `stage` is the phase that the workers of a run may write. `owes_keys` means that its own keys are not
    committed, because it continued somebody's build. `overslept` means that it has looked at its clock
    before its lease ended, and sends its next request after that.
    """

    at: str = "idle"
    message: int = -1
    kind: str = ""
    owner: int = NOBODY
    config: int = 0
    view: Manifest | None = None
    fresh: bool = False
    seen: tuple[tuple[int, int], ...] = ()
    wrong: frozenset[str] = NO_NAMES
    awaited: frozenset[str] = NO_NAMES
    unverified: frozenset[str] = NO_NAMES
    known: tuple[tuple[str, Known], ...] = ()
    plan: tuple[Write, ...] = ()
    countable: frozenset[str] = NO_NAMES
    finished: frozenset[str] = NO_NAMES
    wrote: frozenset[str] = NO_NAMES
    unsure: bool = False
    rules: int = 0
    collected: tuple[tuple[str, int], ...] = ()
    stage: int = 0
    owes_keys: bool = False
    record: int = -1
    overslept: bool = False


IDLE = Writer()


class Notice(NamedTuple):
    """What a replacement of the manifest means for other processes: names whose generation is another now."""

    added: frozenset[str]


class Step(NamedTuple):
    """One request, and what follows from it."""

    label: str
    shared: Shared
    writer: Writer
    notice: Notice | None = None
    is_tampering: bool = False


class Message(NamedTuple):
    """An event or a schedule: `pages`, `output`, `robots`, `rebuild` (the daily pass, too), `run` or `publish`.

    A run sends the message number `publish` before it takes the lease.
    """

    kind: str
    pages: tuple[int, ...] = ()
    name: str = ""
    publish: int = -1


class Action(NamedTuple):
    """Something that happens outside, after which a message is sent (or none, if it is -1).

    It `waits` until all messages that were sent are acknowledged, or happens at any time.
    """

    label: str
    change: Callable[[Shared], Shared]
    message: int = -1
    is_tampering: bool = False
    is_day: bool = False
    waits: bool = False


class Scenario(NamedTuple):
    """What happens, in which order within each script, and which faults; `without` names rules that are left out.

    `always` has the URLs that must be listed at all times. `chunks` is in how many portions a build lists the pages.
    """

    name: str
    site: Site
    start: Pages
    messages: tuple[Message, ...]
    scripts: tuple[tuple[Action, ...], ...]
    always: frozenset[int] = frozenset()
    writers: int = 2
    crashes: int = 0
    unanswered: int = 0
    late: int = 0
    pauses: int = 0
    sleeps: int = 0
    chunks: int = 2
    has_robots: bool = False
    has_records: bool = False
    without: frozenset[str] = NO_NAMES

    def keeps(self, rule: str) -> bool:
        """Whether a rule of the protocol holds in this scenario."""
        assert rule in RULES, rule
        return rule not in self.without

    @property
    def has_days(self) -> bool:
        """Whether days pass."""
        return any(action.is_day for script in self.scripts for action in script)

    @property
    def has_settings(self) -> bool:
        """Whether processes may have read different settings."""
        return len(self.site.excluded) > 1
