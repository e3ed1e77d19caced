"""The example of each document, which shows whether the templates render."""

from __future__ import annotations

import pytest
from unit.sample_sites import site

from waypost.core.errors import RenderError
from waypost.ledger.classify import PageClassifier
from waypost.ledger.published_documents import PublishedDocuments
from waypost.sitemaps.render import Renderer
from waypost.sync.sample_documents import render_sample


def documents(**overrides: str) -> PublishedDocuments:
    settings = site(formats=["xml", "text", "html"], stylesheet=True)
    templates = {f"{name.replace('_', '-')}.j2": (text, f"mine/{name}") for name, text in overrides.items()}
    return PublishedDocuments(settings, Renderer(templates), PageClassifier(settings, "2026-11-21T00:00:00Z"))


def test_the_templates_of_waypost_render() -> None:
    render_sample(documents())


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap_index.xml", "sitemap.txt", "sitemap.html", "sitemap.css"])
def test_a_template_that_fails_is_found(name: str) -> None:
    with pytest.raises(RenderError, match="division by zero"):
        render_sample(documents(**{name: "{{ 1 / 0 }}"}))
