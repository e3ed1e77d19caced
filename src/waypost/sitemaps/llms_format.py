"""llms.txt: the pages by section in Markdown, with titles and descriptions, for AI agents (llmstxt.org)."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from waypost.core.errors import RenderError
from waypost.core.model import Document, Page, Shard
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings import output_formats
from waypost.settings.output_names import output_url
from waypost.settings.values import DEFAULT_GROUP
from waypost.sitemaps.output_format import OutputContext, OutputFormat
from waypost.sitemaps.page_sections import ListedPage, PageSections, Section, list_title

_MAX_TITLE, _MAX_NOTE = 200, 300
"""The most characters of a title or a heading, and of a description."""
_ROOT_HEADING, _LISTS_HEADING, _SPAN = "Pages", "Lists of pages", "{} to {}"
_BRACKETS = str.maketrans("[]", "()")
"""Simple readers end the text of a link at its first bracket, whether that is escaped or not."""
_MARKUP = re.compile(r"[\\`<]")
_BLOCK = re.compile(r"[#>*+=~|-]")
"""What begins a heading, a list or the like at the beginning of a line."""
_JOINERS = "\u200c\u200d"
"""Invisible characters that words of Persian and some emoji need."""
_NOT_IN_LINKS = {ord(character): f"%{ord(character):02X}" for character in " ()<>[]\\`"}


class Link(NamedTuple):
    """A link as the template gets it: texts are escaped, and `note` may be empty."""

    text: str
    url: str
    note: str = ""


class LinkSection(NamedTuple):
    """A heading, escaped, and the links below it."""

    heading: str
    links: Sequence[Link]


class LlmsFormat(OutputFormat):
    """Pages for AI agents. A short site has one file; else `llms.txt` lists others, each with a part of the pages."""

    file = output_formats.LLMS
    template = "llms.txt.j2"

    def documents(self, shard: Shard, urls: SitemapRows, context: OutputContext) -> Iterator[Document]:
        """A list of pages, or a list of such lists and then these; they depend on the pages of the shard alone."""
        home = next((page for page in urls.pages if page.loc == context.site.base_url), None)
        title, summary = self._title(shard, home, context), home.description if home else ""
        sections = PageSections(urls.pages, context.site.base_url, _ROOT_HEADING)
        lists = [(self.name(replace(shard, id=id or shard.id), context), some) for id, some in sections.lists()]
        if len(lists) == 1:
            body = self._text(title, summary, _link_sections(sections.sections(lists[0][1]), context), context)
            yield self.document(shard, body, context)
            return
        contents = LinkSection(_LISTS_HEADING, [_list_link(name, some, sections, context) for name, some in lists])
        yield self.document(shard, self._text(title, summary, [contents], context), context)
        for name, some in lists:
            found = sections.sections(some)
            body = self._text(f"{title}: {list_title(found, _SPAN)}", "", _link_sections(found, context), context)
            yield Document(name, self.file.kind, body, output_url(context.site, name), len(some))

    def check(self, document: Document, urls: SitemapRows, context: OutputContext) -> None:
        """Check for the only thing that llmstxt.org requires, a title."""
        del urls, context
        if not document.body.startswith(b"# "):
            raise RenderError(f"{document.name} does not begin with a title; correct the template {self.template}")

    def overview(self, shards: Sequence[Shard], context: OutputContext) -> Iterator[Document]:
        """The file that lists the others, where there are several shards."""
        names, first = [self.name(shard, context) for shard in shards], self._first_name
        if names == [first]:
            return
        links = []
        for name, shard in zip(names, shards, strict=True):
            url = _target(output_url(context.site, name))
            links.append(Link(_plain(_shard_title(shard), _MAX_TITLE), url, _count(len(shard.pages))))
        body = self._text(context.site_name, "", [LinkSection(_LISTS_HEADING, links)], context)
        yield Document(first, self.file.kind, body, output_url(context.site, first), len(links))

    def name(self, shard: Shard, context: OutputContext) -> str:
        """The name of a shard's file: with its group only if the site has groups of pages, and not only news."""
        group = (shard.group or DEFAULT_GROUP) if context.site.groups else ""
        return "-".join(filter(None, [self.file.stem, group, shard.id])) + f".{self.file.ending}"

    @property
    def _first_name(self) -> str:
        return f"{self.file.stem}.{self.file.ending}"

    def _title(self, shard: Shard, home: Page | None, context: OutputContext) -> str:
        of_site = home.title if home and home.title else context.site_name
        is_only_shard = self.name(shard, context) == self._first_name
        return of_site if is_only_shard else f"{of_site}: {_shard_title(shard)}"

    def _text(self, title: str, summary: str, sections: Sequence[LinkSection], context: OutputContext) -> bytes:
        line = _plain(summary, _MAX_NOTE)
        quoted = f"\\{line}" if _BLOCK.match(line) else line
        return context.renderer.marked(
            self.template, title=_plain(title, _MAX_TITLE), summary=quoted, sections=sections
        )


def _shard_title(shard: Shard) -> str:
    """The group's name; where the group has several shards, also the key that this one begins with."""
    group = shard.group or DEFAULT_GROUP
    return f"{group} from {shard.first_key}" if shard.first_key else group


def _link_sections(sections: Sequence[Section], context: OutputContext) -> list[LinkSection]:
    """The sections of the site's first folders, each with the links of its own folders, too."""
    found: list[LinkSection] = []
    for section in sections:
        links = [_page_link(each, context) for each in section.pages]
        if section.level > 1:
            found[-1] = found[-1]._replace(links=[*found[-1].links, *links])
        else:
            found.append(LinkSection(_plain(section.heading, _MAX_TITLE), links))
    return found


def _page_link(listed: ListedPage, context: OutputContext) -> Link:
    """A link to a page, or to its version in Markdown."""
    text = _plain(listed.title, _MAX_TITLE) or _plain(listed.path, _MAX_TITLE) or context.site_name
    return Link(text, _target(listed.page.markdown or listed.page.loc), _plain(listed.page.description, _MAX_NOTE))


def _list_link(name: str, pages: Sequence[ListedPage], sections: PageSections, context: OutputContext) -> Link:
    """A link to a part of the pages: its sections, their number, and the first and the last page."""
    note = f"{_count(len(pages))}, from /{pages[0].path} to /{pages[-1].path}"
    title = list_title(sections.sections(pages), _SPAN)
    return Link(_plain(title, _MAX_TITLE), _target(output_url(context.site, name)), _plain(note, _MAX_NOTE))


def _count(pages: int) -> str:
    return f"{pages:,} page{'' if pages == 1 else 's'}"


def _plain(text: str, most: int) -> str:
    """A text as one line of Markdown without links, code and HTML, shortened at a word to so many characters."""
    line = " ".join("".join(each if each.isprintable() or each in _JOINERS else " " for each in text).split())
    if len(line) > most:
        line = f"{line[:most].rpartition(' ')[0] or line[: most - 1]}\u2026"
    return _MARKUP.sub(r"\\\g<0>", line.translate(_BRACKETS))


def _target(url: str) -> str:
    """A URL in which nothing ends the target of a link."""
    return url.translate(_NOT_IN_LINKS)
