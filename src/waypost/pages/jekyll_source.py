"""The source of a site that Jekyll builds: the pages as they will be served, read from the files that make them."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from html import escape

from msgspec.structs import replace

from waypost.core import reasons
from waypost.core.finding_types import site_warning, stated_warning
from waypost.core.model import Body, Example, Item, SiteWarning, Skipped
from waypost.core.reasons import Reason
from waypost.files.folder_source import FolderSource
from waypost.pages.frontmatter import dates_of
from waypost.pages.jekyll_config import Profile, read_config
from waypost.pages.jekyll_defaults import FrontMatterDefaults
from waypost.pages.jekyll_documents import SourceFile, WrittenFile
from waypost.pages.jekyll_front_matter import (
    HEADER_SIZE,
    JekyllFrontMatter,
    has_header,
    may_have_front_matter,
    read_front_matter,
)
from waypost.pages.jekyll_lists import JekyllLists, may_loop, template_text
from waypost.pages.jekyll_permalinks import decoded
from waypost.pages.jekyll_site import JekyllSite
from waypost.pages.jekyll_source_tree import POSTS, EntryFilter, SourceTree
from waypost.pages.liquid import enclosed, unconditional

_DOCUMENT = re.compile(
    r"(?>\s+|<!--.*?-->|\{%.*?%\}|\{\{.*?\}\})*+(?:<!doctype\s+html|<(?:html|head)\b)", re.IGNORECASE | re.DOTALL
)
_HTML_TAG = re.compile(r"<[a-z]([^<>]*+)>", re.IGNORECASE)
_HTTP_EQUIV = re.compile("http-equiv", re.IGNORECASE)
_HTML = (".html", ".htm", ".xhtml")


def html_body(front: JekyllFrontMatter, *, is_html: bool) -> bytes:
    """An HTML document with what is known of the rendered page; its visible text is the source's."""
    if is_html and _DOCUMENT.match(front.content):
        text = _HTML_TAG.sub(_unless_computed, "".join(unconditional(front.content)))
        return _without_output(text).encode("utf-8", "surrogateescape")
    head = "".join(_head(front))
    text = f"<!doctype html><html><head>{head}</head><body><pre>{escape(front.content)}</pre></body></html>"
    return text.encode("utf-8", "replace")


def _head(front: JekyllFrontMatter) -> Iterator[str]:
    values = front.values
    if title := values.get("title"):
        yield f"<title>{escape(str(title))}</title>"
    if robots := values.get("robots"):
        words = ",".join(map(str, robots)) if isinstance(robots, list) else str(robots)
        yield f'<meta name="robots" content="{escape(words)}">'
    own = dates_of((key, str(value)) for key, value in values.items())
    for name, own_date in (("article:modified_time", own.modified), ("article:published_time", own.published)):
        if own_date:
            yield f'<meta property="{name}" content="{own_date.date}">'


def _unless_computed(tag: re.Match[str]) -> str:
    """A tag of HTML; empty if it has a computed value, unless it may be a redirect."""
    return "" if "{{" in tag[1] and not _HTTP_EQUIV.search(tag[0]) else tag[0]


def _without_output(text: str) -> str:
    parts: list[str] = []
    end = 0
    for start, after in enclosed(text, "{{", "}}"):
        parts.append(text[end:start])
        end = after
    return "".join([*parts, text[end:]])


