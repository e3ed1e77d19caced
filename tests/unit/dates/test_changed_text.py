"""What differs between the texts of two versions, where their bytes say so."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from waypost.dates.changed_text import ChangedText, changed_text
from waypost.pages.html_head import text_lines

_HEAD = '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Page</title></head>'
_FRAME = "<nav>Menu</nav>"
_LONG = "".join(f"{number} " for number in range(200))
"""More than a span that two versions have in common must have."""
_NAMES = (
    *("html", "head", "title", "body", "p", "div", "b", "a", "i", "main", "header", "form", "button", "br", "pre"),
    *("table", "tr", "td", "caption", "select", "option", "template", "noscript", "script", "style", "textarea", "svg"),
    *("math", "mi", "path", "desc", "foreignObject", "frameset", "frame", "noframes", "plaintext", "iframe"),
    *("li", "h1", "meta", "link", "img", "x-y", "font-face", "annotation-xml", "object", "xmp", "ruby", "rt", "nobr"),
    *("image", "g"),
)
_ATTRIBUTES = """|| class="a"| title="a > b"| hidden| x="</script>"| y=a/| y=a'b="| /| z='<!--'|\""""
_slashes = st.sampled_from(["", "", "/"])
_tags = st.builds("<{}{}{}>".format, _slashes, st.sampled_from(_NAMES), st.sampled_from(_ATTRIBUTES.split("|")))
_texts = st.sampled_from(
    ["one", "two", "a", "b", " ", "\n", "a b", "é", "\xa0", "\x0b", "\x1e", "\x1f", "\0", ">", "-", "/"]
)
_ODDITIES = """&amp;|&|&lt|&#97;|&#x61|&notit;|<|</|<!--|-->|--!>|<!-- a -->|<!-->|<!--->|<!---a-->|<![CDATA[a]]>|
<?a>|<>|<!doctype html>|<<|<? b|<!a>|</>|"|'|<script>a</script>|
<style>a</style>|<svg><path/></svg>|<noscript><img></noscript>|
<noscript>a</noscript>|<title>a</title>|<svg><title>a</title></svg>|<iframe></iframe>|<meta charset="utf-8">|
<meta charset=shift_jis>|<table><tr><td>a</table>|<table>|<select><option>a</select>|</table>"""
_oddities = st.sampled_from(["\r\n", "\ufeff", *_ODDITIES.replace("\n", "").split("|")])
_parts = st.lists(st.one_of(_tags, _texts, _texts, _oddities), max_size=9)
_beginnings = st.sampled_from(
    ["", "<html><head>", _HEAD, *(f"{_HEAD}{rest}" for rest in ("<body>", "<p>x", "<body>x<main>", "<table><tr><td>x"))]
)
_PLAIN = """<p>|</p>|<b>|</b>|<div>|</div>|<br>|<li>|<i></i>|one|two|a b| |&amp;|<!-- a -->|<script>a</script>|
<table><tr><td>a</table>|<noscript>a</noscript>|<svg><path/></svg>"""
_plain = st.sampled_from(["\n", *_PLAIN.replace("\n", "").split("|")])
_plain_parts = st.lists(_plain, max_size=6)
_SPANS = """|||#|<p>#<p>|<p>#</p>|<!-- <p>#<p> -->|<b>#</b>|<script>'<p>#<p>'</script>|<noscript><p>#</p></noscript>|
<p title='#'><p>|<table><tr><td>#<tr><td>|<select><option>#</select>|<p>#<!--|#--><p>|<p>#<script>|#</script><p>|
<p>#<table><tr>|<div><p>#<div|#<p"""
_spans = st.sampled_from(_SPANS.replace("\n", "").replace("#", _LONG).split("|"))


def page(body: str, head: str = _HEAD) -> bytes:
    return f"{head}<body>{_FRAME}<main>{body}</main></body></html>".encode()


