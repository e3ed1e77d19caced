"""Finds the folder that a project publishes, or says what a folder is, which one to name, or what to build first."""

import os
from itertools import islice
from pathlib import Path

from waypost.core import tree_files
from waypost.core.errors import SourceError
from waypost.core.finding_types import site_warning
from waypost.core.model import Example, SiteWarning, SourceKind, printable
from waypost.git import GitFolder
from waypost.project.generator import plugin_of
from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import UNKNOWN_RUN, RunContext
from waypost.project.server_advice import ServerAdvice
from waypost.project.site_folder import (
    SiteFolder,
    built_into,
    find_sites,
    home_folders,
    named_outputs,
    published_below,
    source_folders,
)
from waypost.project.source_kind import recognize
from waypost.project.workspaces import PROJECT_FOLDERS

_COMMITTED_OUTPUT = "docs"
"""The folder that GitHub Pages publishes, so that projects commit what they have built there."""

_MOST_HOMES = 5
"""So many folders with a home page are named."""

_NAMES = {
    "static": "a site as it is",
    "jekyll": "the source of a site that the project builds with Jekyll",
    "github-pages": "the source of a site that GitHub Pages builds with Jekyll",
}


def published_folder(here: Path, run: RunContext = UNKNOWN_RUN, repository: GitFolder | None = None) -> Path:
    """The folder that the project in a folder publishes; raises SourceError if it must be built, or named.

    `repository` is that of the folder, if it is in one that Git does not refuse.
    """
    found = find_sites(here, run=run)
    if len(found) > 1:
        named = "\n  ".join(f"{shown_path(each.output, here)}: {_what(each)}" for each in found)
        raise SourceError(f"{shown_path(here, here)} has several sites; name one of them as SOURCE:\n  {named}")
    site = found[0]
    if not site.is_known:
        raise SourceError(
            f"{unknown_site(here, here)}\n"
            "  name the folder that is published (`.` if it is this one): `waypost build FOLDER`, in a workflow "
            "`source: FOLDER`\n"
            '  if GitHub Pages makes pages of Markdown in it: `waypost build FOLDER --set source_kind="github-pages"`'
        )
    of_server = ServerAdvice(site, shown_path(site.folder, here)) if site.kind.has_server else None
    if not (of_server and of_server.needs_options) and (folder := current_build(site, repository)):
        return folder
    raise SourceError("\n  ".join(of_server.refusal()) if of_server else _build_first(site, here))


def unknown_site(folder: Path, here: Path) -> str:
    """The message about a folder in which nothing shows where its site is, with the folders in which one may be."""
    homes = ", ".join(f"`{name}`" for name in islice(home_folders(folder), _MOST_HOMES))
    sources = ", ".join(f"`{name}` ({what})" for name, what in islice(source_folders(folder), _MOST_HOMES))
    built = ", ".join(f"`{path}` ({file})" for path, file in islice(named_outputs(folder), _MOST_HOMES))
    lines = [
        f"nothing in {shown_path(folder, here)} shows where its site is: it has no page of its own and no "
        "configuration of a generator, so nothing was written",
        f"a home page is in {homes}" if homes else "",
        f"the source of a site is in {sources}" if sources else "",
        f"a built site may be published from {built}" if built else "",
    ]
    return "\n  ".join(filter(None, lines))


def current_build(site: SiteFolder, repository: GitFolder | None) -> Path | None:
    """The folder of a site that is published; None if it must be built first.

    Where a command builds the site and publishes it at once, or a host builds it, what was committed of a build is an
    old one.
    """
    folder = built_folder(site)
    if folder and repository and is_built_anew(site) and repository.tracks(folder / "index.html"):
        return None
    return folder


def is_built_anew(site: SiteFolder) -> bool:
    """Whether what publishes a site builds it, too: in one step, or as the file of a host says that runs elsewhere."""
    declared = site.declared
    return site.is_built and declared is not None and (declared.builds or declared.is_built_by_host)


def built_folder(site: SiteFolder) -> Path | None:
    """The folder of a site that is published, or that GitHub Pages builds; None if a generator must build it first."""
    is_generator = site.kind.kind == "generator"
    docs = site.folder / _COMMITTED_OUTPUT
    # GitHub Pages publishes this folder, and a copy elsewhere is the build that it was made of.
    is_of_pages = any(tree_files.is_file(docs / name, site.folder) for name in ("CNAME", ".nojekyll"))
    is_elsewhere = site.declared is not None and (bool(site.declared.folders) or not is_of_pages)
    committed = [docs] if site.is_built and not is_elsewhere else []
    folders = [*([site.output] if is_generator else []), *committed]
    for folder in reversed(folders) if is_of_pages else folders:
        found = recognize(folder)
        # Nuxt writes pages without a title unless the project sets one; what a generator has written is complete.
        is_page = folder == site.output and tree_files.is_file(folder / "index.html", site.folder)
        if found.kind == "static" and (found.file or is_page):
            return folder
    return None if is_generator else site.folder


