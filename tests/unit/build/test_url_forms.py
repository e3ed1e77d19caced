from unit.build.test_lister import MemorySource, listing
from unit.sample_sites import site

from waypost.core.model import UrlFormCount

FILES = {
    "index.html": "1",
    "a.html": '<link rel="canonical" href="/a">2',
    "b.html": "3",
    "d/index.html": "4",
    "e.pdf": "5",
}


def test_pages_are_counted_by_kind_and_by_what_decided_their_form() -> None:
    assert listing(MemorySource(FILES)).url_forms == [
        UrlFormCount("folder", "default", 1, "/folder/"),
        UrlFormCount("home", "default", 1, "/"),
        UrlFormCount("page", "canonical", 1),
        UrlFormCount("page", "default", 1, "/page.html"),
    ]


def test_each_page_with_several_forms_has_a_decision() -> None:
    found = listing(MemorySource(FILES), site(lastmod="none", drop_html=False))
    assert found.url_decisions == {
        "a.html": "setting",
        "b.html": "setting",
        "d/index.html": "default",
        "index.html": "default",
    }
