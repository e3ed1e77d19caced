"""Finds the folders of a project that hold its site, or the source of it."""

import fnmatch
import posixpath
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import chain, groupby, islice
from os.path import relpath
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from waypost.core import tree_files
from waypost.core.languages import is_two_letter_name
from waypost.core.model import SourceKind
from waypost.core.versions import is_version
from waypost.project.generator import command_without_server, possible_outputs
from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import PUBLISHED_BRANCH, UNKNOWN_RUN, Publication, RunContext, prepares
from waypost.project.publications import OF_OTHER_BRANCH, publications
from waypost.project.shell_commands import typed_in
from waypost.project.source_kind import is_complete_page, recognize, source_of_generator
from waypost.project.workspaces import NO_SITES, PROJECT_FOLDERS, package_folders

_MOST_FOLDERS, _MOST_LOOKED_AT = 500, 20
_SITE_FOLDERS = ("docs", "public", "site", "www", "html", "htdocs", "web", "dist", "build", "out", "_site")
"""The folders in which projects usually keep a site that is published as it is."""
_DOCS = "docs"
_COPIED = ("public", "static")
_COPIES = re.compile(r"\b(?:cp|mv|rsync)\s+(?P<arguments>[^;&|]+)")
_OF_GITHUB_PAGES = ("CNAME", ".nojekyll")
_WITHOUT_SERVERS = ("github-pages", "gitlab-pages", "vercel")
"""The hosts that publish nothing but the files of a folder that is named, so that what is built for them has no server.

Vercel takes a framework's server only from that framework's own folder (vercel.com/docs/builds, "Output Directory").
"""
_LOC = re.compile(rb"<loc>([^<]{1,2048})</loc>")
_SITEMAP_BYTES, _MOST_SITEMAPS = 1 << 16, 20
_PROJECT_FILES = (
    *("package.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Cargo.toml", "go.mod", "pom.xml"),
    *("build.gradle", "build.gradle.kts", "composer.json", "Gemfile", "Makefile", "CMakeLists.txt", "src", "lib"),
    *("README.md", "README.rst", "README.txt", "README", ".git"),
)


def find_parts(site: Path) -> Mapping[str, Sequence[str]]:
    """The folders of `versions` and `languages` of a site that hold a page of their own: none, or two of a kind."""
    names = sorted(each.name for each in site.iterdir() if each.is_dir())[:_MOST_FOLDERS] if site.is_dir() else []
    folder = ProjectFolder(site)
    pages = [name for name in names if folder.has_file(f"{name}/index.html")]
    parts = {"versions": list(filter(is_version, pages)), "languages": list(filter(is_two_letter_name, pages))}
    return {kind: folders for kind, folders in parts.items() if len(folders) > 1}


class SiteFolder(Struct, frozen=True):
    """A folder with a site or with its source, and what it is.

    `is_known` is false if nothing shows that a site is there, and `declared` is what publishes its output, if a file of
    the project says that.
    """

    folder: Path
    kind: SourceKind
    is_known: bool = True
    declared: Publication | None = None

    @property
    def is_built(self) -> bool:
        """Whether the site must be built before its sitemaps are made; what GitHub Pages builds itself need not."""
        declared = self.declared
        is_by_other = declared is not None and bool(declared.folders and (declared.step or declared.commands))
        return self.kind.kind in ("generator", "jekyll") or (self.kind.kind == "github-pages" and is_by_other)

    @property
    def declared_command(self) -> str:
        """The command that builds the site, as what publishes it declares it; empty if it builds the site itself."""
        return self.declared.command if self.declared and not self.declared.builds else ""

    @property
    def output(self) -> Path:
        """The folder with the built site."""
        return self.folder / self.kind.output if self.is_built else self.folder


