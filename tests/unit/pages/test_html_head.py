import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.pages import html_head
from waypost.pages.html_head import HtmlHead
from waypost.pages.own_dates import NO_DATES, OwnDate, OwnDates

LOC = "https://example.org/docs/a.html"
NOINDEX = '<meta name="robots" content="noindex">'
DEEP = b"<div>" * 5_000
HEAD_ELEMENTS = [
    "<title>A title</title>",
    NOINDEX,
    "<link rel=canonical href=/a>",
    "<LINK rel=alternate hreflang=de href=/de>",
    "<meta property=og:url content=https://example.org/a>",
    "<script>if (a<b || c<p ) { '<body>' }</script>",
    "<style>a > b {}</style>",
    "<!-- a comment with a <div> -->",
    "<template><p>inside</p></template>",
    "<noscript><link rel=stylesheet href=a.css></noscript>",
    "</head>",
    "\n",
]
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A title</title>
<script src="/app.0123abcd.js" nonce="r4nd0m"></script><style>p { color: red }</style></head>
<body class="x"><!-- built at 12:00 --><h1 id="t">Heading</h1><p>Some text.</p>
<script>window.build = 1</script><noscript>Enable it</noscript><template><p>later</p></template></body></html>"""
FRAGMENTS = b"""<head>|</head>|<body>|<meta name=robots content=|noindex|>|<!--|-->|<script type=application/ld+json>|
</script>|{"dateModified":"2026-01-01"}|<template>|<svg>|<frameset>|<base href=//[>|<link rel=canonical href=x>|
<meta charset=|utf-16|undefined|idna|\xff\xfe|\xc3|\0|&#xd800;"""
fragments = st.lists(st.sampled_from(FRAGMENTS.replace(b"\n", b"").split(b"|")), max_size=12).map(b"".join)


def head(html: str | bytes, *, is_dated: bool = False) -> HtmlHead:
    found = html_head.read_head(html.encode() if isinstance(html, str) else html, is_whole=True, is_dated=is_dated)
    assert found is not None
    return found


@pytest.mark.parametrize("tag", [b"<p>", b"<div class=x>", b"<h1>", b"<custom-element>"])
def test_a_head_without_tags_of_its_own_ends_where_what_cannot_stand_in_it_begins(tag: bytes) -> None:
    data = b"<!doctype html><title>x</title><meta name=robots content=noindex>" + tag + b"Hello"
    head = html_head.read_head(data, is_whole=False)
    assert head is not None
    assert head.noindex == "noindex"


def test_a_tag_in_a_script_does_not_end_the_head() -> None:
    data = b"<script>'<p>'</script><script>'<p>'</script><meta name=robots content=none><p>Hello"
    head = html_head.read_head(data, is_whole=False)
    assert head is not None
    assert head.noindex == "none"


def test_a_head_ends_where_the_parser_says_after_many_ends_that_are_none() -> None:
    head = b"<head><!--" + b"</head><p>" * 300 + b"--><meta name=robots content=noindex></head><body>"
    assert html_head.read_head(head, is_whole=True) == html_head.HtmlHead(noindex="noindex")
    far = b"<head><!--" + b"x" * 300_000 + b"--><meta name=robots content=noindex></head><body><base href=x>"
    assert html_head.read_head(far, is_whole=False) is None
    assert html_head.read_head(far, is_whole=True) == html_head.HtmlHead(noindex="noindex")


def modified(page: bytes) -> str | None:
    found = html_head.read_dates(page).modified
    return found.date if found else None


def test_of_a_page_that_exceeds_a_bound_what_comes_before_is_read() -> None:
    dated = b"<meta name=last-modified content=2020-01-01>"
    assert modified(dated + DEEP) == "2020-01-01"
    assert modified(DEEP + dated) is None
    assert html_head.visible_text(DEEP) is None
    assert html_head.text_lines(b"<p>x</p>" * 60_000) == ()


def test_of_a_head_that_exceeds_a_bound_what_comes_before_is_read_and_no_more_bytes_are_wanted() -> None:
    attributes = b"<meta " + b" ".join(b"a%d" % n for n in range(10_000)) + b">"
    noindex = b"<meta name=robots content=noindex>"
    before = html_head.read_head(noindex + attributes, is_whole=False)
    after = html_head.read_head(attributes + noindex, is_whole=False)
    assert before is not None
    assert after is not None
    assert (before.noindex, before.is_cut) == ("noindex", True)
    assert (after.noindex, after.is_cut) == ("", True)


@pytest.mark.parametrize(
    ("meta", "word"),
    [
        ('<meta content="noindex" name="robots">', "noindex"),
        ('<meta name="robots" name="other" content="noindex">', "noindex"),
        ('<meta name="robots">', ""),
        ('<meta name="robots" content="noindex;nofollow">', "noindex"),
        ('<meta name="robots" content="follow noindex">', "noindex"),
        ('<meta name="robots" content="nofollow/none">', "none"),
        ('<meta name="robots" content="max-image-preview: none, follow">', ""),
        ('<meta name="robots" content="no-index">', ""),
        ('<meta property="robots" content="noindex">', ""),
    ],
)
def test_a_robots_meta_says_noindex_in_any_spelling_that_a_parser_reads(meta: str, word: str) -> None:
    assert head(f"<!doctype html><html><head>{meta}</head><body></body></html>").noindex == word


