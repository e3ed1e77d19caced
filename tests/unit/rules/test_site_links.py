from unit.sample_sites import site

from waypost.core.model import OPEN_URL_FORM, UrlForm
from waypost.rules.site_links import LinkingPage, SiteLinks, read_page, site_links

KEYS = {*(f"{n}.html" for n in range(12)), "drafts/a.html", "drafts/b.html"}


def pages(*paths: str, is_generated: bool = True) -> list[LinkingPage]:
    return [LinkingPage(f"{n}.html", paths, is_generated) for n in range(12)]


def test_a_page_is_read_with_its_links_and_its_generator() -> None:
    page = read_page("a.html", b'<meta content="X 1" name="generator"><a href="/b">b</a>', site())
    assert page == LinkingPage("a.html", ("b",), is_generated=True)
    assert not read_page("a.html", b"<meta name=description>", site()).is_generated


def test_the_links_give_the_form_and_leave_open_what_they_do_not_decide() -> None:
    links = site_links(pages("1", "2", "3"), KEYS.__contains__, site())
    assert links.form() == UrlForm(page="bare")
    assert SiteLinks().form() == OPEN_URL_FORM


def test_drafts_are_unlinked_if_only_drafts_link_to_them() -> None:
    among_drafts = [LinkingPage("drafts/b.html", ("drafts/a",), is_generated=True)]
    assert site_links([*pages("1"), *among_drafts], KEYS.__contains__, site()).has_unlinked_drafts
    assert not site_links(pages("drafts/a"), KEYS.__contains__, site()).has_unlinked_drafts
    assert not site_links(pages("1", is_generated=False), KEYS.__contains__, site()).has_unlinked_drafts