@pytest.mark.parametrize(
    ("before", "after", "removed", "added"),
    [
        ("<p>One two.</p>", "<p>One three.</p>", ("One two.",), ("One three.",)),
        ("<p>One  two. </p>", "<p>One\tthree.</p>\n<p>Four</p>", ("One two.",), ("One three.", "Four")),
        ("<p>One.</p>", "<p>One.</p><p>Two.</p>", (), ("Two.",)),
        ("<p>One &amp; two</p>", "<p>One &amp; <b>three</b></p>", ("One & two",), ("One & three",)),
        ("<p>été un</p>", "<p>été deux</p>", ("été un",), ("été deux",)),
        ("<p>中文一</p><p>三", "<p>中文二</p><p>三", ("中文一",), ("中文二",)),
        ("<script>if (a < b) {}</script><p>One.", "<script>if (a < b) {}</script><p>Two.", ("One.",), ("Two.",)),
        ("<script><!--\na()\n//--></script><p>One.", "<script><!--\nb()\n//--></script><p>Two.", ("One.",), ("Two.",)),
        ("<svg><title>a</title><path d=M1></svg>One", "<svg><title>a</title><path d=M2></svg>Two", ("One",), ("Two",)),
        ("<noscript><div>No</div></noscript><p>One", "<noscript><div>No</div></noscript><p>Two", ("One",), ("Two",)),
        ("<!-- a -->One", "<!-- b -->Two", ("One",), ("Two",)),
        ("<!--[if lte IE 11]>a<![endif]-->One", "<!--[if lte IE 11]>a<![endif]-->Two", ("One",), ("Two",)),
        ("<code>a << 1 <> c</code>One", "<code>a << 1 <> c</code>Two", ("a << 1 <> cOne",), ("a << 1 <> cTwo",)),
        ("<a href=/a'b=\"c>One", "<a href=/a'b=\"c>Two", ("One",), ("Two",)),
        ('<img alt="a > b">One', '<img alt="a > b">Two', ("One",), ("Two",)),
        ("<table><tr><td>One<td>a</table>", "<table><tr><td>Two<td>a</table>", ("One",), ("Two",)),
        ("<select><option>One</select>", "<select><option>Two</select>", ("One",), ("Two",)),
        (f"<p>One<p>{_LONG}<p>a", f"<p>Three<p>{_LONG}<p>b", ("One", "a"), ("Three", "b")),
        (
            f"<p>One<p>{_LONG}<p>{_LONG}1<b>a</b>",
            f"<p>Three<p>{_LONG}<p>{_LONG}1<blockquote>b</blockquote>",
            ("One", f"{_LONG}1a"),
            ("Three", f"{_LONG}1", "b"),
        ),
    ],
)
def test_the_lines_that_differ_are_those_of_the_parser(
    before: str, after: str, removed: tuple[str, ...], added: tuple[str, ...]
) -> None:
    pages = page(before), page(after)
    assert changed_text(*pages) == ChangedText(("Page", "Page"), removed, added)
    old, new = (text_lines(each)[1:] for each in pages)
    assert [line for line in old if line not in new] == [*removed]
    assert [line for line in new if line not in old] == [*added]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<p>One two</p>", "<p>One\n  two</p>"),
        ("<b>o</b>ne", "on<b>e</b>"),
        ("<p class=a>One</p>", "<p class=b>One</p>"),
        ("<!-- One -->a", "<!-- Two -->a"),
        ("<p>One two</p>", "<p>One <a href=/x><code>two</code></a></p>"),
        ("<script>One</script>a", "<script>Two</script>a"),
        (
            "<script>One</script><noscript><div>a</div></noscript>a",
            "<script>Two</script><noscript><div>a</div></noscript>a",
        ),
        ("<svg><path d=M1></svg>a", "<svg><path d=M2></svg>a"),
        ("<table><tr class=a><td>b</table>", "<table><tr class=b><td>b</table>"),
    ],
)
def test_other_bytes_are_no_change_of_the_text(before: str, after: str) -> None:
    assert text_lines(page(before)) == text_lines(page(after))
    assert changed_text(page(before), page(after)) == ChangedText(("Page", "Page"))


@pytest.mark.parametrize("title", [" One \n page ", "A &amp; b", "é"])
def test_titles_are_those_of_the_parser(title: str) -> None:
    before, after = page("a", _HEAD.replace("Page", title)), page("b")
    found = changed_text(before, after)
    assert found is not None
    assert found.titles == (text_lines(before)[0], text_lines(after)[0])


