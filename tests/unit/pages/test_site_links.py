from collections.abc import Iterator

from unit.build.test_lister import MemorySource, listing
from unit.sample_sites import site

from waypost.core import reasons
from waypost.core.model import OPEN_URL_FORM, Item, UrlForm, UrlFormCount
from waypost.pages.link_votes import LinkVote
from waypost.pages.site_links import LinkingPage, SiteLinks, read_page, read_site_links, site_links

KEYS = {*(f"{n}.html" for n in range(12)), "drafts/a.html", "drafts/b.html"}
MENU = "<title>x</title>" + "".join(f'<a href="/{n}">{n}</a>' for n in range(5))
FILES = {f"{n}.html": MENU for n in range(5)}


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


def items(source: MemorySource) -> list[Item]:
    return [Item(key, key) for key in source.files]


def test_pages_without_a_canonical_link_are_listed_as_the_site_s_links_name_them() -> None:
    found = listing(MemorySource(dict(FILES)))
    assert [page.loc for page in found.pages] == [f"https://example.org/{n}" for n in range(5)]
    assert found.url_forms == [UrlFormCount("page", "links", 5, "/page", 25, 25)]


def test_settings_that_decide_all_read_no_links() -> None:
    source = MemorySource(dict(FILES))
    assert read_site_links(source, items(source), site(drop_html=True, trailing_slash="auto")).votes == ()
    assert source.asked == []


def test_the_links_of_a_small_site_decide_if_they_all_agree() -> None:
    source = MemorySource({key: FILES[key] for key in list(FILES)[:3]})
    assert read_site_links(source, items(source), site()).votes == [LinkVote("page", "bare", 9, 9)]


def test_one_page_alone_is_not_read_for_its_links() -> None:
    source = MemorySource({key: FILES[key] for key in list(FILES)[:1]})
    assert read_site_links(source, items(source), site()).votes == ()
    assert source.asked == []


def test_a_page_that_cannot_be_read_shows_no_links() -> None:
    source = MemorySource({**FILES, "5.html": OSError(5, "broken")})
    assert read_site_links(source, items(source), site()).votes == [LinkVote("page", "bare", 25, 25)]


def test_drafts_of_a_generated_site_are_left_out_unless_a_page_links_to_them() -> None:
    generated = {**FILES, "index.html": '<meta name="generator" content="x">', "drafts/a.html": MENU}
    assert read_site_links(MemorySource(generated), items(MemorySource(generated)), site()).has_unlinked_drafts
    found = listing(MemorySource(generated))
    assert {skipped.key: skipped.reason for skipped in found.skipped} == {"drafts/a.html": reasons.DRAFT}
    kept = listing(MemorySource(generated), site(lastmod="none", exclude=["!/drafts/*"]))
    assert "drafts/a.html" in [page.key for page in kept.pages]
    linked = {**generated, "0.html": '<a href="/drafts/a.html">a</a>'}
    assert listing(MemorySource(linked)).skipped == []
    written_by_hand = {**FILES, "drafts/a.html": MENU}
    assert listing(MemorySource(written_by_hand)).skipped == []


def test_pages_beyond_the_first_fifty_are_not_read_where_those_are_clear() -> None:
    source = MemorySource({f"{n}.html": MENU for n in range(300)})
    assert read_site_links(source, items(source), site()).form() == UrlForm(page="bare")
    assert len(source.asked) == 50
