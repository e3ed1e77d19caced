from waypost.pages import html_tree

DEEP = b"<div>" * 30_000


def test_a_page_is_parsed_in_its_own_encoding() -> None:
    for page in ("<title>ü</title>".encode(), "<title>ü</title>".encode("utf-16")):
        title = html_tree.parse(page).css_first("title")
        assert title is not None
        assert title.text() == "ü"


def test_of_a_page_that_exceeds_a_bound_the_beginning_is_parsed_or_nothing() -> None:
    tree = html_tree.parse(b"<title>a</title>" + DEEP + b"<h1>b</h1>")
    assert tree.css_first("title") is not None
    assert tree.css_first("h1") is None
    assert html_tree.parse_whole(DEEP) is None
    assert html_tree.parse_whole(b"<p>") is not None
