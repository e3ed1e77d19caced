"""Recognises the project of a site once: what its folder is, its base URL and its host, each with its evidence."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import structs

from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.finding_types import site_warning
from waypost.core.model import Example, Item, RecognisedPart, SiteWarning, SourceKind
from waypost.files.folder_source import FolderSource
from waypost.git import GitFolder, Repositories
from waypost.git.revision_files import RevisionFile
from waypost.pages.selection import Selection
from waypost.pages.site_links import read_site_links
from waypost.project.base_url import (
    NO_PLACE,
    NamedBase,
    PagesPlace,
    contradictions,
    find_base_urls,
    told_base,
    unneeded_cname,
)
from waypost.project.host_recognition import AUTO, FoundHost, Hosting, read_hosting
from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import PUBLISHED_BRANCH, RunContext
from waypost.project.publications import deploys_pages
from waypost.project.published_folder import (
    current_build,
    evidence_text,
    require_built,
    require_not_below,
    require_there,
    shown_path,
)
from waypost.project.site_folder import SiteFolder, find_parts, find_sites, has_pages
from waypost.project.source_kind import project_above, recognize
from waypost.project.workspaces import NO_SITES
from waypost.settings.hosts import HOSTS, host_of_url
from waypost.settings.schema import Site

_FIRST_BRANCHES = frozenset(("main", "master"))


@dataclass(frozen=True)
class Recognition:
    """What is recognised of the project of the site in `source`; each part is looked for once, when it is asked for.

    `here` is the working folder, whose repository is among `repositories`, and `setting` is `source_kind`. `output` is
    the folder that will be published, where `source` must be built into it, and `declared` what `source` is, if that is
    known already.
    """

    source: Path
    here: Path
    repositories: Repositories
    setting: str = AUTO
    output: Path | None = None
    declared: SourceKind | None = None

    @cached_property
    def kind(self) -> SourceKind:
        """What the folder is."""
        return self.declared or recognize(self.source, self.setting)

    @cached_property
    def repository(self) -> GitFolder | None:
        """The repository that contains the working folder; None if there is none, or Git refuses it."""
        return self.repositories.of_workspace

    @property
    def root(self) -> Path:
        """The root of the repository, or else the working folder."""
        return self.repository.root if self.repository else self.here

    def require_publishable(self) -> None:
        """Raise SourceError if there is no such folder, a generator must build it, or the site is below it."""
        require_there(self.source, self.here, run_context(self.repository))
        FolderSource(self.source)
        require_built(self.kind, self.source, self.here)
        if self.setting == AUTO:
            require_not_below(self.source, self.kind, self.here)

    @property
    def base_url(self) -> NamedBase | None:
        """The base URL that the site and its project name, if they do; raises ConfigurationError if they disagree."""
        if len(self.base_urls) > 1:
            named = " and ".join(f"{each.base_url} ({each.evidence})" for each in self.base_urls)
            raise _unset_base_url(f"the site names {named}")
        if not self.base_urls and (named := unneeded_cname(self.source)):
            raise _unset_base_url(f"CNAME names {named}, which GitHub Pages ignores where a workflow deploys")
        if not self.base_urls and (told := self.told_base):
            raise _unset_base_url(f"{told.evidence} says {told.base_url}, which nothing else confirms")
        return self.base_urls[0] if self.base_urls else None

    @cached_property
    def base_urls(self) -> Sequence[NamedBase]:
        """The base URLs that the site and its project name, without one on GitHub Pages of a site that is elsewhere."""
        return [each for each in self._named_bases if not self._is_left_over(each)]

    @cached_property
    def _named_bases(self) -> Sequence[NamedBase]:
        found = self.host(AUTO, "")
        signs = {*(rules.host for rules in found.rules.of_hosts), *(name for name, _ in found.contradictions)}
        # The repository's name is the site's place only on GitHub Pages.
        is_elsewhere = self._hosting.is_elsewhere or (signs and "github-pages" not in signs)
        is_on_pages = self._may_be_on_pages and not is_elsewhere
        folder, kind = self._generator
        return find_base_urls(self.source, kind, folder, self._place if is_on_pages else NO_PLACE, self.root)

    def _is_left_over(self, named: NamedBase) -> bool:
        is_published = any(each.host == "github-pages" for each in self._hosting.publishing)
        return host_of_url(named.base_url) == "github-pages" and self._hosting.is_elsewhere and not is_published

    @property
    def told_base(self) -> NamedBase | None:
        """The base URL that must be asked for: one that is left over, or that is told to people alone."""
        return next(filter(self._is_left_over, self._named_bases), None) or told_base(
            self.root, *self._generator, self._github_name
        )

    @property
    def _place(self) -> PagesPlace:
        """Where GitHub Pages serves the site, by the workflow that publishes it, or else by the repository."""
        publishing = self._hosting.publishing
        name = next((each.repository for each in publishing if each.repository), self._github_name)
        target = next((each.target for each in publishing if each.target), "")
        place = PagesPlace(name, target, self._mentions_pages, bool(publishing))
        # These are of use only before the site is built: a build has its own.
        is_needed = self.declared and self.repository and not deploys_pages(ProjectFolder(self.root))
        return structs.replace(place, cname=self._published_cname, cnames=self._cnames) if is_needed else place

    @property
    def _published_cname(self) -> str:
        """The CNAME of the branch that is published, if the clone has it."""
        if self.repository is None:
            return ""
        file = RevisionFile(self.repository, f"refs/remotes/origin/{PUBLISHED_BRANCH}", "CNAME")
        return b"".join(file.chunks()).decode("utf-8", "replace") if file.exists else ""

    @property
    def _cnames(self) -> Mapping[str, str]:
        """The only CNAME that Git tracks, but for those of examples and tests, and of another generator's source."""
        tracked = self.repository.tracked("CNAME") if self.repository else ()
        own = [name for name in tracked if not (NO_SITES.fullmatch(name) or self._is_of_other_source(name))]
        return {name: ProjectFolder(self.root).text(name) for name in own} if len(own) == 1 else {}

    def _is_of_other_source(self, path: str) -> bool:
        folder, (first, *_) = self._generator[0].resolve(), path.split("/")
        other = (self.root / first).resolve()
        return other.is_dir() and not folder.is_relative_to(other) and recognize(other).kind == "generator"

    def linked_bases(self, base_url: str) -> Sequence[NamedBase]:
        """The base URL on the same host below which the links of a site's pages lead, if it is not this one."""
        site = Site(base_url=base_url)
        source = FolderSource(self.source)
        items = source.items(Selection(site).folder_exclusion_reason)
        other = read_site_links(source, (each for each in items if isinstance(each, Item)), site).other_base
        return [NamedBase(other, "the links of the pages")] if other else []

    def host(self, setting: str, base_url: str) -> FoundHost:
        """The host that publishes the site at a base URL."""
        return self._hosting.host(setting, base_url)

    def is_on_pages(self, setting: str, base_url: str) -> bool:
        """Whether GitHub Pages publishes the site: as its host, or by a workflow, a script or a branch for it."""
        host = self.host(setting, base_url).rules.host
        return host == "github-pages" or (not host and self._mentions_pages)

    def contradicted(self, site: Site) -> Iterator[SiteWarning]:
        """The warnings that a set base URL is not what the project names, or that its host redirects it."""
        folder, kind = self._generator
        own = host_of_url(site.base_url)
        if own and HOSTS[own].redirects_http and site.base_url.startswith("http:"):
            yield site_warning("base-url-redirected", [Example(site.base_url, f"{HOSTS[own].title} redirects it")])
        found = contradictions(site.base_url, kind, folder, self._github_name)
        if found and not site.preview:
            examples = [Example(site.base_url, f"{each.evidence} says {each.base_url}") for each in found]
            yield site_warning("base-url-contradicted", examples)

    def parts(self, named: Sequence[NamedBase], host: FoundHost) -> Iterator[RecognisedPart]:
        """The folder, these base URLs, and the host if something of the project shows it, as a run says them."""
        yield RecognisedPart("folder", shown_path(self.source, self.here), evidence_text(self.kind))
        for each in named:
            yield RecognisedPart("base URL", each.base_url, each.evidence)
        if host.rules.host and host.evidence:
            yield RecognisedPart("host", HOSTS[host.rules.host].title, host.evidence)
        for name, file in host.contradictions:
            yield RecognisedPart("host", HOSTS[name].title, file)

    @cached_property
    def _hosting(self) -> Hosting:
        is_source = self.kind.kind in ("jekyll", "github-pages")  # which is read, and its output is published
        published = self.source / self.kind.output if is_source else None
        return read_hosting(self.output or self.source, self.root, run_context(self.repository), published)

    @cached_property
    def _generator(self) -> tuple[Path, SourceKind]:
        """The folder that a generator builds the site from, and what it is: the source itself, or one above it."""
        root = self.root.resolve()
        if self.kind.kind != "static" or not self.source.resolve().is_relative_to(root):
            return self.source, self.kind
        above = project_above(self.source.resolve(), root)
        return above, recognize(above)

    @property
    def _may_be_on_pages(self) -> bool:
        """Whether GitHub Pages may publish the folder.

        It publishes the root of a branch or its `docs`, and what a workflow or a tool makes of another folder (GitHub,
        "Configuring a publishing source").
        """
        is_published = self.kind.kind != "generator" and (bool(self.kind.file) or has_pages(self.source))
        if is_published and self.source.resolve() in (self.root.resolve(), self.root.resolve() / "docs"):
            return True
        return self._mentions_pages

    @cached_property
    def _mentions_pages(self) -> bool:
        """Whether a workflow, a script or a branch of the repository shows that it publishes to GitHub Pages."""
        message = self.repository.message_in_origin(PUBLISHED_BRANCH) if self.repository else None
        return self._hosting.mentions_pages or message is not None

    @property
    def _github_name(self) -> str:
        """The `owner/name` of the repository on GitHub: as the runner says, or else as origin's URL does."""
        named = os.environ.get("GITHUB_REPOSITORY", "")
        return named or (self.repository.repository.github_name if self.repository else "")