def find_sites(folder: Path, ignored: Container[str] = (), run: RunContext = UNKNOWN_RUN) -> Sequence[SiteFolder]:
    """The sites of a project: what it declares as published, else the folder itself, else those in usual folders.

    Of what is declared, only what counts most decides; several sites are those of which nobody said which is meant.
    The folder itself is the site if it has pages or a generator's configuration. What is declared and does not exist is
    never replaced by another folder: it is the source of a site that must be built.
    `ignored` are paths below the folder that Git ignores, with `/` at the end: a built site there is not committed.
    """
    project = ProjectFolder(folder)
    undeclared = _undeclared(folder, ignored)
    if PUBLISHED_BRANCH in run.branches[:1]:
        return undeclared
    for _, found in groupby(publications(project, run), key=lambda each: each.rank):
        sites = _without_unknown([site for each in found for site in _declared(each, project, undeclared)])
        if by_output := {site.output: site for site in reversed(sites)}:
            return [by_output[output] for output in sorted(by_output)]
    return undeclared


def built_into(folder: Path, project: ProjectFolder, run: RunContext) -> SiteFolder | None:
    """The site that is built into a folder, by what publishes that; None if nothing does.

    Somebody has named the folder: so what copies any folder counts, too.
    """
    path = posixpath.normpath(relpath(folder.resolve(), project.root.resolve()).replace("\\", "/"))
    for each in publications(project, run) if path != "." else ():
        if path in each.folders:
            declared = replace(each, folders=(path,), exists=False)
            unknown = SiteFolder(project.root, _of_declared(declared, project), declared=declared)
            return next(_declared(declared, project, _undeclared(project.root, ())), unknown)
    return None


def _built_docs(project: ProjectFolder) -> SiteFolder | None:
    """The site in `docs`, if GitHub Pages publishes it: its CNAME and its page show it, where the root has neither."""
    docs = project.root / _DOCS
    is_of_pages = project.has_file(f"{_DOCS}/CNAME") and not any(map(project.has_file, ("CNAME", "index.html")))
    kind = recognize(docs) if is_of_pages else None
    return SiteFolder(docs, kind) if kind and kind.kind == "static" and kind.file else None


def _without_unknown(sites: Sequence[SiteFolder]) -> Sequence[SiteFolder]:
    """The sites without those whose published folder is not known, if that of the same source is known otherwise."""
    known = {each.folder for each in sites if each.declared and each.declared.folders}
    return [each for each in sites if each.folder not in known or (each.declared and each.declared.folders)]


def _undeclared(folder: Path, ignored: Container[str]) -> Sequence[SiteFolder]:
    """The sites of a project by its files: the folder itself, else those in usual folders below it."""
    if built := _built_docs(ProjectFolder(folder)):
        return (built,)
    own = recognize(folder)
    is_used_below = own.file == "package.json" and not own.command.partition(" run ")[2]
    is_own = has_pages(folder) or bool(own.file and own.kind != "static")
    if is_own and not is_used_below:
        return (SiteFolder(folder, own),)
    below = tuple(sites_below(folder, ignored))
    # A package of a repository is made with a generator that only tests, or the site below, run.
    if is_own and not any(each.kind.kind == "generator" for each in below):
        return (SiteFolder(folder, own),)
    is_known = bool(own.file) or not _is_project(folder)
    sources = [] if below or is_known else [name for name, _ in source_folders(folder) if not NO_SITES.fullmatch(name)]
    if len(sources) == 1:
        return (SiteFolder(folder / sources[0], recognize(folder / sources[0])),)
    return below or (SiteFolder(folder, own, is_known=is_known),)


