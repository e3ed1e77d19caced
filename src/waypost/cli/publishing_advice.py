"""Says where the step that makes sitemaps goes in what publishes a site already."""

import os
import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from waypost.cli.recipes import VERCEL_SCRIPT, WRITTEN, Lines, Tool, vercel_script
from waypost.cli.recipes import Site as BuiltSite
from waypost.cli.workflow import SETTINGS_FILE, WorkflowRepository, own_origin, setup_lines, sitemap_step
from waypost.cli.workflow_edit import with_step
from waypost.core import tree_files
from waypost.core.data_files import table_of, text_of
from waypost.core.model import printable
from waypost.git import GitFolder
from waypost.project import SiteFolder, configured_path, host_settings, netlify_production, pages_url
from waypost.project.generator import generators, plugin_of
from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import PUBLISHED_BRANCH, Publication, Step
from waypost.project.publications import DEPLOYS_PAGES
from waypost.project.publishers import COMMANDS, Publisher, action_of, row_of
from waypost.project.server_advice import ServerAdvice
from waypost.project.shell_commands import typed_in
from waypost.project.workflow_publications import read_yaml, steps_of
from waypost.settings.hosts import host_of_domain

_AS_ROOT = ("actions/jekyll-build-pages", "shalzz/zola-deploy-action", "mattnotmitt/doxygen-action")
"""Actions that build in a container, so that the files are root's (issue 101 of the first; `using: docker`)."""
_MOST_BUILDERS = 2
_RUNNER = re.compile(r"(uv|poetry|pipenv|pdm|hatch|rye) run ")
"""What runs a command in an environment of its own."""
_PIP_OF = {"uv": "uv pip"}
"""The pip for that environment, where it is no command in it (docs.astral.sh/uv, "The pip interface")."""
_UPDATES_ONLY = re.compile(r"\badd\b.* (?:-u|--update)\b")
_OLD_DEPLOYMENT = re.compile(r"actions/deploy-pages@(?:v?[1-3](?!\d)|[0-9a-f]{40}[ \t]*#[ \t]*(?:\w+@)?v?[1-3](?!\d))")
"""What deploys no artifact of the newer uploads (actions/deploy-pages, README, "Compatibility")."""
_IN_FOLDER = re.compile(r"\(cd ('[^']*'|\S+) && ([^()]*)\)")
_BUILDERS = {"vercel": ("`buildCommand`", "vercel.json"), "netlify": ("`build.command`", "netlify.toml")}
"""The hosts that build sites with a server themselves, each with the name of the command, and its file."""
_SCRIPT = f"and write this in `{VERCEL_SCRIPT}` beside it, as Vercel takes no command of more than 256 characters:"
_OTHER_FILES = {
    "amplify.yml": ("`frontend.phases.build.commands`", "pyenv global 3.11 && "),
    "render.yaml": ("`buildCommand`", ""),
    "swa-cli.config.json": ("`appBuildCommand`", ""),
}
"""The files of other hosts, each with the name of the command in it, and what chooses a new Python on its builder.

Amplify's has 3.10 (docs.aws.amazon.com/amplify, "Troubleshooting the Amazon Linux 2023 build image").
"""


def publication_of(path: str, found: Sequence[Publication], own: str) -> Publication | None:
    """What publishes a folder: of the workflows and hosts that publish it, or a folder that is not known, the first.

    If that is the file of a host, a workflow or a script that deploys there goes before it.

    The workflow with the path `own`, which this program writes, does not count, and neither does an upload alone.
    """
    others = [each for each in found if each.file != own and each.is_deployed and (not each.copies or each.folders)]
    named = [each for each in others if any(f"{path}/".startswith(f"{normal}/") for normal in each.folders)]
    named += [each for each in others if "." in each.folders]
    found = [*named, *(each for each in others if not each.folders)]
    of_host = [each for each in found if each.host == found[0].host]
    by_workflow = [each for each in of_host if each.step]
    # A host whose file has no command builds nothing where somebody runs a script that deploys there.
    by_hand = [each for each in of_host if each.publisher and not (each.builds or found[0].commands)]
    return next(iter((*by_workflow, *by_hand, *found)), None)


