"""The pages that a generator has built and leaves out of its own sitemaps, by a choice of the site's author.

They are kept between runs, because Waypost replaces those sitemaps, and the generator may not run before the next run.
"""

from collections.abc import Mapping, Sequence

from waypost.build.generator_dates import KeptFile, keep_file, read_kept
from waypost.core.model import Page
from waypost.core.page_identity import page_identity
from waypost.stores import Store
from waypost.validate import sitemap_content

_FORMAT, _VERSION = "waypost-generator-choice", 1
_MIN_SHARE = 0.5
"""A sitemap that lists a smaller share of the pages is of another site, or of a part of this one."""


class GeneratorChoice(KeptFile, frozen=True, forbid_unknown_fields=True):
    """The identities (`core.page_identity`) of the pages that are left out, and the version of the file's format."""

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


def read(kept: Store, name: str) -> GeneratorChoice:
    """The choice that an earlier run kept; one that cannot be read, or has another version, counts as none."""
    return read_kept(kept, name, GeneratorChoice())


def keep(found: GeneratorChoice, kept: Store, name: str) -> None:
    """Write the choice for later runs; the same one is not written again. Raises StoreError."""
    if found.left_out or kept.read(name):
        keep_file(found, kept, name)
