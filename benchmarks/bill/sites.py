"""The three sites of the bill: their size, and how their uploads arrive.

All uploads are of pages whose date changes, so each of them has a sitemap written again.
"""

from collections.abc import Sequence
from typing import NamedTuple

DISTRIBUTED_FROM = 1_000_000
"""Objects from which on a state machine rebuilds; the default of the template's `DistributeFrom`."""
UPLOADS, OWN_EVENTS, REBUILD = "uploads", "events of published files", "daily rebuild"
"""The kinds of measured calls."""
SCATTERED, SCATTERED_UPLOADS = "scattered uploads", 32
"""A call for so many uploads of pages in different sitemaps, which is measured but not on the bill."""


class BilledSite(NamedTuple):
    """A site with `batches` of `uploads` a day, each batch within one batching window.

    The uploads of a batch are of so many consecutive pages at each of `places` places of the bucket. If the next
    window begins at once (`is_busy`), the events of published files arrive together with the next uploads.
    """

    name: str
    description: str
    size: int
    batches: int
    uploads: int
    places: int
    is_busy: bool = False

    @property
    def is_distributed(self) -> bool:
        """Whether a state machine does the daily rebuild."""
        return self.size >= DISTRIBUTED_FROM

    def batch(self, first: int) -> list[int]:
        """The numbers of the objects of a batch that begins with this one."""
        distance, run = self.size // self.places, self.uploads // self.places
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
        "100,000,000 pages; 500,000 uploads a day, all day long, in four feeds that go through the pages in order",
        100_000_000,
        4_320,
        116,
        4,
        is_busy=True,
    ),
)
