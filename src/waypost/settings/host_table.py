"""The hosts of static sites: the table `hosts.toml`, which says what each column is."""

from pathlib import Path

from msgspec import Struct

from waypost.core.model import UrlShape
from waypost.core.tables import Table
from waypost.settings.host_rules import ANY_SHAPE, AnsweredShapes

HOST_NAMES = (
    *("github-pages", "gitlab-pages", "netlify", "cloudflare-pages", "cloudflare-workers", "vercel", "firebase"),
    *("azure-static-web-apps", "render", "surge", "read-the-docs", "s3-website", "cloudfront", "nginx", "apache"),
    "plain",
)
"""The hosts of the table, which are the values of the setting `host`."""


class Host(Struct, frozen=True):
    """A host: its name as a setting, its name for people, its own domains, and at which URLs it answers."""

    name: str
    title: str
    source: str
    domains: tuple[str, ...] = ()
    page: tuple[UrlShape, ...] = ANY_SHAPE
    folder: tuple[UrlShape, ...] = ANY_SHAPE
    is_checked: bool = False
    escaped: str = ""
    lowers_case: bool = False

    @property
    def shapes(self) -> AnsweredShapes:
        """The shapes of URL that the host answers if no file of the site says otherwise."""
        return AnsweredShapes(self.page, self.folder)


HOSTS = Table(Path(__file__).with_name("hosts.toml"), Host, "name")
"""The hosts by their names."""
