"""The pages that plugins make: redirects, pages of a list of posts, pages of Markdown files without front matter."""

import posixpath
import re
from collections.abc import Iterator, Sequence

from waypost.jekyll.config import JekyllConfig
from waypost.jekyll.defaults import FrontMatterDefaults, is_true
from waypost.jekyll.entry_filter import EntryFilter
from waypost.jekyll.front_matter import FrontMatter
from waypost.jekyll.pages import rendered_page
from waypost.jekyll.permalinks import extension_of, page_url, permalink_extension, written_file
from waypost.jekyll.written_file import Kind, SourceFile, WrittenFile

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


def redirected(file: WrittenFile) -> WrittenFile:
    """The file, or the redirect that jekyll-redirect-from makes of it for `redirect_to`."""
    targets = [each for each in _list(file.values.get("redirect_to")) if each is not None]
    is_static = file.kind is Kind.STATIC
    if is_static or not targets or targets[0] is False:
        return file
    return WrittenFile(file.key, file.url, Kind.REDIRECT, file.source, file.values, str(targets[0]))


def redirects_to(file: WrittenFile) -> Iterator[WrittenFile]:
    """The redirects that jekyll-redirect-from makes for `redirect_from`."""
    for path in _list(file.values.get("redirect_from")):
        if path is not None:
            permalink = "/" + str(path).removeprefix("/")
            url = page_url(permalink, {"path": "", "basename": "redirect", "output_ext": ".html"})
            key = written_file(url, permalink_extension(permalink) or ".html")
            yield WrittenFile(key, url, Kind.REDIRECT, target=file.url)


def optional_front_matter_pages(
    static_files: Sequence[SourceFile], config: JekyllConfig, defaults: FrontMatterDefaults, entry_filter: EntryFilter
) -> list[WrittenFile]:
    """The pages that jekyll-optional-front-matter makes of Markdown files without front matter."""
    is_off = config.option("optional_front_matter", "enabled") is False or config.is_on("require_front_matter")
    return [
        rendered_page(file, config, defaults)
        for file in ([] if is_off else static_files)
        if extension_of(file.name).lower() in config.markdown_extensions
        and (_stem(file.name).upper() not in _REPOSITORY_FILES or entry_filter.is_included(file.path))
    ]


def readme_pages(
    written: Sequence[WrittenFile],
    static_files: Sequence[SourceFile],
    config: JekyllConfig,
    defaults: FrontMatterDefaults,
) -> list[WrittenFile]:
    """The index pages that jekyll-readme-index makes of readme files, in folders that have no other index.

    `written` are the pages and static files so far.
    """
    if config.option("readme_index", "enabled") is False:
        return []
    urls = [file.url for file in written]
    pages: list[WrittenFile] = []
    for file in static_files:
        folder = f"/{file.folder}/" if file.folder else "/"
        if _is_readme(file, config) and not _has_index(folder, [*urls, *(page.url for page in pages)]):
            page = rendered_page(file, config, defaults)
            pages.append(WrittenFile(written_file(folder, ".html"), folder, Kind.RENDERED, file, page.values))
    return pages


def with_readme_permalinks(
    pages: Sequence[WrittenFile], static_urls: Sequence[str], config: JekyllConfig
) -> list[WrittenFile]:
    """The pages, of which readme files with front matter become index pages if the plugin's setting says so."""
    is_on = is_true(config.option("readme_index", "with_frontmatter"))
    if not is_on or config.option("readme_index", "enabled") is False:
        return list(pages)
    changed = list(pages)
    for n, page in enumerate(pages):
        folder = posixpath.dirname(page.url).rstrip("/") + "/"
        urls = [*static_urls, *(each.url for each in changed)]
        if page.source and _is_readme(page.source, config) and not _has_index(folder, urls):
            changed[n] = WrittenFile(written_file(folder, ".html"), folder, page.kind, page.source, page.values)
    return changed


def paginated_pages(
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
        source = SourceFile(source.path, source.item, FrontMatter({}))
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
        and (not page.source.folder or f"{folder}/".startswith(f"{page.source.folder}/"))
    ]
    return max(found, key=lambda page: len(page.source.path) if page.source else 0, default=None)


def _is_readme(file: SourceFile, config: JekyllConfig) -> bool:
    return _stem(file.name).lower() == "readme" and extension_of(file.name).lower() in config.markdown_extensions


def _has_index(folder: str, urls: Sequence[str]) -> bool:
    start = folder.lower()
    return any(url.lower().startswith(start) and _INDEX.fullmatch(url[len(start) :]) for url in urls)


def _stem(name: str) -> str:
    return name[: len(name) - len(extension_of(name))].rstrip(".")


def _list(value: object) -> list[object]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
