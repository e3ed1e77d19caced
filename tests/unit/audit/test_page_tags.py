import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from waypost.audit import page_tags
from waypost.audit.page_tags import PageTags, read_tags, written

DATA = {("image", "data:,")}
SHARED = {("image", "/a.png")}


def hrefs(text: str) -> list[str]:
    return [written(value) for value in read_tags(text.encode()).links]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<a href="/a">', ["/a"]),
        ("<a class=x href='/b c'>", ["/b c"]),
        ("<A HREF=/c>", ["/c"]),
        ('<a\n  title="1 > 0"\n  href="/d">', ["/d"]),
        ('<a href="&#x2f;e&amp;f">', ["/e&f"]),
        ('<svg><a xlink:href="/g"></a></svg>', ["/g"]),
        ('<a href="/h#part">', ["/h"]),
        ('<a href="/i?x=1#part">', ["/i?"]),
        ('<a href="/j"><a href="/j">', ["/j"]),
        ('<a href = "/k">', ["/k"]),
        ('<a class=x hidden href="/l">', ["/l"]),
        ('<a hreflang=de hReF="/m">', ["/m"]),
        ('<a class="#x" xlink:href="/n" href="/o">', ["/n"]),
        ('<a x:href="/p" href="/q">', ["/q"]),
    ],
)
def test_a_link_is_read_as_a_browser_reads_it(text: str, expected: list[str]) -> None:
    assert hrefs(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        '<!-- <a href="/x"> -->',
        "<script>s = '<a href=\"/x\">'</script>",
        '<style>/* <a href="/x"> */</style>',
        '<template><a href="/x"></template>',
        '<textarea><a href="/x"></textarea>',
        '<abbr href="/x">',
        '<a data-href="/x">',
        '<a name="x">',
        '&lt;a href="/x">',
        '<!-- <a href="/x">',
    ],
)
def test_what_is_no_link_is_not_read(text: str) -> None:
    assert hrefs(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<a href="/h#part">', [("/h", b"part")]),
        ("<a href=#part>", [("", b"part")]),
        ("<a href='#a&amp;b'>", [("", b"a&amp;b")]),
        ('<a href="/i?x=1&#38;y=2#part">', [("/i?", b"part")]),
        ('<a href="/k?x#">', []),
        ('<a href="/l#two words">', [("/l", b"two words")]),
        ("<a href='/l#two words' class='x'>", [("/l", b"two words")]),
        ('<a href=/m#one class="two">', [("/m", b"one")]),
        ('<a href="#let\'s-go">', [("", b"let's-go")]),
        ("<a href='#let\"s'>", [("", b'let"s')]),
        ("<a href=#it's>", [("", b"it's")]),
        ('<a href="#a>b">', [("", b"a>b")]),
        ('<a href="?x=1#part">', [("?", b"part")]),
    ],
)
def test_the_fragment_of_a_link_is_read(text: str, expected: list[tuple[str, bytes]]) -> None:
    assert [(written(link), fragment) for link, fragment in read_tags(text.encode()).fragments] == expected


def test_what_follows_a_comment_or_a_script_is_read() -> None:
    assert hrefs('<!-- x --><a href="/a"><script></script><a href="/b"><!--><a href="/c">') == ["/a", "/b", "/c"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<img src="/a.png" alt="1 > 0">', {("image", "/a.png")}),
        ('<img alt="1 > 0" src="/a.png">', {("image", "/a.png")}),
        ("<link title='a > b' rel=stylesheet href=/a.css>", {("style", "/a.css")}),
        ('<script src="/<u>/a.js"></script>', {("script", "/<u>/a.js")}),
        ('<img alt=5" src="/a.png">', {("image", "/a.png")}),
        ('<img src="a.png" srcset="b.png 1x, c.png 2x">', {("image", "a.png"), ("image", "b.png"), ("image", "c.png")}),
        ('<img srcset="a.png 1x,">', {("image", "a.png")}),
        ('<img srcset=","><img srcset="a.png,">', {("image", "a.png")}),
        ('<picture><source srcset="a.webp"><img src="a.png"></picture>', {("image", "a.webp"), ("image", "a.png")}),
        ('<video src="a.mp4" poster="a.png"></video>', {("media", "a.mp4"), ("image", "a.png")}),
        ('<audio><source src="a.ogg"></audio>', {("media", "a.ogg")}),
        ('<map><area href="/a"></map>', {("link", "/a")}),
        ('<iframe src="/a"></iframe>', {("link", "/a")}),
        ('<input type="image" src="a.png">', {("image", "a.png")}),
        ('<link rel="alternate" hreflang="de" href="/de/">', {("related", "/de/")}),
        ('<link rel="stylesheet" href="/a.css">', {("style", "/a.css")}),
        ("<style>@import 'a.css'; p { background: url(a.png) }</style>", {("style", "a.css"), ("file", "a.png")}),
        ('<p style="background: url(&quot;a.png&quot;)">', {("image", "a.png")}),
        ('<script src="/a.js" defer></script>', {("script", "/a.js")}),
        ('<script>url = "/a.js"</script>', set()),
        ("<link rel=preload as=image imagesrcset='a.png 1x, b.png 2x'>", {("file", "a.png"), ("file", "b.png")}),
        ('<link rel=alternate type="application/rss+xml" href="/feed.xml">', {("file", "/feed.xml")}),
        ('<link rel="shortcut icon" href="/a.ico"><link rel=manifest href=m>', {("file", "/a.ico"), ("file", "m")}),
        ('<link rel="preload" href="/a.woff2" as=font>', {("file", "/a.woff2")}),
        ('<img src="data:," data-src="a.jpg" data-srcset="b.jpg 2x">', {*DATA, ("image", "a.jpg"), ("image", "b.jpg")}),
        ('<svg><image xlink:href="a.svg"/><use href="b.svg#i"/></svg>', {("image", "a.svg"), ("file", "b.svg#i")}),
        ("<object data=a.pdf></object><embed src=b.pdf>", {("media", "a.pdf"), ("media", "b.pdf")}),
        ("<video><track src=a.vtt></video>", {("media", "a.vtt")}),
        ('<meta property="og:image" content="/a.png"><meta name="twitter:image" content=b>', {*SHARED, ("image", "b")}),
        ('<link rel="canonical" href="/a">', set()),
        ('<input type="text" src="a.png">', set()),
        ("<img>", set()),
    ],
)
def test_other_references_have_their_kind(text: str, expected: set[tuple[str, str]]) -> None:
    assert set(read_tags(text.encode()).others) == expected