def advice(
    site: SiteFolder, publication: Publication, repository: WorkflowRepository, base_url: str | None = None
) -> Iterator[str]:
    """What to change so that the sitemaps are made before the site is published, a line of text or several each.

    `base_url` is that of the site, if it is known, whose own domain a branch for GitHub Pages must name.
    """
    file = printable(publication.file)
    below = _place(publication)
    lines = host_lines(site, repository, _declared_build(site, publication, repository), below)
    if publication.builds:
        yield from _instead(site, publication, lines, repository, _own_domain(base_url or ""))
    elif publication.step:
        yield from _before(site, publication, publication.step, repository)
    elif publication.publisher:
        row = COMMANDS.get(publication.publisher)
        built = f"`{publication.building[-1]}`" if publication.building else "the command that builds it"
        place = f"after {built}" if row and row.in_folder else f"before `{publication.publisher}`"
        by = f"the script `{printable(publication.script)}`" if publication.script else "a script"
        yield f"{by} in {file} publishes the site already; add this there, or in what it runs,"
        yield f"{printable(place)} (with Python 3.11 or newer):"
        yield _with_build(site, publication, repository, below)
    elif publication.host == "read-the-docs" and publication.commands:
        yield f"{file} publishes the site already; add these after its `build.commands`:"
        yield lines.read_the_docs_commands()
    elif publication.host in WRITTEN:
        yield f"{file} publishes the site already, so no workflow was written; write there, beside what it has:"
        yield from _lines_of_file(publication, lines, repository)
        if plugin := plugin_of(site.kind.generator):
            yield f"or install Waypost there, and add {plugin}"
    else:
        where, before = _OTHER_FILES.get(posixpath.basename(publication.file), ("its host's build command", ""))
        yield f"{file} publishes the site already, so no workflow was written; let this be {where}"
        yield "(with Python 3.11 or newer):"
        yield f"{before}{lines.command()}"
    if publication.step and publication.step.history != "whole":
        yield _depth(publication.step.history)


def _lines_of_file(publication: Publication, lines: Lines, repository: WorkflowRepository) -> Iterator[str]:
    """What to write in the file of a host, beside what it has, a text of several lines or a remark."""
    settings = host_settings(ProjectFolder(repository.root), publication.file)
    if publication.host == "read-the-docs":
        has_tools = "tools" in table_of(settings.get("build"))
        yield lines.read_the_docs_jobs(has_tools=has_tools)
        if has_tools:
            yield "where `tools` has Python 3.11 or newer"
        elif "version" in table_of(settings.get("python")):
            yield "in the place of `python.version`, which Read the Docs refuses beside it"
    elif publication.host == "netlify":
        production = netlify_production(settings)
        has_folder = any("publish" in each for each in (table_of(settings.get("build")), production))
        yield lines.netlify("context.production" if "command" in production else "build", has_folder=has_folder)
        if ProjectFolder(repository.root / _place(publication)).has_file("runtime.txt"):
            yield "and let runtime.txt name Python 3.11 or newer, which goes before `PYTHON_VERSION`"
    else:
        yield from _of_builder(lines, publication.host)


def _of_builder(lines: Lines, host: str) -> Iterator[str]:
    """What to write in the file of a host, and the script that it runs, if that is one of its own."""
    yield lines.of_host(host)
    if host == "vercel":
        yield _SCRIPT
        yield lines.vercel_script()


def _declared_build(site: SiteFolder, publication: Publication, repository: WorkflowRepository) -> str:
    """The command with which a publication builds the site, typed at the root; empty if none is declared.

    Vercel prefers a script to the framework's command (vercel.com/docs/builds/configure-a-build, "Build Command").
    """
    project = ProjectFolder(site.folder)
    if publication.host == "vercel" and not publication.command and "vercel-build" in project.scripts:
        return typed_in(repository.path(site.folder), f"{project.package_manager} run vercel-build")
    if publication.step is None and not publication.publisher:  # the host runs all of it
        return " && ".join(publication.commands)
    return "" if publication.builds else publication.command


