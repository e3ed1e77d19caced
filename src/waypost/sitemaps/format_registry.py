"""The formats by their names, and what depends on all of them."""

from waypost.settings import output_formats
from waypost.settings.output_names import OutputNames
from waypost.settings.schema import Site
from waypost.sitemaps.html_format import HtmlFormat
from waypost.sitemaps.llms_format import LlmsFormat
from waypost.sitemaps.output_format import CrawledFormat, OutputFormat, TextFormat, XmlFormat, is_marked

FORMATS: dict[str, OutputFormat] = {
    each.file.name: each for each in (XmlFormat(), TextFormat(), HtmlFormat(), LlmsFormat())
}
"""The code of each row of `settings/output_formats.py`, by its name in the setting `formats`."""


def site_formats(site: Site) -> list[OutputFormat]:
    """The formats of a site, the main one first."""
    main = main_format(site)
    return [main, *(FORMATS[name] for name in site.formats if FORMATS[name] is not main)]


def main_format(site: Site) -> CrawledFormat:
    """The format of the files that indexes and robots.txt name: the first of the site's that crawlers read."""
    formats = (FORMATS[name] for name in site.formats)
    return next(each for each in formats if isinstance(each, CrawledFormat))


def crawled_kinds() -> list[str]:
    """The kinds of documents in formats that crawlers read."""
    return [each.kind for each in output_formats.FILE_FORMATS.values() if each.is_for_crawlers]


def format_of(name: str) -> OutputFormat | None:
    """The format of a file by its name; None of a stylesheet, as of anything that is not in a format."""
    file = output_formats.format_of(name)
    return FORMATS[file.name] if file else None


def is_own_file(name: str, body: bytes | None, names: OutputNames) -> bool:
    """Whether Waypost wrote a published file, by its uncompressed body or its name."""
    file_format = format_of(name)
    return file_format.is_own_file(name, body, names) if file_format else is_marked(body)
