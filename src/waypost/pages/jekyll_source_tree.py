"""Divides the files of a source by the role that Jekyll gives them: page or static file, post, draft, document."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from waypost.core import reasons
from waypost.core.reasons import Reason
from waypost.pages.jekyll_config import Collection, JekyllConfig
from waypost.pages.jekyll_documents import dated_name, is_dateless_name
from waypost.pages.jekyll_globs import entry_pattern

PAGES, POSTS = "pages", "posts"
_POST_FOLDERS = {"_posts": dated_name, "_drafts": is_dateless_name}


class EntryFilter:
    """The lists `include` and `exclude` of a configuration, and Jekyll's rules for names.

    A pattern matches as a glob, or as the beginning of a path: `vendor` also matches `vendors.md`. `is_folder` says
    whether a path is a folder's; a pattern with a final slash matches only folders and what is below them.
    """

    def __init__(self, include: Sequence[str], exclude: Sequence[str], is_folder: Callable[[str], bool]) -> None:
        included = frozenset(include)
        self._includes = _matcher(include, is_folder)
        self._excludes = _matcher([pattern for pattern in exclude if pattern not in included], is_folder)

    def exclusion_reason(self, entry: str, folder: str = "") -> Reason | None:
        """Why an entry is left out, or None; `entry` is its path below `folder`."""
        name = entry.rpartition("/")[2]
        if entry.endswith("."):
            return reasons.GENERATOR_EXCLUDED
        if self.is_included(entry):
            return None
        if self._excludes(f"{folder}/{entry}" if folder else entry):
            return reasons.GENERATOR_EXCLUDED
        if entry.startswith(".") or name.startswith("."):
            return reasons.HIDDEN
        if entry.startswith("_") or name.startswith("_"):
            return reasons.UNPUBLISHED
        is_backup = entry.startswith(("#", "~")) or name.startswith(("#", "~")) or entry.endswith("~")
        return reasons.GENERATOR_EXCLUDED if is_backup else None

    def is_included(self, entry: str) -> bool:
        """Whether the list `include` names an entry, by its path or by its name."""
        return self._includes(entry) or self._includes(entry.rpartition("/")[2])


def _matcher(patterns: Iterable[str], is_folder: Callable[[str], bool]) -> Callable[[str], bool]:
    """Whether a pattern of a list matches an entry; one without a wildcard matches what begins with it."""
    beginnings = tuple(map(_rooted, patterns))
    texts = frozenset(beginnings)
    globs = [entry_pattern(each) for each in beginnings if any(character in each for character in "*?[")]

    def matches(entry: str) -> bool:
        path = _rooted(entry)
        is_matched = path.startswith(beginnings) or any(glob.match(path) for glob in globs)
        return is_matched or (f"{path}/" in texts and is_folder(entry))

    return matches


def _rooted(path: str) -> str:
    return "/" + path.lstrip("/")


Role = tuple[str, str]
"""What a file is: a page or static file (`pages`), or part of a collection, and its path in the collections."""


class SourceTree:
    """The rules for the paths of one site; all paths are relative to Jekyll's source."""

    def __init__(self, config: JekyllConfig, entry_filter: EntryFilter) -> None:
        self._config = config
        self._filter = entry_filter
        self._prefix = f"{config.collections_dir}/" if config.collections_dir else ""
        self._collections = {f"_{each.label}": each for each in config.collections if each.label != POSTS}
        self._folder_reason = lru_cache(None)(self._find_folder_reason)

    def roles(self, path: str) -> list[Role] | Reason:
        """The roles of a file, or the reason for which it has none."""
        found = [*self._collection_roles(path), *self._post_roles(path)]
        folder, slash, name = path.rpartition("/")
        reason = self._folder_reason(folder + slash) or self._filter.exclusion_reason(name, folder)
        if reason is None:
            found.append((PAGES, path))
        return found if found or reason is None else reason

    def is_post(self, path: str) -> bool:
        """Whether a file is a post or a draft, which need no header to be rendered."""
        return any(True for _ in self._post_roles(path))

    def folder_exclusion_reason(self, folder: str) -> Reason | None:
        """Why nothing in a folder (with a final slash) takes part in the site, or None if something may."""
        reason = self._folder_reason(folder)
        is_needed = reason and (self._is_in_collection(folder) or self._post_folder(folder) is not None)
        return None if is_needed else reason

    def _is_in_collection(self, folder: str) -> bool:
        return self._collection_of(folder) is not None or (bool(self._collections) and self._prefix.startswith(folder))

    def _collection_of(self, path: str) -> Collection | None:
        """The collection in whose folder a path is; None if it is in none."""
        if not path.startswith(self._prefix):
            return None
        name, slash, _ = path.removeprefix(self._prefix).partition("/")
        return self._collections.get(name) if slash else None

    def _collection_roles(self, path: str) -> Iterator[Role]:
        collection = self._collection_of(path)
        inner = path.removeprefix(self._prefix)
        if collection and self._is_document(inner.partition("/")[2], collection):
            yield collection.label, inner

    def _is_document(self, entry: str, collection: Collection) -> bool:
        return self._filter.exclusion_reason(entry, f"_{collection.label}") is None

    def _post_roles(self, path: str) -> Iterator[Role]:
        folder = self._post_folder(path)
        if folder is None:
            return
        entry = path.removeprefix(folder)
        is_listed = not entry.startswith(".") and "/." not in entry
        is_name = _POST_FOLDERS[folder.rstrip("/").rpartition("/")[2]]
        if is_listed and is_name(entry) and self._filter.exclusion_reason(entry, folder.rstrip("/")) is None:
            yield POSTS, path.removeprefix(self._prefix)

    def _post_folder(self, path: str) -> str | None:
        """The folder of posts or drafts that a path is in: below folders that take part in the site."""
        parts = path.split("/")[:-1]
        for n, part in enumerate(parts):
            if part in _POST_FOLDERS and (part == "_posts" or self._config.is_on("show_drafts")):
                above = "".join(f"{each}/" for each in parts[:n])
                is_inside = f"/{above}".startswith(f"/{self._config.collections_dir}")
                return f"{above}{part}/" if is_inside and not self._folder_reason(above) else None
        return None

    def _find_folder_reason(self, folder: str) -> Reason | None:
        """Why the pages below a folder take no part in the site: because of its name, or the name of a folder above."""
        if not folder:
            return None
        if folder.removesuffix("/") == self._config.destination.removesuffix("/"):
            return reasons.GENERATOR_EXCLUDED
        above, slash, name = folder[:-1].rpartition("/")
        return self._folder_reason(above + slash) or self._filter.exclusion_reason(name, above)