def _place(publication: Publication) -> str:
    """The folder in which a host runs its commands: that of its file, or the one below which it builds the site."""
    if publication.step:
        return publication.step.place
    if publication.publisher:
        return publication.source or "."
    found = _IN_FOLDER.match(publication.commands[0]) if publication.commands else None
    return shlex.split(found[1])[0] if found else posixpath.dirname(publication.file) or "."


def _own_domain(base_url: str) -> str:
    """The host of a base URL, unless it is one of a known host's own."""
    host = urlsplit(base_url).hostname or ""
    return "" if host_of_domain(host) else host


def _instead(
    site: SiteFolder, publication: Publication, lines: Lines, repository: WorkflowRepository, domain: str
) -> Iterator[str]:
    """What to write in the place of an action or a command that builds and publishes in one."""
    place = posixpath.relpath(repository.path(site.folder), _place(publication))
    setup, by_action = setup_lines(site, place), publication.step is not None and not publication.step.command
    already = f"{printable(publication.file)} publishes the site already by `{publication.publisher}`, "
    if publication.host in ("vercel", "netlify"):
        yield f"{already}and its host builds it; write there, beside what it has:"
        yield from _of_builder(lines, publication.host)
    elif plugin := plugin_of(site.kind.generator or publication.generator):
        yield f"{already}which builds it, too: no step can come"
        row = row_of(publication.publisher)
        there = f"there, {row.install}," if row and row.install else "there, with Python 3.11 or newer,"
        command = lines.tool.install_by(_pip(publication))
        install = f"install Waypost {there} and wherever else the site is built (`{command}`)"
        yield f"between; {install}, and add {plugin}"
    elif row := _skipping(publication):
        yield f"{already}which builds it, too; let it"
        output = repository.path(site.output)
        inputs = row.skip.replace("OUTPUT", output)
        installed = setup if by_action and not row.generator else []  # a command runs a program that is there
        where = f"only publish (`{f'with: {{{inputs}}}' if by_action else inputs}`)"
        if by_action or publication.step is None:
            yield f"{where}, and add before it:"
            yield "\n".join(_build_steps(lines, output, installed)) if by_action else lines.command("")
        else:  # whose script may install the generator first
            yield f"{where}, and add before it, in the script that has `{printable(publication.step.command)}`:"
            yield host_lines(site, repository, below=publication.step.folder).command("")
    elif publication.step and (row := row_of(publication.publisher)) and row.only_builds:
        yield f"{already}which builds it, too; let it"
        yield f"only build (`env: {{{row.only_builds}: true}}`), and add after it:"
        yield _step(site, publication, publication.step, repository)
        yield f"- run: {lines.branch(domain, publication.branch).splitlines()[-1]}"
    else:
        yield f"{already}which builds it, too: no step can come"
        yield "between; write instead:"
        row, commands = row_of(publication.publisher), lines.branch(domain, publication.branch).splitlines()
        of_actions = lines._replace(site=lines.site._replace(output=repository.path(site.output)))
        steps = of_actions.pages().splitlines()[1:] if row and row.by else [f"- run: {each}" for each in commands]
        is_on_pages = publication.host == "github-pages"
        kept = ([*setup, *steps] if by_action else commands)[: None if is_on_pages else -1]
        yield "\n".join(kept)
        if is_on_pages and by_action and _OLD_DEPLOYMENT.search(ProjectFolder(repository.root).text(publication.file)):
            yield "and let `actions/deploy-pages` be v4 or newer, which this upload needs"
        if not is_on_pages:
            yield f"and publish {shlex.quote(lines.site.output)} by a step that does not build it"


def _pip(publication: Publication) -> str:
    """The pip for the environment in which the command that publishes is run."""
    runner = _RUNNER.match(publication.step.command) if publication.step else None
    return _PIP_OF.get(runner[1], f"{runner[0]}pip") if runner else "pip"