@pytest.mark.parametrize(
    ("html", "is_found"),
    [
        (f"<head><script>'</head>'</script>{NOINDEX}</head>", True),
        (f'<head><meta name="x" content="</head>">{NOINDEX}</head>', True),
        (f"<head>{'<!-- </head> -->' * 20}{NOINDEX}</head>", True),
        (f"<head><template><p></p></template>{NOINDEX}</head>", True),
        (f"<head></head>{NOINDEX}<body>", True),
        (f"<head><svg>{NOINDEX}</svg></head>", False),
    ],
)
def test_a_meta_counts_where_a_parser_sees_it_in_the_head(html: str, is_found: bool) -> None:
    assert bool(head(html).noindex) is is_found


def test_more_bytes_are_asked_for_until_the_head_has_ended() -> None:
    html = f"<head><title>t</title>{NOINDEX}</head><body>text".encode()
    assert html_head.read_head(html[:30], is_whole=False) is None
    assert html_head.read_head(b"<head><!-- </head><body> -->", is_whole=False) is None
    found = html_head.read_head(html, is_whole=False)
    assert found is not None
    assert found.noindex == "noindex"


@given(
    st.sampled_from(["", "<html lang=en>", "<!doctype html>\n<html><head>"]),
    st.lists(st.sampled_from(HEAD_ELEMENTS), max_size=8),
    st.sampled_from(["<body>", "<p>text", "<my-element>text", "</head></html>", "text"]),
)
def test_the_head_is_the_same_wherever_the_first_read_ends(beginning: str, elements: list[str], body: str) -> None:
    """Also in the name of a tag: `<l` is no sign that the head has ended, since it may be a link."""
    page = f"{beginning}{''.join(elements)}{body} and more text".encode()
    whole = html_head.read_head(page, is_whole=True, has_alternates=True)
    found = [html_head.read_head(page[:end], is_whole=False, has_alternates=True) for end in range(len(page))]
    assert [(end, head) for end, head in enumerate(found) if head not in (None, whole)] == []


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=/new.html", "https://example.org/new.html"),
        ("0;URL='new.html'", "https://example.org/docs/new.html"),
        ('0; url="new.html" and more', "https://example.org/docs/new.html"),
        ("0 url=new.html", "https://example.org/docs/new.html"),
        ("0; new.html", "https://example.org/docs/new.html"),
        ("  5.5 ; Url = new.html ", "https://example.org/docs/new.html"),
        ("0; url=?page=2", "https://example.org/docs/a.html?page=2"),
        ("5; url=", None),
        ("0; url=HTTPS://EXAMPLE.org:443/docs/%61.html", None),
        ("0; url=javascript:void(0)", None),
        ("url=new.html", None),
        ("0url=new.html", None),
        ("", None),
    ],
)
def test_a_meta_refresh_leads_where_html_says(content: str, target: str | None) -> None:
    quoted = content.replace('"', "&quot;")
    found = head(f'<head><meta http-equiv="Refresh" content="{quoted}"></head>')
    assert html_head.refresh_target(found, LOC) == target


def test_a_refresh_is_resolved_against_the_base() -> None:
    html = '<head><base href="/other/"><meta http-equiv=refresh content="0;url=b.html"></head>'
    assert html_head.refresh_target(head(html), LOC) == "https://example.org/other/b.html"


@pytest.mark.parametrize(
    ("links", "canonical"),
    [
        ("", None),
        ('<link rel="canonical" href=" /docs/a.html\n">', LOC),
        ('<link rel="canonical" href="/ü">', "https://example.org/%C3%BC"),
        ('<link rel="canonical" href="/it%27s">', "https://example.org/it%27s"),
        ('<link rel="canonical" href=""><link rel="canonical" href="b.html">', "https://example.org/docs/b.html"),
        ('<link rel="canonical" href="https://[bad">', None),
        ('<link rel="alternate" href="b.html">', None),
        ('<link rel="canonical" href="b.html"><base href="/other/">', "https://example.org/other/b.html"),
        (
            '<base href="/one/"><base href="/two/"><link rel="canonical" href="b.html">',
            "https://example.org/one/b.html",
        ),
        ('<base href="https://[bad"><link rel="canonical" href="b.html">', "https://example.org/docs/b.html"),
    ],
)
def test_the_canonical_is_the_one_url_that_the_page_names(links: str, canonical: str | None) -> None:
    assert html_head.canonical(head(f"<head><title>t</title>{links}</head><body></body>"), LOC) == canonical


