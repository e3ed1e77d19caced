"""Recognises the host of a site: by a setting, by the domain of its base URL, or by the files of its project."""

import fnmatch
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlsplit

from waypost.core import tree_files
from waypost.core.finding_types import site_warning
from waypost.core.model import Example, SiteWarning, printable
from waypost.project.host_files import (
    PROJECT_FILES,
    SITE_FILES,
    HostContext,
    HostFiles,
    read_host,
    wrangler,
)
from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import PUBLISHED_BRANCH, UNKNOWN_RUN, Publication, RunContext
from waypost.project.publications import deploys_pages, publications
from waypost.project.redirects_file import is_netlifys
from waypost.settings.host_rules import AnsweredShapes, HostRules
from waypost.settings.hosts import HOSTS, Server, host_of_domain

AUTO = "auto"
_OF_BUCKETS = "cloudfront"
"""What publishes a bucket, if no setting says otherwise: CloudFront, or the REST endpoint that it asks."""


class FoundHost(NamedTuple):
    """The host of a site, if there is one, and what showed it.

    `contradictions` has the names of hosts with the files that show them, where several hosts' are in the project.
    `unread` has what of the files cannot be read, each with the name of the file. `server` is what a build left beside
    the site.
    """

    rules: HostRules = HostRules()
    evidence: str = ""
    contradictions: Sequence[tuple[str, str]] = ()
    unread: Sequence[tuple[str, str]] = ()
    server: "FoundServer | None" = None

    def warnings(self) -> Iterator[SiteWarning]:
        """What the owner should know about the files of hosts."""
        named = [(file, HOSTS[name].title) for name, file in self.contradictions]
        missing = [(self.evidence, "")] if self.server and self.server.row.lists_files else []
        for code, pairs in (
            ("several-hosts", named),
            ("host-rule-unread", self.unread),
            ("server-lists-files", missing),
        ):
            if pairs:
                yield site_warning(code, [Example(printable(file), printable(detail)) for file, detail in pairs])


class FoundServer(NamedTuple):
    """The server that a framework's build left beside a site: the host's name, what is known of it, and its file."""

    host: str
    row: Server
    file: str


class Hosting(NamedTuple):
    """What a project says of the host of its site.

    `deploys_pages` if a workflow deploys to GitHub Pages by GitHub's own action, `mentions_pages` if a workflow or a
    script names GitHub Pages. `publishing` is what publishes just this folder, what counts most first, and
    `is_elsewhere` is true if all that publishes the project does so on other hosts than GitHub Pages. `server` is what
    a framework's build left beside this folder, and `by_hand` has the hosts to which scripts publish it, each with the
    script.
    """

    files: HostFiles
    deploys_pages: bool = False
    mentions_pages: bool = False
    run: RunContext = UNKNOWN_RUN
    publishing: Sequence[Publication] = ()
    is_elsewhere: bool = False
    server: FoundServer | None = None
    by_hand: Mapping[str, str] = MappingProxyType({})

    def host(self, setting: str, base_url: str) -> FoundHost:
        """The host of the site at a base URL, and its rules that hold for every visitor.

        `setting` is a host's name, or `auto`.
        """
        unread: list[tuple[str, str]] = []
        domain = urlsplit(base_url).hostname or ""
        context = HostContext(
            self.files, domain, lambda file, problem: unread.append((file, problem)), self.deploys_pages
        )
        names, evidence, is_certain, signs = self._names(setting, context)
        hosts = [read_host(name, context) for name in names]
        server = self.server if self.server and [self.server.host] == [*names] else None
        if server:
            shapes = hosts[0].shapes
            shapes = AnsweredShapes(server.row.page or shapes.page, server.row.folder or shapes.folder)
            hosts = [replace(hosts[0], shapes=shapes)]
        rules = HostRules(hosts, is_certain=is_certain)
        return FoundHost(rules, evidence, signs if len(signs) > 1 else (), tuple(dict.fromkeys(unread)), server)

    def _names(self, setting: str, context: HostContext) -> "_Named":
        """The names of the hosts that may publish the site, what showed them, and the signs of the files.

        The order is that of all evidence: the setting, a server beside the site, the run's host, the domain, the
        branch, a workflow, the files. Files alone are not certain: they may have been left from another host.
        """
        if setting != AUTO:
            return _Named([setting], "the setting `host`")
        if self.server:
            return _Named([self.server.host], self.server.file)
        if self.run.host:
            return _Named([self.run.host], f"the variable {HOSTS[self.run.host].variable}")
        if name := host_of_domain(context.domain):
            return _Named([name], f"the domain {context.domain}")
        if PUBLISHED_BRANCH in self.run.branches[:1]:
            return _Named(["github-pages"], f"the branch {PUBLISHED_BRANCH}")
        of_workflows = {
            each.host: f"{each.publisher} in {each.file}" if each.publisher else each.file
            for each in self.publishing
            if each.host
        }
        signs = of_workflows or dict(_signs(context)) or self.by_hand
        if len(signs) == 1:
            ((name, file),) = signs.items()
            return _Named([name], file, is_certain=bool(of_workflows))
        shared = [name for name in ("_redirects", "_headers") if name in context.files.site]
        if not signs and shared:
            return _Named(["netlify", "cloudflare-pages"], shared[0], is_certain=False)
        return _Named([], "", is_certain=False, signs=tuple(signs.items()))


