import pytest
from unit.sample_sites import site

from waypost.audit.page_tags import read_tags
from waypost.audit.pages import AuditedPage
from waypost.audit.references import Reference, References, _folder_above
from waypost.audit.site_files import SiteFiles
from waypost.pages.html_head import HtmlHead

BASE = "https://example.org/"
KEYS = ("index.html", "a.html", "docs/index.html", "docs/b.html", "caf\xe9.html")


def references(href: str, path: str = "docs/b.html", base: str = "", key: str = "docs/b.html") -> list[Reference]:
    """The references of a page at a path of the site that has one link."""
    found = References(SiteFiles(KEYS, (), site(), lambda path: False), site())
    page = AuditedPage(key, BASE + path, HtmlHead(base=base))
    numbers = found.of_page(page, read_tags(f'<a href="{href}">'.encode()))
    return [found[number] for number in numbers]


@pytest.mark.parametrize(
    ("href", "key"),
    [
        ("b.html", "docs/b.html"),
        ("./b.html", "docs/b.html"),
        ("../a.html", "a.html"),
        ("..", "index.html"),
        ("/a.html", "a.html"),
        ("https://example.org/a.html?x#y", "a.html"),
        ("http://www.example.org/a", "a.html"),
        ("//www.example.org/a.html", "a.html"),
        ("/caf%C3%A9.html", "caf\xe9.html"),
        ("/caf\xe9.html", "caf\xe9.html"),
        ("%61.html/../b.html", "docs/b.html"),
        ("..\\a.html", "a.html"),
        ("../a\n.html", "a.html"),
    ],
)
def test_a_reference_leads_to_the_file_to_which_a_browser_resolves_it(href: str, key: str) -> None:
    assert [each.place.key for each in references(href)] == [key]


@pytest.mark.parametrize("href", ["", "#top", "?page=2", "mailto:a@example.org", "javascript:x()", "tel:1", "data:,x"])
def test_a_reference_to_the_page_itself_or_without_http_is_none(href: str) -> None:
    assert references(href) == []


@pytest.mark.parametrize(
    ("href", "reason"),
    [
        ("https://other.example/", "other-site"),
        ("../../x.html", "above-site"),
        ("{{ page.url }}", "placeholder"),
        ("https://shop.%CLUSTER_DOMAIN%/a", "placeholder"),
        ("http://$GATEWAY_IP:8080/", "placeholder"),
        ("https://kibana.&lt;domain&gt;.com/", "placeholder"),
        ("/search?q=x", "query"),
    ],
)
def test_a_reference_that_cannot_be_checked_says_why(href: str, reason: str) -> None:
    assert [each.place.not_checked for each in references(href)] == [reason]


def test_a_missing_target_is_named_by_its_whole_url() -> None:
    (found,) = references("none.html#part")
    assert (found.url, found.place.is_missing) == (BASE + "docs/none.html", True)


def test_the_base_element_counts() -> None:
    assert [each.place.key for each in references("b.html", "a.html", base="/docs/", key="a.html")] == ["docs/b.html"]
    assert [each.place.not_checked for each in references("x", base="https://other.example/")] == ["other-site"]


def test_a_link_may_be_relative_to_the_file_or_to_the_listed_url() -> None:
    by_url, by_file = (
        references("a.html", "docs", key="docs/index.html"),
        references("b.html", "docs", key="docs/index.html"),
    )
    assert [each.place.key for each in (*by_url, *by_file)] == ["a.html", "docs/b.html"]


def test_a_link_is_resolved_in_the_folder_of_each_page_that_has_it() -> None:
    keys = ("a.html", "d/a.html", "d/e/a.html", "d/e/f/a.html")
    found = References(SiteFiles(keys, (), site(), lambda path: False), site())
    tags = read_tags(b'<a href="../a.html"><a href="./../../a.html">')
    targets = []
    for key in [*keys, *keys]:
        numbers = found.of_page(AuditedPage(key, BASE + key, HtmlHead()), tags)
        targets.append(sorted({found[number].place.key for number in numbers}))
    above = [["a.html"], ["a.html"], ["a.html", "d/a.html"], ["d/a.html", "d/e/a.html"]]
    assert targets == [*above, *above]


def test_equal_references_have_one_number() -> None:
    found = References(SiteFiles(KEYS, (), site(), lambda path: False), site())
    first = found.of_page(
        AuditedPage("a.html", BASE + "a.html"), read_tags(b'<a href="docs/b.html"><a href="/docs/b.html">')
    )
    second = found.of_page(AuditedPage("docs/b.html", BASE + "docs/b.html"), read_tags(b"<a href='b.html?x'>"))
    assert (list(first), list(second), len(found), len(list(found))) == ([0], [0], 1, 1)


def test_the_place_of_a_url_is_found() -> None:
    found = References(SiteFiles(KEYS, (), site(), lambda path: False), site())
    assert found.place_of(BASE + "a").key == "a.html"
    assert found.place_of("https://other.example/").not_checked == "other-site"


def test_a_reference_that_is_too_long_is_not_checked() -> None:
    tags = read_tags(b'<a href="/' + b"a/" * 50_000 + b'"><img src="data:' + b"a" * 10_000 + b'">')
    page = AuditedPage("x.html", BASE + "x.html")
    found = References(SiteFiles(["x.html"], (), site(), lambda path: False), site())
    assert [(found[n].place.not_checked, len(found[n].url)) for n in found.of_page(page, tags)] == [("not-http", 8_192)]


@pytest.mark.parametrize(
    ("folder", "up", "above"),
    [("", 0, ""), ("", 1, None), ("a/b", 0, "a/b/"), ("a/b", 1, "a/"), ("a/b", 2, ""), ("a/b", 3, None)],
)
def test_the_folder_above_another_is_found(folder: str, up: int, above: str | None) -> None:
    assert _folder_above(folder, up) == above