def _declared(
    publication: Publication, project: ProjectFolder, undeclared: Sequence[SiteFolder]
) -> Iterator[SiteFolder]:
    """The site that something publishes: its folder as it is, or else the source that becomes this folder.

    None if nobody can tell: the folder is not known, is itself the source of a site, or is no site that is copied.
    """
    if publication.exists:
        folder = project.root / publication.folders[0]
        kind = recognize(folder)
        is_empty = kind.kind == "static" and not has_pages(folder) and folder != project.root
        if kind.kind == "static" and kind.file:
            known = (each for each in chain(undeclared, _sources(publication, project)) if each.is_built)
            built = next((each for each in known if each.output == folder), SiteFolder(folder, kind))
            yield replace(built, declared=publication)
            if publication.step is None:  # the owner must say which one is right
                yield from (each for each in undeclared if folder in _copied_folders(each))
        if not is_empty:
            return
    of_generators = [each for each in undeclared if each.is_built]
    is_unnamed = publication.is_built_by_host and not publication.folders and publication.source is None
    if is_unnamed and len(of_generators) == 1:
        yield replace(of_generators[0], declared=publication)  # in the folder of its generator
        return
    is_by_generator = bool(publication.generator) and not any(each.is_built for each in undeclared)
    sources = [each for each in undeclared if not is_by_generator and _becomes(each, publication, project)]
    sources = sources or [each for each in _sources(publication, project) if _becomes(each, publication, project)]
    yield from (_built_into(each, publication, project) for each in sources)
    if not sources and publication.folders and not publication.copies and publication.rank != OF_OTHER_BRANCH:
        yield SiteFolder(project.root, _of_declared(publication, project), declared=publication)


def _copied_folders(site: SiteFolder) -> Sequence[Path]:
    """The folders whose files a generator copies into a site, and which are no site themselves."""
    is_of_source = site.kind.kind == "generator" and bool(site.kind.generator)
    folders = (site.folder / name for name in _COPIED if is_of_source)
    return [folder for folder in folders if folder != site.output]


def _built_into(site: SiteFolder, publication: Publication, project: ProjectFolder) -> SiteFolder:
    """The source of a site with what publishes it, whose only folder is that into which the site is built."""
    path = _output_in(project, site)
    if publication.folders and publication.host in _WITHOUT_SERVERS and site.kind.has_server:
        command = command_without_server(site.kind.generator, ProjectFolder(site.folder))
        site = replace(site, kind=replace(site.kind, has_server=False, command=command))
    site = replace(site, declared=publication)
    if not site.is_built or len(publication.folders) != 1 or path in publication.folders:
        return site
    output = posixpath.relpath(publication.folders[0], site.folder.relative_to(project.root).as_posix())
    kind = replace(site.kind, output=output, output_exists=project.has_folder(publication.folders[0]))
    return replace(site, kind=kind)


def _sources(publication: Publication, project: ProjectFolder) -> Iterator[SiteFolder]:
    """The folders from which what is published may be built: the one that is named, and those above it."""
    above = [parent.as_posix() for path in publication.folders for parent in PurePosixPath(path).parents]
    named = [] if publication.source is None else [posixpath.dirname(publication.source), publication.source]
    for path in dict.fromkeys(posixpath.normpath(each or ".") for each in (*named, *above)):
        kind = recognize(project.root / path)
        if kind.kind != "generator" and publication.generator:
            kind = source_of_generator(project.root / path, publication.generator) or kind
        if kind.kind != "static":
            yield SiteFolder(project.root / path, kind)


def _output_in(project: ProjectFolder, site: SiteFolder) -> str:
    """The path of a site's output from the project's folder."""
    return posixpath.normpath(site.output.relative_to(project.root).as_posix())


def _is_output(site: SiteFolder, publication: Publication, project: ProjectFolder) -> bool:
    """Whether the generator of a site may build it into what is published."""
    place = site.folder.relative_to(project.root).as_posix()
    possible = {posixpath.normpath(posixpath.join(place, each)) for each in possible_outputs(site.kind.generator)}
    return not {_output_in(project, site), *possible}.isdisjoint(publication.folders)


