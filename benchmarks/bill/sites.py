"""The three sites of the bill: their size, and how their uploads arrive.

All uploads are of pages whose date changes, so each of them has a sitemap written again.
"""

from collections.abc import Sequence
from typing import NamedTuple

UPLOADS, OWN_EVENTS, REBUILD = "uploads", "events of published files", "daily rebuild"
"""The kinds of measured calls."""


class BilledSite(NamedTuple):
    """A site with `batches` of `uploads` a day, each batch within one batching window.

    The uploads of a batch are of so many consecutive pages at each of `places` places. A large site has `partitions`
    of the same size, each with a state of its own and a rebuild; a batch is of one partition. If the next window begins
    at once (`is_busy`), calls for uploads do not start cold.
    """

    name: str
    description: str
    size: int
    batches: int
    uploads: int
    places: int
    is_busy: bool = False
    partitions: int = 1

    def batch(self, first: int) -> list[int]:
        """The numbers of the pages of a batch that begins with this one, in a partition."""
        distance, run = self.size // self.partitions // self.places, self.uploads // self.places
        return [first + distance * place + n for place in range(self.places) for n in range(run)]


SITES: Sequence[BilledSite] = (
    BilledSite("blog", "200 pages; 20 uploads a day, each alone", 200, 20, 1, 1),
    BilledSite(
        "shop",
        "100,000 pages; 5,000 uploads a day in 250 batches of 20, each of pages anywhere in the shop",
        100_000,
        250,
        20,
        20,
    ),
    BilledSite(
        "catalogue",
        "100,000,000 pages in 1,000 partitions; 500,000 uploads a day, all day long, in four feeds that go through the "
        "pages in order",
        100_000_000,
        4 * 4_320,
        29,
        1,
        is_busy=True,
        partitions=1_000,
    ),
)
