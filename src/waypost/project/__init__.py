"""What is recognised of a project: site folder, generator, base URL and host."""

from waypost.project.base_url import NamedBase, configured_path, names_no_path, pages_url
from waypost.project.host_publications import host_settings, netlify_production
from waypost.project.site_folder import SiteFolder, built_into, find_sites, home_folders

__all__ = [
    "NamedBase",
    "SiteFolder",
    "built_into",
    "configured_path",
    "find_sites",
    "home_folders",
    "host_settings",
    "names_no_path",
    "netlify_production",
    "pages_url",
]
