"""Which URLs count as moved; tests/unit/sync/test_url_form.py has the rebuilds that are refused."""

import pytest
from fake_stores import SimulatedSite

from waypost.core.errors import RemovalError
from waypost.core.model import UrlForm
from waypost.sync import rebuild
from waypost.sync.moved_urls import check_moved_urls

BARE = UrlForm(page="bare")


def built(pages: int) -> SimulatedSite:
    site = SimulatedSite(urls=50_000, drop_html=None, trailing_slash=None)
    for n in range(pages):
        site.put(f"{n}.html", f"<title>{n}</title>{n}")
    site.put("index.html", "<title>Home</title>")
    rebuild.rebuild(site.updater())
    return site


def test_more_moved_urls_than_may_be_removed_are_an_error_with_examples_and_what_to_do() -> None:
    site = built(30)
    with pytest.raises(RemovalError, match=r"30 of the 31 listed URLs (.|\n)*0\.html(.|\n)*set drop_html and trailing"):
        check_moved_urls(site.updater(), site.manifest(), BARE, 50)


@pytest.mark.parametrize(("pages", "form", "max_removed"), [(30, BARE, 100), (30, BARE, 97), (9, BARE, 50)])
def test_fewer_or_accepted_ones_and_those_of_a_small_site_are_none(pages: int, form: UrlForm, max_removed: int) -> None:
    site = built(pages)
    check_moved_urls(site.updater(), site.manifest(), form, max_removed)


def test_the_form_that_a_ledger_has_moves_nothing() -> None:
    site = built(30)
    check_moved_urls(site.updater(), site.manifest(), site.manifest().url_form, 0)
