"""What may be read of a page before Jekyll renders it.

A layout, which this program does not read, wraps most pages, so a source's own text is not a page's head. These parts
say the same before and after: the title, `robots` and `last_modified_at` of the front matter; and, in an HTML file that
is a whole document, those tags of its head that no condition encloses and whose values are not computed. A meta refresh
counts even with a computed target, since it makes the page a redirect wherever it leads.
"""

import re
from collections.abc import Iterator
from html import escape

from waypost.jekyll.front_matter import FrontMatter

_DOCUMENT = re.compile(
    r"(?>\s+|<!--.*?-->|\{%.*?%\}|\{\{.*?\}\})*+(?:<!doctype\s+html|<(?:html|head)\b)", re.IGNORECASE | re.DOTALL
)
_NAME = re.compile(r"-?\s*+(\w*+)")
_BLOCKS = ("if", "unless", "case", "for", "tablerow", "capture", "comment", "raw", "ifchanged")
_HTML_TAG = re.compile(r"<[a-z]([^<>]*+)>", re.IGNORECASE)
_HTTP_EQUIV = re.compile("http-equiv", re.IGNORECASE)


def html_body(front: FrontMatter, *, is_html: bool) -> bytes:
    """An HTML document with what is known of the rendered page; its visible text is the source's."""
    if is_html and _DOCUMENT.match(front.content):
        text = _HTML_TAG.sub(_unless_computed, "".join(_unconditional(front.content)))
        return _without_output(text).encode("utf-8", "surrogateescape")
    head = "".join(_head(front))
    text = f"<!doctype html><html><head>{head}</head><body><pre>{escape(front.content)}</pre></body></html>"
    return text.encode("utf-8", "replace")


def _head(front: FrontMatter) -> Iterator[str]:
    values = front.values
    if title := values.get("title"):
        yield f"<title>{escape(str(title))}</title>"
    if robots := values.get("robots"):
        words = ",".join(map(str, robots)) if isinstance(robots, list) else str(robots)
        yield f'<meta name="robots" content="{escape(words)}">'
    if modified := values.get("last_modified_at"):
        yield f'<meta name="last-modified" content="{escape(str(modified))}">'


def _unconditional(text: str) -> Iterator[str]:
    """The parts of a template that no block of Liquid encloses."""
    depth = end = 0
    for tag_start, tag_end in _enclosed(text, "{%", "%}"):
        if not depth:
            yield text[end:tag_start]
        tag = _NAME.match(text, tag_start + 2, tag_end - 2)
        name = tag[1] if tag else ""
        if name in _BLOCKS:
            depth += 1
        elif depth and name.startswith("end") and name.removeprefix("end") in _BLOCKS:
            depth -= 1
        end = tag_end
    if not depth:
        yield text[end:]


def _unless_computed(tag: re.Match[str]) -> str:
    """A tag of HTML; empty if it has a computed value, unless it may be a redirect."""
    return "" if "{{" in tag[1] and not _HTTP_EQUIV.search(tag[0]) else tag[0]


def _without_output(text: str) -> str:
    parts: list[str] = []
    end = 0
    for start, after in _enclosed(text, "{{", "}}"):
        parts.append(text[end:start])
        end = after
    return "".join([*parts, text[end:]])


def _enclosed(text: str, opening: str, closing: str) -> Iterator[tuple[int, int]]:
    """Where a text has a mark, and where the next closing mark after it ends; one that is not closed does not count."""
    start = text.find(opening)
    while start >= 0 and (end := text.find(closing, start + len(opening))) >= 0:
        yield start, end + len(closing)
        start = text.find(opening, end + len(closing))
