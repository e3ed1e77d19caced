"""HTML sitemaps: lists of links for each shard, and pages that list those lists."""

import html
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from msgspec.structs import replace

from waypost.core.list_texts import LIST_TEXTS, ListTexts
from waypost.core.model import Document, Shard, printable
from waypost.core.sitemap_rows import SitemapRow, SitemapRows
from waypost.core.urls import origin_of
from waypost.settings import output_formats
from waypost.settings.output_names import OutputNames, output_url
from waypost.sitemaps.output_format import OutputContext, OutputFormat
from waypost.sitemaps.page_sections import ListedPage, PageSections, Section, list_title, section_name

_INDEX_TEMPLATE = "sitemap-index.html.j2"
_SEARCHED = 40
"""A list with so many entries can be searched."""


class RenderedSection(NamedTuple):
    """A section as the template gets it: texts are escaped, `rows` are pages with their paths."""

    id: str
    heading: str
    level: int
    rows: Sequence[tuple[SitemapRow, str]]


class PageList(NamedTuple):
    """A list of links, and the file that holds it."""

    name: str
    pages: Sequence[ListedPage]
    sections: Sequence[Section]


class HtmlFormat(OutputFormat):
    """Pages for visitors of the site."""

    file = output_formats.HTML
    template = "sitemap.html.j2"

    def documents(self, shard: Shard, urls: SitemapRows, context: OutputContext) -> Iterator[Document]:
        """A page of links, or a list of such pages and then these; they depend on the pages of the shard alone.

        Where there are several pages, the first links to the one that lists them.
        """
        name, title = self.name(shard, context), self._title(shard, context)
        index_name = _index_name(context.names)
        up = "" if name == index_name else index_name
        sections = PageSections(urls.pages, context.site.base_url, urlsplit(context.site.base_url).netloc)
        lists = [
            PageList(self.name(replace(shard, id=id or shard.id), context), some, sections.sections(some))
            for id, some in sections.lists()
        ]
        if len(lists) == 1:
            yield self.document(shard, _page(lists[0], title, up, context), context)
            return
        texts = _texts(context)
        yield self.document(shard, _list_of_pages(list(_contents(lists, texts)), title, up, context), context)
        for before, each, after in zip([None, *lists], lists, [*lists[1:], None], strict=False):
            neighbours = tuple(other.name if other else "" for other in (before, after))
            body = _page(each, f"{title}: {list_title(each.sections, texts.span)}", name, context, neighbours)
            yield Document(each.name, self.file.kind, body, output_url(context.site, each.name), len(each.pages))

    def check(self, document: Document, urls: SitemapRows, context: OutputContext) -> None:
        """Accept any page: no protocol says what an HTML sitemap must hold, and a user's template may hold anything."""

    def overview(self, shards: Sequence[Shard], context: OutputContext) -> Iterator[Document]:
        """The page that lists the others, where there are several shards."""
        name = _index_name(context.names)
        texts = _texts(context)
        pages = [(self.name(shard, context), _shard_title(shard, texts), len(shard.pages)) for shard in shards]
        if [page for page, _, _ in pages] == [name]:
            return
        body = _list_of_pages(pages, _site_title(context), "", context)
        yield Document(name, self.file.kind, body, output_url(context.site, name), len(pages))

    def _title(self, shard: Shard, context: OutputContext) -> str:
        of_site = _site_title(context)
        is_only_shard = self.name(shard, context) == _index_name(context.names)
        return of_site if is_only_shard else f"{of_site}: {_shard_title(shard, _texts(context))}"


def _page(listed: PageList, title: str, up: str, context: OutputContext, neighbours: Sequence[str] = ("", "")) -> bytes:
    """A page of links; `neighbours` are the files before and after it."""
    pages = [replace(each.page, title=each.title) for each in listed.pages]
    urls = SitemapRows(pages)
    values = {
        "urls": urls,
        "sections": list(_rendered(listed.sections, origin_of(context.site.base_url))),
        "title": html.escape(title),
        "up": up,
        "previous": neighbours[0],
        "next": neighbours[1],
        "is_searched": len(pages) >= _SEARCHED,
    }
    return context.renderer.marked(HtmlFormat.template, **values, **_common_values(context))


def _rendered(sections: Sequence[Section], origin: str) -> Iterator[RenderedSection]:
    for n, section in enumerate(sections):
        rows = SitemapRows([replace(each.page, title=each.title) for each in section.pages])
        paths = (html.escape(printable(unquote(each.page.loc.removeprefix(origin)))) for each in section.pages)
        yield RenderedSection(
            f"section-{n}", html.escape(section.heading), section.level, list(zip(rows, paths, strict=True))
        )


def _contents(lists: Sequence[PageList], texts: ListTexts) -> Iterator[tuple[str, str, int]]:
    """The sections of all lists: a link to each, its heading, and its number of pages there.

    A section that several lists have is there several times, each time with what it begins with.
    """
    parts = [part for each in lists for part in _parts(each)]
    counts = Counter(sections[0].folder for _, sections in parts)
    for link, sections in parts:
        heading, is_split = sections[0].heading, counts[sections[0].folder] > 1
        text = texts.part.format(heading, _beginning(sections)) if is_split else heading
        yield link, text, sum(len(section.pages) for section in sections)


def _parts(listed: PageList) -> Iterator[tuple[str, Sequence[Section]]]:
    """A link to each section of a list, and the section with its folders."""
    numbered = enumerate(listed.sections)
    for _, some in groupby(numbered, lambda each: each[1].folder.partition("/")[0]):
        first, *others = some
        yield f"{listed.name}#section-{first[0]}", [section for _, section in (first, *others)]


def _beginning(sections: Sequence[Section]) -> str:
    """What a section begins with in a list: a page of its own, or the first page of a folder with the folder's name."""
    of_first = next(section for section in sections if section.pages)
    first = of_first.pages[0].title or of_first.pages[0].path
    return first if of_first.level == 1 else f"{of_first.heading}, {first}"


def _list_of_pages(pages: Sequence[tuple[str, str, int]], title: str, up: str, context: OutputContext) -> bytes:
    """A page that lists others: the file name, the title and the number of pages of each."""
    escaped = [(html.escape(page), html.escape(text), count) for page, text, count in pages]
    files = list(dict.fromkeys(page.partition("#")[0] for page, _, _ in escaped))
    values = {"pages": escaped, "files": files, "title": html.escape(title), "up": up}
    return context.renderer.marked(_INDEX_TEMPLATE, **values, **_common_values(context))


def _common_values(context: OutputContext) -> dict[str, Any]:
    """What both templates get."""
    language = context.site.html_language
    return {"lang": language, "texts": _texts(context), "is_indexed": context.site.html_indexed}


def _texts(context: OutputContext) -> ListTexts:
    return LIST_TEXTS[context.site.html_language]


def _shard_title(shard: Shard, texts: ListTexts) -> str:
    """The group's name; where the group has several shards, also the section and the page that this one begins with."""
    if not shard.first_key:
        return shard.group or texts.pages
    folder, _, name = printable(shard.first_key).rpartition("/")
    section = section_name(folder.partition("/")[0]) if folder else shard.group or texts.pages
    return texts.part.format(section, name.removesuffix(".html"))


def _index_name(names: OutputNames) -> str:
    return f"{names.stem}.{HtmlFormat.file.ending}"


def _site_title(context: OutputContext) -> str:
    return _texts(context).title.format(context.site_name)
