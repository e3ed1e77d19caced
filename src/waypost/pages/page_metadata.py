"""What a sitemap says of a page besides its date: images, videos and news, as the settings require."""

from collections.abc import Iterable
from itertools import accumulate
from urllib.parse import urlsplit

from msgspec.structs import replace

from waypost.core import dates
from waypost.core.model import News, Page, Video
from waypost.core.search_engine_limits import MAX_NEWS_AGE
from waypost.core.urls import LOC_LIMIT
from waypost.pages import html_head
from waypost.pages.facts import PageFacts
from waypost.pages.html_head import HtmlHead
from waypost.settings.schema import Site

_MAX_IMAGE_CHARACTERS, _MAX_VIDEOS = 500_000, 50
"""The most characters of image URLs, and the most videos, of one page: escaped, they take 3 MB at most."""


def with_metadata(listed: Page, facts: PageFacts, site: Site, now: str) -> Page:
    """A page with its images, videos, news, title and description; `now` decides what is news."""
    media = facts.media
    if media is None:
        return listed
    return replace(
        listed,
        images=_images(media.images, facts.head, listed.loc, site) if site.images else (),
        videos=_videos(media.videos[:_MAX_VIDEOS], facts.head, listed.loc) if site.videos else (),
        news=_if_current(news_article(listed.key, facts, site), now),
        title=media.title,
        description=media.description,
        markdown=_own_url(media.markdown, facts.head, listed.loc, site) if media.markdown else "",
    )


def _images(references: tuple[str, ...], head: HtmlHead, loc: str, site: Site) -> tuple[str, ...]:
    """The URLs of the images, each once, on the site's own host and the hosts that the settings name."""
    found = (_url(reference, head, loc) for reference in references)
    return _bounded(dict.fromkeys(url for url in found if url and url != loc and _is_allowed(url, site)))


def _bounded(urls: Iterable[str]) -> tuple[str, ...]:
    """The first URLs, not so many that the entry of one page could fill a file."""
    lengths = accumulate(urls, lambda length, url: length + len(url), initial=0)
    return tuple(url for url, length in zip(urls, lengths, strict=False) if length < _MAX_IMAGE_CHARACTERS)


def _is_allowed(url: str, site: Site) -> bool:
    host = urlsplit(url).hostname or ""
    if host == urlsplit(site.base_url).hostname:
        return True
    return any(
        host == name.lower() or (name.startswith(".") and host.endswith(name.lower())) for name in site.image_hosts
    )


def _videos(videos: Iterable[Video], head: HtmlHead, loc: str) -> tuple[Video, ...]:
    return tuple(filter(None, (_video(each, head, loc) for each in videos)))


def _video(video: Video, head: HtmlHead, loc: str) -> Video | None:
    """The video with absolute URLs; None if one that search engines require is not valid."""
    thumbnail, content, player = (
        _url(reference, head, loc) or "" if reference else ""
        for reference in (video.thumbnail, video.content, video.player)
    )
    if not thumbnail or not (content or player) or loc in (content, player):
        return None
    return replace(video, thumbnail=thumbnail, content=content, player=player)


def _own_url(reference: str, head: HtmlHead, loc: str, site: Site) -> str:
    """The URL of a reference to another file of the site, or `""`."""
    url = _url(reference, head, loc)
    return url if url and url != loc and url.startswith(site.base_url) else ""


def _url(reference: str, head: HtmlHead, loc: str) -> str | None:
    url = html_head.resolved(reference, head, loc)
    return url if url and len(url) < LOC_LIMIT else None


def news_article(key: str, facts: PageFacts, site: Site) -> News | None:
    """The title, date and language of an article, whenever it was published; None for a page that is no article."""
    news, media = site.news, facts.media
    if news is None or media is None or not media.headline or not media.published or facts.head.is_no_news:
        return None
    is_article = not news.pages or news.pages.decision(key)
    return News(media.headline, media.published, media.language) if is_article else None


def is_new(published: str, now: str) -> bool:
    """Whether something published then is news now, and not of the future."""
    return not is_outdated(published, now) and not dates.is_future(published, now)


def is_outdated(published: str, now: str) -> bool:
    """Whether something published then is too old to be news."""
    return published < dates.add_seconds(now, -MAX_NEWS_AGE)[: len(published)]


def _if_current(news: News | None, now: str) -> News | None:
    return news if news and is_new(news.published, now) else None
