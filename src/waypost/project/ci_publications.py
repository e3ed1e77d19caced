"""Finds what other services' configurations and a project's scripts publish, by the commands in them."""

from collections.abc import Iterator

from waypost.core.data_files import table_of, text_of
from waypost.project.called_scripts import CalledScripts
from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import Publication
from waypost.project.script_publications import first_published
from waypost.project.shell_commands import Command, commands_of, typed_in
from waypost.project.workflow_publications import read_yaml

_CONFIGURATIONS = (
    *(".travis.yml", ".circleci/config.yml", "buildspec.yml", "buildspec.yaml", "azure-pipelines.yml"),
    *("bitbucket-pipelines.yml", "appveyor.yml", ".cirrus.yml", ".woodpecker.yml", ".drone.yml"),
)
"""The configurations of services that run a project's commands (each service's reference of its file)."""
_SCRIPTS = ("deploy.sh", "publish.sh", "scripts/deploy.sh", "scripts/publish.sh", "bin/deploy", "bin/deploy.sh")
_COMMANDS = frozenset(
    {
        *("run", "command", "commands", "script", "scripts", "install", "build", "deploy", "bash"),
        *("before_install", "before_script", "after_success", "after_script", "before_deploy", "build_script"),
    }
)
"""The keys whose values are commands."""
_MOST_DEPTH = 20


def ci_publications(root: ProjectFolder) -> Iterator[Publication]:
    """What the first of these files that publishes a site publishes; paths are relative to the repository's root."""
    called = CalledScripts(root)
    for file in filter(root.has_file, (*_CONFIGURATIONS, *_SCRIPTS)):
        text = root.text(file)
        scripts = [text] if file in _SCRIPTS else list(_scripts(read_yaml(text), _MOST_DEPTH))
        # Such a file often stays when another service publishes the site.
        if found := first_published(_commands(scripts, called), file, copies=True):
            yield found
            return
        if file == ".travis.yml" and (folder := _travis_folder(read_yaml(text))):
            built = tuple(typed_in(each.folder, each.text) for each in _commands(scripts, called))
            yield Publication(file, "github-pages", (folder,), built, "pages", copies=True, source=".")
            return


def _scripts(value: object, depth: int) -> Iterator[str]:
    """The texts below keys of commands, in their order; one shell runs all commands of a list."""
    for name, each in value.items() if isinstance(value, dict) and depth else ():
        texts = each if isinstance(each, list) else [each]
        if name in _COMMANDS:
            yield "\n".join(text for text in texts if isinstance(text, str))
        for inner in texts:
            yield from _scripts(inner, depth - 1)


def _commands(scripts: list[str], called: CalledScripts) -> list[Command]:
    return [each for script in scripts for each in commands_of(script, ".", called.of)]


def _travis_folder(settings: object) -> str:
    """The folder that Travis deploys to GitHub Pages (docs.travis-ci.com, "GitHub Pages Deployment")."""
    deploy = table_of(settings).get("deploy")
    steps = map(table_of, deploy if isinstance(deploy, list) else [deploy])
    return next((text_of(each, "local_dir") or "." for each in steps if text_of(each, "provider") == "pages"), "")