def _becomes(site: SiteFolder, publication: Publication, project: ProjectFolder) -> bool:
    """Whether a site becomes what is published, and is not there yet.

    It is the output of the site's generator, what Jekyll makes of a source that Waypost reads itself, or a copy of the
    site's files. Where GitHub Pages publishes the site as it is, the file of another host is a remainder.
    """
    path = _output_in(project, site)
    if site.kind.kind == "generator":
        config = site.folder.relative_to(project.root) / posixpath.dirname(site.kind.file)
        place = site.folder.relative_to(project.root).as_posix()
        is_output = _is_output(site, publication, project) or _names_output(publication, place)
        is_of_other = publication.generator not in ("", site.kind.generator)
        return is_output or (config.as_posix() == publication.source and not is_of_other)
    if site.kind.kind != "static":
        is_of_jekyll = site.folder == project.root or any("jekyll" in each for each in publication.commands)
        return is_of_jekyll or any(each.endswith(site.kind.output) for each in publication.folders)
    if not (site.kind.file and publication.folders):
        return False
    is_of_pages = any(tree_files.is_file(site.folder / name, project.root) for name in _OF_GITHUB_PAGES)
    is_of_other_host = publication.step is None and publication.host != "gitlab-pages"
    is_copied = _copies(path, publication.commands) and not _is_built_into(publication)
    return (is_of_pages and is_of_other_host) or is_copied


def _names_output(publication: Publication, place: str) -> bool:
    """Whether a command that runs in the folder of a source names the published folder by an option."""
    names = (re.escape(posixpath.relpath(folder, place)) for folder in publication.folders if folder != place)
    option = re.compile(rf" --?[\w-]+[ =](?:\./)?(?:{'|'.join(names)})/?(?= |\)|\Z)")
    own = [each for each in publication.commands if each.startswith("(cd ") == (place != ".")]
    return bool(publication.folders) and any(map(option.search, own))


def _is_built_into(publication: Publication) -> bool:
    """Whether a command builds a part of what is published, beside those that copy files there."""
    building = (each for each in publication.building if not (_COPIES.search(each) or prepares(each)))
    return any(f"{folder}/" in each for each in building for folder in publication.folders)


def _copies(path: str, commands: Sequence[str]) -> bool:
    """Whether commands copy the pages of a folder: all of its files, or its index."""
    pages = {".", "*", "*.html", "index.html"} if path == "." else {path, f"{path}/*", f"{path}/*.html"}
    arguments = (each for command in commands for found in _COPIES.finditer(command) for each in found[1].split()[:-1])
    return any(posixpath.normpath(each.strip("\"'")) in pages for each in arguments)


def _of_declared(publication: Publication, project: ProjectFolder) -> SourceKind:
    """The source of a site of which only the folder is known that it is built into."""
    path = publication.folders[0]
    name = posixpath.basename(path)
    place = posixpath.dirname(publication.file) if publication.step is None else "."
    beside = ProjectFolder(project.root / place)
    stem = name.removesuffix("-static")  # as Storybook's `build-storybook` names its folder
    scripts = (f"build:{name}", f"build-{name}", name, f"build:{stem}", f"build-{stem}", f"{stem}:build", "build")
    script = next((each for each in scripts if each in beside.scripts), "")
    named = typed_in(place or ".", f"{beside.package_manager} run {script}") if script else ""
    command = publication.command or named
    exists = project.has_folder(path)
    is_built = project.has_file(f"{path}/index.html")
    reason = f"it publishes {path}" + ("" if is_built else f", which {'has no page' if exists else 'does not exist'}")
    return SourceKind("generator", "", publication.file, reason, command, path, output_exists=exists)


def published_below(folder: Path) -> Sequence[SiteFolder]:
    """The sites as they are in the usual folders of a project that has no page itself, or the one that is a root.

    The only folder with a home page is a site's root, if its own sitemaps list pages without the name of the folder.
    """
    if _is_project(folder):
        return [each for each in sites_below(folder) if each.kind.kind == "static"]
    homes = list(islice(home_folders(folder), 2))
    return [SiteFolder(folder / name, recognize(folder / name)) for name in homes if _is_root(folder, homes)]