def require_there(source: Path, here: Path, run: RunContext) -> None:
    """Raise SourceError if a folder is that of a site of the project here, which must be built first."""
    if not os.path.lexists(source):
        named = built_into(source, ProjectFolder(here), run)
        for site in (*find_sites(here, run=run), *([named] if named else [])):
            if site.is_built and site.output.resolve() == source.resolve():
                raise SourceError(_build_first(site, here))


def require_not_below(source: Path, kind: SourceKind, here: Path) -> None:
    """Raise SourceError if a folder holds no page itself, and its project's site is in a folder below it."""
    if kind.file or not (found := published_below(source)):
        return
    names = " or ".join(f"`waypost build {shown_path(each.folder, here)}`" for each in found)
    below = shown_path(found[0].folder, here)
    raise SourceError(
        f"{shown_path(source, here)} has no page of its own, and the site is in a folder below it, so nothing was "
        f"written ({below}/{found[0].kind.file}: {found[0].kind.reason})\n  name that folder: {names}, in a "
        f"workflow `source: {below}`"
    )


def _what(site: SiteFolder) -> str:
    if site.is_built and not site.kind.generator:
        return evidence_text(site.kind)
    by = f" by `{site.declared_command}`" if site.declared_command else ""
    return f"{site.kind.generator} builds it{by}" if site.is_built else f"{site.kind.file}, {site.kind.reason}"


def require_built(kind: SourceKind, source: Path, working_folder: Path) -> None:
    """Raise SourceError if a folder is the source of a site that another generator than Jekyll builds."""
    if kind.kind == "generator":
        raise SourceError(_build_first(SiteFolder(source, kind), working_folder))


def source_below(source: Path, kind: SourceKind) -> list[SiteWarning]:
    """The warning that a folder, which was not recognised itself, contains the source of a site."""
    if kind.kind != "static" or kind.file:
        return []
    below = (
        (name, recognize(source / name)) for name in PROJECT_FOLDERS if tree_files.is_folder(source / name, source)
    )
    examples = tuple(Example(f"{name}/", source_text(found)) for name, found in below if found.kind != "static")
    return [site_warning("source-below", examples)] if examples else []


def source_text(kind: SourceKind) -> str:
    """What a folder is, and why, in a line."""
    name = _NAMES.get(kind.kind, f"the source of a site that {kind.generator or 'the project'} builds")
    evidence = evidence_text(kind)
    return f"{name} ({evidence})" if evidence else name


def evidence_text(kind: SourceKind) -> str:
    """What showed what a folder is: a file and the reason, or the reason alone."""
    return f"{kind.file}: {kind.reason}" if kind.file else kind.reason


def _build_first(site: SiteFolder, here: Path) -> str:
    """The message about a folder whose site must be built before it can be listed."""
    kind, source, output = site.kind, shown_path(site.folder, here), shown_path(site.output, here)
    if kind.generator:
        evidence = f"({kind.file}: {kind.reason})"
        what = f"{source} is the source of a site that {kind.generator} builds, so nothing was written {evidence}"
        other = f'if the files of {source} are published as they are: set source_kind = "static"'
    else:
        state = "has no page" if kind.output_exists else "does not exist"
        what = f"{kind.file} publishes {output}, which {state}, so nothing was written"
        other = "if another folder is published, name it: `waypost build FOLDER`, in a workflow `source: FOLDER`"
    exists = "; the folder exists already" if kind.generator and kind.output_exists else ""
    build = _command(site, source)
    lines = [
        f"build the site first{build}",
        f"then run Waypost over the built site: `waypost build {output}`, in a workflow `source: {output}`{exists}",
    ]
    if site.declared and site.declared.builds:
        by = f"`{site.declared.publisher}` ({printable(site.declared.file)}) builds and publishes it at once"
        plugin = plugin_of(kind.generator)
        do = f"install Waypost there, and add {plugin}" if plugin else "`waypost init` prints what to write instead"
        lines = [
            f"{by}: {do}",
            f"to see what would be listed, build it{build}; then `waypost build {output} --dry-run`",
        ]
    return "\n  ".join([what, *lines, other])


def _command(site: SiteFolder, source: str) -> str:
    """The command that builds a site, as a message ends: the one that a file declares, or else the generator's."""
    if site.declared and site.declared_command:
        return f": `{site.declared_command}` ({site.declared.file})"
    place = "" if source == "." else f" in {source}"
    return f": `{site.kind.command}`{place}" if site.kind.command else place


def shown_path(path: Path, working_folder: Path) -> str:
    """A path as the user would type it."""
    absolute = Path(os.path.normpath(working_folder.absolute() / path))
    folder = working_folder.absolute()
    return absolute.relative_to(folder).as_posix() if absolute.is_relative_to(folder) else str(absolute)