@pytest.mark.parametrize(
    ("inside", "date"),
    [
        ('<meta property="article:modified_time" content="2026-03-01T12:00:00+01:00">', "2026-03-01T11:00:00Z"),
        ('<script type="application/ld+json">{"dateModified": "2026-03-01"}</script>', "2026-03-01"),
        (
            '<script type="application/ld+json">{"a": {"dateModified": "2020-01-01"}, "dateModified": "2026-03-01"}'
            "</script>",
            "2026-03-01",
        ),
        ('<script type="application/ld+json">{"dateModified": 20260301}</script>', None),
        ('<script type="application/ld+json">' + "[" * 100_000 + "</script>", None),
        ('<script>{"dateModified": "2026-03-01"}</script>', None),
    ],
)
def test_a_page_s_own_date_is_found_in_its_metadata(inside: str, date: str | None) -> None:
    html = f"<head>{inside}</head><body></body>"
    found = head(html, is_dated=True).dates
    assert (found.modified and found.modified.date) == date
    assert html_head.read_dates(html.encode()) == found
    assert head(html).dates == NO_DATES


def test_a_date_in_json_ld_of_the_body_is_found_in_the_whole_page() -> None:
    html = b'<body><script type="application/ld+json">{"dateModified": "2026-03-01"}</script></body>'
    assert modified(html) == "2026-03-01"


@pytest.mark.parametrize(
    ("body", "date"),
    [
        (
            '<p>Last updated <time datetime="2026-03-01T10:00:00.000Z" itemprop="dateModified">then</time>',
            "2026-03-01T10:00:00Z",
        ),
        (
            '<p itemscope itemtype="https://schema.org/Article"><meta itemprop="x dateModified" content="2026-03-01">',
            "2026-03-01",
        ),
        ('<i itemprop="dateModified">2026-03-01</i><b itemprop="dateModified">2026-03-01</b>', "2026-03-01"),
        ('<i itemprop="dateModified">2026-03-01</i><b itemprop="dateModified">2026-03-02</b>', None),
        ('<i itemprop="dateModified">some day</i>', None),
    ],
)
def test_a_date_in_microdata_is_the_page_s_if_it_is_the_only_one(body: str, date: str | None) -> None:
    assert modified(f"<title>t</title><body>{body}".encode()) == date


def test_a_page_says_by_which_names_it_was_modified_and_published() -> None:
    meta = {
        "article:published_time": "2020-01-01",
        "og:updated_time": "2020-02-01",
        "last-modified": "2020-03-01",
        "article:modified_time": "some day",
    }
    inside = "".join(f'<meta property="{name}" content="{date}">' for name, date in meta.items())
    assert html_head.read_dates(inside.encode()) == OwnDates(
        OwnDate("2020-02-01", "og:updated_time"), OwnDate("2020-01-01", "article:published_time")
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0123abcd", "89efcdab"),
        ("<!-- built at 12:00 -->", ""),
        ('class="x"', 'class="y" data-build="2"'),
        ("window.build = 1", "window.build = 2"),
        ("later", "sooner"),
        ("</h1><p>", "</h1>\n\n\t<p>\n  "),
        ("Some text", "Some&#32;text"),
        ('<meta charset="utf-8">', '<meta charset="utf-8"><meta name="generator" content="x 2.0">'),
        ("Some text.", "<b>Some</b> text."),
        ("Heading", "Head<!-- x -->ing"),
    ],
)
def test_what_a_reader_does_not_see_is_no_change_of_content(old: str, new: str) -> None:
    changed = PAGE.replace(old, new)
    assert changed != PAGE
    assert html_head.visible_text(changed.encode()) == html_head.visible_text(PAGE.encode())


@pytest.mark.parametrize(
    ("old", "new"), [("A title", "Another title"), ("Some text.", "Some more text."), ("Some text", "Sometext")]
)
def test_a_changed_word_or_title_is_a_change_of_content(old: str, new: str) -> None:
    assert html_head.visible_text(PAGE.replace(old, new).encode()) != html_head.visible_text(PAGE.encode())


def test_words_of_neighbouring_paragraphs_are_apart() -> None:
    assert html_head.visible_text(b"<p>one</p><p>two</p>") == "\none two"


@given(st.one_of(fragments, st.binary(max_size=200)))
def test_no_bytes_raise(data: bytes) -> None:
    found = html_head.read_head(data, is_whole=True, is_dated=True)
    assert found is not None
    html_head.canonical(found, LOC)
    html_head.refresh_target(found, LOC)
    html_head.read_dates(data)
    assert isinstance(html_head.visible_text(data), str | None)
    html_head.read_head(data, is_whole=False)


def test_a_version_for_other_media_is_no_alternate() -> None:
    links = '<link rel=alternate hreflang=de href=/de><link rel=alternate hreflang=de media="screen" href=/m>'
    head = html_head.read_head(
        f"<!DOCTYPE html><title>T</title>{links}<body>".encode(), is_whole=True, has_alternates=True
    )
    assert head is not None
    assert head.alternates == (("de", "/de"),)
