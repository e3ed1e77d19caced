import json
from collections.abc import Set
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from waypost.core.model import Video
from waypost.core.search_engine_limits import MAX_IMAGES
from waypost.pages import media
from waypost.pages.media import Media

ALL = frozenset({"images", "videos", "news", "title"})
WHOLE = {
    "@type": "VideoObject",
    "thumbnailUrl": "/t.jpg",
    "name": "A film",
    "description": "What it shows",
    "contentUrl": "/v.mp4",
}
FILM = Video("/t.jpg", "A film", "What it shows", "/v.mp4")
PAGE = '<title>Of the page</title><meta name="description" content="Said">'
WANTED = {
    **{name: {"news"} for name in ("published", "headline", "language")},
    **{name: {"description"} for name in ("description", "markdown")},
    "title": {"title"},
}
SHARED = '<title>The title</title><meta property="og:title" content="Shared">'
MARKDOWN = "<link rel=alternate type=text/markdown href="
WORDS = """<img |src=|srcset='|a.png| 2x|,|'|>|<meta |property=og:image |content=|<title>|</title>|<video |poster=|
<source |<script type="application/ld+json">|</script>|{|}|[|]|"@type":"VideoObject"|"name":|"\\ud800"|\x00|&#1;|<svg>|
<template>|\N{LINE SEPARATOR}|\N{GRINNING FACE}"""
MARKUP = st.sampled_from(WORDS.replace("\n", "").split("|"))


def read(html: str | bytes, wanted: Set[str] = ALL) -> Media:
    return media.read_media(html.encode() if isinstance(html, str) else html, wanted)


def images(html: str) -> list[str]:
    return list(read(html, {"images"}).images)


def linked(value: Any) -> str:
    """A value as a page's JSON-LD."""
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


# Images


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<img src=" a.png ">', ["a.png"]),
        ('<img src="a.png?x=1&amp;y=2">', ["a.png?x=1&y=2"]),
        ('<img src="">', []),
        ('<input type="image" src="a.png"><input type="text" src="b.png">', ["a.png"]),
        ('<picture><source srcset="a.avif 1x, b.avif 2x"><img src="a.png"></picture>', ["b.avif"]),
        ('<picture><source srcset="a.avif 300w"><img src="a.png" srcset="b.png 900w"></picture>', ["b.png"]),
        ('<picture><source data-srcset="a.avif 300w"><img src="s.gif" data-src="a.png"></picture>', ["a.avif"]),
        ('<picture><img src="a.png"></picture><img src="b.png">', ["a.png", "b.png"]),
        ('<picture><source srcset="a.avif"><img src="a.png" width=1 height=1></picture>', ["a.avif"]),
        ('<video><source src="a.mp4" srcset="a.png"></video>', []),
        ('<meta property=" OG:Image:Secure_URL " content="a.png">', ["a.png"]),
        (
            '<meta property="og:image" content="http://e.org/a.png">'
            '<meta property="og:image:secure_url" content="https://e.org/a.png">'
            '<meta property="og:image" content="b.png"><meta property="og:image:url" content="b.png">',
            ["https://e.org/a.png", "b.png"],
        ),
        ("<template><img src=a.png></template>", []),
        # loaded by a script when it is scrolled to, in place of a placeholder
        ('<img src="data:image/gif;base64,R0lGOD" data-original="a.png">', ["a.png"]),
        ('<img src="data:image/gif;base64,R0lGOD" data-lazy-src="a.png">', ["a.png"]),
        ('<img src="data:image/gif;base64,R0lGOD" data-lazy="a.png">', ["a.png"]),
        ('<img class=lazy src="/blank.gif" data-srcset="a.png 2x">', ["a.png"]),
        ('<img class=lazy src="/blank.gif" data-lazy-srcset="a.png 2x">', ["a.png"]),
        # a set, of which the largest counts, and a `src` that is none of its sizes
        ('<img src="s.png" srcset="s.png 300w, l.png 1200w, m.png 600w">', ["l.png"]),
        ('<img src="a.png" srcset="b.png 300w, c.png 900w">', ["a.png", "c.png"]),
        # a pixel that counts readers
        ('<img src="/px.gif" width=1><img src="a.png" width=10 height=10>', ["a.png"]),
        ('<img src="/px.gif" height=0>', []),
        # no file
        ('<img src="data:image/png;base64,A"><meta property="og:image" content="blob:x">', []),
        ('<img src="#"><meta property="og:image" content="DATA:,x">', []),
        # once, in the order of the page
        (
            '<meta property="og:image" content="b.png"><img src="c.png"><img src="a.png"><img src="b.png">',
            ["b.png", "c.png", "a.png"],
        ),
    ],
)
def test_images_are_what_a_reader_sees_of_them(html: str, found: list[str]) -> None:
    assert images(html) == found


