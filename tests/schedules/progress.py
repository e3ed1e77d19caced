"""What a run of many schedules has done, kept in a file: a run that was stopped continues, if its code is the same."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[2]


class Totals(msgspec.Struct, frozen=True):
    """What schedules have done together, and the problem of each seed that failed."""

    schedules: int = 0
    processes: int = 0
    requests: int = 0
    changes: int = 0
    failed: tuple[tuple[int, str], ...] = ()

    def plus(self, other: Totals) -> Totals:
        """The sum of both."""
        return Totals(
            self.schedules + other.schedules,
            self.processes + other.processes,
            self.requests + other.requests,
            self.changes + other.changes,
            self.failed + other.failed,
        )

    def text(self) -> str:
        """The totals for people."""
        return (
            f"{self.schedules:,} schedules; {self.processes:,} processes, {self.requests:,} requests, "
            f"{self.changes:,} changes checked; {len(self.failed)} violations"
        )


class Progress(msgspec.Struct, frozen=True):
    """The schedules of consecutive seeds from `first` on that ran with the code of one `code_digest`."""

    code: str
    first: int
    totals: Totals = Totals()

    def with_totals(self, totals: Totals) -> Progress:
        """The same run, further on."""
        return msgspec.structs.replace(self, totals=totals)


def code_digest() -> str:
    """A digest of the text of this repository's modules that are imported, except those that only start schedules."""
    digest = hashlib.sha256()
    for file in sorted(_own_files()):
        digest.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def _own_files() -> set[Path]:
    named = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    files = {Path(name).resolve() for name in named if name}
    own = {file for file in files if any(file.is_relative_to(ROOT / folder) for folder in ("src", "tests"))}
    return own - {Path(__file__).resolve(), Path(__file__).resolve().with_name("__main__.py")}


def load(path: Path, first: int) -> Progress:
    """What the file says of a run from this seed on with this code; nothing done where it tells of another run."""
    started = Progress(code_digest(), first)
    if not path.exists():
        return started
    kept = msgspec.json.decode(path.read_bytes(), type=Progress)
    return kept if (kept.code, kept.first) == (started.code, first) else started


def save(path: Path, progress: Progress) -> None:
    """Write the file."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(progress), indent=2) + b"\n")
