"""What is read of an item, before any rule decides on it."""

from msgspec import Struct

from waypost.core.model import UrlEntry
from waypost.pages.html_head import NO_HEAD, HtmlHead
from waypost.pages.media import Media
from waypost.pages.own_dates import NO_DATES, OwnDates

RULES_VERSION = 18
"""Raised whenever a rule changes what is read from a page, or whether a key is listed.

What an earlier version recorded does not compare with what this one reads: a bucket's objects are read again, and a
state's pages keep their dates.
"""


class PageFacts(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the bytes and the headers of an item say.

    `hidden_by` is the line of front matter that keeps the page out of sitemaps. `redirect` and `robots_header` come
    from headers. `own_dates` are the dates that the page gives itself, `text_digest` the digest of its content, and
    `media` what is on it; each is read only if the settings ask for it. `non_page` is the code of the reason for which
    the file is no page by its content. `is_cut` says that it exceeds a bound: nothing is known of what comes after.
    `unknown_coding` is the content coding for which nothing of it could be read. `entry` is what a list says of a URL
    that has no object, without the alternates, which are in the head. `download_type` is the Content-Type for which
    browsers do not show an HTML file, but save it.
    """

    head: HtmlHead = NO_HEAD
    redirect: str = ""
    robots_header: str = ""
    hidden_by: str = ""
    own_dates: OwnDates = NO_DATES
    text_digest: str | None = None
    media: Media | None = None
    non_page: str = ""
    non_page_detail: str = ""
    is_cut: bool = False
    entry: UrlEntry | None = None
    unknown_coding: str = ""
    download_type: str = ""
