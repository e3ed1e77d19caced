import pytest
from unit.build.test_lister import MemorySource, left_out, listing, warned
from unit.sample_sites import site

from waypost.core import reasons
from waypost.core.model import Example

HOME = '<link rel="canonical" href="/">'
NOINDEX = '<meta name="robots" content="noindex">'


def test_a_file_that_servers_never_answer_is_a_duplicate_whatever_it_says() -> None:
    files = {"a.html": f"{NOINDEX}1", "a/index.html": "2"}
    found = listing(MemorySource(files), site(lastmod="none", drop_html=True, trailing_slash="never"))
    assert left_out(found) == {"a.html": reasons.DUPLICATE}


def test_a_page_whose_own_url_is_disallowed_is_left_out() -> None:
    robots = "User-agent: *\nDisallow: /a$\n"
    files = {"robots.txt": robots, "a.html": '<link rel="canonical" href="/a">', "b.html": "b"}
    found = listing(MemorySource(files))
    assert left_out(found)["a.html"] == reasons.ROBOTS_TXT
    assert [page.key for page in found.pages] == ["b.html"]


def test_canonical_links_that_all_name_the_home_page_are_warned_of() -> None:
    files = {"index.html": HOME, **{f"{n}.html": f"{HOME}{n}" for n in range(3)}}
    assert warned(listing(MemorySource(files))) == {"canonical-home": 3}
    assert warned(listing(MemorySource({**files, "own.html": '<link rel="canonical" href="own.html">'}))) == {}
    assert warned(listing(MemorySource({"index.html": HOME, "a.html": HOME}))) == {}


def test_warnings_about_a_duplicate_are_dropped() -> None:
    foreign = '<link rel="canonical" href="https://other.example/">'
    found = listing(MemorySource({"a/index.html": "1", "a/index.htm": foreign}))
    assert warned(found) == {}
    assert left_out(found) == {"a/index.htm": reasons.DUPLICATE}


@pytest.mark.parametrize("home", ["/", "/index.html", "http://www.example.org/"])
def test_nearly_all_is_enough_for_that_warning_and_any_form_of_the_home_page(home: str) -> None:
    link = f'<link rel="canonical" href="{home}">'
    files = {"index.html": link, **{f"{n}.html": f"{link}{n}" for n in range(9)}}
    own = '<link rel="canonical" href="own.html">'
    assert warned(listing(MemorySource({**files, "own.html": own}))).get("canonical-home") == 9


def test_a_canonical_url_that_no_page_has_is_warned_of() -> None:
    files = {
        "a.html": '<link rel="canonical" href="/docs//a.html">',
        "b.html": '<link rel="canonical" href="/c">',
        "c.html": "c",
    }
    found = listing(MemorySource(files))
    assert left_out(found) == {"a.html": reasons.CANONICAL, "b.html": reasons.CANONICAL}
    assert warned(found) == {"canonical-missing": 1}
    assert found.warnings[0].examples == (Example("a.html", "https://example.org/docs//a.html"),)