def run_context(repository: GitFolder | None, base_url: str = "") -> RunContext:
    """What is known of a run in a repository: its branches, the host that runs it, and the domain, if one is set.

    The host is known by the variable that its builder sets.
    """
    branches = [repository.branch()] if repository else []
    # `git init` names the first branch master where nobody has configured it, and GitHub main.
    if not _FIRST_BRANCHES.isdisjoint(branches):
        branches += _FIRST_BRANCHES
    elif repository:
        branches.append(repository.default_branch())
    host = next((each.name for each in HOSTS.values() if each.variable and os.environ.get(each.variable)), "")
    domain = urlsplit(base_url).hostname or ""
    return RunContext(tuple(dict.fromkeys(filter(None, branches))), host, domain)


def of_site(found: SiteFolder, here: Path, repositories: Repositories) -> Recognition:
    """What is recognised of the project of a site that was found there: of what is built, or else of its source."""
    built = current_build(found, repositories.of_workspace)
    is_generated = found.declared or found.kind.kind == "generator"
    output, own = found.output if is_generated else None, None if built else found.kind
    return Recognition(built or found.folder, here, repositories, output=built or output, declared=own)


def recognise(here: Path, site: Site | None, repositories: Repositories) -> Iterator[RecognisedPart]:
    """Every part of the project in a folder that can be recognised, also where a build would stop and ask.

    `site` has the settings, if there are any that name the base URL.
    """
    for found in find_sites(here, run=run_context(repositories.of_workspace, site.base_url if site else "")):
        seen = of_site(found, here, repositories)
        named = [NamedBase(site.base_url, "the setting")] if site else []
        named += [each for each in seen.base_urls if each not in named]
        setting, base = (site.host, site.base_url) if site else (AUTO, named[0].base_url if named else "")
        folder, *others = seen.parts(named, seen.host(setting, base))
        is_built = seen.declared is None or (found.kind.has_server and found.output.is_dir())
        by = _built_by(found, shown_path(found.folder, here), is_built=is_built)
        yield from [folder, *by, *_published_by(found), *others]
        for kind, folders in find_parts(seen.source).items():
            yield RecognisedPart(kind, ", ".join(folders), "the names of its folders")


