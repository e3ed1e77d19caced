import pytest

from waypost.audit.style_urls import style_urls


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p { background: url(a.png) }", [("file", "a.png")]),
        ("p { background: URL( 'a b.png' ) }", [("file", "a b.png")]),
        ('@import "a.css";', [("style", "a.css")]),
        ("@IMPORT url(a.css) screen;", [("style", "a.css")]),
        ("@import url('a.css');", [("style", "a.css")]),
        ("p { background: url(a\\(1\\).png) }", [("file", "a(1).png")]),
        ('p { background: url("a\\(1\\).png") }', [("file", "a(1).png")]),
        ("/* url(a.png) */ p { src: url(b.png), url(b.png) }", [("file", "b.png")]),
        ("/* url(a.png)", []),
        ("p { background: url() }", []),
        ('a { content: "url(/a.png)"; src: url(b.png) }', [("file", "b.png")]),
        ("a { content: 'it\\'s url(/a.png)' } b { src: url(b.png) }", [("file", "b.png")]),
        (
            'a { background: image-set("a.png" 1x, url(b.png) 2x, "c.avif" type("image/avif")) }',
            [("file", "b.png"), ("file", "a.png"), ("file", "c.avif")],
        ),
        ('a { content: "no end } \nb { src: url(b.png) }', [("file", "b.png")]),
        ("a { background: -webkit-image-set('a.png' 1x) }", [("file", "a.png")]),
        ("p { color: red }", []),
    ],
)
def test_the_urls_of_a_style_sheet_are_those_that_a_browser_loads(text: str, expected: list[tuple[str, str]]) -> None:
    assert style_urls(text.encode()) == expected
