"""Computes all files that Jekyll writes, in the order in which it writes them, with the pages that plugins make."""

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from waypost.core import reasons
from waypost.core.model import Example, Item, Skipped
from waypost.core.reasons import Reason
from waypost.pages import jekyll_config
from waypost.pages.jekyll_config import Collection, JekyllConfig
from waypost.pages.jekyll_defaults import FrontMatterDefaults, is_published, is_true
from waypost.pages.jekyll_documents import (
    JekyllDocument,
    SourceFile,
    WrittenFile,
    collection_static_file,
    document_file,
    read_document,
    rendered_page,
    static_file,
)
from waypost.pages.jekyll_permalinks import (
    extension_of,
    page_url,
    permalink_extension,
    without_extension,
    written_file,
)
from waypost.pages.jekyll_source_tree import PAGES, POSTS, EntryFilter, SourceTree

_REPOSITORY_FILES = frozenset(
    (
        "README",
        "LICENSE",
        "LICENCE",
        "COPYING",
        "CODE_OF_CONDUCT",
        "CONTRIBUTING",
        "ISSUE_TEMPLATE",
        "PULL_REQUEST_TEMPLATE",
    )
)
"""The names, without extension, that jekyll-optional-front-matter leaves alone unless `include` lists them."""
_INDEX = re.compile(r"(?:|index\.(?:html?|xhtml|xml))", re.IGNORECASE)


