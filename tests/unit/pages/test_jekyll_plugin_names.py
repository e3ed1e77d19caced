"""The tables of plugins."""

from waypost.pages import jekyll_config as names


def test_each_plugin_is_in_one_table() -> None:
    assert not names.IMPLEMENTED & (names.WITHOUT_PAGES | names.PAGE_MAKERS)
    assert not names.WITHOUT_PAGES & names.PAGE_MAKERS


def test_all_that_github_pages_allows_is_known() -> None:
    assert names.ON_GITHUB_PAGES <= names.ALLOWED_BY_GITHUB_PAGES <= names.IMPLEMENTED | names.WITHOUT_PAGES
