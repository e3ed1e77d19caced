"""Compares the settings of a bucket's site with the website configuration of the bucket.

The configuration decides nothing: it holds for the website endpoint alone, and says not whether visitors use that one
or CloudFront. So what contradicts it is a warning.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from waypost.app.locations import Location, Locations
from waypost.config.schema import Site
from waypost.core.finding_types import site_warning
from waypost.core.model import Example, SiteWarning, printable
from waypost.rules.selection import Selection

if TYPE_CHECKING:
    from waypost.sources.s3_website import BucketWebsite


def website_warnings(site: Site, location: Location, locations: Locations) -> Sequence[SiteWarning]:
    """The warning of settings that the configuration contradicts; none where there is none, or it may not be read."""
    website = locations.website(location)
    contradictions = _contradictions(site, location, website) if website else ()
    found = [Example(setting, printable(problem)) for setting, problem in contradictions]
    return [site_warning("bucket-website", found)] if found else []


def _contradictions(site: Site, location: Location, website: "BucketWebsite") -> Iterator[tuple[str, str]]:
    """Each setting that is contradicted, and by what."""
    index, error = website.index_document, website.error_document
    host = urlsplit(site.base_url).hostname or ""
    if website.redirects_to and website.redirects_to.lower() != host:
        yield "base_url", f"the website endpoint redirects all requests to {website.redirects_to}"
    if index and index not in site.index_files:
        yield "index_files", f"the index document of folders is {index}"
    key = error.removeprefix(location.prefix)
    is_page = error.startswith(location.prefix) and Selection(site).exclusion_reason(key) is None
    if error and is_page and key.rpartition("/")[2] not in site.index_files:
        yield "exclude", f"{key} is the error document, and would be listed"