def _skipping(publication: Publication) -> Publisher | None:
    """What publishes, if it can be told not to build."""
    row = row_of(publication.publisher) or COMMANDS.get(publication.publisher)
    return row if row and row.skip else None


def _build_steps(lines: Lines, output: str, setup: Sequence[str]) -> Iterator[str]:
    """The steps that install, build a site into a folder of the repository, and make its sitemaps."""
    build, action = f"- run: {lines.site.command}", f"- uses: {lines.tool.action}"
    yield "\n".join([*setup, build, action, f"  with: {{source: {output}}}"])


def _before(site: SiteFolder, publication: Publication, step: Step, repository: WorkflowRepository) -> Iterator[str]:
    """What to add before the step, or the line of a script, that publishes."""
    does = f"{printable(publication.file)} {'commits' if publication.commits else 'publishes'} the site already"
    if publication.publisher == DEPLOYS_PAGES:
        yield f"{does}, but no step was found that uploads it; add this step before that one:"
        yield _step(site, publication, step, repository)
    elif step.is_shared or step.is_called:
        where = "in the script that it runs, " if step.is_called else ""
        yield f"{does}; {where}add this before `{printable(step.command)}`:"
        yield _with_build(site, publication, repository, step.folder)
    else:
        yield f"{does}; add this step before `{printable(step.name)}` in {step.job}:"
        yield _step(site, publication, step, repository)
    if publication.of_commits:
        yield "and give the job the permission that its commit needs: `permissions: {contents: write}`"
    if publication.commits and _UPDATES_ONLY.search(step.command):
        yield "and let it add files that are new, too: with `-u` it commits no file that Git does not know yet"


def _step(site: SiteFolder, publication: Publication, at: Step, repository: WorkflowRepository) -> str:
    """The step that makes the sitemaps, on the condition of the one that publishes.

    What an action in a container has built belongs to root before.
    """
    text = ProjectFolder(repository.root).text(publication.file)
    by_root = next((name for name in _AS_ROOT if name in text), "")
    output = shlex.quote(repository.path(site.output))
    owned = f'- run: sudo chown -R "$USER" {output} # {by_root} makes it as root\n' if by_root else ""
    if build := _missing_build(site, publication, repository, "."):
        owned = f"- run: {build}\n"
    return owned + sitemap_step(site, repository, at.condition, commits=publication.of_commits)


def _missing_build(site: SiteFolder, publication: Publication, repository: WorkflowRepository, below: str) -> str:
    """The command that must build the site before, for a run in a folder; empty if what publishes it has it built.

    A generator's own command that publishes builds only what is not there (hexo.io/docs/commands, "deploy").
    """
    row = COMMANDS.get(publication.publisher)
    is_missing = row is not None and row.generator and not (row.builds or publication.building)
    place = posixpath.relpath(repository.path(site.folder), below)
    return typed_in(place, site.kind.command) if is_missing else ""


def _with_build(site: SiteFolder, publication: Publication, repository: WorkflowRepository, below: str) -> str:
    """The commands that make the sitemaps for a run in a folder, after the one that builds the site if none does."""
    build = _missing_build(site, publication, repository, below)
    return " && ".join(filter(None, (build, sitemap_command(site, repository, below))))


def _depth(history: str) -> str:
    if history == "none":
        return (
            "and begin that job with a checkout, whose history has the dates: `actions/checkout`, with `fetch-depth: 0`"
        )
    return "and give the checkout of that job the whole history, which has the dates: `with: {fetch-depth: 0}`"


def edited(site: SiteFolder, publication: Publication, repository: WorkflowRepository) -> bytes | None:
    """The workflow with the step in it; None if it must be edited by hand."""
    at = publication.step
    if at is None or publication.builds or at.is_called or at.history == "none":
        return None
    if publication.publisher == DEPLOYS_PAGES or _UPDATES_ONLY.search(at.command):
        return None
    text = tree_files.read(repository.root / publication.file, repository.root).decode("utf-8", "surrogateescape")
    step = _step(site, publication, at, repository)
    changed = with_step(text, at, step, _with_build(site, publication, repository, at.folder))
    return changed.encode("utf-8", "surrogateescape") if changed else None


