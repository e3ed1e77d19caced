"""The table of output formats, and that one can be added from outside."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sites import Build, MakeSite, Write
from unit.sample_sites import site

from waypost.core.errors import ConfigurationError, RenderError, StoreError
from waypost.core.model import Document, Shard
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings import output_formats, output_names
from waypost.settings.output_formats import FILE_FORMATS, FileFormat
from waypost.settings.output_names import MARK
from waypost.sitemaps import format_registry
from waypost.sitemaps.documents import root_sitemaps
from waypost.sitemaps.format_registry import FORMATS
from waypost.sitemaps.output_format import CrawledFormat, OutputContext, OutputFormat
from waypost.validate.sitemap_entry import SitemapEntry

BUILD = Build()
TEMPLATE = '{% for loc in locs %}{"loc": {{ loc | tojson }}}\n{% endfor %}'


class JsonLines(CrawledFormat):
    """A JSON object a line."""

    file = FileFormat("jsonl", "jsonl", "json lines", is_marked=False)
    template = "sitemap.jsonl.j2"

    def render(self, urls: SitemapRows, context: OutputContext) -> bytes:
        return context.renderer.text(self.template, locs=urls.locs)

    def check(self, document: Document, urls: SitemapRows, context: OutputContext) -> None:
        del context
        if [json.loads(line)["loc"] for line in document.body.splitlines()] != urls.locs:
            raise RenderError(f"{document.name} does not list its pages")

    def entries(self, name: str, body: bytes) -> list[SitemapEntry] | None:
        del name
        return [SitemapEntry(n, json.loads(line)["loc"]) for n, line in enumerate(body.splitlines())]


class Bookmarks(OutputFormat):
    """A list for visitors, with an overview."""

    file = FileFormat("bookmarks", "bm", "bookmarks", is_compressible=False, is_for_crawlers=False, shows_titles=True)
    template = "sitemap.bm.j2"

    def documents(self, shard: Shard, urls: SitemapRows, context: OutputContext) -> Iterator[Document]:
        lines = "\n".join(f"{shard.group}: {each.title}" for each in urls)
        yield self.document(shard, output_names.with_mark(lines.encode()), context)

    def check(self, document: Document, urls: SitemapRows, context: OutputContext) -> None:
        del context
        assert document.body.count(b": ") == len(urls)

    def overview(self, shards: Any, context: OutputContext) -> Iterator[Document]:
        body = output_names.with_mark(f"{len(shards)} lists".encode())
        yield Document(f"{context.names.stem}.bm", self.file.kind, body, context.site.base_url, len(shards))


@contextmanager
def extra_format(added: OutputFormat) -> Iterator[None]:
    """Both tables with one more row."""
    FORMATS[added.file.name] = added
    FILE_FORMATS[added.file.name] = added.file
    try:
        yield
    finally:
        del FORMATS[added.file.name], FILE_FORMATS[added.file.name]


@pytest.fixture
def with_json_lines() -> Iterator[None]:
    with extra_format(JsonLines()):
        yield


@pytest.fixture
def templates(tmp_path: Path) -> str:
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "sitemap.jsonl.j2").write_text(TEMPLATE)
    return str(folder)


@pytest.fixture
def source(write: Write) -> Path:
    return write({"a.html": "<title>A</title>", "b.html": "<title>B</title>"})


def published(root: Path) -> set[str]:
    return {path.name for path in root.iterdir() if path.suffix not in (".html", ".htm") or "sitemap" in path.name}


def test_the_table_of_formats_is_that_of_the_settings() -> None:
    assert [each.file for each in FORMATS.values()] == list(FILE_FORMATS.values())
    assert list(FORMATS) == list(FILE_FORMATS)
    crawled = {name for name, each in FORMATS.items() if isinstance(each, CrawledFormat)}
    assert crawled == {each.name for each in FILE_FORMATS.values() if each.is_for_crawlers}
    assert len({(each.stem, each.ending) for each in FILE_FORMATS.values()}) == len(FILE_FORMATS)
    assert len({each.kind for each in FILE_FORMATS.values()}) == len(FILE_FORMATS)


@pytest.mark.parametrize(
    ("formats", "names"),
    [
        (["xml"], ["xml"]),
        (["html", "text", "xml"], ["xml", "text", "html"]),
        (["text", "html"], ["text", "html"]),
        (["llms", "text"], ["text", "llms"]),
    ],
)
def test_the_first_format_of_a_site_is_the_one_that_indexes_list(formats: list[str], names: list[str]) -> None:
    the_site = site(formats=formats)
    assert [each.file.name for each in format_registry.site_formats(the_site)] == names
    assert format_registry.main_format(the_site) is FORMATS[names[0]]


@pytest.mark.parametrize(
    ("name", "format_name"),
    [("sitemap.xml.gz", "xml"), ("llms.txt", "llms"), ("sitemap.html.gz", ""), ("sitemap.css", "")],
)
def test_a_file_has_its_format_by_its_name(name: str, format_name: str) -> None:
    assert format_registry.format_of(name) is FORMATS.get(format_name)


@pytest.mark.parametrize(
    ("name", "body", "is_own"),
    [
        ("sitemap.xml", MARK.encode(), True),
        ("sitemap.xml", b"<urlset/>", False),
        ("sitemap.xml", None, False),
        ("sitemap.css", f"/* {MARK} */".encode(), True),
        ("sitemap.css", b"a {}", False),
        ("sitemap.txt", b"", True),
        ("sitemap-by-hand.txt", MARK.encode(), False),
    ],
)
def test_a_published_file_is_waypost_s_by_its_mark_or_else_by_its_name(
    name: str, body: bytes | None, is_own: bool
) -> None:
    names = output_names.output_names(site(formats=["xml", "text"]))
    assert format_registry.is_own_file(name, body, names) is is_own


@pytest.mark.usefixtures("with_json_lines")
def test_a_format_from_outside_is_built_beside_xml(source: Path, templates: str) -> None:
    plan = BUILD(source, formats=["xml", "jsonl"], templates=templates)
    assert [(document.name, document.kind) for document in plan.documents] == [
        ("sitemap.xml", "sitemap"),
        ("sitemap.jsonl", "json lines"),
    ]
    assert (source / "sitemap.jsonl").read_text() == (
        '{"loc": "https://example.org/a.html"}\n{"loc": "https://example.org/b.html"}\n'
    )
    assert root_sitemaps(plan.documents) == ["https://example.org/sitemap.xml"]
    assert not BUILD.plan(source, formats=["xml", "jsonl"], templates=templates).is_stale
    (source / "sitemap-by-hand.jsonl").write_text('{"loc": "https://example.org/else.html"}\n')
    assert list(BUILD(source, formats=["xml"]).removed) == ["sitemap.jsonl"]
    assert published(source) == {"sitemap.xml", "sitemap-by-hand.jsonl"}


@pytest.mark.usefixtures("with_json_lines")
def test_a_format_from_outside_can_be_the_only_one(source: Path, templates: str) -> None:
    plan = BUILD(source, formats=["jsonl"], templates=templates, gzip=True, robots_sitemaps=True)
    assert list(plan.written) == ["sitemap.jsonl.gz", "robots.txt"]
    assert plan.changes.added == ("https://example.org/a.html", "https://example.org/b.html")
    assert gzip.decompress((source / "sitemap.jsonl.gz").read_bytes()).count(b"\n") == 2
    assert (source / "robots.txt").read_text() == "Sitemap: https://example.org/sitemap.jsonl.gz\n"
    (source / "a.html").unlink()
    after = BUILD(source, formats=["jsonl"], templates=templates, gzip=True)
    assert after.changes.removed == ("https://example.org/a.html",)


@pytest.mark.usefixtures("with_json_lines")
def test_the_check_of_a_format_from_outside_stops_a_wrong_document(source: Path, templates: str) -> None:
    (Path(templates) / "sitemap.jsonl.j2").write_text('{"loc": "https://example.org/other.html"}\n')
    with pytest.raises(RenderError, match=r"sitemap\.jsonl does not list its pages"):
        BUILD(source, formats=["xml", "jsonl"], templates=templates)
    assert published(source) == set()


@pytest.mark.usefixtures("with_json_lines")
def test_the_names_of_a_format_from_outside_are_waypost_s(make_site: MakeSite) -> None:
    names = output_names.output_names(make_site(formats=["xml", "jsonl"], gzip=True))
    assert names.sitemap("", None, JsonLines.file) == "sitemap.jsonl.gz"
    assert names.is_configured("sitemap.jsonl.gz")
    assert names.could_be_ours("sitemap-former.jsonl")
    assert names.lists_pages("sitemap.jsonl")
    assert format_registry.is_own_file("sitemap.jsonl", b"", names)
    assert not format_registry.is_own_file("sitemap-former.jsonl", b"", names)


def test_a_format_for_visitors_is_recognised_by_its_mark(source: Path) -> None:
    with extra_format(Bookmarks()):
        groups = {"first": ["/a.html"]}
        plan = BUILD(source, formats=["xml", "bookmarks"], gzip=True, groups=groups)
        assert (source / "sitemap-first.bm").read_text().startswith("first: A\n")
        assert (source / "sitemap.bm").read_text().startswith("2 lists\n")
        assert all(document.lastmod is None for document in plan.documents if document.kind == "bookmarks")
        (source / "sitemap.bm").write_text("my own")
        with pytest.raises(StoreError, match=r"sitemap\.bm"):
            BUILD(source, formats=["xml", "bookmarks"], gzip=True, groups=groups)
        assert set(BUILD(source, gzip=True).removed) >= {"sitemap-first.bm", "sitemap-pages.bm"}
        assert (source / "sitemap.bm").read_text() == "my own"


def test_a_format_is_known_only_where_it_was_added(make_site: MakeSite) -> None:
    before = format_registry.crawled_kinds()
    with extra_format(JsonLines()):
        assert make_site(formats=["jsonl", "xml"]).formats == ("xml", "jsonl")
        assert format_registry.crawled_kinds() == [*before, "json lines"]
    with pytest.raises(ConfigurationError, match="'jsonl' is not an allowed value"):
        make_site(formats=["jsonl"])
    assert output_formats.format_of("sitemap.jsonl") is None
