"""The hosts of static sites: what is known of each without a file of the site."""

from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

from waypost.core.model import UrlShape
from waypost.core.tables import Table
from waypost.settings.host_rules import ANY_SHAPE, AnsweredShapes


class Server(Struct, frozen=True):
    """How the server of a framework is known by what its build left; without shapes, those of the host hold."""

    site: str
    file: str
    says: str = ""
    page: tuple[UrlShape, ...] = ()
    folder: tuple[UrlShape, ...] = ()
    lists_files: bool = False


class Host(Struct, frozen=True):
    """A row of `hosts.toml`, which says what each column is: all that is known of a host, by its name as a setting."""

    name: str
    title: str
    source: str
    domains: tuple[str, ...] = ()
    page: tuple[UrlShape, ...] = ANY_SHAPE
    folder: tuple[UrlShape, ...] = ANY_SHAPE
    missing: tuple[UrlShape, ...] = ()
    lists_folders: bool = False
    is_checked: bool = False
    escaped: str = ""
    lowers_case: bool = False
    variable: str = ""
    redirects_http: bool = False
    known_by: str = ""
    forms: str = ""
    servers: tuple[Server, ...] = ()

    @property
    def shapes(self) -> AnsweredShapes:
        """The shapes of URL that the host answers if no file of the site says otherwise."""
        return AnsweredShapes(self.page, self.folder, self.missing)


HOSTS = Table(Path(__file__).with_name("hosts.toml"), Host, "name")
"""The hosts by their names."""


def host_of_url(url: str) -> str:
    """The name of the host below whose domains a URL lies; empty if there is none, or the URL has no domain."""
    return host_of_domain(urlsplit(url).hostname or "")


def host_of_domain(domain: str) -> str:
    """The name of the host below whose domains a domain lies, whose case does not count; empty if there is none."""
    named = ((each.name, of_host) for each in HOSTS.values() for of_host in each.domains)
    return next((name for name, of_host in named if f".{domain.lower()}".endswith(f".{of_host}")), "")
