"""XML sitemaps (sitemaps.org 0.9, "XML tag definitions")."""

from waypost.core.model import Document
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings import output_formats
from waypost.settings.output_names import MARK, with_mark
from waypost.sitemaps.output_format import CrawledFormat, OutputContext
from waypost.validate import SitemapEntry, check_document, sitemap_content


class XmlFormat(CrawledFormat):
    """The protocol's own format: dates, hints and the extensions of search engines."""

    file = output_formats.XML
    template = "sitemap.xml.j2"
    has_dates = True

    def render(self, urls: SitemapRows, context: OutputContext) -> bytes:
        """A `urlset` of the URLs."""
        return with_mark(
            context.renderer.text(self.template, urls=urls, mark=MARK, stylesheet=context.names.stylesheet)
        )

    def check(self, document: Document, urls: SitemapRows, context: OutputContext) -> None:
        """Check the document against the protocol; Waypost's own template is checked faster than a user's."""
        is_own = context.renderer.uses_builtin(self.template)
        check_document(document, urls, context.site.file_limits, is_own=is_own)

    def entries(self, name: str, body: bytes) -> list[SitemapEntry] | None:
        """The entries of a `urlset`."""
        kind, entries = sitemap_content.read_entries(name, body)
        return None if kind == "sitemapindex" else entries


FORMAT = XmlFormat()
