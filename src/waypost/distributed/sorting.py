"""A report of S3 Inventory, sorted by many workers: each file into runs, and many runs into few."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from waypost.distributed import ranges
from waypost.distributed.dossier import Dossier
from waypost.model import Item
from waypost.sources.inventory import Report, ReportFile
from waypost.sources.runs import Run, edges, merged, write
from waypost.sources.spread import Range
from waypost.stores import SwapStore

_RUNS = 64
"""So many runs are merged while a range is gathered: a block of each is in memory."""
_ROWS = 5_000_000
"""So many rows one worker merges where there are more runs."""
_BLOCK = 2_000
"""Rows in a block of a run that is merged again, of which a worker has one of each run in memory."""


class Reports(Protocol):
    """The reports over one bucket."""

    def newest(self) -> Report:
        """The newest that is finished; raises SourceError where there is none."""

    def items(self, report: Report, file: ReportFile) -> Iterator[Item]:
        """The site's objects in one of its files; raises SourceError."""


class Sort(Struct, frozen=True, omit_defaults=True):
    """What one worker sorts: a file of the report, or the rows of all runs behind `after`, up to and with `upto`."""

    n: int
    file: ReportFile | None = None
    after: str = ""
    upto: str | None = None


class Sorting:
    """Sorts the report that one run goes by; what a worker has written is in the dossier."""

    def __init__(self, reports: Reports, dossier: Dossier, store: SwapStore) -> None:
        self._reports, self._dossier, self._store = reports, dossier, store

    def left(self) -> list[Sort]:
        """What there is still to sort; raises SourceError."""
        report = self._report()
        done = set(self._dossier.names("sorted-"))
        files = [Sort(n, file) for n, file in enumerate(report.files)]
        left = [each for each in files if _name(each.n) not in done]
        if left or len(runs := self._of_files()) <= _RUNS:
            return left
        parts = ranges.cut(edges(runs, _ROWS), Range(""))
        merges = [Sort(n, None, *part) for n, part in enumerate(parts, len(files))]
        return [each for each in merges if _name(each.n) not in done]

    def sort(self, task: Sort) -> None:
        """Sort a file, or merge what others have sorted; raises SourceError."""
        report = self._report()
        if task.file:
            items = self._reports.items(report, task.file)
        else:
            items = merged(self._of_files(), self._store.part, task.after, task.upto)
        name = f"{self._dossier.run.stem}rows-{task.n:07}"
        runs = write(items, self._store.write, name, block=_BLOCK if task.file else 10_000)
        self._dossier.put_once(_name(task.n), runs)

    def runs(self) -> list[Run]:
        """The runs to gather from."""
        files = len(self._report().files)
        every = self._dossier.names("sorted-")
        return self._runs(every[files:]) or self._runs(every[:files])

    def _report(self) -> Report:
        """The run's report: the one that was the newest when it began."""
        if found := self._dossier.find("report.json", Report):
            return found
        self._dossier.put_once("report.json", self._reports.newest())
        return self._dossier.get("report.json", Report)

    def _of_files(self) -> list[Run]:
        """The runs of all files, as they were sorted first."""
        return self._runs(self._dossier.names("sorted-")[: len(self._report().files)])

    def _runs(self, names: Sequence[str]) -> list[Run]:
        return [run for runs in self._dossier.each(names, list[Run]) for run in runs]


def _name(n: int) -> str:
    return f"sorted-{n:07}"
