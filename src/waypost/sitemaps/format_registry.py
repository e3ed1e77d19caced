"""The code of each row of `settings/output_formats.py`, and what depends on all formats."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from waypost.settings import output_formats
from waypost.settings.output_names import OutputNames
from waypost.settings.schema import Site
from waypost.sitemaps.output_format import CrawledFormat, OutputFormat, is_marked

_ADDED: dict[str, OutputFormat] = {}
"""The formats of `extra_format` by name."""


def format_named(name: str) -> OutputFormat:
    """A format by its name in the setting `formats`: the `FORMAT` of the module of that name, imported when needed."""
    found: OutputFormat = _ADDED.get(name) or import_module(f"waypost.sitemaps.{name}_format").FORMAT
    return found


@contextmanager
def extra_format(added: OutputFormat) -> Iterator[None]:
    """Have one more format within the context; settings may name it there. Raises ValueError for a name in use."""
    taken = {(each.stem, each.ending) for each in output_formats.FILE_FORMATS.values()}
    if added.file.name in output_formats.FILE_FORMATS or (added.file.stem, added.file.ending) in taken:
        raise ValueError(f"there is an output format {added.file.name!r}, or one whose files end with the same")
    _ADDED[added.file.name] = added
    output_formats.FILE_FORMATS[added.file.name] = added.file
    try:
        yield
    finally:
        del _ADDED[added.file.name], output_formats.FILE_FORMATS[added.file.name]


def site_formats(site: Site) -> list[OutputFormat]:
    """The formats of a site, the main one first."""
    main = main_format(site)
    return [main, *(found for name in site.formats if (found := format_named(name)) is not main)]


def main_format(site: Site) -> CrawledFormat:
    """The format of the files that indexes and robots.txt name: the first of the site's that crawlers read."""
    found = map(format_named, site.formats)
    return next(each for each in found if isinstance(each, CrawledFormat))


def crawled_kinds() -> list[str]:
    """The kinds of documents in formats that crawlers read."""
    return [each.kind for each in output_formats.FILE_FORMATS.values() if each.is_for_crawlers]


def format_of(name: str) -> OutputFormat | None:
    """The format of a file by its name; None of a stylesheet, as of anything that is not in a format."""
    found = output_formats.format_of(name)
    return format_named(found.name) if found else None


def is_own_file(name: str, body: bytes | None, names: OutputNames) -> bool:
    """Whether Waypost wrote a published file, by its uncompressed body or its name."""
    file_format = format_of(name)
    return file_format.is_own_file(name, body, names) if file_format else is_marked(body)