def sitemap_command(site: SiteFolder, repository: WorkflowRepository, below: str = ".") -> str:
    """The command that installs this program and makes the sitemaps of a built site, for a run in a folder."""
    output = posixpath.relpath(repository.path(site.output), below)
    return f"{_install()} && waypost build {shlex.quote(output)}{repository.config_option(site, below)}"


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
    declared = _IN_FOLDER.sub(lambda each: each[2] if shlex.split(each[1]) == [below] else each[0], declared)
    build = declared or (typed_in(place, site.kind.command) if site.kind.command else "")
    output = posixpath.relpath(repository.path(site.output), below)
    options = repository.config_option(site, below)
    built = BuiltSite(site.kind.generator, build, output, is_node=is_node, options=options)
    return Lines(built, Tool(origin.package, origin.action))


def filled_branch_lines(site: SiteFolder, repository: WorkflowRepository) -> Iterator[str]:
    """What to do where origin has a branch for GitHub Pages, and nothing shows what fills it."""
    yield f"origin/{PUBLISHED_BRANCH} has a site, and nothing here shows what fills it, so no workflow was written"
    yield "let what fills it run this in the place of its build:"
    yield f"  {host_lines(site, repository).command()}"
    yield "if nothing fills it any more, delete that branch: then `waypost init` writes the workflow that publishes it"


def ways_to_publish(
    site: SiteFolder,
    repository: WorkflowRepository,
    base_url: str | None,
    git: GitFolder | None,
    builders: Sequence[tuple[str, Step]] = (),
) -> Iterator[str]:
    """How a site gets its sitemaps on each host, where nothing shows which one publishes it.

    It may be a workflow that builds it: `builders` are the steps of workflows that do, with their files.
    GitHub Pages serves it at the known base URL, or at that of the repository with the path for which it is built.
    """
    folder, writes = os.path.relpath(site.folder), "writes the workflow that builds and publishes it"
    init = "waypost init" if folder == "." else f"waypost init {shlex.quote(folder)}"
    own = pages_url(git.repository.github_name if git else "") or "https://OWNER.github.io/NAME/"
    path = configured_path(ProjectFolder(site.folder), site.kind)
    base = f"{urljoin(own, path).rstrip('/')}/"
    yield "nothing shows which host publishes the site, so no workflow was written"
    for file, step in builders[:_MOST_BUILDERS]:
        yield f"if {printable(file)} publishes it, which builds it: add this step after `{printable(step.name)}`:"
        yield sitemap_step(site, repository)
        if "fetch-depth: 0" not in ProjectFolder(repository.root).text(file):
            yield _depth("shallow")
    if base_url:
        settings = repository.settings_folder / SETTINGS_FILE
        yield f'if it is GitHub Pages: set host = "github-pages" in {settings}; then `{init}` {writes}'
    else:
        yield f"if it is GitHub Pages: `{init} --base-url {base}` {writes}"
    if base != own and not base_url:
        yield f"but GitHub Pages serves it at {own}, and {site.kind.file} says that it is at {path}"
    yield "if another host publishes it, let this be that host's command:"
    yield f"  {host_lines(site, repository).command()}"


def is_edited(path: Path, repository: WorkflowRepository, site: SiteFolder) -> bool:
    """Whether a workflow has a step for a site already."""
    text = tree_files.read_start(path, repository.root, size=1 << 20).decode("utf-8", "replace")
    output = repository.path(site.output)
    with_output = (
        each for each in steps_of(read_yaml(text)) if text_of(table_of(each.get("with")), "source") == output
    )
    # Another input of this name is that of an action which publishes.
    return f"waypost build {shlex.quote(output)}" in text or any(
        row_of(action_of(text_of(each, "uses"))) is None for each in with_output
    )
