import pytest
from unit.sample_sites import site

from waypost.pages.page_url import SiteUrls

BASE = "https://example.org/"
URLS = SiteUrls({"index.html": BASE, "a.html": f"{BASE}a", "d/index.html": f"{BASE}d/"}, site())


@pytest.mark.parametrize(
    ("url", "loc"),
    [
        (BASE, BASE),
        (f"{BASE}index.html", BASE),
        (f"{BASE}a.html", f"{BASE}a"),
        (f"{BASE}d", f"{BASE}d/"),
        ("http://www.example.org/a/", f"{BASE}a"),
        (f"{BASE}a.html?x=1", f"{BASE}a.html?x=1"),
        ("https://other.example/a", "https://other.example/a"),
    ],
)
def test_a_url_leads_to_the_loc_of_the_file_that_it_names(url: str, loc: str) -> None:
    assert URLS.loc(url) == loc


def test_a_site_with_and_without_www_is_one_site() -> None:
    assert URLS.is_on_site("http://www.example.org/x")
    assert not URLS.is_on_site("https://docs.example.org/x")
