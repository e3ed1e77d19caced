"""Finds the folder that a project publishes, or says which one to name or what to build first."""

from pathlib import Path

from waypost.core.errors import SourceError
from waypost.core.model import SourceKind
from waypost.project import SiteFolder, find_sites, published_below
from waypost.project.source_kind import recognize
from waypost.project.source_texts import build_first, evidence_text, shown_path

_COMMITTED_OUTPUT = "docs"
"""The folder that GitHub Pages publishes, so that projects commit what they have built there."""


def published_folder(here: Path) -> Path:
    """The folder that the project in a folder publishes; raises SourceError if it must be built, or named."""
    found = find_sites(here)
    if len(found) > 1:
        named = "\n  ".join(f"{shown_path(each.output, here)}: {_what(each)}" for each in found)
        raise SourceError(f"{shown_path(here, here)} has several sites; name one of them as SOURCE:\n  {named}")
    site = found[0]
    if not site.is_known:
        raise SourceError(
            f"nothing in {shown_path(here, here)} shows where its site is: it has no page of its own and no "
            "configuration of a generator, so nothing was written\n"
            "  name the folder that is published (`.` if it is this one): `waypost build FOLDER`, in a workflow "
            "`source: FOLDER`\n"
            '  if GitHub Pages makes pages of Markdown in it: `waypost build FOLDER --set source_kind="github-pages"`'
        )
    if folder := built_folder(site):
        return folder
    if message := _rendered_by_server(site, here):
        raise SourceError(message)
    raise SourceError(build_first(site.kind, shown_path(site.folder, here), shown_path(site.output, here)))


def _rendered_by_server(site: SiteFolder, here: Path) -> str:
    """The message about a built site of which no page is a file, as a server beside its files renders them, or `""`."""
    server, prerendered = site.output.parent / "server", site.output.parent / "prerendered"
    if site.output.parent == site.folder or not (site.output.is_dir() and server.is_dir()):
        return ""
    output = shown_path(site.output, here)
    lines = [
        f"{shown_path(site.folder, here)} is built, and the server in {shown_path(server, here)} renders its pages: "
        f"{output} has none as a file, so nothing was written",
        f"list their URLs, for example with a script: `node list-routes.js | waypost build {output} --set urls=-`",
    ]
    if prerendered.is_dir():
        command = f"waypost build {shown_path(prerendered, here)} --output {output}"
        lines.append(f"the pages that were rendered before are in another folder: `{command}`")
    return "\n  ".join(lines)


def built_folder(site: SiteFolder) -> Path | None:
    """The folder of a site that is published, or that GitHub Pages builds; None if a generator must build it first."""
    is_generator = site.kind.kind == "generator"
    committed = [site.folder / _COMMITTED_OUTPUT] if site.is_built and not site.is_declared else []
    for folder in [*([site.output] if is_generator else []), *committed]:
        if (found := recognize(folder)).kind == "static" and found.file:
            return folder
    return None if is_generator else site.folder


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
    return f"{site.kind.generator} builds it" if site.is_built else f"{site.kind.file}, {site.kind.reason}"
