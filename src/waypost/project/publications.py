"""Puts all that publishes a project's site in one order: the first one decides the folder and the host."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from os.path import relpath
from pathlib import Path
from urllib.parse import urlsplit

from msgspec.structs import replace

from waypost.core import tree_files
from waypost.pages.html_head import read_head
from waypost.project.called_scripts import CalledScripts
from waypost.project.ci_publications import ci_publications
from waypost.project.generator import generators
from waypost.project.host_publications import READ_THE_DOCS_OUTPUT, host_publications
from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import OF_RUN, PUBLISHED_BRANCH, Publication, RunContext, Step
from waypost.project.publishers import filler_of, is_to_publish, programs
from waypost.project.script_publications import first_published
from waypost.project.shell_commands import Command, commands_of
from waypost.project.workflow_publications import building_steps, workflow_publications
from waypost.project.workspaces import possible_folders
from waypost.settings.hosts import host_of_domain

_TO_CHECK = re.compile(
    r"(?<![a-z])(?:check\w*|tests?|lint\w*|links?|previews?|screenshots?|validat\w*|pull|pr|ci)(?![a-z])", re.IGNORECASE
)
"""How a workflow is named that builds a site to look at it."""
_ELSEWHERE = re.compile(r" (?:-[do]|--(?:destination|site-dir|output(?:-dir|-path)?|out-?[dD]ir|dest-dir))(?:[ =]|\Z)")
"""How a command names the folder into which it builds a site."""
DEPLOYS_PAGES = "actions/deploy-pages"
_OF_DOMAIN, _OF_WORKFLOW, _STARTED_BY_HAND, _OF_HOST, _UPLOADED, _BY_HAND, OF_OTHER_BRANCH = range(OF_RUN + 1, 8)
"""The order of evidence; a published branch that is checked out is between the domain and the workflows."""


def publications(project: ProjectFolder, run: RunContext) -> Sequence[Publication]:
    """What publishes the site of a project, what counts most first; paths are relative to the project's folder.

    Only what publishes a folder inside the project, or one that is not known. One that exists has its path alone.
    """
    found = list(_of_workflows(project, run))
    elsewhere = [] if found else list(_of_workflows(project, replace(run, branches=())))
    found += [] if found else _of_scripts(project, is_alone=not elsewhere)
    found += [] if found else _of_other_services(project)
    of_hosts = list(_of_hosts(project, run))
    found = [*(_with_folders_of_host(each, of_hosts) for each in found), *of_hosts]
    ranked = [replace(each, rank=_rank(each, run)) for each in found if not _only_redirects(each, project)]
    ranked += [replace(each, rank=OF_OTHER_BRANCH) for each in elsewhere]
    return sorted((each for each in ranked if _is_inside(each)), key=lambda each: each.rank)


def _with_folders_of_host(publication: Publication, of_hosts: Sequence[Publication]) -> Publication:
    """What deploys to a host, with the folder that the host's file names if nothing else does."""
    same = [each for each in of_hosts if each.host and each.host == publication.host and each.folders]
    named = {each.folders for each in same if publication.site in ("", each.site)}
    is_named = bool(publication.folders or publication.builds) or len(named) != 1
    return publication if is_named else replace(publication, folders=named.pop())


def filling(project: ProjectFolder, run: RunContext, message: str | None) -> Iterator[Publication]:
    """What fills the branch that is published, where no file of the project says that it publishes the site.

    It is a command that somebody runs by hand, known by the message of the newest commit in origin's branch for GitHub
    Pages, or a workflow that commits what it has built into the branch that is checked out.
    """
    if row := filler_of(message or ""):
        by = (row.name, row.generator, row.builds)
        yield Publication(f"origin/{PUBLISHED_BRANCH}", "github-pages", (), (), *by, source=".", rank=_BY_HAND)
    yield from (
        each for each in _of_workflows(project, run, commits=True) if each.command and each.folders and _is_inside(each)
    )


def builders(project: ProjectFolder, run: RunContext, site: Path, generator: str) -> Sequence[tuple[str, Step]]:
    """The steps of workflows in which a generator builds the site of a folder into its usual place, with their files.

    Those that are named for a publication come first, and those that are named for a check are none.
    """
    root = ProjectFolder(project.repository_root)
    own = next((Command(each.command, ".").plain for each in generators() if each.name == generator), "")
    place = Path(relpath(site.resolve(), project.repository_root.resolve())).as_posix()

    def is_build(command: Command) -> bool:
        is_own = bool(own) and f"{command.plain} ".startswith(f"{own} ") and command.folder == place
        return (
            is_own and bool(Publication("", commands=(command.text,)).building) and not _ELSEWHERE.search(command.text)
        )

    found = building_steps(root.workflow_texts, CalledScripts(root), run.branches, is_build)
    names = [(posixpath.basename(file).partition(".")[0], (file, step)) for file, step in found]
    others = [(not is_to_publish(name), each) for name, each in names if not _TO_CHECK.search(name)]
    return [each for _, each in sorted(others, key=lambda other: other[0])]


def deploys_pages(project: ProjectFolder) -> bool:
    """Whether a workflow of the repository that contains the project deploys to GitHub Pages by GitHub's own action."""
    found = workflow_publications(project.workflow_texts, CalledScripts(ProjectFolder(project.repository_root)), ())
    return any(each.publisher == DEPLOYS_PAGES for each in found)


