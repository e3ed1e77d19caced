from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace
from unit.sample_sites import pages, small_site

from waypost.core.model import Document, Page
from waypost.sitemaps.documents import documents
from waypost.sitemaps.render import Renderer
from waypost.sitemaps.shard_memory import ShardMemory

KEYS = [f"{n:03}.html" for n in range(30)]


def made(listed: Sequence[Page], memory: ShardMemory | None, **settings: Any) -> list[Document]:
    return documents(listed, small_site(**settings), Renderer(), lambda shard, document: "2026-03-01", (), memory)


def described(document: Document) -> tuple[object, ...]:
    return document.name, document.kind, document.digest, document.loc, document.url_count, document.lastmod


def remembered(listed: Sequence[Page], **settings: Any) -> ShardMemory:
    memory = ShardMemory({})
    made(listed, memory, **settings)
    return ShardMemory(memory.kept)


@pytest.mark.parametrize("settings", [{}, {"formats": ["xml", "text", "html"]}, {"gzip": True}])
def test_a_shard_with_the_same_pages_is_not_rendered_and_its_documents_are_as_before(settings: dict[str, Any]) -> None:
    before, after = (
        made(pages(KEYS), None, **settings),
        made(pages(KEYS), remembered(pages(KEYS), **settings), **settings),
    )
    assert list(map(described, after)) == list(map(described, before))
    assert {each.kind for each in after if each.body} <= {"index", "html"}
    assert not any(each.body for each in after if each.kind in ("sitemap", "text"))


def test_only_the_shard_of_a_changed_page_is_rendered() -> None:
    listed = pages(KEYS)
    memory = remembered(listed)
    changed = [*listed[:-1], *pages([KEYS[-1]], lastmod="2026-05-05")]
    after = made(changed, memory)
    sitemaps = [each for each in after if each.kind == "sitemap"]
    assert [bool(each.body) for each in sitemaps] == [False] * (len(sitemaps) - 1) + [True]
    assert b"2026-05-05" in sitemaps[-1].body


def test_pages_whose_file_has_another_name_are_rendered_again() -> None:
    memory = remembered(pages(KEYS[:5]), urls=5)
    (whole,) = made(pages(KEYS[:5]), memory, urls=5)
    assert whole.name == "sitemap.xml"
    assert not whole.body
    grouped = made([replace(page, group="blog") for page in pages(KEYS[:5])], memory, groups={"blog": ["/"]})
    assert all(each.body for each in grouped)


class NeverRenders(Renderer):
    """Fails where it should render a sitemap."""

    def uses_builtin(self, template: str) -> bool:
        return template != "sitemap.xml.j2"

    def text(self, name: str, /, **values: Any) -> bytes:
        assert name != "sitemap.xml.j2", "a known shard is rendered"
        return super().text(name, **values)


def test_what_is_too_large_is_split_as_it_was_without_rendering_it() -> None:
    memory, the_site = remembered(pages(KEYS), urls=30, size=1_000), small_site(urls=30, size=1_000)
    after = documents(pages(KEYS), the_site, NeverRenders(), lambda shard, document: None, (), memory)
    assert sum(each.kind == "sitemap" for each in after) > 4
    assert [each.name for each in after] == [each.name for each in made(pages(KEYS), None, urls=30, size=1_000)]
