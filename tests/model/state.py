"""The state of the model: what the buckets, the queue and each writer hold; all of it hashable."""

from collections.abc import Callable
from typing import NamedTuple

from documents import Content, Files, Pages, Site

NOBODY = 0
NOT_BUILDING = -1
VALID, MARGIN, EXPIRED = 0, 1, 2
"""What is left of a lease: writes may begin; they may only take effect; others may take the role."""
UNSENT, VISIBLE, ACKNOWLEDGED, AS_PUBLISH = 0, 1, 2, 3
"""The state of a message; one that a writer has taken is its owner id plus `TAKEN`."""
TAKEN = 4
CRASH, UNANSWERED, LATE, PAUSE = 0, 1, 2, 3
"""The positions in `Shared.faults`: how many of each may still happen."""


class Manifest(NamedTuple):
    """The ledger. Its generation is left out: `fresh` and `countable` of a writer say what generations would.

    `pending` pairs each name with whether a URL of a duplicate arrives in it. `previous` has the names of the files
    of the manifest that a build replaces. `last` is the owner of a replacement that had no answer.
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

    @property
    def is_building(self) -> bool:
        return self.position != NOT_BUILDING

    @property
    def pending_names(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.pending)


class Late(NamedTuple):
    """A request without an answer that may still take effect: of a file, or of the manifest."""

    owner: int
    message: int
    name: str
    expected: object
    content: object


class Shared(NamedTuple):
    """All that more than one writer can see. `scripts` counts what has happened of each script of the environment."""

    site: Pages
    robots_rules: int
    files: Files
    manifest: Manifest
    messages: tuple[int, ...]
    scripts: tuple[int, ...]
    faults: tuple[int, int, int, int]
    lease: int = EXPIRED
    builder_lease: int = EXPIRED
    config: int = 0
    day: int = 0
    late: tuple[Late, ...] = ()


class Write(NamedTuple):
    """A file to write, when, and what was seen of it."""

    wave: tuple[int, ...]
    name: str
    content: Content
    expected: Content | None


class Writer(NamedTuple):
    """A process: where it is in its program, and what it remembers.

    `fresh` means that the manifest is still `view`; a replacement by another process clears it, and takes the names
    that it adds to `pending` from `countable`, as their generations do. `saw_settings_before` means that the
    settings of the manifest changed after the process read its own. `known` has files as the manifest before the
    process's commit has them.
    """

    at: str = "idle"
    message: int = -1
    kind: str = ""
    owner: int = NOBODY
    config: int = 0
    view: Manifest | None = None
    fresh: bool = False
    seen: tuple[tuple[int, int], ...] = ()
    names: frozenset[str] = frozenset()
    known: tuple[tuple[str, Content | None], ...] = ()
    plan: tuple[Write, ...] = ()
    countable: frozenset[str] = frozenset()
    finished: frozenset[str] = frozenset()
    wrote: frozenset[str] = frozenset()
    unsure: bool = False
    saw_settings_before: bool = False
    rules: int = 0
    collected: tuple[tuple[str, int], ...] = ()


IDLE = Writer()


class Notice(NamedTuple):
    """What a replacement of the manifest means for other processes."""

    added: frozenset[str]
    is_other_config: bool


class Step(NamedTuple):
    """One request, and what follows from it."""

    label: str
    shared: Shared
    writer: Writer
    notice: Notice | None = None
    is_tampering: bool = False


class Message(NamedTuple):
    """An event, or a schedule: `pages`, `output`, `robots`, `rebuild` or `daily`."""

    kind: str
    pages: tuple[int, ...] = ()
    name: str = ""


class Action(NamedTuple):
    """Something that happens outside, after which a message is sent (or none, if it is -1)."""

    label: str
    change: Callable[[Shared], Shared]
    message: int = -1
    is_tampering: bool = False
    needs_quiet: bool = False


class Scenario(NamedTuple):
    """What happens, in which order within each script, and which faults; `without` names rules that are left out."""

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
    chunks: int = 2
    has_robots: bool = False
    without: frozenset[str] = frozenset()

    def keeps(self, rule: str) -> bool:
        """Whether a rule of the protocol holds in this scenario."""
        return rule not in self.without