@pytest.mark.parametrize(
    ("candidates", "largest"),
    [
        ("", []),
        (" ,", []),
        ("a.png, b.png 2x", ["b.png"]),
        ("a.png 1.5x, b.png 1.25x", ["a.png"]),
        ("a.png 100w 50h, b.png 200w 100h", ["b.png"]),
        ("a.png 999w, b.png 1000w", ["b.png"]),
        ("\n\ta.png\n\t2x,\n\tb.png\n\t1x\n", ["a.png"]),
        ("a,b.png 1x, c,d.png 2x", ["c,d.png"]),
        ("a.png,b.png", ["a.png,b.png"]),
        ("a.png ..w, b.png .5x", ["a.png"]),
        ("a.png -1x, b.png 1e3x", ["a.png"]),
    ],
)
def test_the_largest_of_a_set_is_found_in_any_form_of_it(candidates: str, largest: list[str]) -> None:
    assert images(f'<img srcset="{candidates}">') == largest


@pytest.mark.parametrize("part", [" ", ",", ", ", "a 1", "a  ,"])
def test_a_set_of_any_length_is_read_in_one_pass(part: str) -> None:
    assert len(images(f'<img srcset="{part * 20_000}x">')) == 1


def test_a_page_lists_its_first_thousand_images() -> None:
    found = images("".join(f'<img src="{n}.png"><img src="0.png">' for n in range(1_200)))
    assert found == [f"{n}.png" for n in range(MAX_IMAGES)]


# Videos


def videos(html: str) -> list[Video]:
    return list(read(html, {"videos"}).videos)


@pytest.mark.parametrize(
    "value",
    [
        WHOLE,
        [WHOLE],
        {"@context": "https://schema.org", "@graph": [{"@type": "WebPage"}, WHOLE]},
        {"@type": "Article", "video": [WHOLE, WHOLE]},
        {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": WHOLE}]},
        WHOLE | {"@type": ["VideoObject", "CreativeWork"]},
        WHOLE | {"thumbnailUrl": None, "thumbnail": {"@type": "ImageObject", "url": "/t.jpg"}},
        WHOLE | {"thumbnailUrl": "", "thumbnail": [{"contentUrl": "/t.jpg"}]},
    ],
)
def test_a_video_object_is_found_wherever_it_stands(value: Any) -> None:
    assert videos(linked(value)) == [FILM]


@pytest.mark.parametrize("name", ["thumbnailUrl", "name", "description", "contentUrl", "@type"])
@pytest.mark.parametrize("value", [None, " ", 5, [[]]])
def test_a_video_that_lacks_what_its_readers_need_is_left_out(name: str, value: Any) -> None:
    assert videos(linked(WHOLE | {name: value})) == []
    assert videos(linked({key: each for key, each in WHOLE.items() if key != name})) == []


def test_each_file_is_one_video_and_the_first_to_tell_of_it_counts() -> None:
    html = linked([WHOLE, WHOLE | {"name": "again"}, WHOLE | {"contentUrl": "/w.mp4"}])
    html += '<meta name="description" content="d"><title>t</title><video src="/v.mp4" poster="/p.jpg"></video>'
    assert [(video.content, video.title) for video in videos(html)] == [("/v.mp4", "A film"), ("/w.mp4", "A film")]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"contentUrl": None, "embedUrl": "/player"}, {"content": "", "player": "/player"}),
        ({"embedUrl": "/player"}, {"player": "/player"}),
        ({"duration": "P0DT0H3M0S"}, {"duration": 180}),
        ({"duration": " pt5.7s "}, {"duration": 5}),
        ({"duration": "PT8H"}, {"duration": 28_800}),
        ({"duration": "PT8H1S"}, {}),
        ({"duration": "P1D"}, {}),
        ({"duration": "PT0S"}, {}),
        ({"duration": ""}, {}),
        ({"duration": "PT5S5"}, {}),
        ({"duration": f"PT{'9' * 5_000}S"}, {}),
        ({"duration": 90}, {}),
        ({"uploadDate": "2026-03-01T13:00:00+01:00"}, {"published": "2026-03-01T12:00:00Z"}),
        ({"uploadDate": "yesterday"}, {}),
        ({"uploadDate": 5}, {}),
        ({"name": "n" * 9_000, "description": "d" * 9_000}, {"title": "n" * 100, "description": "d" * 2_048}),
    ],
)
def test_a_video_is_told_of_as_readers_take_it(said: dict[str, Any], told: dict[str, Any]) -> None:
    assert videos(linked(WHOLE | said)) == [replace(FILM, **told)]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (f'{PAGE}<video src="v.mp4" poster="p.jpg">', [Video("p.jpg", "Of the page", "Said", "v.mp4")]),
        (f'{PAGE}<video src="v.mp4" poster="p.jpg" title="Own">', [Video("p.jpg", "Own", "Said", "v.mp4")]),
        (f'{PAGE}<video src="v.mp4" poster="p.jpg" aria-label="Own">', [Video("p.jpg", "Own", "Said", "v.mp4")]),
        (
            f'{PAGE}<video poster="p.jpg"><source><source src="v.webm"><source src="v.mp4"></video>',
            [Video("p.jpg", "Of the page", "Said", "v.webm")],
        ),
        (
            f'<meta property="og:title" content="Shared">{PAGE}<video src="v.mp4" poster="p.jpg">',
            [Video("p.jpg", "Shared", "Said", "v.mp4")],
        ),
        (
            '<title>t</title><meta property="og:description" content="Shared"><video src="v.mp4" poster="p.jpg">',
            [Video("p.jpg", "t", "Shared", "v.mp4")],
        ),
        (f'{PAGE}<video src="v.mp4">', []),
        (f'{PAGE}<video poster="p.jpg">', []),
        ('<meta name="description" content="Said"><video src="v.mp4" poster="p.jpg">', []),
    ],
)
def test_a_video_element_is_listed_only_when_it_is_complete(html: str, found: list[Video]) -> None:
    assert videos(html) == found


