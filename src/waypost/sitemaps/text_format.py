"""Text sitemaps: one URL a line (sitemaps.org 0.9, "Text file")."""

from waypost.core.model import Document
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings import output_formats
from waypost.sitemaps.output_format import CrawledFormat, OutputContext
from waypost.validate import SitemapEntry, check_document, sitemap_content


class TextFormat(CrawledFormat):
    """URLs alone. The protocol allows nothing else in the file, so it carries no mark."""

    file = output_formats.TEXT
    template = "sitemap.txt.j2"

    def render(self, urls: SitemapRows, context: OutputContext) -> bytes:
        """A line for each URL."""
        return context.renderer.text(self.template, locs=urls.locs)

    def check(self, document: Document, urls: SitemapRows, context: OutputContext) -> None:
        """Check the document against the protocol."""
        check_document(document, urls, context.site.file_limits)

    def entries(self, name: str, body: bytes) -> list[SitemapEntry] | None:
        """An entry for each line."""
        return sitemap_content.read_entries(name, body)[1]


FORMAT = TextFormat()