def test_heads_may_differ() -> None:
    other = _HEAD.replace("<title>", "<!-- Friday --><link rel=x href=/a.css><title>")
    assert changed_text(page("one"), page("one", other)) == ChangedText(("Page", "Page"))
    assert changed_text(page("one"), page("two", other)) == ChangedText(("Page", "Page"), ("one",), ("two",))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<template>One</template>a", "<template>Two</template>a"),
        ("<p><noscript><div>One</div></noscript>a", "<p><noscript><div>Two</div></noscript>a"),
        ("<noscript><p>No</p></noscript><p>One", "<noscript><p>No</p></noscript><p>Two"),
        ("<iframe>a</iframe>One", "<iframe>a</iframe>Two"),
        ("<![if IE]>One<![endif]>", "<![if IE]>Two<![endif]>"),
        ("<table>One<tr><td>b</table>", "<table>Two<tr><td>b</table>"),
        ("<textarea>One</textarea>a", "<textarea>Two</textarea>a"),
        (f"<p>One<p>{_LONG}<p><template><p>{_LONG}<p>a", f"<p>Two<p>{_LONG}<p><template><p>{_LONG}<p>b"),
        ("<math><mi>One</math>a", "<math><mi>Two</math>a"),
        ("a<?x>1", "a1"),
        ("a</div>b", "ab"),
        ("a</div>b", "a </div>b"),
        ("a</div>b", "a<br>b"),
        ("<p>One</p>", "<p>One\n</p>"),
        ("&#111;ne", "&#x6f;ne"),
    ],
)
def test_where_only_a_parser_can_tell_nothing_is_said(before: str, after: str) -> None:
    assert changed_text(page(before), page(after)) is None


@pytest.mark.parametrize(
    "other",
    [
        b"<p>a",
        b"",
        _HEAD.encode(),
        b"<title>a</title><title>b</title><body><p>a",
        b"<title>a</title><frameset><frame></frameset>",
        b"<title>a</title><body><p>",
    ],
)
def test_pages_without_title_or_text_are_left_to_the_parser(other: bytes) -> None:
    assert changed_text(page("a"), other) is None
    assert changed_text(other, page("a")) is None


def test_bytes_of_other_encodings_are_left_to_the_parser() -> None:
    head = _HEAD.replace("utf-8", "shift_jis")
    before, after = (f"{head}<body><p>表{text}".encode("shift_jis") for text in ("a", "b"))
    assert changed_text(before, after) is None


def test_elements_in_a_script_are_none(  # which takes an hour if each is looked for to the end of the page
) -> None:
    frame = f"<p>%s</p><script>{'<noscript><iframe>a' * 20_000}</script><p>d</p>"
    assert changed_text(page(frame % "b"), page(frame % "c")) == ChangedText(("Page", "Page"), ("b",), ("c",))
    whole = f"%s<script>{'<noscript><iframe>a' * 20_000}%s</script>"
    assert changed_text(page(whole % ("b", 1)), page(whole % ("c", 2))) == ChangedText(("Page", "Page"), ("b",), ("c",))


@st.composite
def versions(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Two versions of a page, of which up to three parts were edited, with spans between them that both have."""
    beginning = draw(_beginnings)
    before, after = beginning, draw(st.one_of(st.just(beginning), _beginnings))
    has_oddities = draw(st.booleans())
    written = _parts if has_oddities else _plain_parts
    new = st.lists(st.one_of(_tags, _texts, _oddities) if has_oddities else _plain, max_size=3)
    for span in draw(st.lists(_spans, min_size=1, max_size=3)):
        parts = draw(written)
        at = draw(st.integers(0, len(parts)))
        before += "".join(parts) + span
        after += "".join([*parts[:at], *draw(new), *parts[at + draw(st.integers(0, 2)) :]]) + span
    return before.encode(), after.encode()


@given(versions())
@example((b"<title>a</title><body>a<noscript>x</noscript>y", b"<title>a</title><body>axy"))
@example((b"<title>a</title><p>a<p><title>x</title>y", b"<title>a</title><p>a<p>xy"))
@example((b"<title>a</title><body>a<iframe>x</iframe>y", b"<title>a</title><body>axy"))
@example((b"<title>a</title><p>a<frameset><frame>", b"<title>a</title><p>b<frameset><frame>"))
def test_what_is_said_of_two_versions_is_what_the_parser_says(pair: tuple[bytes, bytes]) -> None:
    found, old, new = changed_text(*pair), *map(text_lines, pair)
    if found is not None:
        assert old
        assert new
        assert found.titles == (old[0], new[0])
        assert (found.removed == found.added == ()) == (" ".join(old[1:]) == " ".join(new[1:]))


@given(versions())
def test_a_version_does_not_differ_from_itself(pair: tuple[bytes, bytes]) -> None:
    for version in pair:
        found = changed_text(version, version)
        assert found is None or found.removed == found.added == ()
