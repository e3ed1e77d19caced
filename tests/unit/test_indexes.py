"""Indexes past the first: how much each holds, what they are called, and who tells of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from fake_stores import SimulatedSite
from unit.doubles import site as checked

from waypost.config import output_names
from waypost.core.model import Document
from waypost.sitemaps.documents import index_documents
from waypost.sitemaps.render import Renderer
from waypost.sitemaps.sharding import key_hash
from waypost.sync import rebuild

if TYPE_CHECKING:
    from collections.abc import Sequence

    from waypost.config.schema import Site


def many_children(count: int, site: Site) -> list[Document]:
    """The sitemaps of a large site, which their pages' keys order and name."""
    names = [f"sitemap-{key_hash(str(n)):016x}.xml" for n in range(count)]
    return [Document(name, "sitemap", b"", output_names.output_url(site, name), 25_000) for name in names]


def listed(made: Sequence[Document]) -> dict[str, list[str]]:
    return {each.name: re.findall(r"<loc>https://example.org/(.*?)</loc>", each.body.decode()) for each in made}


@pytest.mark.parametrize(("limits", "most"), [("strict", 1_000), ("current", 50_000)])
def test_each_index_holds_as_many_sitemaps_as_the_profile_allows_and_all_are_listed_once(
    limits: str, most: int
) -> None:
    site = checked(limits=limits)
    children = many_children(4_000 if most == 1_000 else 60_000, site)
    found = listed(list(index_documents(children, site, output_names.output_names(site), Renderer())))
    assert len(found) > 1
    assert all(0 < len(names) <= most for names in found.values())
    assert [name for names in found.values() for name in names] == [child.name for child in children]


def test_a_new_sitemap_changes_its_own_index_and_no_index_s_name() -> None:
    site = checked()
    children = many_children(4_001, site)
    names = output_names.output_names(site)
    before = listed(list(index_documents([*children[:1_234], *children[1_235:]], site, names, Renderer())))
    after = listed(list(index_documents(children, site, names, Renderer())))
    assert after.keys() == before.keys()
    (changed,) = [name for name in after if after[name] != before[name]]
    assert set(after[changed]) - set(before[changed]) == {children[1_234].name}


def test_robots_txt_names_all_indexes_of_a_ledger() -> None:
    world = SimulatedSite(urls=2, sitemaps=4, robots_sitemaps=True)
    for n in range(60):
        world.put(f"{n:03}.html", "x")
    rebuild.rebuild(world.updater())
    assert len(standing_indexes(world)) > 4
    assert told(world) == standing_indexes(world)
    before = world.outputs.bodies()
    world.put("100.html", "x")
    rebuild.update(world.updater(), ["100.html"])
    assert told(world) == standing_indexes(world)
    assert len({name for name in standing_indexes(world) if world.outputs.bodies()[name] != before.get(name)}) == 1


def standing_indexes(world: SimulatedSite) -> set[str]:
    return {name for name in world.outputs.files if name == "sitemap.xml" or "-index-" in name}


def told(world: SimulatedSite) -> set[str]:
    return set(re.findall(r"Sitemap: https://example.org/(\S+)", world.outputs.bodies()["robots.txt"].decode()))
