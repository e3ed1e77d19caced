"""HTML sitemaps: a page of links for each shard, and a page that lists those where there are several."""

import html
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from waypost.config import output_formats
from waypost.config.output_names import MARK, OutputNames, output_url, with_mark
from waypost.config.schema import Site
from waypost.config.values import DEFAULT_GROUP
from waypost.core.model import Document
from waypost.core.sitemap_rows import SitemapRows
from waypost.sitemaps.formats.base import OutputContext, OutputFormat, ShardSummary

_INDEX_TEMPLATE = "sitemap-index.html.j2"


class HtmlFormat(OutputFormat):
    """Pages for visitors of the site."""

    file = output_formats.HTML
    template = "sitemap.html.j2"

    def render_shard(self, shard: ShardSummary, urls: SitemapRows, context: OutputContext) -> bytes:
        """A page of links; where there are several pages, it links to the one that lists them."""
        index_name, of_site = _index_name(context.names), _site_title(context.site)
        is_only_page = self._name(shard, context) == index_name
        title = of_site if is_only_page else f"{of_site}: {_shard_title(shard)}"
        up = "" if is_only_page else index_name
        return with_mark(context.renderer.text(self.template, urls=urls, title=html.escape(title), up=up, mark=MARK))

    def check(self, document: Document, urls: SitemapRows, context: OutputContext) -> None:
        """Accept any page: no protocol says what an HTML sitemap must hold, and a user's template may hold anything."""

    def overview(self, shards: Sequence[ShardSummary], context: OutputContext) -> Iterator[Document]:
        """The page that lists the others, where there are several."""
        name = _index_name(context.names)
        pages = [(self._name(shard, context), _shard_title(shard), shard.page_count) for shard in shards]
        if [page for page, _, _ in pages] == [name]:
            return
        escaped = [(html.escape(page), html.escape(title), count) for page, title, count in pages]
        title = html.escape(_site_title(context.site))
        body = with_mark(context.renderer.text(_INDEX_TEMPLATE, pages=escaped, title=title, mark=MARK))
        yield Document(name, self.file.kind, body, output_url(context.site, name), len(pages))

    def _name(self, shard: ShardSummary, context: OutputContext) -> str:
        return context.names.sitemap(shard.group, shard.id, self.file.ending)


def _index_name(names: OutputNames) -> str:
    return f"{names.stem}.{HtmlFormat.file.ending}"


def _site_title(site: Site) -> str:
    parts = urlsplit(site.base_url)
    return f"Pages of {parts.netloc}{parts.path.rstrip('/')}"


def _shard_title(shard: ShardSummary) -> str:
    """The group's name; where the group has several shards, also the key that this one begins with."""
    group = shard.group or DEFAULT_GROUP
    return f"{group} from {shard.first_key}" if shard.first_key else group
