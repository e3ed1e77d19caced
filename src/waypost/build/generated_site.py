"""Writes the sitemaps of a site where its generator has just built it, in place of the generator's own."""

import ipaddress
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from waypost.build import named_places
from waypost.build.build_answer import build_answer
from waypost.build.folder import prepare
from waypost.git import Repositories
from waypost.settings.load import ConfigSource

_GENERATOR = "the generator's configuration"


def write_sitemaps(
    output: Path,
    base_url: str,
    setting: str,
    project: Path,
    sources: Mapping[str, Sequence[Path]],
    warn: Callable[[str], None],
    *,
    fetches_history: bool = False,
) -> str:
    """Write the sitemaps of the built site in a folder, and return a sentence about them.

    `base_url` is the generator's `setting`, which the settings file in `project`, or else in the root of its
    repository, may override, and `sources` has the files that each page is made of, by the page's path in the folder. A
    site that is only shown on this machine gets none. `warn` is called with each warning. Raises WaypostError.
    """
    if _is_preview(base_url):
        return ""
    found = named_places.read(None, output, project)
    repository = None if found else Repositories(project).of_workspace
    if repository and (found := named_places.read(None, output, repository.root)):
        project = repository.root
    named = str(found[0].values.get("base_url", "")) if found else ""
    is_set = bool(named) and not _is_below(base_url, named)
    if not (base_url or is_set):
        warn(f"no sitemap was written: set {setting}, as a sitemap has whole URLs")
        return ""
    own = ConfigSource(_GENERATOR, {} if is_set else {"base_url": base_url})
    job = prepare(output, own, output=output, working_folder=project, named_sources=sources)
    if fetches_history and (problem := job.dates.fetch_history()):
        warn(f"the history could not be fetched: {problem}")
    plan = job.plan()
    job.apply(plan)
    answer = build_answer(plan, job.site, job.source_kind, job.recognised)
    for warning in answer.warnings:
        warn(warning.text)
    return f"{len(answer.pages)} URLs in {answer.root_sitemap}"


def _is_below(base_url: str, named: str) -> bool:
    """Whether the generator makes a part of the site that the settings name: mike adds the version to `site_url`."""
    whole, part = (f"{url.rstrip('/')}/" for url in (named, base_url))
    return part != whole and part.startswith(whole)


def _is_preview(base_url: str) -> bool:
    """Whether a base URL is that of a server on this machine, such as `mkdocs serve` starts."""
    host = urlsplit(base_url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified
