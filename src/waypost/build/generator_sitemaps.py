"""What the sitemaps of a generator in a folder say of the pages to list: some are left out by the site's author.

These are kept between runs, because Waypost replaces those sitemaps, and the generator may not run before the next run.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from waypost.build.folder_repositories import FolderRepositories
from waypost.build.lister import Listing
from waypost.build.present_sitemaps import usual_sitemaps
from waypost.core import dates
from waypost.core.errors import SourceError
from waypost.core.finding_types import site_warning
from waypost.core.model import Example, Page, Skipped, printable
from waypost.core.reasons import GENERATOR_LEFT_OUT
from waypost.core.urls import page_identity
from waypost.dates.source_dates import GeneratorDates
from waypost.files import FolderStore, KeptFile, Store, keep_file, read_kept
from waypost.sitemaps.output_format import is_marked
from waypost.validate import sitemap_content

_FORMAT, _VERSION = "waypost-generator-choice", 1
_KEPT = "generator-choice"
_DAY_LENGTH = 10
_MIN_SHARE = 0.5
"""A sitemap that lists a smaller share of the pages is of another site, or of a part of this one."""


class GeneratorChoice(KeptFile, frozen=True, forbid_unknown_fields=True):
    """The identities (`core.urls.page_identity`) of the pages that are left out, and the format's version."""

    format: str = _FORMAT
    version: int = _VERSION
    left_out: tuple[str, ...] = ()


def choice_of(pages: Sequence[Page], bodies: Mapping[str, bytes]) -> GeneratorChoice:
    """The pages that a generator's sitemaps leave out; none if these list too few of the others."""
    entries = (entry for name, body in bodies.items() for entry in sitemap_content.read_entries(name, body)[1])
    listed = {page_identity(entry.loc) for entry in entries if entry.loc}
    of_pages = [page_identity(page.loc) for page in pages]
    missing = [each for each in of_pages if each not in listed]
    is_of_site = len(missing) <= _MIN_SHARE * len(of_pages)
    return GeneratorChoice(left_out=tuple(sorted(missing))) if is_of_site else GeneratorChoice()


class GeneratorSitemaps:
    """The sitemaps of the generator in one site; if the settings say so, what it leaves out is not listed."""

    def __init__(self, repositories: FolderRepositories) -> None:
        self._repositories, self._is_honoured = repositories, repositories.site.honour_generator
        self._found: GeneratorChoice | None = None

    def applied_to(self, listing: Listing) -> Listing:
        """The listing without the pages that the generator leaves out, or with a warning about them."""
        present = usual_sitemaps(FolderStore(self._repositories.source)).items()
        own = {name: body for name, body in present if not (is_marked(body) or self._is_committed(name, body))}
        if own:
            self._found = choice_of(listing.pages, own)
        identities = frozenset((self._found or self._remembered()).left_out)
        left_out = [page for page in listing.pages if page_identity(page.loc) in identities] if identities else []
        if self._is_honoured:
            keys = {page.key for page in left_out}
            skipped = [Skipped(printable(page.key), GENERATOR_LEFT_OUT) for page in left_out]
            pages = [page for page in listing.pages if page.key not in keys]
            return replace(listing, pages=pages, skipped=[*listing.skipped, *skipped])
        if not (own and left_out):
            return listing
        examples = [Example(printable(page.key)) for page in left_out]
        return replace(listing, warnings=[*listing.warnings, site_warning("generator-left-out", examples)])

    def keep(self) -> None:
        """Remember the choice for the runs after the one that replaces the sitemaps; raises StoreError."""
        if self._found and (place := self._repositories.kept_file(_KEPT)):
            kept, name = place
            if self._found.left_out or kept.read(name):
                keep_file(self._found, kept, name)

    def _remembered(self) -> GeneratorChoice:
        """The choice that an earlier run kept; one that cannot be read, or has another version, counts as none."""
        place = self._repositories.kept_file(_KEPT) if self._is_honoured else None
        return read_kept(*place, GeneratorChoice()) if place else GeneratorChoice()

    def _is_committed(self, name: str, body: bytes) -> bool:
        """Whether somebody committed a sitemap, or one with its bytes elsewhere in the project: no generator's then."""
        try:
            tracked = self._repositories.tracked_files
            return tracked is not None and tracked.has_copy((self._repositories.source / name).resolve(), body)
        except SourceError:  # Git refuses the repository, so nothing is known of the sitemap
            return True


def generator_dates(published: Store, kept: Store, name: str) -> GeneratorDates:
    """The dates in the published sitemaps that Waypost did not make, or else those that were kept under this name.

    A kept file that cannot be read, or has another version, counts as missing: it only saves a search.
    """
    bodies = usual_sitemaps(published)
    found = {page_identity(loc): date for key, body in bodies.items() for loc, date in _dated(key, body)}
    if found or any(not is_marked(body) for body in bodies.values()):
        return GeneratorDates(dates=found)
    return read_kept(kept, name, GeneratorDates())


def _dated(name: str, body: bytes) -> Iterator[tuple[str, str]]:
    """The pages to which a sitemap gives a time, not only a day, and that time."""
    if is_marked(body):
        return
    for entry in sitemap_content.read_entries(name, body)[1]:
        date = dates.parse_page_date(entry.lastmod or "")
        if entry.loc and date and len(date) > _DAY_LENGTH:
            yield entry.loc, date
