"""Where the bytes of two versions prove that their texts differ."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from waypost.rules.different_texts import certain_titles, texts_differ
from waypost.rules.html_head import text_lines

_HEAD = '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page</title></head>'


def page(body: str, head: str = _HEAD) -> bytes:
    return f"{head}<body><main>{body}</main></body></html>".encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>One two.</p>", "<p>One three.</p>"),
        ("<p>One.</p>", "<p>One.</p><p>Two.</p>"),
        ("<p>One.</p>", "<p>One, two.</p>"),
        ("<p>One &amp; two</p>", "<p>One &amp; three</p>"),
        ("<p>été one</p>", "<p>été two</p>"),
        ("<script>if (a < b) {}</script><p>One.", "<script>if (a < b) {}</script><p>Two."),
        ('<svg viewBox="0 0 1 1"><path d="M1"/></svg>One', '<svg viewBox="0 0 1 1"><path d="M1"/></svg>Two'),
        ("<noscript><img src=a.png></noscript>One", "<noscript><img src=a.png></noscript>Two"),
        ("<!-- a -->One", "<!-- b -->Two"),
        ('<img alt="a > b">One', '<img alt="a > b">Two'),
    ],
)
def test_text_of_a_plain_body_that_differs_is_recognized(before: str, after: str) -> None:
    assert texts_differ(page(before), page(after))


def test_a_title_that_differs_is_recognized() -> None:
    assert texts_differ(page("a", _HEAD), page("a", _HEAD.replace("Page", "Page, version 2")))


def test_titles_are_those_of_the_parser_or_not_certain() -> None:
    before, after = page("a", _HEAD.replace("Page", " One \n page ")), page("b")
    assert certain_titles(before, after) == (text_lines(before)[0], text_lines(after)[0]) == ("One page", "Page")


@pytest.mark.parametrize("title", ["A &amp; b", "é", "<b>a</b>"])
def test_only_plain_titles_are_certain(title: str) -> None:
    other = page("a", _HEAD.replace("Page", title))
    assert certain_titles(page("a"), other) is None
    assert certain_titles(other, page("a")) is None
    assert certain_titles(page("a"), b"<p>a") is None


def test_text_after_heads_that_differ_is_recognized() -> None:
    assert texts_differ(page("one"), page("two", _HEAD.replace("<title>", "<link rel=x href=/a.css><title>")))


@pytest.mark.parametrize(
    "pair",
    [
        ("<b>o</b>ne", "on<b>e</b>"),
        ("<p>One</p>", "<p>  One\n</p>"),
        ("<p class=a>One</p>", "<p class=b>One</p>"),
        ("<!-- One -->a", "<!-- Two -->a"),
        ("<script>One</script>a", "<script>Two</script>a"),
        ("<template>One</template>a", "<template>Two</template>a"),
        ('<i title="a>One"></i>b', '<i title="a>Two"></i>b'),
        ("&#111;ne", "&#x6f;ne"),
        ("a&nbsp;b", "a b"),
        ("<table><tr>a<td>b</table>", "a<table><tr><td>b</table>"),
        ("<noscript>One</noscript>a", "<noscript>Two</noscript>a"),
    ],
)
def test_texts_that_are_the_same_are_not_said_to_differ(pair: tuple[str, str]) -> None:
    before, after = map(page, pair)
    assert text_lines(before) == text_lines(after)
    assert not texts_differ(before, after)


def test_bytes_of_other_encodings_prove_nothing() -> None:
    declared = '<meta charset="shift_jis"><p>'
    before, after = (f"{declared}表{text}".encode("shift_jis") for text in ("a", "b"))
    assert not texts_differ(before, after)


_NAMES = (
    *("html", "head", "title", "body", "p", "div", "b", "a", "i", "main", "header", "form", "button", "br", "pre"),
    *("table", "tr", "td", "caption", "select", "option", "template", "noscript", "script", "style", "textarea", "svg"),
    *("math", "mi", "path", "desc", "foreignObject", "frameset", "frame", "noframes", "plaintext", "iframe"),
    *("li", "h1", "meta", "link", "img", "x-y", "font-face", "annotation-xml", "object", "xmp", "ruby", "rt", "nobr"),
    *("image", "g"),
)
_ATTRIBUTES = ("", "", "", ' class="a"', ' title="a > b"', " hidden", ' x="</script>"', " y=a/", " /", " z='<!--'", '"')
_slashes = st.sampled_from(["", "", "/"])
_tags = st.builds("<{}{}{}>".format, _slashes, st.sampled_from(_NAMES), st.sampled_from(_ATTRIBUTES))
_texts = st.sampled_from(["one", "two", "a", "b", " ", "\n", "a b", "é", "\xa0", "\x0b", "\x1f", "\0", ">", "-", "/"])
_oddities = st.sampled_from(
    [
        *("&amp;", "&", "&lt", "&#97;", "&#x61", "&notit;", "<", "</", "<!--", "-->", "--!>", "<!-- a -->", "<!-->"),
        *("<!--->", "<!---a-->", "<![CDATA[a]]>", "<!doctype html>", "<?a>", "<!a>", "</>", '"', "'", "\r\n", "\ufeff"),
        *("<script>a</script>", "<style>a</style>", "<noscript><img></noscript>", "<svg><path/></svg>"),
        *(
            "<title>a</title>",
            "<svg><title>a</title></svg>",
            "<iframe></iframe>",
            "<noscript>a</noscript>",
            '<meta charset="utf-8">',
        ),
        *("<meta charset=shift_jis>", "<table><tr><td>a</table>", "<table>", "<select><option>a</select>", "</table>"),
    ]
)
_parts = st.lists(st.one_of(_tags, _texts, _texts, _oddities), max_size=9)
_beginnings = st.sampled_from(["", "<!doctype html>", "<html><head>", _HEAD, f"{_HEAD}<body>", f"{_HEAD}<body><main>"])


@st.composite
def versions(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Two versions of a page, of which a part was edited."""
    beginning, parts = draw(_beginnings), draw(_parts)
    edited = list(parts)
    at = draw(st.integers(0, len(parts)))
    edited[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.one_of(_tags, _texts, _oddities), max_size=3))
    other = draw(st.one_of(st.just(beginning), _beginnings))
    return (beginning + "".join(parts)).encode(), (other + "".join(edited)).encode()


@given(versions())
@example((b"<noscript>x</noscript>y", b"xy"))
@example((b"<p><title>x</title>y", b"<p>xy"))
@example((b"<body><iframe>x</iframe>y", b"<body>xy"))
@example((b"a<frameset><frame>", b"b<frameset><frame>"))
def test_texts_that_are_said_to_differ_do(pair: tuple[bytes, bytes]) -> None:
    before, after = pair
    if texts_differ(before, after):
        assert not (text_lines(before) and text_lines(before) == text_lines(after))


@given(versions())
def test_a_version_does_not_differ_from_itself(pair: tuple[bytes, bytes]) -> None:
    assert not any(texts_differ(version, version) for version in pair)