def home_folders(folder: Path) -> Iterator[str]:
    """The names of the folders in a folder that have a home page, in order."""
    return (name for name in _names_in(folder) if tree_files.is_file(folder / name / "index.html", folder))


def _names_in(folder: Path) -> Sequence[str]:
    """The first names in a folder, in order; none if it is no folder."""
    return sorted(tree_files.names(folder))[:_MOST_FOLDERS] if tree_files.is_folder(folder, folder) else []


def source_folders(folder: Path) -> Iterator[tuple[str, str]]:
    """The names of the folders in a folder that a generator builds a site from, each with the generator, in order."""
    found = ((name, recognize(folder / name)) for name in _names_in(folder) if not name.startswith("."))
    return ((name, kind.generator) for name, kind in found if kind.kind == "generator")


def named_outputs(folder: Path) -> Iterator[tuple[str, str]]:
    """The folders that commands copy somewhere, each with the file that has the command."""
    found = publications(ProjectFolder(folder), UNKNOWN_RUN)
    return ((path, each.file) for each in found for path in each.folders if path != ".")


def _is_root(folder: Path, homes: Sequence[str]) -> bool:
    if len(homes) != 1:
        return False
    root = folder / homes[0]
    sitemaps = fnmatch.filter(sorted(tree_files.names(root)), "sitemap*.xml")[:_MOST_SITEMAPS]
    read = (tree_files.read_start(root / name, folder, size=_SITEMAP_BYTES) for name in sitemaps)
    locs = [loc for start in read for loc in _LOC.findall(start)]
    return bool(locs) and not any(f"/{homes[0]}".encode() in loc for loc in locs)


def sites_below(folder: Path, ignored: Container[str] = ()) -> Iterator[SiteFolder]:
    """The sites in a project's usual folders: sources of generators, else sites as they are, else those of packages."""
    names = [name for name in dict.fromkeys((*PROJECT_FOLDERS, *_SITE_FOLDERS)) if f"{name}/" not in ignored]
    found = [
        SiteFolder(folder / name, recognize(folder / name))
        for name in names
        if tree_files.is_folder(folder / name, folder)
    ]
    sources = [each for each in found if each.kind.kind != "static" and each.folder.name in PROJECT_FOLDERS]
    sources = [each for each in sources if not _is_content(each, sources)]
    sites = [each for each in found if each.kind.kind == "static" and each.kind.file]
    yield from sources or sites or _of_packages(folder)


def _is_content(site: SiteFolder, sources: Sequence[SiteFolder]) -> bool:
    """Whether a folder has the contents of another one's site, whose configuration names it (Docusaurus' `path`)."""
    name = re.compile(rf"""["'](?:\.\./)+{re.escape(site.folder.name)}/?["']""")
    others = (each for each in sources if each.kind.kind == "generator" and each is not site)
    is_weak = site.kind.file in ("index.md", "index.html")
    return is_weak and any(name.search(ProjectFolder(each.folder).text(each.kind.file)) for each in others)


def _of_packages(folder: Path) -> Iterator[SiteFolder]:
    """The sources of sites among the packages of a repository that has several."""
    for path in package_folders(ProjectFolder(folder)):
        if (kind := recognize(folder / path)).kind == "generator":
            yield SiteFolder(folder / path, kind)


def has_pages(folder: Path) -> bool:
    """Whether there is an HTML file in a folder itself."""
    return any(each.is_file() for each in folder.glob("*.htm*"))


def has_whole_page(folder: Path) -> bool:
    """Whether there is a complete page in a folder itself, and not only parts of pages."""
    project = ProjectFolder(folder)
    names = sorted(name for name in tree_files.names(folder) if name.lower().endswith((".html", ".htm")))
    return any(is_complete_page(project.text(name)) for name in names[:_MOST_LOOKED_AT])


def _is_project(folder: Path) -> bool:
    """Whether a folder has files of a project, and no page."""
    return not has_pages(folder) and any((folder / name).exists() for name in _PROJECT_FILES)
