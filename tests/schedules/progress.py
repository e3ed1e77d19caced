"""What runs of many schedules have done, kept in a file: a run that was stopped continues, if its code is the same."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[2]
_TEMPLATES = ("sitemap*.j2", "robots.txt.j2")


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
    """A digest of what schedules run: the modules of this repository that they import, and the templates of outputs."""
    digest = hashlib.sha256()
    templates = {file for pattern in _TEMPLATES for file in (ROOT / "templates").glob(pattern)}
    for file in sorted(_own_modules() | templates):
        digest.update(f"{file.relative_to(ROOT)}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def _own_modules() -> set[Path]:
    named = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    files = {Path(name).resolve() for name in named if name}
    own = {file for file in files if any(file.is_relative_to(ROOT / folder) for folder in ("src", "tests"))}
    return own - {Path(__file__).resolve(), Path(__file__).resolve().with_name("__main__.py")}


def load(path: Path, first: int) -> Progress:
    """What the file says of a run from this seed on with this code; nothing done if it says nothing of that."""
    started = Progress(code_digest(), first)
    return next((each for each in _kept(path) if (each.code, each.first) == (started.code, first)), started)


def save(path: Path, progress: Progress) -> None:
    """Write the file; it keeps runs from other seeds on with the same code, and forgets the runs of other code."""
    others = [each for each in _kept(path) if each.code == progress.code and each.first != progress.first]
    runs = sorted([*others, progress], key=lambda each: each.first)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(runs), indent=2) + b"\n")


def _kept(path: Path) -> list[Progress]:
    return msgspec.json.decode(path.read_bytes(), type=list[Progress]) if path.exists() else []
