"""Recognises a project once: where its site is, what builds it, and at which base URL it is published."""

from waypost.project.base_url import BaseUrls, NamedBase, contradictions, find_base_urls, github_repository
from waypost.project.hosting import find_host
from waypost.project.site_folder import SiteFolder, find_sites, has_pages, is_project, sites_below
from waypost.project.site_parts import find_parts

__all__ = [
    "BaseUrls",
    "NamedBase",
    "SiteFolder",
    "contradictions",
    "find_base_urls",
    "find_host",
    "find_parts",
    "find_sites",
    "github_repository",
    "has_pages",
    "is_project",
    "sites_below",
]
