import pytest
from unit.sample_sites import pages, site

from waypost.build.lister import Listing
from waypost.build.site_comparison import Mismatch, SiteComparison
from waypost.core import reasons
from waypost.core.model import Page, Skipped
from waypost.core.reasons import Reason

BASE = "https://example.org/"


def comparison(*listed: str, skipped: tuple[Skipped, ...] = ()) -> SiteComparison:
    return SiteComparison(Listing(pages(listed), list(skipped), [], {}, {}, {}), site())


@pytest.mark.parametrize(
    "loc", [f"{BASE}a.html", f"{BASE}%61.html", "HTTPS://EXAMPLE.org:443/a.html", f"{BASE}caf%c3%a9.html"]
)
def test_a_page_of_the_site_may_be_listed_in_any_spelling_of_its_url(loc: str) -> None:
    assert comparison("a.html", "caf\u00e9.html").mismatch(loc) is None


@pytest.mark.parametrize("path", ["a", "a/", "a/index.html", "a.html?x=1"])
def test_another_url_at_which_servers_have_the_page_is_a_variant(path: str) -> None:
    assert comparison("a.html").mismatch(BASE + path) == Mismatch("listed-variant", f"{BASE}a.html")


@pytest.mark.parametrize(
    "loc", [f"{BASE}gone.html", "https://other.example/a.html", f"{BASE}A.html", f"{BASE}a.html/b"]
)
def test_a_url_that_the_site_does_not_have_is_missing(loc: str) -> None:
    assert comparison("a.html").mismatch(loc) == Mismatch("listed-missing")


@pytest.mark.parametrize(
    ("reason", "mismatch"),
    [
        (reasons.NOINDEX, Mismatch("listed-noindex", "detail")),
        (reasons.REFRESH, Mismatch("listed-redirect", "detail")),
        (reasons.REDIRECT, Mismatch("listed-redirect", "detail")),
        (reasons.CANONICAL, Mismatch("listed-not-canonical", "detail")),
        (reasons.FOREIGN_CANONICAL, Mismatch("listed-not-canonical", "detail")),
        (reasons.ROBOTS_TXT, Mismatch("listed-disallowed", "detail")),
        (reasons.DANGLING_LINK, Mismatch("listed-missing", "detail")),
        (reasons.EXCLUDED, Mismatch("listed-left-out", reasons.EXCLUDED.meaning)),
        (reasons.UNREADABLE, Mismatch("listed-left-out", reasons.UNREADABLE.meaning)),
    ],
)
@pytest.mark.parametrize("path", ["x.html", "x"])
def test_a_page_that_is_left_out_is_not_to_be_listed(reason: Reason, mismatch: Mismatch, path: str) -> None:
    assert comparison("a.html", skipped=(Skipped("x.html", reason, "detail"),)).mismatch(BASE + path) == mismatch


def test_a_reason_without_a_detail_is_shown_by_its_meaning() -> None:
    against = comparison("a.html", skipped=(Skipped("x.html", reasons.ROBOTS_TXT),))
    assert against.mismatch(f"{BASE}x.html") == Mismatch("listed-disallowed", reasons.ROBOTS_TXT.meaning)


def test_the_reason_of_a_folder_is_that_of_all_below_it() -> None:
    against = comparison("a.html", skipped=(Skipped(".git/", reasons.HIDDEN), Skipped("link/", reasons.LINK_OUTSIDE)))
    assert against.mismatch(f"{BASE}.git/x/y.html") == Mismatch("listed-left-out", reasons.HIDDEN.meaning)
    assert against.mismatch(f"{BASE}link/y.html") == Mismatch("listed-left-out", reasons.LINK_OUTSIDE.meaning)
    assert against.mismatch(f"{BASE}links/y.html") == Mismatch("listed-missing")


def test_a_variant_of_a_listed_page_is_one_though_a_file_of_similar_name_is_left_out() -> None:
    against = comparison("a.html", skipped=(Skipped("a.htm", reasons.NOINDEX, "noindex"),))
    assert against.mismatch(f"{BASE}a") == Mismatch("listed-variant", f"{BASE}a.html")
    assert against.mismatch(f"{BASE}a.htm") == Mismatch("listed-noindex", "noindex")


def test_pages_that_no_sitemap_lists_are_found() -> None:
    against = comparison("a.html", "b.html", "c.html")
    assert against.unlisted([f"{BASE}b.html", f"{BASE}c"]) == [f"{BASE}a.html", f"{BASE}c.html"]


def test_the_pages_are_known_by_the_urls_that_the_settings_give_them() -> None:
    listing = Listing([Page("a.html", f"{BASE}a")], [], [], {}, {}, {})
    against = SiteComparison(listing, site(drop_html=True))
    assert against.mismatch(f"{BASE}a") is None
    assert against.mismatch(f"{BASE}a.html") == Mismatch("listed-variant", f"{BASE}a")