def _rank(publication: Publication, run: RunContext) -> int:
    if publication.host and publication.host == run.host:
        return OF_RUN
    if publication.host and publication.host == host_of_domain(run.domain):
        return _OF_DOMAIN
    if publication.step:
        by_workflow = _STARTED_BY_HAND if publication.is_manual else _OF_WORKFLOW
        return by_workflow if publication.is_deployed else _UPLOADED
    return _BY_HAND if publication.publisher else _OF_HOST


def _of_workflows(project: ProjectFolder, run: RunContext, *, commits: bool = False) -> Iterator[Publication]:
    texts = project.workflow_texts
    if not texts:
        return
    root = ProjectFolder(project.repository_root)
    for found in workflow_publications(texts, CalledScripts(root), run.branches):
        if found.commits == commits:
            yield _below_project(found, project)


def _of_hosts(project: ProjectFolder, run: RunContext) -> Iterator[Publication]:
    """What the files of hosts publish: those of the project and of the repository's root, else of its packages."""
    root = ProjectFolder(project.repository_root)
    if run.host == "read-the-docs":
        yield Publication(".readthedocs.yaml", run.host, (READ_THE_DOCS_OUTPUT,))
    own = [found for path in dict.fromkeys((".", _prefix(project))) for found in _of_folder(root, path)]
    below = possible_folders(root) if not any(each.folders for each in own) else ()
    own += [found for path in below if root.has_folder(path) for found in _of_folder(root, path)]
    yield from (_below_project(each, project) for each in own)


def _of_scripts(project: ProjectFolder, *, is_alone: bool) -> Iterator[Publication]:
    """What the scripts of package.json, or the targets of a Makefile, publish, which people run by hand.

    They are those of the root, or else of a folder in which the source of a site may be, if these are `is_alone`: no
    workflow publishes anything. Of several targets, the first that names a host: the Makefiles that Pelican writes
    also copy to any server.
    """
    called = CalledScripts(project)
    for folder in (".", *(possible_folders(project) if is_alone else ())):
        for name, scripts in called.by_hand(folder, programs()):
            file, copies = posixpath.normpath(posixpath.join(folder, name)), name != "package.json"
            found = [
                replace(published, source=folder, script=script)
                for script, text in scripts.items()
                if not _is_unused(text, project)
                and (published := first_published([*commands_of(text, folder, called.of)], file, copies=copies))
            ]
            if found:
                yield min(found, key=lambda each: not each.host)
                return
    # These keys have no other use (mkdocs.org, Configuration, remote_branch).
    if project.matches("mkdocs.yml", r"^remote_(?:branch|name):"):
        yield Publication("mkdocs.yml", "github-pages", (), (), "mkdocs gh-deploy", "MkDocs", builds=True, source=".")


def _is_unused(script: str, project: ProjectFolder) -> bool:
    """Whether a script is that of a generator's own template, in a site that is not published by it.

    That is one of Docusaurus that is not for GitHub Pages, and one of Hexo that has no program to deploy with.
    """
    if re.search(r"\bhexo (?:deploy|d)\b", script):
        return not any(name.startswith("hexo-deployer-") for name in project.dependencies)
    configurations = (f"docusaurus.config.{ending}" for ending in ("js", "ts", "mjs"))
    is_for_pages = any(".github.io" in project.text(name) for name in configurations)
    return script == "docusaurus deploy" and not is_for_pages


def _of_other_services(project: ProjectFolder) -> Iterator[Publication]:
    return (_below_project(each, project) for each in ci_publications(ProjectFolder(project.repository_root)))


def _of_folder(root: ProjectFolder, path: str) -> Iterator[Publication]:
    return host_publications(ProjectFolder(root.root / path), path)


def _prefix(project: ProjectFolder) -> str:
    """The project's folder from the root of its repository, which is `.` for the root itself."""
    return relpath(project.root.absolute(), project.repository_root).replace("\\", "/")


def _below_project(found: Publication, project: ProjectFolder) -> Publication:
    """The publication with paths from the project's folder, and with the one that exists alone, if one does."""
    prefix = _prefix(project)

    def below(path: str) -> str:
        return posixpath.relpath(path, prefix)

    folders = tuple(map(below, found.folders))
    built = next((path for path in folders if _has_file(project, path)), None)
    return replace(
        found,
        file=below(found.file),
        folders=folders if built is None else (built,),
        exists=built is not None,
        source=None if found.source is None else below(found.source),
    )


def _has_file(project: ProjectFolder, path: str) -> bool:
    folder = project.root / path
    is_folder = tree_files.is_folder(folder, project.root)
    return is_folder and any(not name.startswith(".") for name in tree_files.names(folder))


def _only_redirects(publication: Publication, project: ProjectFolder) -> bool:
    """Whether the home page of what is published leads to another host, as where a site has moved."""
    if not publication.exists:
        return False
    text = project.text(f"{publication.folders[0]}/index.html")
    head = read_head(text.encode("utf-8", "replace"), is_whole=True)
    return bool(head and head.refresh and urlsplit(head.refresh).hostname)


def _is_inside(publication: Publication) -> bool:
    paths = [*publication.folders, publication.source or "."]
    return all(path.isprintable() and "$" not in path and not path.startswith(("..", "/")) for path in paths)