class _Named(NamedTuple):
    """The hosts that may publish a site, and the evidence; `signs` are the hosts that files show, if they differ."""

    names: Sequence[str]
    evidence: str
    is_certain: bool = True
    signs: Sequence[tuple[str, str]] = ()


def bucket_rules(setting: str) -> HostRules:
    """The rules of the host that publishes a bucket, in which no file of a host is read: anybody may upload one."""
    return Hosting(HostFiles({}, {})).host(_OF_BUCKETS if setting == AUTO else setting, "").rules


def read_hosting(site: Path, root: Path, run: RunContext = UNKNOWN_RUN, published: Path | None = None) -> Hosting:
    """What the project of the site in a folder, which reaches up to `root`, says of its host.

    `published` is the folder that becomes the site, if that is another one.
    """
    folder = ProjectFolder(site)
    path = Path(os.path.relpath((published or site).resolve(), root.resolve())).as_posix()
    found = publications(ProjectFolder(root), run)
    publishing = [
        each for each in found if path in each.folders and each.is_deployed and (each.step or each.is_pipeline)
    ]
    scripts = [each for each in found if each.publisher and not each.step and (path in each.folders or not each.copies)]
    by_hand = {each.host: f"{each.publisher} in {each.file}" for each in scripts if each.host}
    hosts = {each.host for each in found if each.is_deployed and (path in each.folders or not each.copies)}
    # Which of two hosts the base URL is for, only the owner knows.
    is_elsewhere = (bool(hosts) and "github-pages" not in hosts) or len({each.host for each in publishing}) > 1
    files = HostFiles(_texts(folder, SITE_FILES), _project_files(site, root))
    is_mentioned = folder.mentions_pages or ProjectFolder(root).mentions_pages
    is_mentioned = is_mentioned or any(each.host == "github-pages" for each in found)
    server = _find_server(site)
    return Hosting(files, deploys_pages(folder), is_mentioned, run, publishing, is_elsewhere, server, by_hand)


def _find_server(site: Path) -> FoundServer | None:
    """The server of the first row that fits the folder's path and a file above it."""
    path = site.resolve().as_posix()
    rows = ((host.name, server) for host in HOSTS.values() for server in host.servers)
    for name, server in rows:
        if not (end := re.search(rf"(?<=/){server.site}\Z", path)):
            continue
        above = ProjectFolder(Path(path[: end.start()]))
        names = fnmatch.filter(sorted(tree_files.names(above.root)), server.file)
        if file := next((each for each in names if not server.says or above.matches(each, server.says)), ""):
            return FoundServer(name, server, file)
    return None


def _project_files(site: Path, root: Path) -> Mapping[str, str]:
    """The files in the nearest folder above the site, down from the root, that has one with this name."""
    found: dict[str, str] = {}
    for folder in _up_to(site.resolve(), root.resolve()):
        found = {**_texts(ProjectFolder(folder), PROJECT_FILES), **found}
    return found


def _up_to(folder: Path, root: Path) -> Iterator[Path]:
    yield folder
    for above in folder.parents if folder != root and folder.is_relative_to(root) else ():
        yield above
        if above == root:
            return


def _texts(folder: ProjectFolder, names: tuple[str, ...]) -> dict[str, str]:
    return {name: folder.text(name) for name in names if folder.has_file(name)}


def _signs(context: HostContext) -> Iterator[tuple[str, str]]:
    """The hosts that files of the project are for, each with the file."""
    names = context.files.of("netlify.toml", "vercel.json", "staticwebapp.config.json", ".htaccess", "CNAME")
    if "netlify.toml" in names or is_netlifys(context.files.site.get("_redirects", "")):
        yield "netlify", "netlify.toml" if "netlify.toml" in names else "_redirects"
    settings = wrangler(context)
    if "pages_build_output_dir" in settings:
        yield "cloudflare-pages", "pages_build_output_dir in the configuration of wrangler"
    elif isinstance(settings.get("assets"), dict):
        yield "cloudflare-workers", "assets in the configuration of wrangler"
    if "vercel.json" in names:
        yield "vercel", "vercel.json"
    if '"hosting"' in context.files.project.get("firebase.json", ""):
        yield "firebase", "firebase.json"
    if "staticwebapp.config.json" in names:
        yield "azure-static-web-apps", "staticwebapp.config.json"
    if ".htaccess" in names:
        yield "apache", ".htaccess"
    if sign := _pages_sign(context):
        yield "github-pages", sign


def _pages_sign(context: HostContext) -> str:
    """What shows that GitHub Pages publishes the site; empty if nothing does."""
    if "CNAME" in context.files.site:
        return "CNAME"
    return "actions/deploy-pages in a workflow" if context.deploys_pages else ""
