"""Measures memory by the size of a bucket: builds of two synthetic listings, one three times as long."""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from measure import Report, decision, run, say

from waypost.config import load
from waypost.config.load import ConfigSource
from waypost.core.model import Body, Item, Skipped
from waypost.core.reasons import Reason
from waypost.ledger.store import Ledger
from waypost.sitemaps.render import Renderer
from waypost.sources.base import FolderListing
from waypost.stores.filesystem import FolderStore
from waypost.sync import rebuild
from waypost.sync.updater import Updater

_ETAG = '"b7ed38bc70c7a599867b8aecdcf0e3df"'
_TIME = "2026-11-21T00:00:00Z"


class SyntheticSource:
    """A bucket of so many pages, which are computed when they are listed."""

    width, has_etags = 1, True

    def __init__(self, pages: int) -> None:
        self._pages = pages

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """All pages."""
        del prunes
        for some in self.list_items("", ()):
            yield from some

    def list_items(
        self, start_after: str, split_points: Iterable[str], through: str | None = None
    ) -> Iterator[Sequence[Item | Skipped]]:
        """The pages after a key, some thousands at a time; `through` is not used."""
        del split_points, through
        first = int(start_after[-13:-5]) + 1 if start_after else 0
        for start in range(first, self._pages, 5_000):
            keys = (f"catalogue/item-{n:08}.html" for n in range(start, min(start + 5_000, self._pages)))
            yield [Item(key, key, 16, _ETAG, _TIME) for key in keys]

    def read(self, item: Item, size: int | None = None) -> Body:
        """The same content for every page."""
        del item, size
        return Body(b"<title>x</title>", etag=_ETAG, modified=_TIME)

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        """The same ETag for every page."""
        return dict.fromkeys(keys, _ETAG)

    def list_folder(self, folder: str, limit: int = 1_000) -> FolderListing:
        """No links: the pages have none."""
        del folder, limit
        return FolderListing((), ())

    def first_key_after(self, key: str) -> str | None:
        """Not used."""
        raise NotImplementedError

    def first_keys(self, start_after: str, through: str | None, limit: int = 1_000) -> tuple[Sequence[str], bool]:
        """Not used."""
        raise NotImplementedError

    def find(self, key: str) -> bytes | None:
        """Nothing: there are only pages."""
        del key
        return None


def main() -> None:
    """Build twice for each size: without a ledger, and again with nothing changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        _build(int(given.child[0]), Path(given.child[1]))
        return
    report, rows = Report("flat", "Memory by the size of a bucket"), []
    for pages in (given.pages, 3 * given.pages):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("full build", "build again"):
                say(f"{name} of {pages:,}")
                done = run([sys.executable, __file__, "--child", str(pages), folder])
                sitemaps = json.loads(done.output)
                memory = [f"{done.megabytes:.0f}", decision(done.megabytes, 400)]
                rows.append([f"{name}, {pages:,} pages", f"{sitemaps:,}", f"{done.seconds:.1f}", *memory])
    report.table(["", "sitemaps", "s", "peak MB", "target: 400 at both sizes"], rows)
    report.write()


def _build(pages: int, folder: Path) -> None:
    site = load.check_settings([ConfigSource("benchmark", {"base_url": "https://example.org/", "state": str(folder)})])
    ledger, outputs = Ledger(FolderStore(folder / "ledger"), "s3://endless/"), FolderStore(folder / "out")
    result = rebuild.rebuild(Updater(SyntheticSource(pages), site, ledger, outputs, Renderer(), lambda: _TIME))
    assert result.manifest
    print(len(result.manifest.entries))


if __name__ == "__main__":
    main()
