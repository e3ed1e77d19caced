"""The dates that a generator's own sitemaps give its pages.

They are kept between runs, because Waypost replaces those sitemaps, and the generator may not run before the next run.
"""

from collections.abc import Mapping

from waypost.core.urls import page_identity
from waypost.files import KeptFile, Store, keep_file

_FORMAT, _VERSION = "waypost-generator-dates", 1


class GeneratorDates(KeptFile, frozen=True, forbid_unknown_fields=True):
    """The dates by the identity of the page's URL (`core.urls.page_identity`), and the version of the file's format."""

    format: str = _FORMAT
    version: int = _VERSION
    dates: Mapping[str, str] = {}

    def of(self, loc: str) -> tuple[str, ...]:
        """The date that the generator gives the page, if it is known."""
        date = self.dates.get(page_identity(loc))
        return (date,) if date else ()


def keep(found: GeneratorDates, kept: Store, name: str) -> None:
    """Write the dates for later runs; the same dates are not written again. Raises StoreError."""
    if found.dates:
        keep_file(found, kept, name)