def test_so_many_videos_and_images_of_a_page_are_read_and_no_more() -> None:
    html = "".join(f'<video poster="p.jpg"><source src="{n}.mp4"></video>' for n in range(5_001))
    assert len(videos(PAGE + html)) == 5_000
    same = "<picture><img src=a></picture>" * 5_000
    assert read(f"<img src=b>{same}<img src=c>", {"images"}).images == ("b", "a")


# News, titles and descriptions


@pytest.mark.parametrize(
    ("field", "html", "value"),
    [
        (
            "published",
            '<meta property="article:published_time" content="2026-11-21T10:00:00+02:00">',
            "2026-11-21T08:00:00Z",
        ),
        ("published", '<meta name="date" content="2026-11-21">', "2026-11-21"),
        ("published", '<meta name="DC.date.issued" content="2026-11-21">', "2026-11-21"),
        ("published", '<meta name="pubdate" content="Sat, 21 Nov 2026 10:00:00 GMT">', "2026-11-21T10:00:00Z"),
        ("published", linked({"@type": "NewsArticle", "datePublished": "2026-11-21T10:00Z"}), "2026-11-21T10:00:00Z"),
        ("published", linked({"@graph": [{"@type": "WebPage"}, {"datePublished": ["2026-11-21"]}]}), "2026-11-21"),
        (
            "published",
            '<meta name="date" content="2026-11-20">'
            '<meta property="article:published_time" content="2026-11-21">' + linked({"datePublished": "2026-11-19"}),
            "2026-11-21",
        ),
        ("published", '<meta name="date" content="soon">' + linked({"datePublished": "2026-11-21"}), "2026-11-21"),
        ("published", linked({"datePublished": "2026-02-30"}), ""),
        ("headline", "<title>The title</title>", "The title"),
        ("headline", SHARED, "Shared"),
        ("headline", SHARED + linked({"headline": " The\nnews "}), "The news"),
        ("headline", "<title>The title</title>" + linked([{"headline": 5}, {"headline": "Second"}]), "Second"),
        ("language", "<html><title>T</title>", ""),
        ("language", "<html lang=' de-AT '><title>T</title>", "de"),
        ("language", "<html lang=EN_us><title>T</title>", "en"),
        ("language", "<html lang=zh-Hant-HK><title>T</title>", "zh-tw"),
        ("language", "<html lang=zh-CN><title>T</title>", "zh-cn"),
        ("language", "<html lang=zh-Hans><title>T</title>", "zh-cn"),
        ("language", "<html lang=zh><title>T</title>", ""),
        ("title", "<title> A \n\t title </title>", "A title"),
        ("title", "<title>a\u00a0b</title>", "a b"),
        ("title", "<title>a&#1;b&#x7f;c&#x85;d</title>", "abc…d"),
        ("title", "<title>a\u202eb\ufeffc\ufffed\u2028e</title>", "abcd e"),
        (
            "title",
            "<title>\N{WOMAN}\u200d\N{PERSONAL COMPUTER} می\u200cشود</title>",
            "\N{WOMAN}\u200d\N{PERSONAL COMPUTER} می\u200cشود",
        ),
        ("title", "<svg><title>A drawing</title></svg><meta property=og:title content=Shared>", "A drawing"),
        ("description", '<meta name=description content=" What\n it  is ">', "What it is"),
        ("description", '<meta property="og:description" content=Shared>', "Shared"),
        ("description", "<meta property=og:description content=S><meta name=description content=Own>", "Own"),
        ("description", "<meta name=Description content=One><meta name=description content=Two>", "One"),
        ("description", f"<meta name=description content={'a' * 600}>", "a" * 500),
        ("markdown", '<link rel=alternate type="text/markdown" href=" a.md ">', "a.md"),
        ("markdown", '<LINK REL="Alternate nofollow" TYPE="Text/Markdown; charset=utf-8" HREF="a.md">', "a.md"),
        ("markdown", f'<link rel=alternate type="application/rss+xml" href=b>{MARKDOWN}c>', "c"),
        ("markdown", '<link rel=stylesheet type="text/markdown" href="a.md">', ""),
    ],
)
def test_what_a_page_says_of_itself_is_one_line_that_can_be_written(field: str, html: str, value: str) -> None:
    assert getattr(read(html, WANTED[field]), field) == value
    others = [wanted for wanted in WANTED.values() if wanted != WANTED[field] and field != "title"]
    assert [getattr(read(html, wanted), field) for wanted in others] == [""] * len(others)


