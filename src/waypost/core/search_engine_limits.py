"""The limits of search engines for images, news and videos (Google, image, news and video sitemaps)."""

import re

from waypost.core import languages

MAX_IMAGES = 1_000
"""The most images of a page."""
MAX_NEWS_URLS = 1_000
"""The most articles of a news sitemap."""
MAX_NEWS_AGE = 172_800
"""Seconds: a news sitemap may list articles of the last two days."""
MAX_VIDEO_TITLE, MAX_VIDEO_DESCRIPTION, MAX_VIDEO_SECONDS = 100, 2_048, 28_800
"""The most characters of a video's title and of its description (Google's schema), and its longest duration."""
_CHINESE = {"hans": "zh-cn", "cn": "zh-cn", "sg": "zh-cn", "hant": "zh-tw", "tw": "zh-tw", "hk": "zh-tw", "mo": "zh-tw"}
"""The code of news sitemaps for Chinese, by its script or region."""
_NEWS_LANGUAGE = re.compile(r"[a-z]{2,3}|zh-cn|zh-tw", re.IGNORECASE)


def is_news_language(text: str) -> bool:
    """Whether a news sitemap may use this language code: one of ISO 639, or zh-cn or zh-tw."""
    return _NEWS_LANGUAGE.fullmatch(text) is not None and not languages.problem(text)


def news_language(hreflang: str) -> str:
    """The code of a news sitemap for a valid hreflang; `""` for `x-default`, and for Chinese of an unknown script."""
    language, *parts = hreflang.lower().replace("_", "-").split("-")
    if language == "zh":
        return next((_CHINESE[part] for part in parts if part in _CHINESE), "")
    return language if is_news_language(language) else ""