class JekyllSource:
    """The files that Jekyll would write for a folder, without running Jekyll.

    An item's `key` is the path of the file that Jekyll writes, and its `read_key` the source's path, so each page has
    the date of its source. `now` is the time of the build in Unix seconds. Raises SourceError if the configuration is
    not valid, or if a plugin makes pages that cannot be derived.
    """

    width = 1
    has_etags = False

    def __init__(self, folder: FolderSource, profile: Profile, now: int) -> None:
        self._folder = folder
        self._config = read_config(folder, profile, now)
        root = folder.root / self._config.source
        self._filter = EntryFilter(self._config.include, self._config.exclude, lambda path: (root / path).is_dir())
        self._tree = SourceTree(self._config, self._filter)

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """The files that Jekyll writes, and what it leaves out.

        A key is no path of the source, so `prunes` does not decide which folders are entered: Jekyll's rules do.
        """
        del prunes
        for file in self._site.written:
            yield self._listed(file)
        yield from self._site.skipped

    def read(self, item: Item, size: int | None = None) -> Body:
        """A static file's bytes; of a page that Jekyll renders, what is known before; raises OSError."""
        if item.key not in self._rendered:
            return self._folder.read(item, size)
        if size == 0:
            return Body(b"", is_whole=False)
        front = read_front_matter(self._folder.read(item).data)
        return Body(html_body(front, is_html=item.read_key.lower().endswith(_HTML)))

    def find(self, key: str) -> bytes | None:
        """The content of the file that Jekyll writes to this path, or None; raises OSError.

        Of a file that Jekyll renders, such as a `robots.txt`, it is the text after the front matter.
        """
        file = next((file for file in self._site.written if file.key == key), None)
        if file is None or file.source is None:
            return None
        content = self._folder.find(file.source.item.read_key)
        if content is None or file.kind == "static":
            return content
        return read_front_matter(content).content.encode("utf-8", "surrogateescape")

    @cached_property
    def warnings(self) -> tuple[SiteWarning, ...]:
        """What cannot be seen in the source, and what could not be read."""
        found = [stated_warning("jekyll-layouts")]
        if unknown := self._config.unknown_plugins:
            found.append(site_warning("jekyll-plugin", [*map(Example, unknown)]))
        if zone := self._config.unknown_zone:
            found.append(site_warning("jekyll-timezone", [Example(zone)]))
        if problems := self._site.problems:
            found.append(site_warning("jekyll-front-matter", problems))
        return tuple(found)

    @property
    def written(self) -> list[WrittenFile]:
        """All files that Jekyll writes, also those that are not listed."""
        return self._site.written

    @cached_property
    def _site(self) -> JekyllSite:
        unread: list[Skipped] = []
        items = list(self._source_items(unread))
        paths = {path for each in items for path in _with_folders(self._path(each))}
        config = self._config
        defaults = FrontMatterDefaults(config.defaults, paths, config.collections_dir, by_segments=config.is_jekyll_3)
        site = JekyllSite(self._source_files(items, unread), config, self._tree, self._filter, defaults)
        site.skipped[:0] = unread
        return site

    @cached_property
    def _rendered(self) -> frozenset[str]:
        return frozenset(file.key for file in self._site.written if file.kind == "rendered")

    def _source_items(self, unread: list[Skipped]) -> Iterator[Item]:
        """The files of the source; what is not read is added to `unread`."""
        for found in self._folder.items(self._folder_exclusion_reason):
            if isinstance(found, Item) and found.key.startswith(self._config.source):
                yield found
            elif isinstance(found, Item):
                unread.append(Skipped(found.key, reasons.GENERATOR_EXCLUDED, f"source: {self._config.source}"))
            else:
                unread.append(found)

    def _folder_exclusion_reason(self, folder: str) -> Reason | None:
        source = self._config.source
        if folder.startswith(source):
            return self._tree.folder_exclusion_reason(folder.removeprefix(source))
        return None if source.startswith(folder) else reasons.GENERATOR_EXCLUDED

    def _path(self, item: Item) -> str:
        return item.key.removeprefix(self._config.source)

    def _source_files(self, items: Iterable[Item], unread: list[Skipped]) -> Iterator[SourceFile]:
        """The files with their front matter; of files that do not begin with any, only posts are read."""
        for item in items:
            path = self._path(item)
            try:
                beginning = self._folder.read(item, HEADER_SIZE).data
                is_read = may_have_front_matter(beginning) or self._tree.is_post(path)
                front = read_front_matter(self._folder.read(item).data) if is_read else JekyllFrontMatter({})
            except OSError as error:
                unread.append(Skipped(item.key, reasons.UNREADABLE, error.strerror or ""))
            else:
                values = replace(front, content="")
                yield SourceFile(path, item, has_header(beginning), values, may_loop(front.content))

    def _listed(self, file: WrittenFile) -> Item | Skipped:
        key = file.source.item.key if file.source else file.key
        if file.kind == "redirect":
            return Skipped(key, reasons.REFRESH, file.target)
        if file.values.get("sitemap") is False:
            return Skipped(key, reasons.UNPUBLISHED, "sitemap: false")
        read_key = file.source.item.read_key if file.source else ""
        return Item(file.key, read_key, url_path=_url_path(file), entries=self._lists.get(file.key))

    @cached_property
    def _lists(self) -> Mapping[str, tuple[str, ...]]:
        """The entries of the pages that list others, by key; those of later pages of a pagination are not known.

        A post is no list: many sites have includes in all posts.
        """
        lists = JekyllLists(self._config, self._site.documents, self._template)
        found, first = dict[str, tuple[str, ...]](), dict[str, str]()
        posts = {file.key for file in self._site.documents[POSTS]}
        for file in self._site.written:
            if file.kind == "rendered" and file.source and file.key not in posts:
                entries = lists.entries(file, partial(self._content, file.source.item))
                is_first = first.setdefault(file.source.path, file.key) == file.key
                found |= {file.key: entries if is_first else ()} if entries is not None else {}
        return found

    def _content(self, item: Item) -> str:
        """The text of a file after its front matter; empty if it cannot be read."""
        try:
            return read_front_matter(self._folder.read(item).data).content
        except OSError:
            return ""

    def _template(self, path: str) -> str:
        """The text of a layout or an include; empty if there is none."""
        try:
            return template_text(self._folder.find(f"{self._config.source}{path}"))
        except OSError:
            return ""


def _url_path(file: WrittenFile) -> str:
    """The path at which the site links to a page, below its root; `""` where only the file's path says it.

    This is so for static files, and for a permalink that names an index file, since servers answer with it for its
    folder.
    """
    is_named_by_key = file.kind == "static" or file.url.endswith("/index.html")
    return "" if is_named_by_key else decoded(file.url).lstrip("/")


def _with_folders(path: str) -> Iterator[str]:
    """A path and the paths of the folders above it."""
    while path:
        yield path
        path = posixpath.dirname(path)
