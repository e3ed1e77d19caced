from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.sample_sites import site

from waypost.core.dates import add_seconds
from waypost.core.model import News, Page, Video
from waypost.pages.facts import PageFacts
from waypost.pages.html_head import HtmlHead
from waypost.pages.media import Media
from waypost.pages.page_metadata import is_new, is_outdated, news_article, with_metadata

NOW = "2026-11-21T12:00:00Z"
LOC = "https://example.org/blog/a.html"
PAGE = Page("blog/a.html", LOC)
NEWS: dict[str, Any] = {"name": "The Times", "language": "en"}
CDN: dict[str, Any] = {"image_hosts": ["CDN.example.net", ".Example.com"]}
OLD = Media(headline="It happened", published="2001-01-01")
ARTICLE = News("It happened", "2001-01-01")
DATES = st.integers(-400_000, 400_000).map(lambda seconds: add_seconds(NOW, seconds))
DATES_AND_DAYS = DATES | DATES.map(lambda date: date[:10])


def of(media: Media | None, base: str = "", **values: Any) -> Page:
    return with_metadata(PAGE, PageFacts(HtmlHead(base=base), media=media), site(**values), NOW)


def images(*references: str, base: str = "", **values: Any) -> list[str]:
    return list(of(Media(images=references), base, images=True, **values).images)


def test_a_page_of_which_nothing_was_asked_is_as_it_was() -> None:
    assert of(None) is PAGE


# Images


@pytest.mark.parametrize(
    ("reference", "values", "url"),
    [
        ("b.png", {}, "https://example.org/blog/b.png"),
        ("../b.png#x", {}, "https://example.org/b.png"),
        ("https://EXAMPLE.org:443/%7eb.png", {}, "https://example.org/~b.png"),
        ("http://example.org/b.png", {}, "http://example.org/b.png"),
        ("w_1,h_1/ü c.png?a=1&b=2", {}, "https://example.org/blog/w_1,h_1/%C3%BC%20c.png?a=1&b=2"),
        ("<'\">.png", {}, "https://example.org/blog/%3C'%22%3E.png"),
        # at the page's base
        ("a.png", {"base": "/img/"}, "https://example.org/img/a.png"),
        ("a.png", {"base": "https://cdn.example.net/"}, None),
        ("a.png", {"base": "https://cdn.example.net/"} | CDN, "https://cdn.example.net/a.png"),
        # of the site's host and of those that are named
        ("https://www.example.org/a.png", CDN, None),
        ("https://cdn.EXAMPLE.net/a.png", CDN, "https://cdn.example.net/a.png"),
        ("https://x.cdn.example.net/a.png", CDN, None),
        ("https://a.b.example.com/a.png", CDN, "https://a.b.example.com/a.png"),
        ("https://example.com/a.png", CDN, None),
        ("https://badexample.com/a.png", CDN, None),
        # no URLs of images
        ("", {}, None),
        ("a.html#x", {}, None),
        ("ftp://example.org/a.png", {}, None),
        ("http://a b/c.png", {}, None),
        ("mailto:x", {}, None),
        ("/" + "a" * 2_048, {}, None),
    ],
)
def test_an_image_is_listed_by_its_whole_url(reference: str, values: dict[str, Any], url: str | None) -> None:
    assert images(reference, **values) == ([url] if url else [])


def test_two_names_of_one_image_are_one() -> None:
    urls = ["https://example.org/blog/b.png", "https://example.org/blog/a.png"]
    assert images("b.png", "./b.png", "/blog/b.png#top", "", "a.png") == urls


# Videos


def videos(*found: Video, base: str = "") -> list[Video]:
    return list(of(Media(videos=found), base, videos=True).videos)


def test_a_video_s_urls_are_whole_and_may_be_elsewhere() -> None:
    video = Video("t.jpg", "t", "d", "/v.mp4", "https://player.example/1?a=b", 5, "2026-03-01")
    (found,) = videos(video)
    assert (found.thumbnail, found.content) == ("https://example.org/blog/t.jpg", "https://example.org/v.mp4")
    assert (found.player, found.duration, found.published) == ("https://player.example/1?a=b", 5, "2026-03-01")


@pytest.mark.parametrize(
    ("thumbnail", "content", "player"),
    [
        ("data:image/png,x", "/v.mp4", ""),
        ("t.jpg", "blob:x", ""),
        ("t.jpg", "/v.mp4", "#player"),
        ("t.jpg", "/" + "v" * 2_048, ""),
        ("/" + "t" * 2_048, "/v.mp4", ""),
    ],
)
def test_a_video_whose_readers_could_not_fetch_it_is_left_out(thumbnail: str, content: str, player: str) -> None:
    assert videos(Video(thumbnail, "t", "d", content, player)) == []


def test_one_url_of_two_that_is_none_leaves_the_other() -> None:
    (found,) = videos(Video("t.jpg", "t", "d", "blob:x", "/player"), base="https://media.example/")
    assert (found.content, found.player) == ("", "https://media.example/player")


# News


@pytest.mark.parametrize(
    ("published", "is_news"),
    [
        (NOW, True),
        ("2026-11-19T12:00:00Z", True),
        ("2026-11-19T11:59:59Z", False),
        ("2026-11-21T12:00:01Z", False),
        ("2026-11-19", True),
        ("2026-11-18", False),
        ("2026-11-22", False),
    ],
)
def test_news_are_of_the_last_two_days_and_not_of_the_future(published: str, is_news: bool) -> None:
    assert is_new(published, NOW) is is_news
    page = of(Media(headline="It happened", published=published), news=NEWS)
    assert page.news == (News("It happened", published) if is_news else None)


@pytest.mark.parametrize(
    ("facts", "news", "article"),
    [
        (PageFacts(media=OLD), NEWS, ARTICLE),
        (PageFacts(media=OLD), NEWS | {"pages": ["/blog/"]}, ARTICLE),
        (PageFacts(media=OLD), NEWS | {"pages": ["/news/", "a.html"]}, ARTICLE),
        (PageFacts(media=OLD), NEWS | {"pages": ["/news/"]}, None),
        (PageFacts(media=OLD), NEWS | {"pages": ["*", "!/blog/a.html"]}, None),
        (PageFacts(media=OLD), None, None),
        (PageFacts(media=Media(published="2001-01-01")), NEWS, None),
        (PageFacts(media=Media(headline="It happened")), NEWS, None),
        (PageFacts(), NEWS, None),
        (PageFacts(HtmlHead(is_no_news=True), media=OLD), NEWS, None),
    ],
)
def test_an_article_is_news_where_a_pattern_matches_or_there_are_none(
    facts: PageFacts, news: dict[str, Any] | None, article: News | None
) -> None:
    the_site = site(news=news) if news else site()
    assert news_article("blog/a.html", facts, the_site) == article
    assert with_metadata(PAGE, facts, the_site, "2001-01-01T12:00:00Z").news == article


@given(DATES_AND_DAYS, DATES, st.integers(0, 400_000))
def test_what_is_over_never_is_news_again(published: str, now: str, seconds: int) -> None:
    assert is_outdated(published, now) <= is_outdated(published, add_seconds(now, seconds))
    assert not (is_new(published, now) and is_outdated(published, now))