def _built_by(found: SiteFolder, place: str, *, is_built: bool) -> Iterator[RecognisedPart]:
    """The generator of a site, and the command that builds it with the program that installs packages."""
    if found.kind.generator:
        state = "built" if is_built else "not built yet"
        server = "; a server renders pages" if found.kind.has_server else ""
        yield RecognisedPart("generator", found.kind.generator, f"{found.kind.file}; {state}{server}")
    if found.declared and found.declared_command:
        yield RecognisedPart("build", found.declared_command, found.declared.file)
    elif found.kind.command and found.is_built:
        yield RecognisedPart("build", found.kind.command, f"of {found.kind.generator or found.kind.file}, in {place}")


def _published_by(found: SiteFolder) -> Iterator[RecognisedPart]:
    """What publishes a site, if a file of the project says it."""
    if (declared := found.declared) and declared.is_deployed:
        title = HOSTS[declared.host].title if declared.host else declared.file
        yield RecognisedPart("published", declared.publisher or title, declared.file)


def other_base(named: str, site: Site, recognised: Sequence[RecognisedPart]) -> Iterator[SiteWarning]:
    """The warning that pages and links name another base URL on the same host than the setting does.

    Raises ConfigurationError if no setting named the site's.
    """
    if not named:
        return
    if base := next((each for each in recognised if each.name == "base URL"), None):
        raise _unset_base_url(f"{base.evidence} says {base.value}, and the links of the pages lead below {named}")
    example = Example(site.base_url, f"the pages and their links name {named}")
    yield site_warning("base-url-path", [example])


def _unset_base_url(problem: str) -> ConfigurationError:
    issue = ConfigIssue("settings", "base_url", f"it is not set, and {problem}", "set it to the right one")
    return ConfigurationError((issue,))
