import pytest

from waypost.evidence.list_pages import is_list


@pytest.mark.parametrize(
    "key",
    [
        "tags/index.html",
        "tags/iron/index.html",
        "Tags/Iron.html",
        "tag/winter.html",
        "tags.html",
        "blog/tags/a/index.html",
        "category/water.html",
        "categories/index.html",
        "kategorien/holz/index.html",
        "author/ada.html",
        "authors/index.html",
        "topics/a.html",
        "labels/a.html",
        "series/index.html",
        "archive/index.html",
        "archives/2026/01/index.html",
        "archives.html",
        "blog/page/2/index.html",
        "page2/index.html",
        "blog/page-3.html",
        "index-1.html",
        "index2.html",
        "blog/page/12/deep.html",
        "2026/index.html",
        "2026/01/index.html",
        "2026/01/10/index.html",
        "genindex.html",
        "py-modindex.html",
        "genindex/index.html",
        "search.html",
        "en/search/index.html",
    ],
)
def test_a_page_that_generators_make_of_many_files_is_a_list(key: str) -> None:
    assert is_list(key)


@pytest.mark.parametrize(
    "key",
    [
        "index.html",
        "about.html",
        "1.0/index.html",
        "v2.html",
        "404.html",
        "2026/03/emma/index.html",
        "2026/01/10/concert.html",
        "en/tagging.html",
        "vintage/index.html",
        "heritage.html",
        "pages/index.html",
        "homepage/index.html",
        "research.html",
        "page.html",
        "newspage2/index.html",
        "guide/tagged-unions.md",
        "serieshow/a.html",
    ],
)
def test_a_page_with_such_a_path_is_no_list(key: str) -> None:
    assert not is_list(key)