class JekyllSite:
    """What Jekyll makes of the files of a source: the files that it writes, and what it leaves out (`skipped`).

    `documents` are those of each collection, the oldest first, and `problems` what it cannot read of files. Raises
    SourceError.
    """

    def __init__(
        self,
        files: Iterable[SourceFile],
        config: JekyllConfig,
        tree: SourceTree,
        entry_filter: EntryFilter,
        defaults: FrontMatterDefaults,
    ) -> None:
        self._config, self._tree, self._filter, self._defaults = config, tree, entry_filter, defaults
        self._files: dict[str, list[tuple[str, SourceFile]]] = defaultdict(list)
        self.skipped: list[Skipped] = []
        self.problems: list[Example] = []
        for file in sorted(files, key=lambda file: file.path):
            self._take(file)
        self.documents = {each.label: self._written_documents(each) for each in self._config.collections}
        pages, static_files = self._with_plugin_pages(self._pages(), self._static_files(), self.documents)
        written = [*pages, *(each for each in static_files if self._is_copied(each))]
        for collection in self._config.collections:
            written += self._redirected(self.documents[collection.label])
        self._leave_out_unpublished(static_files)
        self.written = list(self._last_of_each_key(written))

    def _take(self, file: SourceFile) -> None:
        roles = self._tree.roles(file.path)
        if isinstance(roles, Reason):
            self._leave_out(file.item, roles)
            return
        for name, path in roles:
            self._files[name].append((path, file))
        if file.front_matter.problem:
            self.problems.append(Example(file.item.key, file.front_matter.problem))

    def _pages(self) -> list[WrittenFile]:
        pages = []
        for _, file in self._files[PAGES]:
            if not file.has_header:
                continue
            if is_published(file.front_matter.values) or self._config.is_on("unpublished"):
                pages.append(rendered_page(file, self._config, self._defaults))
            else:
                self._leave_out(file.item, reasons.UNPUBLISHED, "published: false")
        return sorted(pages, key=lambda page: page.source.name if page.source else "")

    def _static_files(self) -> list[WrittenFile]:
        """The files without front matter, also files of collections that are written."""
        found = [static_file(file, self._defaults) for _, file in self._files[PAGES] if not file.has_header]
        for collection in self._config.collections:
            for path, file in self._files[collection.label]:
                if file.has_header or collection.label == POSTS:
                    continue
                if collection.is_written or self._config.is_jekyll_3:
                    found.append(collection_static_file(path, file, collection, self._config, self._defaults))
                else:
                    self._leave_out(file.item, *_not_written(collection))
        return found

    def _documents(self, collection: Collection) -> list[JekyllDocument]:
        """The documents of a collection that Jekyll reads, by date."""
        found = []
        for path, file in self._files[collection.label]:
            if not file.has_header and collection.label != POSTS:
                continue
            try:
                document = read_document(path, file, collection, self._config, self._defaults)
            except ValueError as error:
                self.problems.append(Example(file.item.key, str(error)))
                self._leave_out(file.item, reasons.UNREADABLE, str(error))
                continue
            if reason := self._hidden(document):
                self._leave_out(file.item, *reason)
            else:
                found.append(document)
        return sorted(found, key=lambda document: (document.date, document.path))

    def _hidden(self, document: JekyllDocument) -> tuple[Reason, str] | None:
        config = self._config
        if not is_published(document.values) and not config.is_on("unpublished"):
            return reasons.UNPUBLISHED, "published: false"
        if not document.collection.is_written:
            return _not_written(document.collection)
        if document.date > config.now and not config.is_on("future"):
            return reasons.FUTURE, document.date.isoformat()
        return None

    def _limited(self, posts: list[JekyllDocument]) -> list[JekyllDocument]:
        limit = self._config.number("limit_posts")
        if limit <= 0 or limit >= len(posts):
            return posts
        for post in posts[:-limit]:
            self._leave_out(post.file.item, reasons.UNPUBLISHED, f"limit_posts: {limit}")
        return posts[-limit:]

    def _written_documents(self, collection: Collection) -> list[WrittenFile]:
        documents = self._documents(collection)
        documents = self._limited(documents) if collection.label == POSTS else documents
        return [document_file(each, self._config) for each in documents]

    def _with_plugin_pages(
        self, pages: list[WrittenFile], static: list[WrittenFile], documents: dict[str, list[WrittenFile]]
    ) -> tuple[list[WrittenFile], list[WrittenFile]]:
        """The pages and static files after the plugins have run, in the order of their priorities.

        In Jekyll 3, plugins do not see the static files of collections.
        """
        config, running = self._config, self._config.plugins
        unseen = [file for file in static if file.in_collection and config.is_jekyll_3]
        static = [file for file in static if not (file.in_collection and config.is_jekyll_3)]
        if jekyll_config.OPTIONAL_FRONT_MATTER in running:
            made, static = _optional_front_matter_pages(static, config, self._defaults, self._filter)
            pages = [*pages, *made]
        if jekyll_config.REDIRECT_FROM in running:
            sources = [*(file for each in documents.values() for file in each), *pages]
            stubs = [stub for file in sources for stub in _redirects_to(file)]
            pages = [*self._redirected(pages), *stubs]
        if jekyll_config.README_INDEX in running:
            pages, static = _readme_pages(pages, static, config)
        if jekyll_config.PAGINATE in running:
            count = sum(not is_true(post.values.get("hidden")) for post in documents[POSTS])
            files = [file for _, file in self._files[PAGES]]
            pages = [*pages, *_paginated_pages(pages, files, count, config, self._defaults)]
        return pages, [*static, *unseen]

    def _redirected(self, files: list[WrittenFile]) -> list[WrittenFile]:
        is_on = jekyll_config.REDIRECT_FROM in self._config.plugins
        return [_redirect_of(file) for file in files] if is_on else files

    def _last_of_each_key(self, written: Sequence[WrittenFile]) -> Iterator[WrittenFile]:
        """The files without those that a later one replaces; a redirect that is made of no file leaves out no file."""
        last = {file.key: file for file in written}
        for file in written:
            if last[file.key] is file:
                yield file
            elif file.source:
                other = last[file.key].source
                self._leave_out(file.source.item, reasons.DUPLICATE, other.item.key if other else file.url)

    def _is_copied(self, file: WrittenFile) -> bool:
        """Whether a static file is written; Jekyll 3 writes all but files of collections."""
        return is_published(file.values) or (self._config.is_jekyll_3 and not file.in_collection)

    def _leave_out_unpublished(self, static_files: Sequence[WrittenFile]) -> None:
        for file in static_files:
            if file.source and not self._is_copied(file):
                self._leave_out(file.source.item, reasons.UNPUBLISHED, "published: false")

    def _leave_out(self, item: Item, reason: Reason, detail: str = "") -> None:
        self.skipped.append(Skipped(item.key, reason, detail))


def _not_written(collection: Collection) -> tuple[Reason, str]:
    return reasons.UNPUBLISHED, f"the collection {collection.label} has no output: true"


def _redirect_of(file: WrittenFile) -> WrittenFile:
    """The file, or the redirect that jekyll-redirect-from makes of it for `redirect_to`."""
    targets = [each for each in _list(file.values.get("redirect_to")) if each is not None]
    if file.kind == "static" or not targets or targets[0] is False:
        return file
    return WrittenFile(file.key, file.url, "redirect", file.source, file.values, str(targets[0]))


def _redirects_to(file: WrittenFile) -> Iterator[WrittenFile]:
    """The redirects that jekyll-redirect-from makes for `redirect_from`."""
    for path in _list(file.values.get("redirect_from")):
        if path is not None:
            permalink = "/" + str(path).removeprefix("/")
            url = page_url(permalink, {"path": "", "basename": "redirect", "output_ext": ".html"})
            key = written_file(url, permalink_extension(permalink) or ".html")
            yield WrittenFile(key, url, "redirect", target=file.url)


