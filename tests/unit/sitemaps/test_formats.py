"""What an output format is, and that one can be added from outside."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sites import Build, MakeSite, Write

from waypost.core.errors import ConfigurationError, RenderError, StoreError
from waypost.core.model import Document
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings import output_formats, output_names
from waypost.settings.output_formats import FILE_FORMATS, FileFormat
from waypost.sitemaps import format_registry
from waypost.sitemaps.documents import root_sitemaps
from waypost.sitemaps.format_registry import extra_format
from waypost.sitemaps.output_format import CrawledFormat, OutputContext, OutputFormat, ShardSummary
from waypost.validate import SitemapEntry

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

    def render_shard(self, shard: ShardSummary, urls: SitemapRows, context: OutputContext) -> bytes:
        del context
        return output_names.with_mark("\n".join(f"{shard.group}: {each.title}" for each in urls).encode())

    def check(self, document: Document, urls: SitemapRows, context: OutputContext) -> None:
        del context
        assert document.body.count(b": ") == len(urls)

    def overview(self, shards: Any, context: OutputContext) -> Iterator[Document]:
        body = output_names.with_mark(f"{len(shards)} lists".encode())
        yield Document(f"{context.names.stem}.bm", self.file.kind, body, context.site.base_url, len(shards))


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
    formats = [format_registry.format_named(name) for name in FILE_FORMATS]
    assert [each.file for each in formats] == list(FILE_FORMATS.values())
    assert [each.file.name for each in formats] == list(FILE_FORMATS)
    crawled = {each.file.name for each in formats if isinstance(each, CrawledFormat)}
    assert crawled == {each.name for each in FILE_FORMATS.values() if each.is_for_crawlers}
    assert len({(each.stem, each.ending) for each in FILE_FORMATS.values()}) == len(FILE_FORMATS)
    assert len({each.kind for each in FILE_FORMATS.values()}) == len(FILE_FORMATS)


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


@pytest.mark.usefixtures("with_json_lines")
def test_a_format_from_outside_can_be_the_only_one(source: Path, templates: str) -> None:
    plan = BUILD(source, formats=["jsonl"], templates=templates, gzip=True, robots_sitemaps=True)
    assert list(plan.written) == ["sitemap.jsonl.gz", "robots.txt"]
    assert plan.changes.added == ("https://example.org/a.html", "https://example.org/b.html")
    assert gzip.decompress((source / "sitemap.jsonl.gz").read_bytes()).count(b"\n") == 2
    assert (source / "robots.txt").read_text() == "Sitemap: https://example.org/sitemap.jsonl.gz\n"
    (source / "a.html").unlink()
    assert BUILD(source, formats=["jsonl"], templates=templates, gzip=True).changes.removed == (
        "https://example.org/a.html",
    )


@pytest.mark.usefixtures("with_json_lines")
def test_groups_in_a_format_from_outside_are_listed_by_the_index(source: Path, templates: str) -> None:
    BUILD(source, formats=["jsonl"], templates=templates, groups={"first": ["/a.html"]})
    assert published(source) == {"sitemap.xml", "sitemap-first.jsonl", "sitemap-pages.jsonl"}
    assert "https://example.org/sitemap-first.jsonl" in (source / "sitemap.xml").read_text()


@pytest.mark.usefixtures("with_json_lines")
def test_the_check_of_a_format_from_outside_stops_a_wrong_document(source: Path, templates: str) -> None:
    (Path(templates) / "sitemap.jsonl.j2").write_text('{"loc": "https://example.org/other.html"}\n')
    with pytest.raises(RenderError, match=r"sitemap\.jsonl does not list its pages"):
        BUILD(source, formats=["xml", "jsonl"], templates=templates)
    assert published(source) == set()


@pytest.mark.usefixtures("with_json_lines")
def test_the_files_of_a_format_from_outside_leave_with_it(source: Path, templates: str) -> None:
    (source / "sitemap-by-hand.jsonl").write_text('{"loc": "https://example.org/else.html"}\n')
    BUILD(source, formats=["xml", "jsonl"], templates=templates)
    plan = BUILD(source, formats=["xml"])
    assert list(plan.removed) == ["sitemap.jsonl"]
    assert published(source) == {"sitemap.xml", "sitemap-by-hand.jsonl"}


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


def test_a_format_is_known_to_the_settings_only_where_it_was_added(make_site: MakeSite) -> None:
    with extra_format(JsonLines()):
        assert make_site(formats=["jsonl", "xml"]).formats == ("xml", "jsonl")
    with pytest.raises(ConfigurationError, match="'jsonl' is not an allowed value"):
        make_site(formats=["jsonl"])
    assert output_formats.format_of("sitemap.jsonl") is None


def test_a_name_or_an_ending_is_one_format_s_alone() -> None:
    with extra_format(JsonLines()):
        for file in (FileFormat("jsonl", "other", "x"), FileFormat("other", "jsonl", "x")):

            class Second(JsonLines):
                pass

            Second.file = file
            with pytest.raises(ValueError, match="there is an output format"), extra_format(Second()):
                pass


@pytest.mark.parametrize(("name", "kind"), [("a.xml.gz", "sitemap"), ("a.txt", "text"), ("a.html", "html")])
def test_a_file_s_format_is_known_by_its_ending(name: str, kind: str) -> None:
    found = output_formats.format_of(name)
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize("name", ["a.css", "a.html.gz", "xml", "a.xml.gz.gz", ""])
def test_other_files_have_no_format(name: str) -> None:
    assert output_formats.format_of(name) is None
