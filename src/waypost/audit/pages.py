"""The pages that an audit reads, and what the listing knows of them."""

from msgspec import Struct

from waypost.core import reasons
from waypost.pages.html_head import NO_HEAD, HtmlHead


class AuditedPage(Struct, frozen=True, gc=False):
    """A page: its key, its URL, and the head of an HTML file.

    `reason` is the code for which the page is left out of the sitemaps, or `""` if it is listed. `redirect` is the URL
    to which the page sends visitors by a meta refresh or a script, or `""`. `is_html` is false for a PDF and the like.
    """

    key: str
    loc: str
    head: HtmlHead = NO_HEAD
    redirect: str = ""
    reason: str = ""
    is_html: bool = True

    @property
    def is_listed(self) -> bool:
        """Whether the sitemaps list the page."""
        return not self.reason

    @property
    def is_noindex(self) -> bool:
        """Whether the page, or a header, keeps it out of search engines."""
        return self.reason == reasons.NOINDEX or bool(self.head.noindex)