def _optional_front_matter_pages(
    static_files: Sequence[WrittenFile], config: JekyllConfig, defaults: FrontMatterDefaults, entry_filter: EntryFilter
) -> tuple[list[WrittenFile], list[WrittenFile]]:
    """The pages that jekyll-optional-front-matter makes of Markdown files without front matter; the static files then.

    The originals remain static files unless the plugin's setting removes them, which it does not in collections.
    """
    if config.option("optional_front_matter", "enabled") is False or config.is_on("require_front_matter"):
        return [], list(static_files)
    sources = {
        file.source.path: file.source
        for file in static_files
        if file.source
        and extension_of(file.source.name).lower() in config.markdown_extensions
        and (_stem(file.source.name).upper() not in _REPOSITORY_FILES or entry_filter.is_included(file.source.path))
    }
    pages = [rendered_page(source, config, defaults) for source in sources.values()]
    if config.option("optional_front_matter", "remove_originals") is not True:
        return pages, list(static_files)
    return pages, [
        file for file in static_files if file.in_collection or not file.source or file.source.path not in sources
    ]


def _readme_pages(
    pages: Sequence[WrittenFile], static_files: Sequence[WrittenFile], config: JekyllConfig
) -> tuple[list[WrittenFile], list[WrittenFile]]:
    """The pages and static files after jekyll-readme-index: a readme is the index of a folder that has no other.

    Readme files with front matter become an index only if the plugin's setting says so.
    """
    if config.option("readme_index", "enabled") is False:
        return list(pages), list(static_files)
    all_pages = list(pages)
    indexes = Counter(folder for file in (*pages, *static_files) if (folder := _indexed_folder(file)))
    removed: set[int] = set()
    for file in static_files:
        if _is_readme(file, config) and not indexes[_folder_url(file).lower()]:
            all_pages.append(_index_of_folder(file))
            indexes[_folder_url(file).lower()] += 1
            if config.option("readme_index", "remove_originals") is True and not file.in_collection:
                removed.add(id(file))
    if config.option("readme_index", "with_frontmatter") is True:
        for n, page in enumerate(pages):
            if _is_readme(page, config) and not indexes[_folder_url(page).lower()]:
                all_pages[n] = _index_of_folder(page)
                indexes.subtract(filter(None, [_indexed_folder(page)]))
                indexes[_folder_url(page).lower()] += 1
    return all_pages, [file for file in static_files if id(file) not in removed]


def _paginated_pages(
    pages: Sequence[WrittenFile],
    files: Sequence[SourceFile],
    post_count: int,
    config: JekyllConfig,
    defaults: FrontMatterDefaults,
) -> Iterator[WrittenFile]:
    """The pages from the second on that jekyll-paginate makes of an `index.html`.

    The index is the one in the folder of `paginate_path`, or else in the nearest folder above. The plugin reads it
    again at its URL's folder, and keeps no front matter if it is not there.
    """
    per_page = config.number("paginate")
    path = str(config.values.get("paginate_path") or "/page:num")
    template = _pagination_template(pages, path)
    if template is None or per_page < 1:
        return
    folder = template.url if template.url.endswith("/") else posixpath.dirname(template.url)
    place = f"{folder.strip('/')}/index.html".lstrip("/")
    source = next((file for file in files if file.path == place), template.source)
    if source is None:
        return
    if source.path != place:
        source = SourceFile(source.path, source.item, has_header=True)
    for number in range(2, -(-post_count // per_page) + 1):
        page_folder = path.replace(":num", str(number), 1).strip("/")
        yield rendered_page(source, config, defaults, page_folder)


def _pagination_template(pages: Sequence[WrittenFile], paginate_path: str) -> WrittenFile | None:
    folder = posixpath.dirname(posixpath.normpath("/" + paginate_path.lstrip("/"))).lstrip("/")
    found = [
        page
        for page in pages
        if page.source
        and page.source.name == "index.html"
        and f"/{folder}/".startswith(f"/{page.source.path}".removesuffix("index.html"))
    ]
    return max(found, key=lambda page: len(page.source.path) if page.source else 0, default=None)


def _is_readme(file: WrittenFile, config: JekyllConfig) -> bool:
    name = file.source.name if file.source else ""
    return _stem(name).lower() == "readme" and extension_of(name) in config.markdown_extensions


def _indexed_folder(file: WrittenFile) -> str | None:
    """The URL of the folder whose index a file is, in lower case; None if it is no index."""
    folder, slash, name = file.url.rpartition("/")
    return f"{folder}{slash}".lower() if slash and _INDEX.fullmatch(name) else None


def _index_of_folder(readme: WrittenFile) -> WrittenFile:
    url = _folder_url(readme)
    return WrittenFile(written_file(url, ".html"), url, "rendered", readme.source, readme.values)


def _folder_url(file: WrittenFile) -> str:
    return posixpath.dirname(file.url.rstrip("/")).rstrip("/") + "/"


def _stem(name: str) -> str:
    return without_extension(name).rstrip(".")


def _list(value: object) -> list[object]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
