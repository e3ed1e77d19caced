"""The pages that plugins make: redirects, pages of a list of posts, pages of Markdown files without front matter."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from waypost.pages.jekyll_config import JekyllConfig
from waypost.pages.jekyll_defaults import FrontMatterDefaults
from waypost.pages.jekyll_pages import Kind, SourceFile, WrittenFile, rendered_page
from waypost.pages.jekyll_permalinks import extension_of, page_url, permalink_extension, written_file
from waypost.pages.jekyll_source_tree import EntryFilter

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


def readme_pages(
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
        and (not page.source.folder or f"{folder}/".startswith(f"{page.source.folder}/"))
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
    return WrittenFile(written_file(url, ".html"), url, Kind.RENDERED, readme.source, readme.values)


def _folder_url(file: WrittenFile) -> str:
    return posixpath.dirname(file.url.rstrip("/")).rstrip("/") + "/"


def _stem(name: str) -> str:
    return name[: len(name) - len(extension_of(name))].rstrip(".")


def _list(value: object) -> list[object]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
