"""What the robots.txt of a site says of its sitemaps; crawlers read it only at the host's root (RFC 9309, 2.3)."""

from collections.abc import Iterable, Iterator

from waypost.config.schema import Site
from waypost.core.finding_types import site_warning
from waypost.core.model import Example, Plan, SiteWarning, printable
from waypost.core.page_identity import page_identity
from waypost.core.urls import is_host_root
from waypost.rules import robots


def named_sitemaps(robots_txt: bytes, site: Site) -> list[str]:
    """The URLs of this site that robots.txt names."""
    if not is_host_root(site.base_url):
        return []
    urls = sorted(set(robots.named_sitemaps(robots_txt)))
    return [url for url in urls if page_identity(url).startswith(f"{page_identity(site.base_url)}/")]


def blocked_sitemaps(robots_txt: bytes, site: Site, urls: Iterable[str]) -> list[str]:
    """Those of these URLs of sitemaps that robots.txt keeps from all crawlers, or from Google's."""
    return robots.blocked(robots_txt, urls) if robots_txt and is_host_root(site.base_url) else []


def warnings(plan: Plan, robots_txt: bytes, site: Site) -> Iterator[SiteWarning]:
    """What is wrong with a robots.txt for the sitemaps of a plan, and what crawlers read in different ways."""
    urls = [document.loc for document in plan.documents if document.kind not in ("robots", "llms")]
    if found := blocked_sitemaps(robots_txt, site, urls):
        yield site_warning("sitemap-disallowed", [Example("robots.txt", url) for url in found])
    if robots_txt and is_host_root(site.base_url):
        yield from _misunderstood(robots_txt)


def _misunderstood(robots_txt: bytes) -> Iterator[SiteWarning]:
    """What crawlers read in different ways, or not at all."""
    from waypost.rules import content_signals  # few sites have signals

    for code, found in (
        ("robots-groups", robots.joined_groups(robots_txt)),
        ("content-signal", content_signals.problems(robots_txt)),
    ):
        if found:
            yield site_warning(code, [Example("robots.txt", printable(each)) for each in found])
