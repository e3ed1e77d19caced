"""Says where the step that makes sitemaps goes in what publishes a site already."""

import os
import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from waypost.cli.host_builds import host_lines, of_builder, sitemap_command
from waypost.cli.recipes import WRITTEN, Lines
from waypost.cli.workflow import SETTINGS_FILE, WorkflowRepository, setup_lines, sitemap_step
from waypost.cli.workflow_edit import with_step
from waypost.core import tree_files
from waypost.core.data_files import table_of, text_of
from waypost.core.model import printable
from waypost.git import GitFolder
from waypost.project import SiteFolder, configured_path, host_settings, netlify_production, pages_url
from waypost.project.generator import plugin_of
from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import PUBLISHED_BRANCH, Publication, Step
from waypost.project.publications import DEPLOYS_PAGES
from waypost.project.publishers import COMMANDS, Publisher, action_of, row_of
from waypost.project.shell_commands import IN_FOLDER, typed_in
from waypost.project.workflow_publications import read_yaml, steps_of
from waypost.settings.hosts import host_of_domain

_AS_ROOT = ("actions/jekyll-build-pages", "shalzz/zola-deploy-action", "mattnotmitt/doxygen-action")
"""Actions that build in a container, so that the files are root's (issue 101 of the first; `using: docker`)."""
_MOST_BUILDERS = 2
"""So many workflows are named that build a site, and may publish it."""
_RUNNER = re.compile(r"(uv|poetry|pipenv|pdm|hatch|rye) run ")
"""What runs a command in an environment of its own."""
_PIP_OF = {"uv": "uv pip"}
"""The pip for that environment, where it is no command in it (docs.astral.sh/uv, "The pip interface")."""
_UPDATES_ONLY = re.compile(r"\badd\b.* (?:-u|--update)\b")
_OLD_DEPLOYMENT = re.compile(r"actions/deploy-pages@(?:v?[1-3](?!\d)|[0-9a-f]{40}[ \t]*#[ \t]*(?:\w+@)?v?[1-3](?!\d))")
"""What deploys no artifact of the newer uploads (actions/deploy-pages, README, "Compatibility")."""
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
        yield from of_builder(lines, publication.host)


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
    found = IN_FOLDER.match(publication.commands[0]) if publication.commands else None
    return shlex.split(found[1])[0] if found else posixpath.dirname(publication.file) or "."


def _own_domain(base_url: str) -> str:
    """The host of a base URL, unless it is one of a known host's own."""
    host = urlsplit(base_url).hostname or ""
    return "" if host_of_domain(host) else host


def _instead(
    site: SiteFolder, publication: Publication, lines: Lines, repository: WorkflowRepository, domain: str
) -> Iterator[str]:
    """What to write in the place of an action or a command that builds and publishes in one."""
    row = row_of(publication.publisher)
    already = f"{printable(publication.file)} publishes the site already by `{publication.publisher}`, "
    if publication.host in ("vercel", "netlify"):
        yield f"{already}and its host builds it; write there, beside what it has:"
        yield from of_builder(lines, publication.host)
    elif plugin := plugin_of(site.kind.generator or publication.generator):
        yield f"{already}which builds it, too: no step can come"
        there = f"there, {row.install}," if row and row.install else "there, with Python 3.11 or newer,"
        command = lines.tool.install_by(_pip(publication))
        install = f"install Waypost {there} and wherever else the site is built (`{command}`)"
        yield f"between; {install}, and add {plugin}"
    elif skipping := _skipping(publication):
        yield f"{already}which builds it, too; let it"
        yield from _built_before(site, publication, lines, repository, skipping)
    elif publication.step and row and row.only_builds:
        yield f"{already}which builds it, too; let it"
        yield f"only build (`env: {{{row.only_builds}: true}}`), and add after it:"
        yield _step(site, publication, publication.step, repository)
        yield f"- run: {lines.branch(domain, publication.branch).splitlines()[-1]}"
    else:
        yield f"{already}which builds it, too: no step can come"
        yield "between; write instead:"
        yield from _built_and_published(site, publication, lines, repository, domain)


def _is_by_action(publication: Publication) -> bool:
    return publication.step is not None and not publication.step.command


def _setup(site: SiteFolder, publication: Publication, repository: WorkflowRepository) -> Sequence[str]:
    """The steps that install what builds a site."""
    return setup_lines(site, posixpath.relpath(repository.path(site.folder), _place(publication)))


def _built_before(
    site: SiteFolder, publication: Publication, lines: Lines, repository: WorkflowRepository, row: Publisher
) -> Iterator[str]:
    """How what publishes is told not to build, and what builds the site before."""
    output = repository.path(site.output)
    inputs = row.skip.replace("OUTPUT", output)
    if _is_by_action(publication):
        yield f"only publish (`with: {{{inputs}}}`), and add before it:"
        # A command of a generator runs a program that is there.
        installed = [] if row.generator else _setup(site, publication, repository)
        action = f"- uses: {lines.tool.action}\n  with: {{source: {output}}}"
        yield "\n".join([*installed, f"- run: {lines.site.command}", action])
    elif publication.step is None:
        yield f"only publish (`{inputs}`), and add before it:"
        yield lines.command("")
    else:  # whose script may install the generator first
        in_script = f"in the script that has `{printable(publication.step.command)}`"
        yield f"only publish (`{inputs}`), and add before it, {in_script}:"
        yield host_lines(site, repository, below=publication.step.folder).command("")


def _built_and_published(
    site: SiteFolder, publication: Publication, lines: Lines, repository: WorkflowRepository, domain: str
) -> Iterator[str]:
    """The steps or commands that build a site, make its sitemaps and publish it."""
    row, commands = row_of(publication.publisher), lines.branch(domain, publication.branch).splitlines()
    of_actions = lines._replace(site=lines.site._replace(output=repository.path(site.output)))
    steps = of_actions.pages().splitlines()[1:] if row and row.by else [f"- run: {each}" for each in commands]
    is_on_pages, by_action = publication.host == "github-pages", _is_by_action(publication)
    all_steps = [*_setup(site, publication, repository), *steps] if by_action else commands
    yield "\n".join(all_steps if is_on_pages else all_steps[:-1])
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
    build = _missing_build(site, publication, repository, ".")
    before = f"- run: {build}\n" if build else owned
    return before + sitemap_step(site, repository, at.condition, commits=publication.of_commits)


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
        if step.history != "whole":
            yield _depth(step.history)
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
