from collections.abc import Iterator

from unit.sample_sites import site

from waypost.core.model import OPEN_URL_FORM, UrlForm
from waypost.rules.site_links import LinkingPage, SiteLinks, read_page, site_links

KEYS = {*(f"{n}.html" for n in range(12)), "drafts/a.html", "drafts/b.html"}


def pages(*paths: str, is_generated: bool = True) -> list[LinkingPage]:
    return [LinkingPage(f"{n}.html", paths, is_generated) for n in range(12)]


def test_a_page_is_read_with_its_links_and_its_generator() -> None:
    page = read_page("a.html", b'<meta content="X 1" name="generator"><a href="/b">b</a>', site())
    assert page == LinkingPage("a.html", ("b",), is_generated=True, root_relative={"b"})
    assert not read_page("a.html", b"<meta name=description>", site()).is_generated


def test_the_links_give_the_form_and_leave_open_what_they_do_not_decide() -> None:
    links = site_links(pages("1", "2", "3"), KEYS, site())
    assert links.form() == UrlForm(page="bare")
    assert SiteLinks().form() == OPEN_URL_FORM


def test_clear_links_need_no_further_pages() -> None:
    read: list[str] = []

    def reading(paths: tuple[str, ...]) -> Iterator[LinkingPage]:
        for n in range(500):
            read.append(f"{n}.html")
            yield LinkingPage(f"{n}.html", paths, is_generated=False)

    keys = {f"{n}.html" for n in range(500)}
    site_links(reading(("1", "2", "3")), keys, site())
    assert len(read) == 100
    read.clear()
    site_links(reading(("1", "2", "3")), {*keys, "d/index.html"}, site())
    assert len(read) == 100
    read.clear()
    site_links(reading(()), keys, site())
    assert len(read) == 500
    read.clear()
    site_links(reading(("1", "2", "3.html")), keys, site())
    assert len(read) == 500


def test_drafts_are_unlinked_if_only_drafts_link_to_them() -> None:
    among_drafts = [LinkingPage("drafts/b.html", ("drafts/a",), is_generated=True)]
    assert not site_links(pages("1"), KEYS - {"drafts/a.html", "drafts/b.html"}, site()).has_unlinked_drafts
    assert site_links([*pages("1"), *among_drafts], KEYS, site()).has_unlinked_drafts
    assert not site_links(pages("drafts/a"), KEYS, site()).has_unlinked_drafts
    assert not site_links(pages("1", is_generated=False), KEYS, site()).has_unlinked_drafts
