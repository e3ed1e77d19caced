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
_TAG = re.compile(r"\{%-?\s*(\w+)?.*?%\}", re.DOTALL)
_BLOCKS = ("if", "unless", "case", "for", "tablerow", "capture", "comment", "raw", "ifchanged")
_COMPUTED_TAG = re.compile(r"<(?![^<>]*http-equiv)[a-z][^<>]*\{\{[^<>]*>", re.IGNORECASE)
_OUTPUT = re.compile(r"\{\{.*?\}\}", re.DOTALL)


def html_body(front: FrontMatter, *, is_html: bool) -> bytes:
    """An HTML document with what is known of the rendered page; its visible text is that of the source."""
    if is_html and _DOCUMENT.match(front.content):
        text = _COMPUTED_TAG.sub("", "".join(_unconditional(front.content)))
        return _OUTPUT.sub("", text).encode("utf-8", "surrogateescape")
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
    for tag in _TAG.finditer(text):
        if not depth:
            yield text[end : tag.start()]
        name = tag[1] or ""
        if name in _BLOCKS:
            depth += 1
        elif depth and name.startswith("end") and name.removeprefix("end") in _BLOCKS:
            depth -= 1
        end = tag.end()
    if not depth:
        yield text[end:]