def test_the_title_of_a_drawing_in_the_body_is_not_that_of_the_page() -> None:
    assert read_tags(b"<head></head><BODY class=x><svg><title>Icon</title></svg>").title is None
    assert read_tags(b"<title></title><body><svg><title>Icon</title></svg>").title == ""
    assert read_tags(b"<title>Page</title><body><svg><title>Page</title></svg>").title == "Page"


def test_the_first_title_and_description_count() -> None:
    tags = read_tags(
        b"<title>\n One &amp;\n two </title><meta name=Description content=' x  y '><svg><title>Icon</title></svg>"
        b"<meta name=description content=z>"
    )
    assert (tags.title, tags.description) == ("One & two", "x y")


def test_a_page_without_texts_has_none() -> None:
    assert read_tags(b"<p>x</p>") == PageTags((), (), None, None)
    assert read_tags(b"<title></title>").title == ""


def test_a_page_is_read_in_its_encoding() -> None:
    page = '<meta charset="iso-8859-1"><title>Caf\xe9</title><a href="/caf\xe9">'.encode("latin-1")
    tags = read_tags(page)
    assert (tags.title, [written(value) for value in tags.links]) == ("Caf\xe9", ["/caf\xe9"])


PARTS = (
    *('<a href="/a">', "<a href=/b>", "<p>", "</p>", "text", "<!-- c -->", "<script>x<a href=/c></script>", "<br>"),
    *("<a class='x' href='/d'>", "<b>", "</b>", "<style>y</style>", '<a title="> x" href="/e">', "<img src=i>"),
)


@settings(max_examples=50)
@given(st.lists(st.sampled_from(PARTS), max_size=12))
def test_the_links_are_those_that_a_parser_finds(parts: list[str]) -> None:
    text = "<body>" + "".join(parts)
    parsed = {node.attributes["href"] for node in LexborHTMLParser(text.encode()).css("a[href]")}
    assert set(hrefs(text)) == parsed


@pytest.mark.parametrize(
    "part", ["<a ", '<a "', "<!--", "<script>", "<title>", "<img ", '<a x=">" ', '<a href="', "&#"]
)
def test_hostile_text_is_read_to_its_end(part: str) -> None:
    read_tags((part * 20_000).encode())


@pytest.mark.parametrize(
    ("data", "title"),
    [
        (b"<title " * 50_000, None),
        (b"<body>" + b"".join(b"<title>%d</title>" % n for n in range(20_000)), None),
        (b"<title>a</title>" + b"<title " * 50_000, "a"),
        (b"<title>&#" + b"9" * 5_000 + b";</title>", "\ufffd"),
    ],
)
def test_a_hostile_title_is_read_in_time_proportional_to_its_length(data: bytes, title: str | None) -> None:
    assert read_tags(data).title == title


def test_a_number_that_is_too_long_in_a_link_is_no_character() -> None:
    assert hrefs(f'<a href="/&#{"1" * 5_000};">') == ["/\ufffd"]


def test_of_a_srcset_a_thousand_urls_are_read() -> None:
    urls = ", ".join(f"{n}.png" for n in range(10_000))
    assert len(read_tags(f'<img srcset="{urls}">'.encode()).others) == 1_000


def test_a_long_tag_is_not_remembered() -> None:
    before = page_tags._read_short_tag.cache_info()
    read_tags(b'<img src="' + b"a" * 1_000 + b'">')
    assert page_tags._read_short_tag.cache_info() == before
