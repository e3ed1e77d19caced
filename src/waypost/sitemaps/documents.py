"""The second half of a build: pages become the documents to publish, each of them checked."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from waypost.config import output_names
from waypost.config.schema import Site
from waypost.core.errors import RenderError
from waypost.core.model import Document, IndexChild, Page, Shard
from waypost.core.sitemap_rows import SitemapRows
from waypost.rules.robots import lists_only, with_sitemaps
from waypost.sitemaps import auxiliary
from waypost.sitemaps.formats.base import OutputContext, ShardSummary
from waypost.sitemaps.formats.registry import crawled_kinds, main_format, site_formats
from waypost.sitemaps.render import Renderer
from waypost.sitemaps.sharding import FIRST_SEGMENT, Span, halves, segments
from waypost.validate.own_outputs import check_document

FileDate = Callable[[Shard, str, bytes], str | None]
"""When a sitemap file last changed, from its shard, its name and its bytes; None where unknown."""


class Rendered(NamedTuple):
    """A sitemap's bytes, uncompressed, and what was rendered to them."""

    body: bytes
    urls: SitemapRows


def documents(pages: Sequence[Page], site: Site, renderer: Renderer, dated: FileDate) -> list[Document]:
    """Every sitemap and index for pages that are sorted by key; raises RenderError."""
    names = output_names.output_names(site)
    made: list[Document] = []
    parts: list[ShardSummary] = []
    for shard, rendered in _shards(pages, site, renderer):
        made += shard_documents(shard, rendered, site, names, renderer, dated)
        parts.append(ShardSummary.of(shard))
    made += auxiliary.news_sitemaps([page for page in pages if page.news], site, names, renderer, dated)
    children = [document for document in made if document.kind in (main_format(site).file.kind, "news")]
    if names.groups or len(children) > 1:
        made += index_documents(children, site, names, renderer)
    return [*made, *auxiliary.overviews_and_stylesheet(parts, site, names, renderer)]


def root_sitemaps(made: Sequence[Document]) -> list[str]:
    """The URLs that robots.txt names: the indexes, or the one sitemap where there is none."""
    kind = next(kind for kind in ("index", *crawled_kinds()) if any(d.kind == kind for d in made))
    return [document.loc for document in made if document.kind == kind]


def robots_body(
    text: bytes, urls: Sequence[str], site: Site, renderer: Renderer, removed: Collection[str] = ()
) -> bytes:
    """robots.txt with the `Sitemap:` lines of these entrances and none of earlier ones; raises RenderError.

    `gone` are names of earlier settings whose files leave.
    """
    names = output_names.output_names(site)

    def is_ours(url: str) -> bool:
        name = url.removeprefix(site.base_url)
        return url.startswith(site.base_url) and (name in removed or names.is_configured(name))

    lines = renderer.robots(urls).splitlines()
    if not lists_only(lines, urls):
        raise RenderError(
            "robots.txt.j2 may render `Sitemap:` and each URL, a line each, and comments, but nothing else"
        )
    return with_sitemaps(text, lines, is_ours)


def _shards(pages: Sequence[Page], site: Site, renderer: Renderer) -> Iterator[tuple[Shard, Rendered]]:
    groups: dict[str, list[Page]] = {name: [] for name in ("", *(name for name, _ in site.groups))}
    for page in pages:
        groups[page.group].append(page)
    for group, members in groups.items():
        if members:
            yield from group_shards(group, members, site, renderer)


def group_shards(group: str, pages: Sequence[Page], site: Site, renderer: Renderer) -> Iterator[tuple[Shard, Rendered]]:
    """One shard where the group fits in one sitemap, else as many as its keys decide; each with its bytes."""
    rendered = render_pages(pages, site, renderer) if len(pages) <= site.file_limits.urls else None
    if rendered and len(rendered.body) <= site.file_limits.bytes:
        yield Shard(group, pages), rendered
    else:
        yield from span_shards(group, pages, site, renderer, "", None)


def span_shards(
    group: str, pages: Sequence[Page], site: Site, renderer: Renderer, begins: str, ends: str | None
) -> Iterator[tuple[Shard, Rendered]]:
    """The shards of whole segments of a group, which are responsible for the keys from `begins` up to `ends`."""
    keys = [page.key for page in pages]
    spans = [
        fitting
        for span in segments(keys, site.file_limits.urls)
        for fitting in _split_to_fit(
            span, keys, lambda span: render_pages(pages[span.start : span.stop], site, renderer), site.file_limits.bytes
        )
    ]
    edges = [begins, *(keys[span.start] for span, _ in spans[1:]), ends]
    for (span, rendered), begin, end in zip(spans, edges[:-1], edges[1:], strict=True):
        yield Shard(group, pages[span.start : span.stop], span.id, begin or "", end), rendered


def _split_to_fit(
    span: Span, keys: Sequence[str], render: Callable[[Span], Rendered], size: int
) -> Iterator[tuple[Span, Rendered]]:
    """The span as rendered, or its parts where that is over the size (bytes, uncompressed)."""
    rendered = render(span)
    if len(rendered.body) <= size:
        yield span, rendered
    elif len(span) == 1:
        raise RenderError(
            f"{keys[span.start]} alone is rendered to {len(rendered.body):,} bytes, and a file may have {size:,}; "
            "correct the template"
        )
    else:
        for half in halves(span, keys):
            yield from _split_to_fit(half, keys, render, size)


def render_pages(pages: Sequence[Page], site: Site, renderer: Renderer) -> Rendered:
    """A sitemap in the site's main format; raises RenderError."""
    urls = SitemapRows(pages, are_plain=not (site.alternates or site.images or site.videos))
    context = OutputContext(site, output_names.output_names(site), renderer)
    return Rendered(main_format(site).render(urls, context), urls)


def shard_documents(
    shard: Shard, rendered: Rendered, site: Site, names: output_names.OutputNames, renderer: Renderer, dated: FileDate
) -> Iterator[Document]:
    """The documents of a shard, one a format and the main format's first, checked; raises RenderError.

    `rendered` is the shard in the main format. What crawlers do not read has no date.
    """
    context, summary = OutputContext(site, names, renderer), ShardSummary.of(shard)
    for n, each in enumerate(site_formats(site)):
        body = each.render_shard(summary, rendered.urls, context) if n else rendered.body
        document = each.document(summary, body, context)
        each.check(document, rendered.urls, context)
        lastmod = dated(shard, document.name, body) if each.file.is_for_crawlers else None
        yield replace(document, lastmod=lastmod)


def index_documents(
    children: Sequence[Document], site: Site, names: output_names.OutputNames, renderer: Renderer
) -> Iterator[Document]:
    """One index, or more where the children are too many for one: cut as pages are, by the children's names."""
    entries = [IndexChild(document.loc, document.lastmod) for document in children]
    keys = [document.name for document in children]

    def render(span: Span) -> Rendered:
        some = entries[span.start : span.stop]
        listed = SitemapRows([Page(child.loc, child.loc, lastmod=child.lastmod) for child in some])
        return Rendered(output_names.with_mark(renderer.index(some, output_names.MARK, names.stylesheet)), listed)

    whole = Span(FIRST_SEGMENT, 0, len(entries))
    spans = [whole] if len(entries) <= site.file_limits.sitemaps else segments(keys, site.file_limits.sitemaps)
    for span in spans:
        for part, rendered in _split_to_fit(span, keys, render, site.file_limits.bytes):
            name = names.index(part.id if part.start else None)
            document = Document(name, "index", rendered.body, output_names.output_url(site, name), len(part))
            check_document(document, rendered.urls, site.file_limits)
            yield document
