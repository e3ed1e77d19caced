"""Recognises the site of a project: the folder that is published, and the base URL that no setting names."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from waypost.app.source_kind import build_first, evidence_text, shown_path
from waypost.config.load import ConfigSource
from waypost.config.schema import Site
from waypost.core.errors import ConfigIssue, ConfigurationError, SourceError
from waypost.core.model import Example, RecognisedPart, SiteWarning, SourceKind, printable
from waypost.core.warnings import WARNINGS
from waypost.git import GitFolder, Repositories
from waypost.hosts import AUTO, HOSTS, FoundHost
from waypost.project import (
    BaseUrls,
    NamedBase,
    SiteFolder,
    contradictions,
    find_base_urls,
    find_host,
    find_parts,
    find_sites,
    github_repository,
    has_pages,
    is_project,
    sites_below,
)
from waypost.sources.source_kind import project_above, recognize

_RECOGNISED = "the site itself"
_EXAMPLES = 3
_COMMITTED_OUTPUT = "docs"
"""The folder that GitHub Pages publishes, so that projects commit what they have built there."""


def site_folder(here: Path) -> Path:
    """The folder of the site of the project in a folder; raises SourceError if it must be built, or named."""
    found = find_sites(here)
    if len(found) > 1:
        named = "\n  ".join(f"{shown_path(each.output, here)}: {_what(each)}" for each in found)
        raise SourceError(f"{shown_path(here, here)} has several sites; name one of them as SOURCE:\n  {named}")
    return _published(found[0], here)


def require_site_not_below(source: Path, here: Path) -> None:
    """Raise SourceError if a folder holds no page itself, and its project's site is in a folder below it."""
    if recognize(source).file or not is_project(source):
        return
    if found := [each for each in sites_below(source) if each.kind.kind == "static"]:
        names = " or ".join(f"`waypost build {shown_path(each.folder, here)}`" for each in found)
        below = shown_path(found[0].folder, here)
        raise SourceError(
            f"{shown_path(source, here)} has no page of its own, and the site is in a folder below it, so nothing was "
            f"written ({below}/{found[0].kind.file}: {found[0].kind.reason})\n  name that folder: {names}, in a "
            f"workflow `source: {below}`"
        )


def _published(site: SiteFolder, here: Path) -> Path:
    """The folder that is published; raises SourceError if it must be built first."""
    if found := _published_folder(site):
        return found
    raise SourceError(build_first(site.kind, shown_path(site.folder, here), shown_path(site.output, here)))


def _published_folder(site: SiteFolder) -> Path | None:
    """The folder that is published: of a generator's project its output, if it is built already."""
    is_generator = site.kind.kind == "generator"
    committed = [site.folder / _COMMITTED_OUTPUT] if site.is_built else []
    for folder in [*([site.output] if is_generator else []), *committed]:
        if (found := recognize(folder)).kind == "static" and found.file:
            return folder
    return None if is_generator else site.folder


def _what(site: SiteFolder) -> str:
    return f"{site.kind.generator} builds it" if site.is_built else f"{site.kind.file}, {site.kind.reason}"


def recognised_base_url(source: Path, kind: SourceKind, here: Path, repositories: Repositories) -> NamedBase | None:
    """The base URL that the site in a folder and its project name; None if nothing does.

    Raises ConfigurationError if they name several.
    """
    found = base_urls(source, kind, here, repositories)
    if len(found.named) > 1:
        named = " and ".join(f"{each.base_url} ({each.evidence})" for each in found.named)
        issue = ConfigIssue(
            "settings", "base_url", f"it is not set, and the site names {named}", "set it to the right one"
        )
        raise ConfigurationError((issue,))
    return found.agreed


def base_urls(source: Path, kind: SourceKind, here: Path, repositories: Repositories) -> BaseUrls:
    """The base URLs that the site in a folder and its project name; `kind` is what the folder is."""
    opened = repository_of(repositories)
    root = opened.root if opened else here
    project, kind = _project(source, kind, root)
    host = find_host(source, root, AUTO, "")
    signs = {*(rules.host for rules in host.rules.of_hosts), *(name for name, _ in host.contradictions)}
    # The repository's name is the site's place only on GitHub Pages.
    repository = "" if signs and "github-pages" not in signs else _repository_name(opened)
    if source.resolve() != root.resolve() and has_pages(root):  # another site is at the place of the repository
        return find_base_urls(source, kind, project, "")
    return find_base_urls(source, kind, project, repository, root)


def contradicted(
    source: Path, kind: SourceKind, site: Site, here: Path, repositories: Repositories
) -> Iterator[SiteWarning]:
    """The warning that a set base URL is not what the site's project names."""
    opened = repository_of(repositories)
    project, kind = _project(source, kind, opened.root if opened else here)
    found = contradictions(site.base_url, kind, project, _repository_name(opened))
    if found and not site.preview:
        examples = tuple(Example(site.base_url, f"{each.evidence} says {each.base_url}") for each in found)
        yield SiteWarning("base-url-contradicted", WARNINGS["base-url-contradicted"].message, len(found), examples)