def test_only_what_is_asked_for_is_read() -> None:
    html = f"{PAGE}<img src=a.png>{linked(WHOLE | {'datePublished': '2026-11-21'})}"
    assert read(html, set()) == Media()
    assert read(html, {"images"}) == Media(images=("a.png",))
    assert read(html, {"videos"}) == Media(videos=(FILM,))
    assert read(html, {"title"}) == Media(title="Of the page")
    assert read(html, {"news"}) == Media(headline="Of the page", published="2026-11-21")


def test_of_a_page_that_exceeds_a_bound_the_beginning_is_read() -> None:
    assert read(f"{PAGE}<img src=a.png>" + "<div>" * 30_000 + "<img src=b.png>").images == ("a.png",)


@pytest.mark.parametrize("name", [*WHOLE, "embedUrl", "duration", "uploadDate"])
def test_half_of_a_character_that_json_may_escape_reaches_no_output(name: str) -> None:
    for video in videos(linked(WHOLE | {name: f"{WHOLE.get(name, '')}\ud800"})):
        texts = (video.thumbnail, video.title, video.description, video.content, video.player)
        assert "".join(texts).encode()


@given(st.lists(MARKUP, max_size=40).map("".join) | st.binary(max_size=200).map(lambda data: data.decode("latin-1")))
def test_whatever_a_page_holds_it_is_read_and_can_be_written(html: str) -> None:
    found = read(html)
    texts = [*found.images, found.title, found.headline, found.published]
    for video in found.videos:
        assert video.thumbnail
        assert video.title
        assert video.description
        assert video.content or video.player
        texts += [video.thumbnail, video.title, video.description, video.content, video.player]
    assert all(text.encode() is not None for text in texts)
    assert found.title.replace("\u200c", "").replace("\u200d", "").isprintable()
    assert len(found.images) == len(set(found.images)) <= MAX_IMAGES


def test_a_video_and_an_article_in_microdata_are_read() -> None:
    html = (
        '<article itemscope itemtype="http://schema.org/NewsArticle"><h1 itemprop=headline>It happened</h1>'
        '<time itemprop=datePublished datetime="2026-03-01">today</time></article>'
        '<div itemscope itemtype="http://schema.org/VideoObject"><meta itemprop=name content=N>'
        "<meta itemprop=description content=D><link itemprop=thumbnailUrl href=t.jpg>"
        "<link itemprop=contentUrl href=v.mp4></div>"
    )
    found = read(html)
    assert (found.headline, found.published) == ("It happened", "2026-03-01")
    assert found.videos == (Video(thumbnail="t.jpg", title="N", description="D", content="v.mp4"),)
