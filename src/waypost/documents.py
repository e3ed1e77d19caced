"""The second half of a build: pages become the documents to publish, each of them checked."""

from collections.abc import Callable, Iterator, Sequence

from waypost import naming, validate
from waypost.address import encode_path
from waypost.config import Site
from waypost.errors import RenderError
from waypost.model import Child, Document, Page, Shard
from waypost.render import Renderer
from waypost.rules.robots import lists_only, with_sitemaps
from waypost.sharding import FIRST, Span, halves, segments

Dated = Callable[[Shard, str, bytes], str | None]
"""When a sitemap file last changed, from its shard, its name and its bytes; None where unknown."""


def documents(pages: Sequence[Page], site: Site, renderer: Renderer, dated: Dated) -> list[Document]:
    """Every sitemap and index for pages that are sorted by key; raises RenderError."""
    names = naming.names(site)
    made: list[Document] = []
    for shard, body in _shards(pages, site, renderer):
        made += sitemaps(shard, body, site, names, renderer, dated)
    children = [document for document in made if document.kind == ("sitemap" if "xml" in site.formats else "text")]
    if names.groups or len(children) > 1:
        made += indexes(children, site, names, renderer)
    return made


def entrances(made: Sequence[Document]) -> list[str]:
    """The URLs to tell crawlers of: the indexes, or the one sitemap where there is none."""
    kind = next(kind for kind in ("index", "sitemap", "text") if any(d.kind == kind for d in made))
    return [document.loc for document in made if document.kind == kind]


def robots_body(text: bytes, urls: Sequence[str], site: Site, renderer: Renderer) -> bytes:
    """robots.txt with the `Sitemap:` lines of these entrances and none of earlier ones; raises RenderError."""
    names = naming.names(site)

    def is_ours(url: str) -> bool:
        return url.startswith(site.base_url) and names.are_configured(url.removeprefix(site.base_url))

    lines = renderer.robots(urls).splitlines()
    if not lists_only(lines, urls):
        raise RenderError(
            "robots.txt.j2 may render `Sitemap:` and each URL, a line each, and comments, but nothing else"
        )
    return with_sitemaps(text, lines, is_ours)


def _shards(pages: Sequence[Page], site: Site, renderer: Renderer) -> Iterator[tuple[Shard, bytes]]:
    groups: dict[str, list[Page]] = {name: [] for name in ("", *(name for name, _ in site.groups))}
    for page in pages:
        groups[page.group].append(page)
    for group, members in groups.items():
        if members:
            yield from group_shards(group, members, site, renderer)


def group_shards(group: str, pages: Sequence[Page], site: Site, renderer: Renderer) -> Iterator[tuple[Shard, bytes]]:
    """One shard where the group fits in one sitemap, else as many as its keys decide; each with its bytes."""
    body = body_of(pages, site, renderer) if len(pages) <= site.limit.urls else b""
    if body and len(body) <= site.limit.size:
        yield Shard(group, pages), body
    else:
        yield from span_shards(group, pages, site, renderer, "", None)


def span_shards(
    group: str, pages: Sequence[Page], site: Site, renderer: Renderer, begins: str, ends: str | None
) -> Iterator[tuple[Shard, bytes]]:
    """The shards of whole segments of a group, which are responsible for the keys from `begins` up to `ends`."""
    keys = [page.key for page in pages]
    spans = [
        fitting
        for span in segments(keys, site.limit.urls)
        for fitting in _fitting(
            span, keys, lambda span: body_of(pages[span.start : span.stop], site, renderer), site.limit.size
        )
    ]
    edges = [begins, *(keys[span.start] for span, _ in spans[1:]), ends]
    for (span, body), begin, end in zip(spans, edges[:-1], edges[1:], strict=True):
        yield Shard(group, pages[span.start : span.stop], span.id, begin or "", end), body


def _fitting(
    span: Span, keys: Sequence[str], render: Callable[[Span], bytes], size: int
) -> Iterator[tuple[Span, bytes]]:
    """The span as rendered, or its parts where that is over the size (bytes, uncompressed)."""
    body = render(span)
    if len(body) <= size:
        yield span, body
    elif len(span) == 1:
        raise RenderError(
            f"{keys[span.start]} alone is rendered to {len(body):,} bytes, and a file may have {size:,}; "
            "correct the template"
        )
    else:
        for half in halves(span, keys):
            yield from _fitting(half, keys, render, size)


def body_of(pages: Sequence[Page], site: Site, renderer: Renderer) -> bytes:
    """A sitemap's bytes, uncompressed; those of its text form where that is the only one."""
    return _marked(renderer.sitemap(pages, naming.MARK)) if "xml" in site.formats else renderer.text_sitemap(pages)


def _marked(body: bytes) -> bytes:
    """The mark goes behind the root where a template does not place it, so that no output is orphaned."""
    mark = naming.MARK.encode()
    return body if mark in body else body.rstrip() + b"\n" + mark + b"\n"


def sitemaps(
    shard: Shard, body: bytes, site: Site, names: naming.Names, renderer: Renderer, dated: Dated
) -> Iterator[Document]:
    """The documents of a shard, one a format, checked; raises RenderError."""
    bodies = {"xml": body} if "xml" in site.formats else {"txt": body}
    if len(site.formats) > 1:
        bodies["txt"] = renderer.text_sitemap(shard.pages)
    for ending, content in bodies.items():
        name = names.sitemap(shard.group, shard.id, ending)
        kind = "text" if ending == "txt" else "sitemap"
        document = Document(name, kind, content, _loc(site, name), len(shard.pages), dated(shard, name, content))
        validate.check(document, [page.loc for page in shard.pages], site.limit)
        yield document


def indexes(children: Sequence[Document], site: Site, names: naming.Names, renderer: Renderer) -> Iterator[Document]:
    """One index, or more where the children are too many for one: cut as pages are, by the children's names."""
    entries = [Child(document.loc, document.lastmod) for document in children]
    keys = [document.name for document in children]

    def body(span: Span) -> bytes:
        return _marked(renderer.index(entries[span.start : span.stop], naming.MARK))

    whole = Span(FIRST, 0, len(entries))
    spans = [whole] if len(entries) <= site.limit.sitemaps else segments(keys, site.limit.sitemaps)
    for span in spans:
        for part, content in _fitting(span, keys, body, site.limit.size):
            name = names.index(part.id if part.start else None)
            document = Document(name, "index", content, _loc(site, name), len(part))
            validate.check(document, [entry.loc for entry in entries[part.start : part.stop]], site.limit)
            yield document


def _loc(site: Site, name: str) -> str:
    return site.base_url + encode_path(name)
