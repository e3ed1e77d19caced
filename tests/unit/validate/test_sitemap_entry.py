from waypost.validate import Element, SitemapEntry
from waypost.validate.sitemap_entry import IMAGE_NAMESPACE, XHTML_NAMESPACE


def link(line: int, **attributes: str) -> Element:
    return Element(XHTML_NAMESPACE, "link", line, attributes)


def test_alternates_are_links_of_xhtml() -> None:
    entry = SitemapEntry(1, "a", extensions=[link(2, hreflang="de", href="b"), Element("urn:x", "link", 3, {})])
    assert entry.alternates == [("de", "b")]


def test_an_element_has_the_text_of_its_first_child_of_a_name() -> None:
    image = Element(IMAGE_NAMESPACE, "image", 1, {})
    image.children = [Element(IMAGE_NAMESPACE, "loc", n, {}, text) for n, text in enumerate(("a.png", "b.png"))]
    assert (image.value("loc"), image.value("title")) == ("a.png", "")
    assert image.find("title") is None


def test_metadata_is_the_same_wherever_it_is_written() -> None:
    here = SitemapEntry(1, "a", "2026-03-01", "daily", "0.5", [link(2, hreflang="de", href="b")])
    there = SitemapEntry(9, "a", None, "daily", "0.5", [link(12, href="b", hreflang="de")])
    assert here.metadata == there.metadata
    assert SitemapEntry(1, "a", "2026-03-01").metadata == ()
    assert here.metadata != SitemapEntry(1, "a", None, "daily", "0.5").metadata
