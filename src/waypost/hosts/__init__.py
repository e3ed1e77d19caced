"""The hosts of static sites: which URLs each answers, and what the files with its rules say of a site's pages."""

from waypost.hosts.host_files import PROJECT_FILES, SITE_FILES, DeclaredFolder, HostFiles
from waypost.hosts.recognition import AUTO, FoundHost, bucket_rules, recognise_host
from waypost.hosts.rules import HostRules
from waypost.hosts.table import HOSTS

__all__ = [
    "AUTO",
    "HOSTS",
    "PROJECT_FILES",
    "SITE_FILES",
    "DeclaredFolder",
    "FoundHost",
    "HostFiles",
    "HostRules",
    "bucket_rules",
    "recognise_host",
]
