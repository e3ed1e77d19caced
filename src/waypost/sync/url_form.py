"""Finds the form of a bucket's URLs from the links on some of its pages.

Different people may upload to the folders of a bucket. So the pages of a folder decide about that folder alone, and
about those below it that do not decide for themselves.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import asdict

from waypost.config.schema import Site
from waypost.core import concurrency
from waypost.core.model import OPEN_URL_FORM, Item, LinkedShapes, UrlForm
from waypost.rules import link_votes
from waypost.rules.link_votes import LinkVote
from waypost.rules.selection import parent_folder
from waypost.sync.updater import Updater

MAX_FOLDERS = 100
"""So many folders are looked at, the upper ones first: each costs a request."""
MAX_PAGES = 10
"""Links are read from so many pages of a folder, those with the first keys: each costs a request."""
_BATCH = 50
"""So many pages are in memory at the same time."""


class _Folder(NamedTuple):
    """A folder (`""`, or with a slash at its end): the first possible pages and the first folders directly in it."""

    name: str
    pages: Sequence[Item]
    folders: Sequence[str]


def find_url_form(updater: Updater) -> UrlForm:
    """The form that the links use now; pages that cannot be read show no links. Raises SourceError."""
    if not link_votes.needs_links(updater.site):
        return OPEN_URL_FORM
    found = {"": LinkedShapes()}
    names, left = [""], MAX_FOLDERS
    while names:
        folders = _list_folders(updater, names)
        for folder, votes in zip(folders, _votes(updater, folders), strict=True):
            found[folder.name] = link_votes.shapes_of(votes, found[parent_folder(folder.name)])
        left -= len(names)
        names = [name for folder in folders for name in folder.folders][:left]
    own = (name for name in found if name and found[name] != found[parent_folder(name)])
    return UrlForm(**asdict(found[""]), folders=tuple((name, found[name]) for name in sorted(own)))


def _list_folders(updater: Updater, names: Sequence[str]) -> list[_Folder]:
    """What these folders have that may be listed; raises SourceError."""
    listings = concurrency.map_concurrently(updater.source.list_folder, names, updater.source.width)
    return [
        _Folder(
            name,
            [item for item in listing.items if isinstance(item, Item) and updater.exclusion_reason(item.key) is None],
            [each for each in listing.folders if updater.selection.folder_exclusion_reason(each) is None],
        )
        for name, listing in zip(names, listings, strict=True)
    ]


def _votes(updater: Updater, folders: Sequence[_Folder]) -> Iterator[Sequence[LinkVote]]:
    """What the links on the sample of each folder, to what is directly in the folder, agree on."""
    samples = [_sample(folder) for folder in folders]
    items = [item for sample in samples for item in sample]
    contents = concurrency.map_in_batches(partial(_content, updater), items, updater.source.width, _BATCH)
    for folder, sample in zip(folders, samples, strict=True):
        exists = _targets(folder, updater.site).__contains__
        links = (
            (item.key, named)
            for item, content in zip(sample, contents, strict=False)  # the rest belongs to the next folders
            for path in link_votes.linked_paths(item.key, content, updater.site)
            if (named := link_votes.target(path, exists, updater.site))
        )
        yield link_votes.count_votes(links)


def _sample(folder: _Folder) -> Sequence[Item]:
    """The pages of which the links are read, unless all that they may link to is too little."""
    pages = [item for item in folder.pages if link_votes.is_html(item.key)][:MAX_PAGES]
    return pages if link_votes.may_decide(len(pages), len(folder.pages) + len(folder.folders)) else ()


def _targets(folder: _Folder, site: Site) -> frozenset[str]:
    """The keys of the pages directly in a folder, and those that the index files of the folders in it may have."""
    indexes = (below + name for below in folder.folders for name in site.index_files)
    return frozenset(item.key for item in folder.pages).union(indexes)


def _content(updater: Updater, item: Item) -> bytes:
    try:
        return updater.source.read(item, link_votes.MAX_BYTES).data
    except OSError:
        return b""
