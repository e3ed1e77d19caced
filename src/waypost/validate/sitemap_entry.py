"""What a sitemap has: its entries, and the elements of extensions in them."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from waypost.core.sitemap_rows import EXTENSION_NAMESPACES

Content = tuple[str, str, tuple[tuple[str, str], ...], str, tuple["Content", ...]]
"""An element in a form that can be compared: its namespace, name, attributes in order, text and children."""

SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
PREFIXES = {namespace: prefix for prefix, namespace in EXTENSION_NAMESPACES}
"""The usual prefix of each namespace of an extension."""
XHTML_NAMESPACE, IMAGE_NAMESPACE, VIDEO_NAMESPACE, NEWS_NAMESPACE, MOBILE_NAMESPACE = PREFIXES
IN_URL = {XHTML_NAMESPACE: "link", IMAGE_NAMESPACE: "image", VIDEO_NAMESPACE: "video", NEWS_NAMESPACE: "news"}
"""The element of each extension that may be directly in a url."""
_APP_SCHEMES = ("android-app:", "ios-app:")


class Element(Struct, gc=False):
    """An element of an extension: its local name, and its namespace (the correct one if it is misspelt)."""

    namespace: str
    name: str
    line: int
    attributes: dict[str, str]
    text: str = ""
    children: list["Element"] = []

    def find(self, name: str) -> "Element | None":
        """The first child with this name."""
        return next((node for node in self.children if node.name == name), None)

    def value(self, name: str) -> str:
        """The text of the first child with this name, or `""`."""
        node = self.find(name)
        return node.text if node else ""

    @property
    def is_app_link(self) -> bool:
        """Whether a link names the page in an app, which is no version in another language."""
        return self.attributes.get("href", "").strip().lower().startswith(_APP_SCHEMES)

    @property
    def content(self) -> Content:
        """The element without its line, in a form that can be compared."""
        children = tuple(node.content for node in self.children)
        return self.namespace, self.name, tuple(sorted(self.attributes.items())), self.text, children


class SitemapEntry(Struct, gc=False):
    """A URL, or a sitemap of an index, as it is written; None is an element that is missing."""

    line: int
    loc: str | None = None
    lastmod: str | None = None
    changefreq: str | None = None
    priority: str | None = None
    extensions: list[Element] | None = None

    def elements(self, name: str) -> Iterator[Element]:
        """The elements of the extension that is directly in the entry as link, image, video or news."""
        return (node for node in self.extensions or () if node.name == name == IN_URL.get(node.namespace))

    @property
    def is_news(self) -> bool:
        """Whether the entry is one of a news sitemap."""
        return any(True for _ in self.elements("news"))

    @property
    def alternates(self) -> list[tuple[str, str]]:
        """The hreflang and the URL of each alternate."""
        attributes = (node.attributes for node in self.elements("link"))
        return [(each.get("hreflang", ""), each.get("href", "")) for each in attributes]

    @property
    def metadata(self) -> tuple[Content, ...]:
        """Everything but loc and lastmod, in a form that can be compared; empty if there is nothing else."""
        fields = _fields(self.changefreq, self.priority)
        return (*fields, *(node.content for node in self.extensions)) if self.extensions else fields


@lru_cache(maxsize=256)
def _fields(changefreq: str | None, priority: str | None) -> tuple[Content, ...]:
    """These fields in a form that can be compared; there are few different ones, which many pages share."""
    fields = (("changefreq", changefreq), ("priority", priority))
    return tuple((SITEMAP_NAMESPACE, name, (), text, ()) for name, text in fields if text)
