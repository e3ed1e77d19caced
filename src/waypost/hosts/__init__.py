"""The hosts of static sites: which URLs each answers, and what the files with its rules say of a site's pages."""

from waypost.hosts.host_files import PROJECT_FILES, SITE_FILES, HostFiles, published_folders
from waypost.hosts.recognition import AUTO, FoundHost, path_of, recognise_host
from waypost.hosts.rules import NO_HOST_RULES, HostRules
from waypost.hosts.table import HOSTS

__all__ = [
    "AUTO",
    "HOSTS",
    "NO_HOST_RULES",
    "PROJECT_FILES",
    "SITE_FILES",
    "FoundHost",
    "HostFiles",
    "HostRules",
    "path_of",
    "published_folders",
    "recognise_host",
]
