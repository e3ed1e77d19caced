"""Finds the form of a bucket's URLs from the links on some of its pages.

Different people may upload to the folders of a bucket. So the pages of a folder decide about that folder alone, and
about those below it that do not decide for themselves.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

from msgspec.structs import asdict

from waypost.config.schema import Site
from waypost.core import concurrency
from waypost.core.model import OPEN_URL_FORM, Item, LinkedShapes, UrlForm
from waypost.rules import link_votes
from waypost.rules.link_votes import LinkVote
from waypost.rules.selection import parent_folder
from waypost.rules.site_links import page_contents
from waypost.sources.base import FolderListing
from waypost.sync.updater import Updater

MAX_FOLDERS = 100
"""How many folders are looked at: each costs a request."""
MAX_PAGES = 5
"""Links are read from so many pages of a folder, those with the first keys: each costs a request."""


class _Folder(NamedTuple):
    """A folder (`""`, or with a slash at its end): the first possible pages and the first folders directly in it."""

    name: str
    pages: Sequence[Item]
    folders: Sequence[str]


def find_url_form(updater: Updater) -> UrlForm:
    """The form that the links use now; pages that cannot be read show no links. Raises SourceError."""
    if not link_votes.needs_links(updater.site):
        return OPEN_URL_FORM
    folders = list(_upper_folders(updater))
    found = {"": LinkedShapes()}
    for folder, votes in zip(folders, _votes(updater, folders), strict=True):
        found[folder.name] = link_votes.shapes_of(votes, found[parent_folder(folder.name)])
    own = (name for name in found if name and found[name] != found[parent_folder(name)])
    return UrlForm(**asdict(found[""]), folders=tuple((name, found[name]) for name in sorted(own)))


def _upper_folders(updater: Updater) -> Iterator[_Folder]:
    """The folders that are looked at, the upper ones first; of those at one depth, equally many of each parent."""
    names, left = [""], MAX_FOLDERS
    while names:
        listings = concurrency.map_concurrently(updater.source.list_folder, names, updater.source.width)
        folders = [_folder(updater, *each) for each in zip(names, listings, strict=True)]
        yield from folders
        left -= len(folders)
        in_turn = chain.from_iterable(zip_longest(*(folder.folders for folder in folders)))
        names = [name for name in in_turn if name is not None][:left]


def _folder(updater: Updater, name: str, listing: FolderListing) -> _Folder:
    """What may be listed of a folder."""
    items = (item for item in listing.items if isinstance(item, Item))
    return _Folder(
        name,
        [item for item in items if updater.exclusion_reason(item.key) is None],
        [each for each in listing.folders if updater.selection.folder_exclusion_reason(each) is None],
    )


def _votes(updater: Updater, folders: Sequence[_Folder]) -> Iterator[Sequence[LinkVote]]:
    """What the links of each folder's own pages, to files that are known to exist, agree on."""
    samples = [[item for item in folder.pages if link_votes.is_html(item.key)][:MAX_PAGES] for folder in folders]
    contents = page_contents(updater.source, list(chain.from_iterable(samples)))
    target = link_votes.remembered_target(_known_keys(folders, updater.site), updater.site)
    for sample in samples:
        links = (
            (item.key, named)
            for item, content in zip(sample, contents, strict=False)  # the rest belongs to the next folders
            for path in link_votes.linked_paths(item.key, content, updater.site)
            if (named := target(path))
        )
        yield link_votes.count_votes(links, link_votes.OF_FOLDER)


def _known_keys(folders: Sequence[_Folder], site: Site) -> set[str]:
    """The keys of the pages in these folders, and those that index files in other folders may have."""
    looked_at = {folder.name for folder in folders}
    others = {name for folder in folders for name in folder.folders} - looked_at
    pages = {item.key for folder in folders for item in folder.pages}
    return pages | {name + index for name in others for index in site.index_files}
