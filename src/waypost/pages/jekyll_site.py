"""Computes all files that Jekyll writes, in the order in which it writes them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from waypost.core import reasons
from waypost.core.model import Example, Item, Skipped
from waypost.core.reasons import Reason
from waypost.pages import jekyll_config, jekyll_plugin_pages
from waypost.pages.jekyll_config import Collection, JekyllConfig
from waypost.pages.jekyll_defaults import FrontMatterDefaults, is_published, is_true
from waypost.pages.jekyll_documents import JekyllDocument, document_file, read_document
from waypost.pages.jekyll_pages import SourceFile, WrittenFile, collection_static_file, rendered_page, static_file
from waypost.pages.jekyll_source_tree import PAGES, POSTS, EntryFilter, Role, SourceTree


class JekyllFiles(NamedTuple):
    """What Jekyll makes of a source: the files that it writes, what it leaves out, and files that it cannot read."""

    written: list[WrittenFile]
    skipped: list[Skipped]
    problems: list[Example]


class SiteBuilder:
    """Builds the list of one site's files, once."""

    def __init__(
        self, config: JekyllConfig, tree: SourceTree, entry_filter: EntryFilter, defaults: FrontMatterDefaults
    ) -> None:
        self._config, self._tree, self._filter, self._defaults = config, tree, entry_filter, defaults
        self._files: dict[str, list[tuple[Role, SourceFile]]] = defaultdict(list)
        self._skipped: list[Skipped] = []
        self._problems: list[Example] = []

    def build(self, files: Sequence[SourceFile]) -> JekyllFiles:
        """The files that Jekyll writes for these files of the source; raises SourceError."""
        for file in sorted(files, key=lambda file: file.path):
            self._take(file)
        documents = {each.label: self._written_documents(each) for each in self._config.collections}
        pages, static_files = self._with_plugin_pages(self._pages(), self._static_files(), documents)
        written = [*pages, *(each for each in static_files if self._is_copied(each))]
        for collection in self._config.collections:
            written += self._redirected(documents[collection.label])
        self._leave_out_unpublished(static_files)
        return JekyllFiles(list(self._last_of_each_key(written)), self._skipped, self._problems)

    def _take(self, file: SourceFile) -> None:
        roles = self._tree.roles(file.path)
        if isinstance(roles, Reason):
            self._leave_out(file.item, roles)
            return
        for role in roles:
            self._files[role.name].append((role, file))
        if file.front_matter.problem:
            self._problems.append(Example(file.item.key, file.front_matter.problem))

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
            for role, file in self._files[collection.label]:
                if file.has_header or collection.label == POSTS:
                    continue
                if collection.is_written or self._config.is_jekyll_3:
                    found.append(collection_static_file(role.path, file, collection, self._config, self._defaults))
                else:
                    self._leave_out(file.item, *_not_written(collection))
        return found

    def _documents(self, collection: Collection) -> list[JekyllDocument]:
        """The documents of a collection that Jekyll reads, by date."""
        found = []
        for role, file in self._files[collection.label]:
            if not file.has_header and collection.label != POSTS:
                continue
            try:
                document = read_document(role.path, file, collection, self._config, self._defaults)
            except ValueError as error:
                self._problems.append(Example(file.item.key, str(error)))
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
            made, static = jekyll_plugin_pages.optional_front_matter_pages(static, config, self._defaults, self._filter)
            pages = [*pages, *made]
        if jekyll_config.REDIRECT_FROM in running:
            sources = [*(file for each in documents.values() for file in each), *pages]
            stubs = [stub for file in sources for stub in jekyll_plugin_pages.redirects_to(file)]
            pages = [*self._redirected(pages), *stubs]
        if jekyll_config.README_INDEX in running:
            pages, static = jekyll_plugin_pages.readme_pages(pages, static, config)
        if jekyll_config.PAGINATE in running:
            count = sum(not is_true(post.values.get("hidden")) for post in documents[POSTS])
            files = [file for _, file in self._files[PAGES]]
            pages = [*pages, *jekyll_plugin_pages.paginated_pages(pages, files, count, config, self._defaults)]
        return pages, [*static, *unseen]

    def _redirected(self, files: list[WrittenFile]) -> list[WrittenFile]:
        is_on = jekyll_config.REDIRECT_FROM in self._config.plugins
        return [jekyll_plugin_pages.redirected(file) for file in files] if is_on else files

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
        self._skipped.append(Skipped(item.key, reason, detail))


def _not_written(collection: Collection) -> tuple[Reason, str]:
    return reasons.UNPUBLISHED, f"the collection {collection.label} has no output: true"
