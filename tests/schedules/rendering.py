"""A renderer that renders the same values only once, and does not read its templates again."""

from __future__ import annotations

from typing import Any

from waypost.core.sitemap_rows import SitemapRows
from waypost.sitemaps.render import Renderer

_MAX_KNOWN = 50_000


class CachingRenderer(Renderer):
    """The product's renderer with its answers kept."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[object, bytes] = {}
        self._digest = super().digest

    @property
    def digest(self) -> str:
        return self._digest

    def text(self, name: str, /, **values: Any) -> bytes:
        key = name, tuple((each, _as_key(value)) for each, value in values.items())
        found = self._known.get(key)
        if found is None:
            if len(self._known) > _MAX_KNOWN:
                self._known.clear()
            found = self._known[key] = super().text(name, **values)
        return found


def _as_key(value: object) -> object:
    return repr(value.pages) if isinstance(value, SitemapRows) else repr(value)


RENDERER = CachingRenderer()