def _project(source: Path, kind: SourceKind, root: Path) -> tuple[Path, SourceKind]:
    """The folder that a generator builds a site from, and what it is: the source itself, or one above it."""
    if kind.kind != "static" or not source.resolve().is_relative_to(root.resolve()):
        return source, kind
    above = project_above(source.resolve(), root.resolve())
    return above, recognize(above)


def _repository_name(opened: GitFolder | None) -> str:
    """The `owner/name` of the repository on GitHub: as the runner says, or else as origin's URL does."""
    named = os.environ.get("GITHUB_REPOSITORY", "")
    return named or (github_repository(opened.repository.remote_url("origin")) if opened else "")


def repository_of(repositories: Repositories) -> GitFolder | None:
    """The repository that contains the workspace; None if there is none, or Git refuses it."""
    try:
        return repositories.find(repositories.workspace)
    except SourceError:
        return None


def host_of(source: Path, site: Site, here: Path, repositories: Repositories) -> FoundHost:
    """The host that publishes the site in a folder."""
    opened = repository_of(repositories)
    branch = opened.branch() if opened else None
    return find_host(source, opened.root if opened else here, site.host, site.base_url, branch or "")


def host_part(found: FoundHost) -> RecognisedPart | None:
    """The recognised host, as a run says it; None if it is not known, or if a setting names it."""
    host = found.rules.host
    return RecognisedPart("host", HOSTS[host].title, found.evidence) if host and found.evidence else None


def host_warnings(found: FoundHost) -> Iterator[SiteWarning]:
    """What the owner should know about the files of hosts."""
    for code, pairs in (("several-hosts", found.contradictions), ("host-rule-unread", found.unread)):
        if pairs:
            named = [(file, HOSTS[name].title) for name, file in pairs] if code == "several-hosts" else pairs
            examples = tuple(Example(printable(file), printable(detail)) for file, detail in named)
            yield SiteWarning(code, WARNINGS[code].message, len(examples), examples[:_EXAMPLES])


def other_base(named: str, site: Site, recognised: Sequence[RecognisedPart]) -> Iterator[SiteWarning]:
    """The warning that pages and links name another base URL on the same host than the setting does.

    Raises ConfigurationError if no setting named the site's.
    """
    if not named:
        return
    if base := next((each for each in recognised if each.name == "base URL"), None):
        problem = f"it is not set; {base.evidence} says {base.value}, and the links of the pages lead below {named}"
        raise ConfigurationError((ConfigIssue("settings", "base_url", problem, "set it to the right one"),))
    example = Example(site.base_url, f"the pages and their links name {named}")
    yield SiteWarning("base-url-path", WARNINGS["base-url-path"].message, examples=(example,))


def recognise(here: Path, site: Site | None, repositories: Repositories) -> Iterator[RecognisedPart]:
    """Every part of the project in a folder that can be recognised, also where a build would stop and ask.

    `site` has the settings, if there are any that name the base URL.
    """
    for found in find_sites(here):
        published = _published_folder(found)
        output = published or found.folder
        yield folder_part(output, recognize(output), here)
        if found.kind.generator:
            state = "built" if published else "not built yet"
            yield RecognisedPart("generator", found.kind.generator, f"{found.kind.file}; {state}")
        if toolchain := _toolchain(found):
            yield toolchain
        named = [NamedBase(site.base_url, "the setting")] if site else []
        named += [each for each in base_urls(output, recognize(output), here, repositories).named if each not in named]
        yield from map(base_url_part, named)
        setting, base = (site.host, site.base_url) if site else (AUTO, named[0].base_url if named else "")
        opened = repository_of(repositories)
        if host := host_part(find_host(output, opened.root if opened else here, setting, base)):
            yield host
        parts = find_parts(output)
        for name, values in (("versions", parts.versions), ("languages", parts.languages)):
            if values:
                yield RecognisedPart(name, ", ".join(values), "the names of its folders")


def _toolchain(found: SiteFolder) -> RecognisedPart | None:
    """What builds the site: the program that installs packages, and the command."""
    if not found.kind.command or not found.is_built:
        return None
    return RecognisedPart("build", found.kind.command, f"of {found.kind.generator}, in {found.folder.name or '.'}")


def as_setting(base: NamedBase) -> ConfigSource:
    """The recognised base URL as a source of settings, which any other overrides."""
    return ConfigSource(_RECOGNISED, {"base_url": base.base_url})


def base_url_part(base: NamedBase) -> RecognisedPart:
    """The recognised base URL, as a run says it."""
    return RecognisedPart("base URL", base.base_url, base.evidence)


def folder_part(source: Path, kind: SourceKind, here: Path) -> RecognisedPart:
    """The recognised folder of the site, as a run says it."""
    return RecognisedPart("folder", shown_path(source, here), evidence_text(kind))


def sets_base_url(config_sources: Sequence[ConfigSource]) -> bool:
    """Whether a setting names the base URL."""
    return any("base_url" in each.values for each in config_sources)
