"""Says what a host that builds a site runs there, so that it has its sitemaps."""

import posixpath
import re
import shlex
from collections.abc import Iterator

from waypost.cli.recipes import VERCEL_SCRIPT, Lines, Tool, vercel_script
from waypost.cli.recipes import Site as BuiltSite
from waypost.cli.workflow import WorkflowRepository, own_origin
from waypost.project import SiteFolder
from waypost.project.generator import generators
from waypost.project.project_folder import ProjectFolder
from waypost.project.server_advice import ServerAdvice
from waypost.project.shell_commands import IN_FOLDER, typed_in

_BUILDERS = {"vercel": ("`buildCommand`", "vercel.json"), "netlify": ("`build.command`", "netlify.toml")}
"""The hosts that build sites with a server themselves, each with the name of the command, and its file."""
_SCRIPT = f"and write this in `{VERCEL_SCRIPT}` beside it, as Vercel takes no command of more than 256 characters:"


def sitemap_command(site: SiteFolder, repository: WorkflowRepository, below: str = ".") -> str:
    """The command that installs this program and makes the sitemaps of a built site, for a run in a folder."""
    output = posixpath.relpath(repository.path(site.output), below)
    return f"{_install()} && waypost build {shlex.quote(output)}{repository.config_option(site, below)}"


def of_builder(lines: Lines, host: str) -> Iterator[str]:
    """What to write in the file of a host, and the script that it runs, if that is one of its own."""
    yield lines.of_host(host)
    if host == "vercel":
        yield _SCRIPT
        yield lines.vercel_script()


def _install() -> str:
    """The commands that install this program where a host or a script runs it."""
    return Tool(own_origin().package, "").install_apart


def server_lines(site: SiteFolder, repository: WorkflowRepository) -> Iterator[str]:
    """What makes the sitemaps of a site with a server where it is built, a line of text or several each."""
    given = _server_advice(site, repository)
    yield "its server renders pages, so no workflow was written"
    if given.hook:
        yield f"the server answers with the files that are there when it is built, so write in {given.hook_file}:"
        yield given.hook
    yield from _build_command(site, repository, "" if given.hook else given.command(" --fetch-history"))
    yield given.routes()


def _server_advice(site: SiteFolder, repository: WorkflowRepository) -> ServerAdvice:
    options = repository.config_option(site, _place_of_builder(site, repository))
    return ServerAdvice(site, _folder_of_build(site, repository), options)


def can_be_a_step(site: SiteFolder) -> bool:
    """Whether the sitemaps of a site with a server can be made by a step after its build, as those of any other."""
    return not ServerAdvice(site, ".").needs_options


def server_routes(site: SiteFolder, repository: WorkflowRepository) -> str:
    """How the pages of a site with a server are listed that are no files."""
    return _server_advice(site, repository).routes()


def adapted_lines(site: SiteFolder, repository: WorkflowRepository) -> Iterator[str]:
    """What makes the sitemaps of a site without a server that a host builds, by its file or an adapter for it."""
    yield "its host builds it, so no workflow was written"
    output = posixpath.normpath(posixpath.join(_folder_of_build(site, repository), site.kind.output))
    options = repository.config_option(site, _place_of_builder(site, repository))
    yield from _build_command(site, repository, f"waypost build {output}{options} --fetch-history")


def _build_command(site: SiteFolder, repository: WorkflowRepository, command: str) -> Iterator[str]:
    host, place = builder_of(site), _place_of_builder(site, repository)
    build = host_lines(site, repository, site.declared_command, place).site.command
    commands = [*filter(None, (_install(), build, command))]
    yield f"let this be {' in '.join(_BUILDERS[host]) if host else 'the command that builds it'}:"
    if host == "vercel":
        yield f"  sh {VERCEL_SCRIPT}"
        yield _SCRIPT
        yield vercel_script(commands)
    else:
        yield f"  {' && '.join(commands)}"


def _folder_of_build(site: SiteFolder, repository: WorkflowRepository) -> str:
    """The folder of a site from the place in which a host builds it."""
    return posixpath.relpath(repository.path(site.folder), _place_of_builder(site, repository))


def _place_of_builder(site: SiteFolder, repository: WorkflowRepository) -> str:
    """The folder in which a host builds a site: the one with the host's file, or else the root."""
    if site.declared and builder_of(site) == site.declared.host:
        return posixpath.dirname(site.declared.file) or "."
    files = (file for _, file in _BUILDERS.values())
    return repository.path(site.folder) if any(map(ProjectFolder(site.folder).has_file, files)) else "."


def builder_of(site: SiteFolder) -> str:
    """The host that builds a site itself, by its file or the adapter for it; empty if none is known."""
    if site.declared and site.declared.host in _BUILDERS and not site.declared.step:
        return site.declared.host
    project = ProjectFolder(site.folder)
    hosts = (host for host, (_, file) in _BUILDERS.items() if project.has_file(file) or _has_adapter(project, host))
    return next(hosts, "")


def _has_adapter(project: ProjectFolder, host: str) -> bool:
    """Whether the site is made for a host by a package of its framework, such as `@astrojs/vercel`."""
    return any(re.search(rf"^@[\w-]+/(?:adapter-)?{host}\Z", name) for name in project.dependencies)


def host_lines(site: SiteFolder, repository: WorkflowRepository, declared: str = "", below: str = ".") -> Lines:
    """The lines for hosts that build a site, by the command that is declared, or else the generator's.

    They are for a run in the folder `below`, from which its paths begin.
    """
    origin = own_origin()
    is_node = any(each.name == site.kind.generator and each.toolchain == "node" for each in generators())
    place = posixpath.relpath(repository.path(site.folder), below)
    declared = declared or (site.kind.command if place.startswith("..") else "")  # which begins at the root
    declared = IN_FOLDER.sub(lambda each: each[2] if shlex.split(each[1]) == [below] else each[0], declared)
    build = declared or (typed_in(place, site.kind.command) if site.kind.command else "")
    output = posixpath.relpath(repository.path(site.output), below)
    options = repository.config_option(site, below)
    built = BuiltSite(site.kind.generator, build, output, is_node=is_node, options=options)
    return Lines(built, Tool(origin.package, origin.action))
