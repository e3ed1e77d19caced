"""What is recognised of a project: site folder, generator, base URL and host."""

from waypost.project.base_url import NamedBase, contradictions, find_base_urls
from waypost.project.hosting import Hosting, read_hosting
from waypost.project.site_folder import SiteFolder, find_parts, find_sites, published_below

__all__ = [
    "Hosting",
    "NamedBase",
    "SiteFolder",
    "contradictions",
    "find_base_urls",
    "find_parts",
    "find_sites",
    "published_below",
    "read_hosting",
]
