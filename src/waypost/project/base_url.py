"""Finds the base URL of a site that no setting names: by what its files, its generator and its repository say.

No source outvotes another: if two name different base URLs, the owner must say which is right.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from waypost.core.model import SourceKind
from waypost.core.urls import normalize_base_url, without_scheme
from waypost.project.configured_urls import configured_url
from waypost.project.hosting import deploys_pages
from waypost.project.page_urls import BuiltFiles
from waypost.project.site_folder import has_pages
from waypost.sources.filesystem import FolderSource
from waypost.sources.project_folder import ProjectFolder

_SAMPLES = re.compile(
    r"example\.(com|org|net)|(www\.)?(your-?(site|domain|website|docs?)?\.(com|org|net|io)|your-?site-?url\.com"
    r"|(my-?(site|domain|website|docs)|mysite|yoursite|yourdomain|domain|website)\.(com|org|net|io))"
    r"|your-[\w-]+\.\S+|(your-?)?(user-?name|org|name)\.(github|gitlab)\.io|<.*"
    r"|localhost(\.\S+)?|127\.\S+|0\.0\.0\.0|\S+\.(test|invalid|localhost|local|internal)"
    r"|jekyllrb\.com|gohugo\.io|themes\.gohugo\.io|example\.\S+\.example"
)
"""Hosts that stand for one's own in the examples of generators and of their themes, and this machine."""
_FORGES = re.compile(
    r"(\S+\.)?(github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sourceforge\.net|npmjs\.com"
    r"|pypi\.org|crates\.io|raw\.githack\.com|rawgit\.com|htmlpreview\.github\.io)"
)
"""Hosts where code is, and no site of its owner."""


class NamedBase(NamedTuple):
    """A base URL, and what names it."""

    base_url: str
    evidence: str


def find_base_urls(
    site: Path, kind: SourceKind, project: Path, github_repository: str, root: Path | None = None
) -> Sequence[NamedBase]:
    """The base URLs that are named for the site in a folder, each once, in the order of their evidence.

    `kind` is what `project` is, which is the folder itself or one above it that a generator builds it from.
    `github_repository` is `owner/name`, or empty, and `root` the root of the repository.
    """
    if root and site.resolve() != root.resolve() and has_pages(root):  # another site is at the place of the repository
        github_repository, root = "", None
    found = [each for each in _named(site, kind, project, root or site) if not _is_of_no_site(each.base_url)]
    own = _pages_url(github_repository)
    found = found or _of_last_build(site, own)
    has_domain = any(ProjectFolder(each).text("CNAME").strip() for each in (site, root or site))
    if own and not (has_domain and not found) and all(_contradicts(each.base_url, own) for each in found):
        found.append(NamedBase(own, f"the name of the repository {github_repository} on GitHub"))
    return _distinct(found)


def contradictions(base_url: str, kind: SourceKind, project: Path, repository: str) -> list[NamedBase]:
    """What a set base URL contradicts: the generator's configuration, or the repository's place on GitHub Pages.

    What the pages say of it is known when they are read.
    """
    configured = configured_url(ProjectFolder(project), kind)
    named = [NamedBase(configured.base_url, f"`{configured.key}` in {configured.file}")] if configured else []
    if (own := _pages_url(repository)) and _contradicts(base_url, own):
        named.append(NamedBase(own, f"the name of the repository {repository} on GitHub"))
    return [
        each
        for each in named
        if not _is_of_no_site(each.base_url) and without_scheme(each.base_url) != without_scheme(base_url)
    ]


def _of_last_build(site: Path, pages_url: str) -> list[NamedBase]:
    """The base URL of Waypost's own sitemap, which counts where nothing else names one.

    If it is another repository's on GitHub Pages, this is a fork, or was renamed: the owner must say which is right.
    """
    named = BuiltFiles(FolderSource(site)).of_sitemaps(own=True)
    if named is None or _is_of_no_site(named[0]):
        return []
    last = NamedBase(named[0], f"the URLs in {named[1]}, which an earlier build wrote")
    is_of_other = urlsplit(last.base_url).netloc.endswith(".github.io") and last.base_url != pages_url
    if pages_url and is_of_other:
        return [last, NamedBase(pages_url, "the name of the repository on GitHub")]
    return [last]


def _named(site: Path, kind: SourceKind, project: Path, root: Path) -> Iterator[NamedBase]:
    built = BuiltFiles(FolderSource(site))
    if pages := built.of_pages():
        base, count, key = pages
        what = f"the canonical link of {key}" if count == 1 else f"the canonical links of {count} pages, such as {key}"
        yield NamedBase(base, what)
    if sitemap := built.of_sitemaps():
        yield NamedBase(sitemap[0], f"the URLs in {sitemap[1]}")
    if named := built.of_robots_txt():
        yield NamedBase(named, "the `Sitemap:` line of robots.txt")
    if host := _of_cname(site) or _of_cname(root):
        yield NamedBase(host, "CNAME")
    if configured := configured_url(ProjectFolder(project), kind):
        yield NamedBase(configured.base_url, f"`{configured.key}` in {configured.file}")


def _of_cname(site: Path) -> str | None:
    """The host in CNAME, which GitHub Pages obeys where it publishes a branch, and not where a workflow deploys."""
    folder = ProjectFolder(site)
    names = folder.text("CNAME").split()
    if not names or deploys_pages(folder):
        return None
    try:
        return normalize_base_url(f"https://{names[0]}")
    except ValueError:
        return None


def _pages_url(repository: str) -> str:
    """Where GitHub Pages publishes a repository without a domain of its own (GitHub, "Types of GitHub Pages sites")."""
    owner, _, name = repository.lower().partition("/")
    if not name:
        return ""
    host = f"https://{owner}.github.io/"
    return host if name == f"{owner}.github.io" else f"{host}{repository.partition('/')[2]}/"


def _is_of_no_site(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    return bool(_SAMPLES.fullmatch(host) or _FORGES.fullmatch(host)) or "." not in host


def _contradicts(base_url: str, pages_url: str) -> bool:
    """Whether a base URL is on the owner's host of GitHub Pages, but in another place there than the repository's.

    A base URL elsewhere is a domain of the site's own, to which GitHub Pages redirects.
    """
    return urlsplit(base_url).hostname == urlsplit(pages_url).hostname and base_url != pages_url


def _distinct(found: Sequence[NamedBase]) -> tuple[NamedBase, ...]:
    """Each base URL once; of two that differ only in http and https, the one with https."""
    kept: dict[str, NamedBase] = {}
    for each in found:
        plain = each.base_url.partition("://")[2]
        if plain not in kept or (each.base_url > kept[plain].base_url):
            kept[plain] = NamedBase(each.base_url, kept[plain].evidence if plain in kept else each.evidence)
    return tuple(kept.values())
