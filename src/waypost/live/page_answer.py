"""Reads what an answer says about its page: in its headers, and in the page itself."""

import re
from email.message import Message

from waypost.core import urls
from waypost.live.answer import IN_PAGE, Answer, Hop
from waypost.live.transport import Reply
from waypost.rules import html_head
from waypost.rules.html_head import NO_HEAD, Head
from waypost.sources.http import http_time

_LINK = re.compile(r"<([^<>]{1,2100})>([^<]*)")
_CANONICAL = re.compile(r"""\brel\s*=\s*(?:"[^"]*\bcanonical\b[^"]*"|canonical\b)""", re.IGNORECASE)
_MAX_HEADER = 2_100


def page_answer(url: str, reply: Reply, hops: tuple[Hop, ...] = (), head_status: int = 0) -> Answer:
    """What the answer for this URL says; `hops` led to it, and `head_status` is an error that only HEAD had, or 0."""
    head, headers = _head(reply), reply.headers
    canonical = _canonical(url, headers, head)
    return Answer(
        status=reply.status,
        hops=hops,
        head_status=head_status,
        content_type=reply.content_type[:100],
        noindex=_noindex(headers, head),
        canonical=canonical and (canonical[0], canonical[1][:_MAX_HEADER]),
        modified=http_time(headers.get("Last-Modified")),
        etag=_short(headers, "ETag"),
        last_modified=_short(headers, "Last-Modified"),
        is_read=reply.body is not None,
        damage=reply.damage,
    )


def _head(reply: Reply) -> Head:
    if not reply.body:
        return NO_HEAD
    return html_head.read_head(reply.body, is_whole=True) or NO_HEAD


def _noindex(headers: Message, head: Head) -> tuple[str, str] | None:
    for header in headers.get_all("X-Robots-Tag", []):
        if word := html_head.excluding_header_word(str(header)):
            return "the header X-Robots-Tag", word
    return (IN_PAGE, head.noindex) if head.noindex else None


def _canonical(url: str, headers: Message, head: Head) -> tuple[str, str] | None:
    """Where a canonical URL is named, and that URL, normalized."""
    for header in headers.get_all("Link", []):
        for reference, parameters in _LINK.findall(str(header)[: 4 * _MAX_HEADER]):
            if _CANONICAL.search(parameters) and (target := urls.normalize(reference, url)):
                return "the header Link", target
    target = html_head.canonical(head, url)
    return (IN_PAGE, target) if target else None


def _short(headers: Message, name: str) -> str:
    """A header that is sent back later; `""` if it is too long, or cannot be sent."""
    value = str(headers.get(name, ""))
    return value if len(value) <= _MAX_HEADER and value.isascii() and value.isprintable() else ""
